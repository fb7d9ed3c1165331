package money_test

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/money"
)

func TestScalesWriteAColumnInOneUnit(t *testing.T) {
	for name, c := range map[string]struct {
		scale            money.Scale
		minor            int64
		unit, text, with string
	}{
		"thousands":      {money.ScaleOf(48_466_875, "USD", 4, 3), -34_117_597, "$k", "-341", "-$341k"},
		"small company":  {money.ScaleOf(123_400, "USD", 4, 3), 123_400, "$", "1,234", "$1,234"},
		"few thousands":  {money.ScaleOf(1_234_567, "USD", 4, 3), 95_000, "$k", "1.0", "$1.0k"},
		"millions":       {money.ScaleOf(728_103_009, "USD", 3, 3), 437_000_000, "$M", "4.37", "$4.37M"},
		"yen":            {money.ScaleOf(1_500_000, "JPY", 3, 3), 1_500_000, "¥M", "1.50", "¥1.50M"},
		"few yen":        {money.ScaleOf(950, "JPY", 3, 4), 950, "¥", "950", "¥950"},
		"francs":         {money.ScaleOf(728_103_009, "CHF", 3, 3), -437_000_000, "M CHF", "-4.37", "-4.37M CHF"},
		"few francs":     {money.ScaleOf(50_000, "CHF", 3, 3), 50_000, "CHF", "500", "500 CHF"},
		"rounds to zero": {money.ScaleOf(728_103_009, "USD", 3, 3), -400_000, "$M", "0.00", "$0.00M"},
		"largest":        {money.ScaleOf(-1<<63, "USD", 3, 3), -1 << 63, "$T", "-92,234", "-$92,234T"},
		"estimate":       {money.ScaleOfError(437_000_000, 14_606_500, "USD"), 376_123_400, "$M", "3.76", "$3.76M"},
		"wide estimate":  {money.ScaleOfError(437_000_000, 146_065_00*9, "USD"), 376_123_400, "$M", "3.8", "$3.8M"},
		"untested":       {money.ScaleOfError(437_000_000, 0, "USD"), 376_123_400, "$M", "3.8", "$3.8M"},
		"finer than 0.01M": {money.ScaleOfError(437_000_000, 14_606_500, "USD").Finer(17_700_000, "USD"), 17_771_399,
			"$k", "178", "$178k"},
	} {
		if c.scale.Unit != c.unit || c.scale.Text(c.minor) != c.text || c.scale.With(c.minor) != c.with {
			t.Errorf("%s: %q in %s, with its unit %q", name, c.scale.Text(c.minor), c.scale.Unit, c.scale.With(c.minor))
		}
	}
}

func TestAnErrorIsRoundedUp(t *testing.T) {
	s := money.ScaleOfError(437_000_000, 14_606_500, "USD")
	for minor, want := range map[int64]string{14_606_500: "0.15", 1: "0.01", 0: "0.00"} {
		if got := s.Up(minor); got != want {
			t.Errorf("%d becomes %q, want %q", minor, got, want)
		}
	}
}

func TestTheScaleOfAShortAmountWritesItAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		currency := rapid.SampledFrom([]string{"USD", "CHF", "JPY", "KWD"}).Draw(t, "currency")
		most := 900_000_000_000_000 * money.One(currency)
		minor := rapid.Int64Range(money.One(currency), most).Draw(t, "minor")
		for _, amount := range [...]int64{minor, -minor, minor % 1_000_000} {
			if amount == 0 || amount < money.One(currency) && amount > 0 {
				continue // less than one unit is "<$1"
			}
			if got, want := money.ScaleOfShort(amount, currency).With(amount), money.Short(amount, currency); got != want {
				t.Fatalf("%d %s is %q, in short %q", amount, currency, got, want)
			}
		}
	})
}
