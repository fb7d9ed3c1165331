package figures_test

import (
	"fmt"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
)

func TestTheStepsOfCashAddUp(t *testing.T) {
	account := func(currency string) *apiclient.Account {
		return &apiclient.Account{
			Currency: currency, Balance: &apiclient.Balance{AvailableCents: 600_00, PendingCents: 25_00},
		}
	}
	for name, test := range map[string]struct {
		account *apiclient.Account
		unknown bool // whether the spendable cash is
		want    string
	}{
		"all known":           {account("USD"), false, "$600.00 $400.00 $1,000.00 $200.00 $1,200.00 $25.00"},
		"no account":          {nil, false, "— — $1,000.00 $200.00 $1,200.00 —"},
		"another currency":    {account("EUR"), false, "— — $1,000.00 $200.00 $1,200.00 —"},
		"spendable not known": {account("USD"), true, "$600.00 — — — $1,200.00 $25.00"},
	} {
		p := position()
		if p.CashCents = 1200_00; test.unknown {
			p.RunwayCashCents = nil
		}

		l := figures.LadderOf(figures.CashOf(p, figures.Window{}), test.account)

		got := fmt.Sprint(l.Available, " ", l.Linked, " ", l.Spendable, " ", l.Held, " ", l.OnHand, " ", l.Pending)
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
