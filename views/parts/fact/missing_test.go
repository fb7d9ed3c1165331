package fact_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

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
