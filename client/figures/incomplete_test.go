package figures_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
)

func TestAccountsWithoutARateAreReadFromTheNote(t *testing.T) {
	const lacking = "Cash is incomplete: there is no exchange rate for mBank …6666 in PLN."
	for note, want := range map[string]string{
		"About 12.7 months.":                       "",
		"About 12.7 months. " + lacking:            "mBank …6666 in PLN",
		lacking + " 2 payments are not explained.": "mBank …6666 in PLN",
	} {
		if got := figures.CashWithout(&apiclient.CashPosition{RunwayNote: note}); got != want {
			t.Errorf("of %q it is %q, want %q", note, got, want)
		}
	}
	if figures.CashWithout(nil) != "" {
		t.Error("an unknown cash position leaves accounts out")
	}
}
