package unrated_test

import (
	"testing"
	"time"

	"tarmac/internal/testsupport/unrated"
)

// FalseStatements must find every false statement and accept every true one.
func TestTheJudgeSeesWhatIsWrong(t *testing.T) {
	const explained = "\n2 transactions have no USD rate and are excluded."
	companies := unrated.Companies(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, name := range []string{"some", "none"} {
		c := companies[name]
		c.InflowsShown = true
		companies[name+", money in"] = c
	}
	for _, c := range []struct {
		company, text string
		wrong         int
	}{
		{"all", "in $123,456.78", 0},
		{"all", "in ≥$123,456.78" + explained, 1},
		{"all", "65.9%", 0},
		{"some", "in $123,456.78" + explained, 1},
		{"some", "in $123.5k and ≥$123.4k" + explained, 1},
		{"some", "in ≥$123,456.78", 1},
		{"some", "in ≥$123,456.78, net ~+$1,234.56, ~65.9%" + explained, 0},
		{"some", "in at least $123,456.78, net plus $1,234.56 (partial), about 65.9%" + explained, 0},
		{"some", "65.9%" + explained, 1},
		{"some", "Cash on hand $2,439,188.42", 0},
		{"some", "│ $120.0k ██", 0},
		{"none", "in — · out —", 0},
		{"none", "in $0.00", 1},
		{"some", "in ≥$123,456.78 · out $0.00" + explained, 1},
		{"some, money in", "in ≥$123,456.78 · out $0.00" + explained, 0},
		{"some, money in", "in $0.00 · out ≥$0.00" + explained, 1},
		{"none, money in", "in — · out $0.00 · net —", 0},
		{"none", "in ≥$0.00" + explained, 1},
		{"none", "│     $0 —", 0},
		{"none", "│     $0 ▁▁ —", 1},
	} {
		if wrong := companies[c.company].FalseStatements(c.text); len(wrong) != c.wrong {
			t.Errorf("%s rated, %q: %q", c.company, c.text, wrong)
		}
	}
}
