package amount_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/views/parts/amount"
)

func TestTextAndColumns(t *testing.T) {
	for name, c := range map[string]struct {
		amount    apiclient.Amount
		direction apiclient.Direction
		text, own string
	}{
		"dollars in":        {apiclient.NewAmount(123456, "USD"), apiclient.Inflow, "+$1,234.56", "+1,234.56  USD"},
		"euros out":         {apiclient.NewAmount(123456, "EUR"), apiclient.Outflow, "-€1,234.56", "-1,234.56  EUR"},
		"yen out":           {apiclient.NewAmount(1500, "JPY"), apiclient.Outflow, "-¥1,500", "-1,500     JPY"},
		"dinar in":          {apiclient.NewAmount(1500, "KWD"), apiclient.Inflow, "+1.500 KWD", "+1.500 KWD"},
		"unknown":           {apiclient.UnknownAmount("EUR"), apiclient.Outflow, "—", "—     EUR"},
		"no currency":       {apiclient.NewAmount(5, ""), apiclient.Inflow, "+0.05", "+0.05     "},
		"unheard direction": {apiclient.NewAmount(5, "USD"), "sideways", "$0.05", "0.05  USD"},
	} {
		of := record.Field{Kind: record.KindAmount, Amount: c.amount, Direction: c.direction}
		if got := of.TextOrDash(); got != c.text {
			t.Errorf("%s: text %q, want %q", name, got, c.text)
		}
		if got := amount.InOwnCurrency(c.amount, c.direction); got != c.own {
			t.Errorf("%s: own %q, want %q", name, got, c.own)
		}
	}
	if got := amount.InColumn(apiclient.NewAmount(-5, "USD"), ""); got != "-0.05" {
		t.Errorf("USD: %q", got)
	}
}

// Decimal points are in the same column in every row. Amounts without one are padded to match.
func TestDecimalPointsLineUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"USD", "EUR", "JPY", "KWD", "GBP"}).Draw(t, "currency")
		a := apiclient.NewAmount(rapid.Int64Min(0).Draw(t, "minor"), currency)
		d := rapid.SampledFrom([]apiclient.Direction{apiclient.Inflow, apiclient.Outflow}).Draw(t, "direction")
		own := amount.InOwnCurrency(a, d)
		if point := strings.IndexByte(own, '.'); point >= 0 && ansi.StringWidth(own)-point != 8 {
			t.Fatalf("the point of %q stands %d cells from the right", own, ansi.StringWidth(own)-point)
		}
		if strings.Contains(own, money.Dash) {
			t.Fatalf("a known amount is shown as unknown: %q", own)
		}
	})
}
