package money_test

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/money"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text, currency string
		want           int64
	}{
		{"0", "USD", 0}, {"0.05", "USD", 5}, {"1200.50", "USD", 120050}, {"1,200.50", "USD", 120050},
		{"1200.5", "USD", 120050},
		{"1200", "USD", 120000}, {"12,345,678", "USD", 1234567800}, {"1,500", "JPY", 1500}, {"1.500", "KWD", 1500},
		{"0.0001", "CLF", 1},
		{" 1200 ", "USD", 120000}, {"$1,200.50", "USD", 120050}, {" $ 5 ", "USD", 500}, {"12 usd", "USD", 1200},
		{"1,500 JPY", "JPY", 1500},
		{"24k", "USD", 2400000}, {"1.5M", "USD", 150000000}, {"$1.5 million", "USD", 150000000}, {"1,500k", "USD", 150000000},
		{"2bn", "USD", 200000000000},
		{"1.23456k", "USD", 123456}, {"1.234k", "JPY", 1234}, {"0.001K", "USD", 100}, {"1 thousand USD", "USD", 100000},
		{"1.50k", "USD", 150000},
		{"92233720368547758.07", "USD", math.MaxInt64}, {"9,223,372,036,854,775,807", "JPY", math.MaxInt64},
	} {
		if got, err := money.Parse(c.text, c.currency); got != c.want || err != nil {
			t.Errorf("Parse(%q, %s) = %d, %v; want %d", c.text, c.currency, got, err, c.want)
		}
	}
	for _, text := range []string{
		"", ".", ",", " ", "1.", ".5", "1.234", "1..2", "1.2.3", "1,20", "1,2000", "1200,50", "1.200,50", "1,200,", ",200",
		"1,,200", "1234,567",
		"-1", "+1", "$-1", "$$1", "5$", "€5", "1 200", "1e3", "k", "$", "$k", "USD", "1kk", "1km", "1mm", "1.k", ".5k",
		"1,20k", "1 EUR", "1.234567k",
		"1.5 kilo", "-24k", "1k5", "usd 5", "99999999999999m", "1k.5", "1 k k", "0x1", "01", "00", "0,123", "1.2,3", "1.,23",
		"１", "1_000", "NaN",
		"92233720368547758.08", "92233720368547759", strings.Repeat("9", 40),
	} {
		if got, err := money.Parse(text, "USD"); !errors.Is(err, money.ErrAmount) || got != 0 {
			t.Errorf("Parse(%q) = %d, %v; want it refused", text, got, err)
		}
	}
	for _, text := range []string{"1.5", "1.5$", "$1"} {
		if got, err := money.Parse(text, "JPY"); err == nil {
			t.Errorf("%s is %d yen", text, got)
		}
	}
	if _, err := money.Parse("1.234567k", "USD"); err == nil ||
		!strings.HasSuffix(err.Error(), "; USD has 2 decimal places") {
		t.Errorf("parts of a cent are refused with %v", err)
	}
}

func TestParseSigned(t *testing.T) {
	for text, want := range map[string]int64{
		"+5,000": 500000, "-1,200.50": -120050, "+$5": 500, "- 5": -500, "-24k": -2400000, " +1.5M ": 150000000,
		"-$0.5k": -50000, "-0": 0,
	} {
		if got, err := money.ParseSigned(text, "USD"); got != want || err != nil {
			t.Errorf("%q is read as %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5000", "24k", "$-5", "5-"} {
		if got, err := money.ParseSigned(text, "USD"); !errors.Is(err, money.ErrSigned) {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"+", "--5", "+-5", "+1,20", "-1.234567k"} {
		if got, err := money.ParseSigned(text, "USD"); !errors.Is(err, money.ErrAmount) || got != 0 {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
}

// A suffix multiplies exactly as its zeros would.
func TestAScaleIsItsZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 9_000_000).Draw(t, "number")
		fraction := rapid.StringMatching(`(\.[0-9]{1,3})?`).Draw(t, "fraction")
		scale := rapid.SampledFrom([]string{"k", "K", " thousand", "m", "M", "b"}).Draw(t, "scale")
		zeros := map[string]int{"k": 3, "thousand": 3, "m": 6, "b": 9}[strings.ToLower(strings.TrimSpace(scale))]
		whole := strconv.FormatInt(n, 10)
		long := strings.TrimLeft(whole+strings.TrimPrefix(fraction, ".")+strings.Repeat("0", zeros-max(0, len(fraction)-1)),
			"0")
		want, errWant := money.Parse(or(long, "0"), "USD")
		got, err := money.Parse(whole+fraction+scale, "USD")
		if got != want || (err == nil) != (errWant == nil) {
			t.Fatalf("%s%s%s is %d, %v; %s is %d, %v", whole, fraction, scale, got, err, long, want, errWant)
		}
	})
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// Parse reads what Format prints.
func TestParseReadsWhatFormatWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		minor := rapid.Int64Min(0).Draw(t, "minor")
		currency := rapid.SampledFrom([]string{"USD", "EUR", "GBP", "JPY", "KWD", "CLF"}).Draw(t, "currency")
		text := money.Format(minor, currency)
		for _, text := range []string{text, strings.ReplaceAll(text, ",", ""), money.Text(minor, currency)} {
			if back, err := money.Parse(text, currency); back != minor || err != nil {
				t.Fatalf("%d %s is written %q and read back as %d, %v", minor, currency, text, back, err)
			}
		}
	})
}

