package voices_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"tarmac/client/figures"
	"tarmac/internal/money"
)

// figure is what a voice says, or should say, of a fact.
type figure struct {
	known bool
	mark  figures.Mark
	texts []string // without the mark: the exact form and, for an expected figure, the short one
	why   string   // why it is unknown, or what it leaves out
	note  string   // the server's own sentence about it
}

func figureOf(t figures.Total) figure {
	f := figure{known: !t.Unknown, mark: t.Mark(), why: t.Why()}
	for _, text := range [...]string{t.String(), t.Short()} {
		f.texts = append(f.texts, strings.TrimPrefix(text, t.Mark().Sign()))
	}
	return f
}

// figureToken matches a figure of the voices that write signs: an amount, a percentage, a number of
// months or a dash.
var figureToken = regexp.MustCompile(`[≥~≤?]?[-+]?\$[\d,]+(?:\.\d+)?[kMBT]?|` +
	`[≥~≤?]?[\d,]+\.\d+(?:%| months| mo)?|—|not burning|Not burning|no net burn|more than 100 years`)

// inWords matches a figure of line mode.
var inWords = regexp.MustCompile(`(?:at least |at most |about )?(?:minus |plus )?\$[\d,]+(?:\.\d+)?` +
	`(?: \((?:partial|unanswered questions)\))?|` +
	`(?:about )?\d+\.\d(?:%| months(?: \((?:partial|unanswered questions)\))?)|unknown|not burning`)

// inThousands matches a figure of the table of months on the page Runway, whose head has the unit.
var inThousands = regexp.MustCompile(`[≥~≤?]?[-+]?\d+(?:\.\d)?|—`)

// zeroMonth matches the month in which the cash runs out.
var zeroMonth = regexp.MustCompile(
	`[≥~≤?]?\d{4}-\d\d(?: \(estimate\)(?: \((?:partial|unanswered questions)\))?)?|—|unknown`)

// find returns the nth figure after a label in the first line of a text that has the label.
func find(text, label string, nth int, tokens *regexp.Regexp) (string, bool) {
	pattern := regexp.MustCompile(label)
	for line := range strings.SplitSeq(text, "\n") {
		at := pattern.FindStringIndex(line)
		if at == nil {
			continue
		}
		if found := tokens.FindAllString(line[at[1]:], nth+1); len(found) > nth {
			return found[nth], true
		}
	}
	sentences := flat(text)
	if at := pattern.FindStringIndex(sentences); at != nil && !strings.HasPrefix(label, "^") {
		if found := tokens.FindAllString(sentences[at[1]:], nth+1); len(found) > nth {
			return found[nth], true
		}
	}
	return "", false
}

// parsed returns a figure from its text.
func parsed(text string) figure {
	f := figure{known: true}
	for _, m := range [...]struct {
		mark  figures.Mark
		words string
	}{{figures.AtLeast, "at least "}, {figures.AtMost, "at most "}, {figures.Partial, "about "}} {
		if rest, ok := strings.CutPrefix(text, m.mark.Sign()); ok && m.mark != figures.NoMark {
			f.mark, text = m.mark, rest
		} else if rest, ok := strings.CutPrefix(text, m.words); ok {
			f.mark, text = m.mark, rest
		}
	}
	if rest, ok := strings.CutPrefix(text, figures.Unanswered.Sign()); ok {
		f.mark, text = figures.Unanswered, rest
	}
	if rest, ok := strings.CutSuffix(text, " (partial)"); ok {
		f.mark, text = figures.Partial, rest
	}
	if rest, ok := strings.CutSuffix(text, " (unanswered questions)"); ok {
		f.mark, text = figures.Unanswered, rest
	}
	text = strings.NewReplacer("minus ", "-", "plus ", "+", " months", "", " mo", "").Replace(text)
	switch text {
	case money.Dash, "unknown", "Not burning", "no net burn": // words in place of a runway
		return figure{}
	}
	f.texts = []string{text}
	return f
}

// leftOut has the columns of CSV with numbers of rows that are left out, beside that of the API.
var leftOut = map[string]bool{"undirected_count": true, "unreadable_count": true}

