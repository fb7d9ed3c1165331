package rowfilter

import (
	"math"
	"testing"

	"tarmac/apiclient"
)

func TestWordsForAmountsAndAccountsAreTakenOutOfTheText(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		typed, currency, keyword string
		least, most              int64
		account                  string
	}{
		{">5k", "USD", "", 500_001, most, ""},
		{"rent <1,200.50 ", "USD", "rent", 0, 120_049, ""},
		{"1k..2k", "EUR", "", 100_000, 200_000, ""},
		{"2k..1k", "EUR", "", 100_000, 200_000, ""},
		{"=1240 office", "USD", "office", 124_000, 124_000, ""},
		{">=5k <=6k", "JPY", "", 5000, 6000, ""},
		{"acct:4821", "USD", "", 0, most, "4821"},
		{"2026-01..2026-03", "USD", "2026-01..2026-03", 0, 0, ""},
		{"a>b = 2 > ..", "USD", "a>b = 2 > ..", 0, 0, ""},
		{"=0", "USD", "", 0, 0, ""},
		{"<0", "USD", "", 0, -1, ""},
	} {
		keyword, l, err := Parse(c.typed, c.currency)
		if err != nil || keyword != c.keyword || l.least != c.least || l.most != c.most || l.account != c.account {
			t.Errorf("%q is %q and %+v, %v", c.typed, keyword, l, err)
		}
	}
	for _, typed := range []string{">five", ">1.234", "=1,20", "acct:", ">€5"} {
		if _, _, err := Parse(typed, "USD"); err == nil {
			t.Errorf("%q is accepted", typed)
		}
	}
}

func TestARowIsFoundByItsAccountOrElseByItsSource(t *testing.T) {
	own := apiclient.Transaction{SourceLabel: "Linked bank", Account: "Harbour Bank …4821"}
	other := apiclient.Transaction{SourceLabel: "Linked bank"}
	for typed, want := range map[string][2]bool{
		"acct:4821": {true, false}, "acct:HARBOUR": {true, false}, "acct:linked": {false, true}, "acct:4822": {},
	} {
		_, f, err := Parse(typed, "USD")
		if got := [2]bool{f.Matches(&own, ""), f.Matches(&other, "")}; err != nil || got != want {
			t.Errorf("%s finds %v, %v", typed, got, err)
		}
	}
}
