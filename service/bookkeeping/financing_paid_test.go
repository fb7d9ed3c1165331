package bookkeeping_test

import (
	"strings"
	"testing"
)

// invested is a statement of three months of costs, and of money for a broker.
var invested = statement{
	account: "00123456789", first: "2026-08-01", last: "2026-10-31",
	lines: []line{
		{"2026-08-31", "-41500.00", "1", "Gusto"}, {"2026-09-30", "-41500.00", "2", "Gusto"},
		{"2026-10-30", "-41500.00", "3", "Gusto"}, {"2026-09-09", "-450000.00", "4", "Schwab Moneylink"},
	},
}

func TestMoneyForABrokerIsOutOfBurnUntilAnswered(t *testing.T) {
	for with, burn := range map[string]int64{"": 41500_00, "yes": 41500_00, "no": 191500_00} {
		b := newBooks(t)
		take(t, b, source("a.qfx", invested.ofx()))
		asked := questionsOf(t, b)
		if len(asked) != 1 || !strings.HasPrefix(asked[0], "450,000.00 USD to Schwab Moneylink on 2026-09-09: ") {
			t.Fatalf("asked are %q", asked)
		}
		if with != "" {
			answer(t, b, "Schwab", with)
		}

		if got := burnOf(t, b); got != burn {
			t.Errorf("%q: burn is %d", with, got)
		}
		if asked := questionsOf(t, b); (len(asked) > 0) != (with == "") {
			t.Errorf("%q: asked are %q", with, asked)
		}
	}
}

// An answer about money out holds when its file is undone and imported again, and can be taken
// back.
func TestAnAnswerAboutMoneyOutIsRemembered(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", invested.ofx()))
	done := answer(t, b, "Schwab", "no")
	imports, err := b.Imports(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Undo(t.Context(), imports[0].ID); err != nil {
		t.Fatal(err)
	}
	take(t, b, source("a.qfx", invested.ofx()))
	if got, asked := burnOf(t, b), questionsOf(t, b); got != 191500_00 || len(asked) > 0 {
		t.Errorf("burn is %d, asked are %q", got, asked)
	}

	_, err = b.Answer(t.Context(), done.ID, "open")

	if got := burnOf(t, b); err != nil || got != 41500_00 {
		t.Errorf("burn is %d, %v", got, err)
	}
}

// A lender's repayments are asked about too, apart from what the lender paid.
func TestALendersDrawsAndRepaymentsAreTwoQuestions(t *testing.T) {
	b := newBooks(t)
	drawn := statement{account: "00123456789", first: "2026-06-01", last: "2026-10-31"}
	for n, month := range []string{"06", "07", "08", "09", "10"} {
		id := string(rune('a' + n))
		drawn.lines = append(drawn.lines, line{"2026-" + month + "-28", "-41500.00", id + "1", "Gusto"},
			line{"2026-" + month + "-04", "30000.00", id + "2", "Kookaburra Credit Drawdown"},
			line{"2026-" + month + "-19", "-2500.00", id + "3", "Kookaburra Credit Repay"})
	}
	take(t, b, source("a.qfx", drawn.ofx()))

	asked := questionsOf(t, b)

	if len(asked) != 2 || !strings.Contains(asked[0], "from Kookaburra") || !strings.Contains(asked[1], "to Kookaburra") {
		t.Errorf("asked are %q", asked)
	}
	if got := burnOf(t, b); got != 41500_00 {
		t.Errorf("burn is %d", got)
	}
	answer(t, b, "from Kookaburra", "yes")
	answer(t, b, "to Kookaburra", "no")
	if got := burnOf(t, b); got != 44000_00 {
		t.Errorf("after the answers, burn is %d", got)
	}
}