// cell returns a cell of CSV: that of a column in the row that has a cell with the given text.
func cell(text, row, column string) (value, excluded string, ok bool) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	rows, _ := reader.ReadAll()
	if len(rows) == 0 {
		return "", "", false
	}
	for _, r := range rows[1:] {
		at, matches := -1, row == ""
		count := ""
		for i, name := range rows[0] {
			if i >= len(r) {
				break
			}
			if name == column {
				at = i
			}
			if name == "unconverted_count" || strings.HasSuffix(name, "_count") && leftOut[name] && r[i] != "0" {
				count = r[i]
			}
			matches = matches || r[i] == row
		}
		if matches && at >= 0 {
			return r[at], count, true
		}
	}
	return "", "", false
}

// member returns a member of JSON. The path has names, and key=value for the item of a list.
func member(text, path string) (any, bool) {
	var at any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&at) != nil { // sentences may follow
		return nil, false
	}
	for name := range strings.SplitSeq(path, "/") {
		switch v := at.(type) {
		case map[string]any:
			next, ok := v[name]
			if !ok {
				return nil, false
			}
			at = next
		case []any:
			next, ok := item(v, name)
			if !ok {
				return nil, false
			}
			at = next
		default:
			return nil, false
		}
	}
	return at, true
}

func item(list []any, which string) (any, bool) {
	key, want, _ := strings.Cut(which, "=")
	for _, one := range list {
		o, ok := one.(map[string]any)
		if !ok {
			return nil, false
		}
		value := o[key]
		if nested, ok := value.(map[string]any); ok {
			value = nested["untrusted_text"]
		}
		if fmt.Sprint(value) == want {
			return one, true
		}
	}
	return nil, false
}

// flat returns a text in which frames, line breaks and repeated spaces are single spaces.
func flat(text string) string {
	const between = " \n│╭╮╰╯─"
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(between, r) }), " ")
}

// rates matches what voices say of rows and receivables without a rate.
var rates = regexp.MustCompile(`\d+ (?:transactions?|receivables?)?.{0,40}(?:without|(?:has|have) no) USD rate|` +
	`No USD rate \(excluded\) +[1-9]|NO USD RATE`)

// directions, bills and unread match what voices say of rows whose direction is unknown, of bills
// without a rate or that may be paid, and of rows that could not be read.
var (
	directions = regexp.MustCompile(`\d+ (?:transactions? (?:has|have) an unknown|without) direction`)
	bills      = regexp.MustCompile(`\d+ bills? (?:without a|of )`)
	unread     = regexp.MustCompile(`\d+ (?:transactions? could not be read|unreadable)`)
)

// isExplained reports whether a text has the reason of the figure, or the server's own sentence.
func (f figure) isExplained(text string) bool {
	return says(text, f.why) || f.note != "" && says(text, f.note)
}

// isExplainedBeside reports whether the words of the reason follow each other on a screen, where
// the lines of a panel continue after those of the panels beside it.
func (f figure) isExplainedBeside(screen string) bool {
	for _, reason := range [...]string{f.why, f.note} {
		rest, found := flat(screen), reason != ""
		for word := range strings.FieldsSeq(reason) {
			if !found {
				break
			}
			_, rest, found = strings.Cut(rest, word)
		}
		if found {
			return true
		}
	}
	return false
}

// says reports whether a text has a reason. Of figures that leave out rows without a rate, it may
// have the number of all such rows on a page.
func says(text, reason string) bool {
	if reason == "" {
		return true
	}
	letters := func(text string) string { // lines may break within days
		return strings.ReplaceAll(strings.ToLower(flat(text)), " ", "")
	}
	said := strings.TrimSuffix(letters(reason), ".")
	return strings.Contains(letters(text), said) || strings.Contains(reason, "USD rate") &&
		rates.MatchString(text+"\n"+flat(text)) ||
		strings.Contains(reason, "direction") && directions.MatchString(flat(text)) ||
		strings.Contains(reason, " bill") && bills.MatchString(flat(text)) ||
		strings.Contains(reason, "could not be read") && unread.MatchString(flat(text))
}
