package bookkeeping_test

import (
	"errors"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

func TestAccountsAreFoundByWhatAPersonTypes(t *testing.T) {
	accounts := []bookrules.Account{
		{Key: 1, Number: "00123456789", Currency: "USD", Name: "Checking"},
		{Key: 2, Number: "DE44 5001 0517 5407 3249 31", Currency: "EUR"},
		{Key: 3, Number: "DE44 5001 0517 5407 3249 31", Currency: "USD"},
		{Key: 4, Number: "31", Currency: "USD", Name: "Petty cash"},
	}
	for text, want := range map[string]int64{
		"00123456789": 1, "6789": 1, "…6789": 1, "xxxx6789": 1, "checking": 1, "…4931 EUR": 2, "3249 31 usd": 3,
		"de4450010517540732493 1 eur": 2, "31": 4, "petty cash": 4,
	} {
		if got, err := bookkeeping.FindAccount(accounts, text); err != nil || got.Key != want {
			t.Errorf("%q is account %d (%v), want %d", text, got.Key, err, want)
		}
	}
	if _, err := bookkeeping.FindAccount(accounts, "4931"); err == nil || !strings.Contains(err.Error(), "(EUR) or ") {
		t.Errorf("two accounts: %v", err)
	}
	for _, text := range []string{"", "…", " EUR", "5555", "savings"} {
		if _, err := bookkeeping.FindAccount(accounts, text); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
