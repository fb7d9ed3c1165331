package voices_test

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/testsupport/screen"
	"tarmac/internal/testsupport/voices"
)

// spot is where a voice says a fact.
type spot struct {
	text  string // name of the text, such as "dashboard runway"; its first word is the voice
	label string // what is before the figure in its line; in CSV, a cell of the row
	nth   int    // number of figures between the label and this one
	name  string // column of CSV, or path in JSON
}

// fact is a figure of a company with the places where the voices say it.
type fact struct {
	name string // object and field of package record
	want figure
	at   []spot
}

// texts returns everything that the voices say of a company, by name.
func (s *served) texts() map[string]string {
	all := map[string]string{}
	for name, line := range map[string]string{
		"account": "account", "cash": "cash-position", "aging": "aging", "spend": "spend", "recurring": "recurring",
		"forecast": "forecast", "bridge": "spend --bridge 2026-09..2026-10", "overview": "overview",
		"bills": "bills",
	} {
		all["command "+name] = s.command(line)
		if name != "overview" {
			all["csv "+name] = s.command(line + " --csv")
		}
		all["json "+name] = s.command(line + " --json")
	}
	all["json report"] = s.command("report --json")
	all["report text"] = s.command("report --text")
	_, bridge, _ := strings.Cut(all["report text"], "\nFrom September 2026 to October 2026")
	all["report bridge"], _, _ = strings.Cut(bridge, "\nMoney out\n")
	_, spend, _ := strings.Cut(all["report text"], "\nMoney out\n")
	spend, income, _ := strings.Cut(spend, "\nMoney in\n")
	all["report spend"] = spend
	all["report income"], _, _ = strings.Cut(income, "\nRecurring costs\n")
	_, bills, _ := strings.Cut(all["report text"], "\nBills to pay today\n")
	all["report bills"], _, _ = strings.Cut(bills, "\n\n\n")
	all["check figures"], all["check limits"] = s.command("check"),
		s.command("check --overdue-above 1 --bills-past-due-above 1 --bills-due-above 1")
	for name, lines := range map[string][]string{
		"overview": {"1"}, "months": {"months"}, "runway": {"2"}, "forecast": {"2", "forecast"}, "aging": {"3"},
		"customers": {"remind"}, "bills": {"bills", "bills all"}, "spend": {"spend"},
		"recurring": {"recurring"}, "bridge": {"bridge"},
	} {
		text := s.lines(lines...)
		_, all["line "+name], _ = strings.Cut(text, "Overview: ")
	}
	for name, text := range s.asked() {
		all["assistant "+name] = text
	}
	s.onDashboard(all)
	return all
}

func (s *served) onDashboard(all map[string]string) {
	d := s.dashboard()
	for _, page := range [...]struct{ name, keys string }{
		{"overview", "1"}, {"runway", "2"}, {"forecast", "]"}, {"aging", "3"}, {"bills", "]"},
		{"spend", "8"}, {"recurring", "]"}, {"bridge", "]"},
	} {
		large, small := d.press(page.keys)
		all["dashboard "+page.name], all["small "+page.name] = screen.WithSigns(large), screen.WithSigns(small)
	}
	for _, page := range [...]struct{ name, keys string }{{"overview", "1"}, {"runway", "2"}} {
		if large, _ := d.press(page.keys); strings.Contains(large, "y copy figures") {
			all["copy "+page.name] = d.copy() // its notice covers a line of the pages that follow
		}
	}
}

// TestAllVoicesSayTheSame compares what the dashboard, its copies, line mode, the commands, CSV,
// the report, the assistants and the check say of each fact with package figures: whether it is
// known, its mark, its cents and its reason.
func TestAllVoicesSayTheSame(t *testing.T) {
	var (
		mu    sync.Mutex
		found = map[string]string{} // differences, with the company and what is said
		seen  = map[string]bool{}   // facts and voices that were compared
	)
	t.Run("companies", func(t *testing.T) {
		for _, c := range voices.Companies() {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, c)
				texts := s.texts()
				for _, f := range s.facts() {
					for _, at := range f.at {
						voice, _, _ := strings.Cut(at.text, " ")
						wrong, compared := f.compare(at, texts[at.text])
						mu.Lock()
						key := voice + " " + f.name
						seen[key] = seen[key] || compared
						for _, what := range wrong {
							found[key+": "+what] += "\n    " + c.Name + ": want " + f.want.String() + " in " + at.text
						}
						mu.Unlock()
					}
				}
			})
		}
	})
	for _, difference := range slices.Sorted(maps.Keys(found)) {
		if !slices.Contains(knownDifferences, difference) {
			t.Errorf("%q:%s", difference, found[difference])
		}
	}
	for _, difference := range knownDifferences {
		if found[difference] == "" {
			t.Errorf("%q is no difference any more; take it from the list", difference)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		if !seen[key] {
			t.Errorf("%q is never found", key)
		}
	}
}

