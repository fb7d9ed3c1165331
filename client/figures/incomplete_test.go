package figures_test

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
)

func TestAccountsWithoutARateAreReadFromTheNote(t *testing.T) {
	const lacking = "Cash is incomplete: there is no exchange rate for St. Gallen KB …6666 in CHF."
	for note, want := range map[string]string{
		"About 12.7 months.":                       "",
		"About 12.7 months. " + lacking:            "St. Gallen KB …6666 in CHF",
		lacking + " 2 payments are not explained.": "St. Gallen KB …6666 in CHF",
	} {
		if got := figures.CashWithout(&apiclient.CashPosition{RunwayNote: note}); got != want {
			t.Errorf("of %q it is %q, want %q", note, got, want)
		}
	}
	if figures.CashWithout(nil) != "" {
		t.Error("an unknown cash position leaves accounts out")
	}
}
