package amount_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/record"
	"tarmac/views/parts/amount"
)

// Masking removes every digit of an amount in any format and keeps the line's width.
func TestNoDigitOfAnAmountIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"USD", "EUR", "GBP", "JPY", "CHF", "KWD", "CLF"}).Draw(t, "currency")
		minor := rapid.Int64().Draw(t, "minor")
		a := apiclient.NewAmount(minor, currency)
		d := rapid.SampledFrom([]apiclient.Direction{apiclient.Inflow, apiclient.Outflow}).Draw(t, "direction")
		if minor < 0 {
			d = "" // the amount has its own sign
		}
		sum := figures.Total{
			Currency: currency, Minor: minor, Kind: figures.Kind(rapid.IntRange(0, 2).Draw(t, "kind")),
			Excluded: rapid.Int64Range(0, 1).Draw(t, "excluded"),
		}
		written := rapid.SampledFrom([]string{
			record.Sign(d) + a.String(), amount.InOwnCurrency(a, d), sum.String(), sum.Short(),
			amount.InColumn(apiclient.NewAmount(minor, "USD"), d),
		}).Draw(t, "written")
		before := rapid.SampledFrom([]string{"", " ", "    ", "in ", "│ ", "\x1b[1m", "("}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", " ", "    ", " out", " │", "\x1b[m", ")", " · ", ","}).Draw(t, "after")
		line := before + written + after
		got := mask.Text(line)
		if strings.ContainsAny(strings.ReplaceAll(ansi.Strip(got), "\x1b", ""), "0123456789") {
			t.Fatalf("%q is masked as %q", line, got)
		}
		if ansi.StringWidth(got) != ansi.StringWidth(line) {
			t.Fatalf("%q is masked as %q, of another width", line, got)
		}
		if again := mask.Text(got); again != got {
			t.Fatalf("masked twice, %q is %q", got, again)
		}
	})
}