// refused matches the error in place of the figures of a server whose rows cannot be read.
var refused = regexp.MustCompile(`response (?:could not be read|does not follow the API)`)

// notOpen reports whether a screen says that there is no account in place of figures.
func notOpen(screen string) bool { return strings.Contains(screen, "No account is open yet.") }

// isLarge reports whether the exact amount has no room on the dashboard.
func (f figure) isLarge() bool {
	return len(f.texts) > 0 && len(f.texts[0]) > len("$123,456,789,012.34")
}

func (f figure) String() string {
	text := "unknown"
	if f.known {
		text = f.mark.Sign() + strings.Join(f.texts, " or ")
	}
	if f.why != "" {
		text += " (" + f.why + ")"
	}
	return text
}

// compare returns how a voice differs from a fact. It returns false if the voice does not have it.
func (f *fact) compare(at spot, text string) (wrong []string, compared bool) {
	voice, _, _ := strings.Cut(at.text, " ")
	switch voice {
	case "csv":
		return f.compareCell(at, text)
	case "assistant", "json":
		return f.compareMember(at, text, voice)
	case "check":
		return f.compareValue(at, text), true
	}
	tokens := figureToken
	switch isMonth := strings.HasSuffix(f.name, "_month"); {
	case isMonth:
		tokens = zeroMonth
	case voice == "line":
		tokens = inWords
	case at.text == "dashboard runway" && strings.HasPrefix(f.name, "MonthSummary"):
		tokens = inThousands
	}
	said, ok := find(text, at.label, at.nth, tokens)
	if !ok {
		if voice == "report" && f.name == "CashPosition.cash_cents" { // it is the basis of the cash of October alone
			return nil, false
		}
		nothing := voice == "dashboard" && notOpen(text) || voice == "copy" && text == ""
		if !f.hasRoom(voice) || refused.MatchString(text) || nothing {
			return nil, false
		}
		if !f.want.known && f.want.isExplained(text) && f.want.why != "" {
			return nil, true // a sentence in place of the figure
		}
		return []string{"absent"}, false
	}
	got := parsed(said)
	if onScreen := voice == "dashboard" || voice == "small"; onScreen && got.mark != figures.NoMark {
		// Screens have one mark for all kinds; a line at the bottom says which.
		if got.mark = f.want.mark; got.mark == figures.NoMark {
			got.mark = figures.Partial
		}
	}
	wrong = f.differ(got)
	if f.want.isLarge() && (voice == "small" || voice == "dashboard") {
		return nil, true
	}
	explained := f.want.isExplained(text) || voice == "dashboard" && f.want.isExplainedBeside(text)
	if voice != "small" && !explained {
		wrong = append(wrong, "reason")
	}
	return wrong, true
}

func (f *fact) differ(got figure) (wrong []string) {
	switch {
	case got.known != f.want.known:
		return []string{"known"}
	case !got.known:
		return nil
	}
	if got.mark != f.want.mark {
		wrong = append(wrong, "mark")
	}
	if !f.want.has(got.texts[0]) {
		wrong = append(wrong, "cents")
	}
	return wrong
}

// hasRoom reports whether a voice has room for every figure. The small screen has not, and amounts
// of more than a trillion dollars may be cut or left out on the others.
func (f *fact) hasRoom(voice string) bool {
	return voice != "small" && (voice != "dashboard" || !f.want.isLarge())
}

// has reports whether a text without its mark is the figure. CSV has no plus signs.
func (f figure) has(text string) bool {
	return slices.ContainsFunc(f.texts, func(want string) bool {
		return strings.TrimPrefix(want, "+") == strings.TrimPrefix(text, "+")
	})
}