var amount = regexp.MustCompile(`^(0|[1-9][0-9]{0,2}(,[0-9]{3})+|[1-9][0-9]*)(\.[0-9]{1,2})?$`)

// Parse accepts all plain numbers. Of other text it accepts only amounts with a currency, a
// suffix or spaces.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"0", "1,200.50", "1200.5", ".5", "1,20", "01", "-1", "92233720368547758.08", "1.", "999,999,999,999,999,999", "1.5M",
		"$24k", "1.234567k", "5 usd",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		minor, err := money.Parse(text, "USD")
		if err == nil && minor < 0 {
			t.Errorf("Parse(%q) = %d", text, minor)
		}
		if err == nil {
			if again, err := money.Parse(money.Format(minor, "USD"), "USD"); again != minor || err != nil {
				t.Errorf("Parse(%q) = %d, which is read back as %d, %v", text, minor, again, err)
			}
		}
		switch plain := strings.Trim(text, "0123456789.,") == ""; {
		case !plain:
		case !amount.MatchString(text) && err == nil:
			t.Errorf("Parse(%q) = %d, which is no amount", text, minor)
		case amount.MatchString(text) && err != nil && len(strings.ReplaceAll(text, ",", "")) <= 16:
			t.Errorf("Parse(%q) refuses an amount", text)
		case err == nil && trimZeros(money.Format(minor, "USD")) != trimZeros(text):
			t.Errorf("Parse(%q) = %d", text, minor)
		}
	})
}

// trimZeros returns the same text for equal amounts.
func trimZeros(text string) string {
	text = strings.ReplaceAll(text, ",", "")
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func TestAmountsAreReadInTheCurrencyOfTheFigures(t *testing.T) {
	for _, c := range []struct {
		text, currency string
		want           int64
		problem        string // how the refusal ends
	}{
		{"12k", "EUR", 12_000_00, ""}, {"€12k", "EUR", 12_000_00, ""}, {"12k EUR", "EUR", 12_000_00, ""},
		{"12,000 EUR", "EUR", 12_000_00, ""}, {"12keur", "EUR", 12_000_00, ""}, {"€ 12 thousand eur", "EUR", 12_000_00, ""},
		{"£12.50", "GBP", 12_50, ""}, {"¥1,500", "JPY", 1500, ""}, {"12k CHF", "CHF", 12_000_00, ""},
		{"1.5k KWD", "KWD", 1_500_000, ""}, {"1.234", "KWD", 1234, ""},
		{"€12k", "USD", 0, "in US dollars, not in euros"}, {"12,000 EUR", "USD", 0, "in US dollars, not in euros"},
		{"$12k", "EUR", 0, "in euros, not in US dollars"}, {"12k usd", "CHF", 0, "in CHF, not in US dollars"},
		{"12 JPY", "KWD", 0, "in KWD, not in yen"}, {"$12", "CAD", 0, "in CAD, not in US dollars"},
		{"12.5", "JPY", 0, "JPY has 0 decimal places"}, {"¥12.5", "JPY", 0, "JPY has 0 decimal places"},
		{"1.2345", "KWD", 0, "KWD has 3 decimal places"}, {"€1.234", "EUR", 0, "EUR has 2 decimal places"},
		{"€12 USD", "EUR", 0, "or 1.5k"}, {"12€", "EUR", 0, "or 1.5k"}, {"EUR 12", "EUR", 0, "or 1.5k"},
		{"€€12", "EUR", 0, "or 1.5k"}, {"12 EU", "EUR", 0, "or 1.5k"},
	} {
		got, err := money.Parse(c.text, c.currency)
		refused := errors.Is(err, money.ErrAmount)
		if got != c.want || refused != (c.problem != "") || refused && !strings.HasSuffix(err.Error(), c.problem) {
			t.Errorf("Parse(%q, %s) = %d, %v; want %d, %q", c.text, c.currency, got, err, c.want, c.problem)
		}
	}
}

// A limit is read before its currency is known.
func TestATypedAmountIsScaledByItsCurrency(t *testing.T) {
	typed, err := money.ParseTyped("1.5k")
	if err != nil {
		t.Fatal(err)
	}
	for currency, want := range map[string]int64{"EUR": 1_500_00, "JPY": 1_500, "KWD": 1_500_000, "CLF": 15_000_000} {
		if got, err := typed.In(currency); got != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", currency, got, err, want)
		}
	}
}
