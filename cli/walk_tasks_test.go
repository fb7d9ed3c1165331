//go:build unix

package cli_test

import (
	"slices"
	"testing"
	"unicode/utf8"
)

// What a newcomer asks first takes few keys, from the first page of the demo on. They are those
// that the pages and the help name.
func TestWhatANewcomerAsksTakesFewKeys(t *testing.T) {
	t.Parallel()
	w := &walker{terminal: startTerminal(t, 80, 24, nil, "demo")}
	const changed = `Why [A-Z][a-z]+ burned`
	w.until("● live", changed)
	type step struct{ press, shows string }
	type steps []step
	october, large := step{"enter", `row 1 of \d{3}`}, step{"enter", `row 1 of \d{1,2}\b`}
	keys := 0
	for _, task := range []struct {
		asks string
		steps
		most int
		goOn bool // with the next task, from here
	}{
		{"how long the cash lasts, and why that changed", steps{{"", changed}}, 0, false},
		{"the payments of the last whole month", steps{{"2", "Months"}, {"j", "Months"}, october}, 3, true},
		{"those over 10,000 among them", steps{{"/", "enter apply"}, {">10k", ">10k"}, large}, 16, false},
		{"what an invoice is about", steps{{":", "enter run"}, {"273", "INV-|273"}, {"enter", `INV-\d*273`}}, 5, false},
		{"whom to remind, with the words for it", steps{{"3", `\d days late  `}, {"y", "copied"}}, 2, false},
		{"colours for a light terminal", steps{{"?", "enter run"}, {"them", "theme"}, {"enter", "theme: "}}, 6, false},
		{"what costs more than before", steps{{"8", `cost|about as much as`}}, 1, false},
		{"what is paid again and again, in a year", steps{{"8", "Counterparty"}, {"]", `a year`}}, 2, false},
		{"whether a receiver of events fails", steps{{"7", `fail`}}, 1, false},
		{"who has paid", steps{{"6", `paid INV-`}}, 1, false},
		{"the cash of the next weeks", steps{{"2", "Months"}, {"]", `in week 13`}}, 2, false},
		{"amounts hidden from whoever looks on", steps{{"*", `•••`}}, 1, false},
	} {
		for _, s := range task.steps {
			if slices.Contains([]string{"shift+tab", "enter"}, s.press) {
				keys++
			} else {
				keys += utf8.RuneCountInString(s.press)
			}
			w.do(s.press, s.shows)
		}

		if keys > task.most {
			t.Errorf("%s: %d keys, at most %d", task.asks, keys, task.most)
		}
		if !task.goOn {
			w.do("1", "Cash on hand")
			keys = 0
		}
	}
	w.do("ctrl+c", "leave anyway") // the filters are lost
	w.close()
}
