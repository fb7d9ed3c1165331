package voices_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tarmac/client/assistant"
	"tarmac/internal/testsupport/screen"
	"tarmac/internal/testsupport/voices"
)

// TestAllVoicesSayTheSameSentences compares the sentences that an assistant gets with those of the
// command, line mode and the dashboard, and their text with their figures.
func TestAllVoicesSayTheSameSentences(t *testing.T) {
	said := map[string]int{}
	for _, c := range append(voices.Companies(), explained()) {
		s := serve(t, c)
		overview, err := assistant.GetOverview(t.Context(), s.client, today())
		if err != nil {
			continue // the server refuses its rows to all voices
		}
		command := flat(s.command("cash-position --why") + s.command("aging"))
		printed := flat(s.command("overview"))
		large, spoken := s.overviewPages(overview)
		shown := flat(screen.WithSigns(large))
		for _, sentence := range overview.Sentences {
			said[sentence.About]++
			text := sentence.Text.Text
			if sentence.About != "owed" && !strings.Contains(command, flat(text)) {
				t.Errorf("%s: the command does not say %q", c.Name, text)
			}
			if first, _, _ := strings.Cut(text, " "); sentence.About == "lasts" &&
				!strings.Contains(shown, strings.TrimLeft(first, "≥~≤?")) {
				t.Errorf("%s: the dashboard does not say %q:\n%s", c.Name, text, large)
			}
			if fromFigures[sentence.About] && !strings.Contains(printed, flat(text)) {
				t.Errorf("%s: the command overview does not say %q:\n%s", c.Name, text, printed)
			}
			inWords := strings.ToLower(withoutSigns(text))
			if sentence.About != "past_due" && !strings.Contains(spoken, inWords) {
				t.Errorf("%s: line mode's overview does not say %q:\n%s", c.Name, text, spoken)
			}
			compareFigures(t, c.Name, &sentence)
		}
	}
	for _, about := range []string{"lasts", "used", "changed", "month", "owed"} {
		if said[about] == 0 {
			t.Errorf("no company has a sentence about %q", about)
		}
	}
}

// fromFigures has the sentences that need no transactions and no bills: those of the command
// overview, which reads neither. onOverview has those of the dashboard's first page.
var (
	fromFigures = map[string]bool{"lasts": true, "owed": true}
	onOverview  = map[string]bool{"lasts": true, "used": true, "month": true, "owed": true}
)

// withoutSigns replaces signs and marks as line mode does.
func withoutSigns(text string) string {
	text = " " + strings.ReplaceAll(text, "÷", "divided by")
	for _, mark := range []struct{ sign, words string }{
		{` ≥`, " at least "}, {` ≤`, " at most "}, {` ~`, " about "},
		{` +-([$\d])`, " minus $1"}, {` +\+([$\d])`, " plus $1"},
	} {
		text = regexp.MustCompile(mark.sign).ReplaceAllString(text, mark.words)
	}
	return text[1:]
}

// overviewPages waits until the copy of the dashboard's first page has the sentences of an
// assistant. It returns that page, and line mode's overview after transactions were read, in lower
// case.
func (s *served) overviewPages(of *assistant.Overview) (large, spoken string) {
	s.t.Helper()
	d := s.dashboard()
	large, _ = d.press("21")
	d.until(func() bool {
		copied := d.copy()
		return !slices.ContainsFunc(of.Sentences, func(one assistant.Sentence) bool {
			serversNote := strings.HasPrefix(one.Text.Text, "Not burning") // stands in its place
			return onOverview[one.About] && !serversNote && !strings.Contains(copied, one.Text.Text)
		})
	})
	_, spoken, _ = strings.Cut(s.lines("recurring", "overview"), "Organization")
	_, spoken, _ = strings.Cut(spoken, "Organization")
	return large, strings.ToLower(spoken)
}

// explained returns a company whose net burn is the average of its rows, so that these say why the
// runway changed. It differs from month to month.
func explained() voices.Company {
	c := voices.Companies()[0]
	c.Name = "explained"
	c.Rows = slices.Clone(c.Rows)
	net := int64(0)
	for i := range c.Rows {
		row := &c.Rows[i]
		if row.Day.FirstOfMonth() == after && row.Direction == "outflow" {
			row.Cents += 1_000_00
		}
		if first := row.Day.FirstOfMonth(); first.After(after.AddMonths(-3)) && !first.After(after) {
			if row.Direction == "outflow" {
				net += row.Cents
			} else {
				net -= row.Cents
			}
		}
	}
	burn := (net + 2) / 3
	c.Cash = maps.Clone(c.Cash)
	c.Cash["monthly_burn_cents"] = burn
	c.Cash["runway_months"] = float64(10*int64(c.Cash["runway_cash_cents"].(int))/burn) / 10
	return c
}

// compareFigures fails the test unless the parts of a sentence add up, and rows stand behind each
// sentence that is made of rows.
func compareFigures(t *testing.T, company string, s *assistant.Sentence) {
	t.Helper()
	rows := map[string]bool{"used": true, "changed": true, "month": true}[s.About]
	if (s.Count > 0) != rows || len(s.Rows) != min(s.Count, assistant.MaxSentenceRows) || len(s.Figures) == 0 {
		t.Errorf("%s: %q has %d figures and %d of %d rows", company, s.Text.Text, len(s.Figures), len(s.Rows), s.Count)
	}
	if s.About != "month" {
		return
	}
	left := *s.Figures[0].Amount.Cents
	for _, part := range s.Figures[1:] {
		left -= *part.Amount.Cents
	}
	if left != 0 {
		t.Errorf("%s: the parts of %q lack %d", company, s.Text.Text, left)
	}
}
