package cashnote_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/cashnote"
)

func TestAccountsAreReadFromTheNote(t *testing.T) {
	lacking := cashnote.Incomplete([]string{"St. Gallen KB …6666 in CHF"})
	for note, want := range map[string]string{
		"":                     "",
		"About 12.7 months.":   "",
		lacking:                "St. Gallen KB …6666 in CHF",
		"About 12. " + lacking: "St. Gallen KB …6666 in CHF",
		lacking + " 2 payments are not explained.":                         "St. Gallen KB …6666 in CHF",
		"Cash is incomplete: there is no exchange rate for something else": "",
	} {
		if got := cashnote.Accounts(note); got != want {
			t.Errorf("of %q it is %q, want %q", note, got, want)
		}
	}
}

// Whatever accounts are called, the client reads what the service wrote.
func TestWhatIsWrittenIsRead(t *testing.T) {
	label := rapid.StringMatching(`[A-Za-z株é][A-Za-z株é. …0-9]{0,20} in (CHF|PLN|GEL)`)
	rapid.Check(t, func(t *rapid.T) {
		accounts := rapid.SliceOfN(label, 1, 4).Draw(t, "accounts")
		note := "EUR is converted at the rate of 2026-05-01. " + cashnote.Incomplete(accounts) + " About 12.7 months."

		if got, want := cashnote.Accounts(note), strings.Join(accounts, " and "); got != want {
			t.Fatalf("of %q it reads %q", note, got)
		}
	})
}
