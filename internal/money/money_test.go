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
	if got := money.USD(-123456); got != "-$1,234.56" {
		t.Errorf("USD = %q", got)
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
		1_244_900: "$12.4k", 99_994_999: "$999.9k", 99_995_000: "$1.00M", 125_000_000: "$1.25M",
		1_234_000_000: "$12.3M", -310_000_000_000: "-$3.10B", math.MinInt64: "-$92233.7T",
	} {
		if got := money.Short(cents); got != want {
			t.Errorf("Short(%d) = %q, want %q", cents, got, want)
		}
	}
}

// Rounding a lower bound up would claim too much.
func TestShortDown(t *testing.T) {
	for cents, want := range map[int64]string{
		0: "$0", 99: "$0", -99: "$0", 150: "$1", 99_999: "$999", 100_000: "$1.0k", 1_249_999: "$12.4k", 99_999_999: "$999.9k",
		125_999_999: "$1.25M", -199_999: "-$1.9k", math.MinInt64: "-$92233.7T",
	} {
		if got := money.ShortDown(cents); got != want {
			t.Errorf("ShortDown(%d) = %q, want %q", cents, got, want)
		}
	}
}

func TestShortIsShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.Int64Range(-999e14, 999e14).Draw(t, "cents")
		if s := money.Short(cents); len(s) > 8 {
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
