package fact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/readings"
	"tarmac/internal/testsupport/extension"
	"tarmac/theme"
	"tarmac/views/parts/fact"
)

// The line at the bottom of a page begins with the mark only if figures of the page have it.
func TestTheLineOfWhatIsMissingHasTheMarkOfTheFigures(t *testing.T) {
	const converted = "GBP is converted at the rate of 2026-11-25."
	for _, test := range []struct {
		name    string
		missing fact.Missing
		want    string
	}{
		{"nothing", fact.Missing{}, ""},
		{"a rate", fact.Missing{Sentences: []string{converted}}, converted},
		{"an account", fact.Missing{Sentences: []string{"…4821 is not included."}}, "° …4821 is not included."},
		{"rows and a rate", fact.Missing{Transactions: 2, Currency: "EUR", Sentences: []string{converted}},
			"° without 2 transactions that have no EUR rate. " + converted},
	} {
		got := strings.Join(test.missing.Lines(theme.New(true), 200, 40), "\n")
		if plain := ansi.Strip(got); plain != test.want {
			t.Errorf("%s: %q, want %q", test.name, plain, test.want)
		}
	}
}

func TestTheLineOfWhatIsMissingNamesTheDaysThatNoStatementCovers(t *testing.T) {
	coverage := figures.CoverageOf(&apiclient.CashPosition{
		Currency: "USD", AsOf: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC), Extension: extension.Covering("2026-11-19"),
	})
	months := coverage.Cover([]figures.Month{
		{First: civil.New(2026, 10, 1), Summary: apiclient.Summary{Currency: "USD", Count: 3, UnconvertedCount: 1}},
		{First: civil.New(2026, 11, 1), Summary: apiclient.Summary{Currency: "USD", Count: 3}},
	})
	missing := fact.Missing{Currency: "USD"}

	missing.OfMonths(months)

	const want = "° without 1 transaction that has no USD rate. Statements do not cover 2026-11-20 to 2026-11-25."
	if got := ansi.Strip(strings.Join(missing.Lines(theme.New(true), 200, 40), "\n")); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Small pages cut the end of what is missing.
func TestUnansweredQuestionsAreSaidFirst(t *testing.T) {
	months := apiclient.MonthsOf(470)
	missing := fact.Missing{Sentences: []string{"Statements do not cover 2026-11."}}

	missing.OfCash(figures.CashOf(&apiclient.CashPosition{
		Currency: "EUR", Status: apiclient.AccountOpen, Sufficient: true, IsBurning: true, MonthlyBurnCents: 8_317_45,
		RunwayMonths: &months, RunwayCashCents: new(int64),
		RunwayNote: "About 47 months. More is said.", Extension: extension.Asking(readings.Unanswered{
			Questions: 1, InMinor: 60_000_00, High: readings.Reading{BurnMinor: 8_317_45},
		}),
	}, figures.Window{}))

	if len(missing.Sentences) != 3 || !strings.HasPrefix(missing.Sentences[0], "1 unanswered question: €60,000.00") {
		t.Errorf("the sentences are %q", missing.Sentences)
	}
}