// compareValue compares the performance data of a check, and what its text says of the figure.
func (f *fact) compareValue(at spot, text string) (wrong []string) {
	_, rest, ok := strings.Cut(text, "'"+at.name+"'=")
	value, _, _ := strings.Cut(rest, ";")
	sentence, _, _ := strings.Cut(text, "|")
	label := `(?:- |, )` + strings.ReplaceAll(at.name, "_", " ") + `(?: in \d+ days?)? `
	switch said, found := find(sentence, label, 0, figureToken); {
	case !ok:
		return []string{"absent"}
	case (value != "U") != f.want.known && value+f.want.texts[0] != "U$0.00":
		return []string{"known"}
	case !f.want.known && !f.want.isExplained(sentence) && !strings.Contains(sentence, "no net burn"):
		return []string{"reason"}
	case f.want.known && value != "U" && !f.want.has(dollars(value)):
		return []string{"cents"}
	case f.want.mark == figures.Unanswered: // the text has the figures after answers in its place
		if !strings.Contains(sentence, "unanswered question") {
			return []string{"mark"}
		}
	case f.want.known && found:
		return f.differ(parsed(said))
	}
	return nil
}

// compareCell compares a cell of CSV, which has no mark. The row has a number of what is left out,
// or the output has a sentence.
func (f *fact) compareCell(at spot, text string) (wrong []string, compared bool) {
	value, excluded, ok := cell(text, at.label, at.name)
	switch {
	case !ok && !f.want.known && f.want.isExplained(text):
		return nil, true
	case !ok:
		return []string{"absent"}, false
	case (value != "" && value != "—") != f.want.known:
		return []string{"known"}, true
	case f.want.known && !f.want.has(dollars(value)):
		return []string{"cents"}, true
	case f.want.mark == figures.NoMark || excluded != "" && excluded != "0":
		return nil, true
	case strings.Contains(f.want.why, "USD rate") && f.name != "Counterparty.before_cents" || !f.want.isExplained(text):
		return []string{"mark"}, true // the number in the row says it, beyond sentences on standard error
	}
	return nil, true
}

// dollars returns a plain number of dollars as an amount.
func dollars(value string) string {
	if value == "" {
		return ""
	}
	sign, digits := "", value
	if rest, ok := strings.CutPrefix(value, "-"); ok {
		sign, digits = "-", rest
	}
	whole, decimals, isAmount := strings.Cut(digits, ".")
	if !isAmount || len(decimals) != 2 {
		return value
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + "$" + whole + "." + decimals
}

// compareMember compares an amount of an answer to an assistant, which has its own reason, or a
// number in JSON.
func (f *fact) compareMember(at spot, text, voice string) (wrong []string, compared bool) {
	got, ok := member(text, at.name)
	if !ok {
		if strings.Contains(text, "could not be read") {
			return nil, false // an error in place of the answer
		}
		if !f.want.known && f.want.isExplained(text) {
			return nil, true
		}
		return []string{"absent"}, false
	}
	if n, isNumber := got.(json.Number); isNumber && f.want.known {
		text := n.String()
		if cents, err := n.Int64(); err == nil && strings.HasSuffix(at.name, "_cents") {
			text = money.Text(cents, "USD")
		}
		if !f.want.has(text) {
			return []string{"cents"}, true
		}
	}
	if text, isText := got.(string); isText && !f.want.has(text) {
		return []string{"text"}, true
	}
	if voice == "json" {
		return f.differInPresence(got), true
	}
	amount, ok := got.(map[string]any)
	if !ok {
		return f.differInPresence(got), true
	}
	said, _ := amount["text"].(string)
	wrong = f.differ(parsed(said))
	if (amount["cents"] != nil) != f.want.known {
		wrong = append(wrong, "known")
	}
	reason, _ := amount["reason"].(string)
	left, _ := amount["left_out"].(string)
	if f.want.why != "" && !strings.Contains(reason+left, f.want.why) {
		wrong = append(wrong, "reason")
	}
	return wrong, true
}

// differInPresence compares only whether a number is known.
func (f *fact) differInPresence(got any) []string {
	if (got != nil) != f.want.known {
		return []string{"known"}
	}
	return nil
}

// facts returns the facts of the company.
func (s *served) facts() (all []fact) {
	s.t.Helper()
	ctx := context.Background()
	all = append(all, s.cashFacts(ctx)...)
	all = append(all, s.agingFacts(ctx)...)
	all = append(all, s.ledgerFacts(ctx)...)
	all = append(all, s.billFacts()...)
	return all
}
