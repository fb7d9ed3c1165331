package money_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/money"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		minor    int64
		currency string
		want     string
	}{
		{0, "USD", "0.00"}, {5, "USD", "0.05"}, {-5, "EUR", "-0.05"}, {100, "USD", "1.00"},
		{123456789, "USD", "1,234,567.89"}, {99999, "GBP", "999.99"}, {1500, "JPY", "1,500"},
		{0, "JPY", "0"}, {1500, "KWD", "1.500"}, {1, "CLF", "0.0001"},
		{math.MinInt64, "USD", "-92,233,720,368,547,758.08"}, {math.MaxInt64, "JPY", "9,223,372,036,854,775,807"},
		{100, "XXX", "1.00"},
	} {
		if got := money.Format(c.minor, c.currency); got != c.want {
			t.Errorf("Format(%d, %s) = %q, want %q", c.minor, c.currency, got, c.want)
		}
	}
}

// The rule for money: sign, symbol, digits in thousands by commas, point; the code of a currency
// without a symbol follows.
func TestTextHasTheCurrency(t *testing.T) {
	for _, c := range []struct {
		minor               int64
		currency            string
		want, short, rounds string
	}{
		{-123456, "USD", "-$1,234.56", "-$1.2k", "-$1.2k"},
		{-1_800_000, "EUR", "-€18,000.00", "-€18.0k", "-€18.0k"},
		{1_244_900, "GBP", "£12,449.00", "£12.4k", "£12.4k"},
		{250_000, "JPY", "¥250,000", "¥250k", "¥250k"},
		{-1_800_000, "CHF", "-18,000.00 CHF", "-18.0k CHF", "-18.0k CHF"},
		{250_000_000, "KWD", "250,000.000 KWD", "250k KWD", "250k KWD"},
		{12_399_999, "KWD", "12,399.999 KWD", "12.4k KWD", "12.3k KWD"},
		{1_239_999_999, "CLF", "123,999.9999 CLF", "124k CLF", "123k CLF"},
		{1, "JPY", "¥1", "¥1", "¥1"}, {0, "JPY", "¥0", "¥0", "¥0"},
		{-49, "EUR", "-€0.49", "-<€1", "€0"}, {499, "KWD", "0.499 KWD", "<1 KWD", "0 KWD"},
		{math.MinInt64, "CLF", "-922,337,203,685,477.5808 CLF", "-922T CLF", "-922T CLF"},
		{123456, "", "1,234.56", "1.2k", "1.2k"},
	} {
		text, short, down := money.Text(c.minor, c.currency), money.Short(c.minor, c.currency),
			money.ShortDown(c.minor, c.currency)
		if text != c.want || short != c.short || down != c.rounds {
			t.Errorf("%d %s is %q, %q, %q; want %q, %q, %q", c.minor, c.currency, text, short, down,
				c.want, c.short, c.rounds)
		}
	}
}

// Format loses nothing: without its separators the text is the number of minor units.
func TestFormatLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		minor := rapid.Int64().Draw(t, "minor")
		currency := rapid.SampledFrom([]string{"USD", "JPY", "KWD", "CLF"}).Draw(t, "currency")
		text := strings.NewReplacer(",", "", ".", "").Replace(money.Format(minor, currency))
		back, ok := new(big.Int).SetString(text, 10)
		if !ok || back.Int64() != minor || !back.IsInt64() {
			t.Fatalf("%d %s became %q", minor, currency, money.Format(minor, currency))
		}
	})
}

func TestShort(t *testing.T) {
	for cents, want := range map[int64]string{
		0: "$0", 1: "<$1", -1: "-<$1", 50: "$1", 99949: "$999", 99_950: "$1.0k", 100_000: "$1.0k",
		1_244_900: "$12.4k", 30_160_280: "$302k", 99_949_999: "$999k", 99_950_000: "$1.00M", 125_000_000: "$1.25M",
		1_234_000_000: "$12.3M", -310_000_000_000: "-$3.10B", math.MinInt64: "-$92234T",
	} {
		if got := money.Short(cents, "USD"); got != want {
			t.Errorf("Short(%d) = %q, want %q", cents, got, want)
		}
	}
}

// Rounding a lower bound up would claim too much.
func TestShortDown(t *testing.T) {
	for cents, want := range map[int64]string{
		0: "$0", 99: "$0", -99: "$0", 150: "$1", 99_999: "$999", 100_000: "$1.0k", 1_249_999: "$12.4k", 99_999_999: "$999k",
		125_999_999: "$1.25M", -199_999: "-$1.9k", math.MinInt64: "-$92233T",
	} {
		if got := money.ShortDown(cents, "USD"); got != want {
			t.Errorf("ShortDown(%d) = %q, want %q", cents, got, want)
		}
	}
}

func TestShortIsShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(-999e14, 999e14).Draw(t, "cents")
		if s := money.Short(cents, "USD"); len(s) > 8 {
			t.Fatalf("Short(%d) = %q is %d characters", cents, s, len(s))
		}
	})
}

func TestAddSaysWhenItOverflows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		sum, ok := money.Add(a, b)
		exact := new(big.Int).Add(big.NewInt(a), big.NewInt(b))
		if ok != exact.IsInt64() || (ok && exact.Int64() != sum) {
			t.Fatalf("%d + %d = %d, %v", a, b, sum, ok)
		}
	})
}
