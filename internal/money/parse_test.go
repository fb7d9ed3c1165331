package money_test

import (
	"errors"
	"math"
	"regexp"
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
		{"0", "USD", 0}, {"0.05", "USD", 5}, {"1200.50", "USD", 120050}, {"1,200.50", "USD", 120050}, {"1200.5", "USD", 120050},
		{"1200", "USD", 120000}, {"12,345,678", "USD", 1234567800}, {"1,500", "JPY", 1500}, {"1.500", "KWD", 1500}, {"0.0001", "CLF", 1},
		{"92233720368547758.07", "USD", math.MaxInt64}, {"9,223,372,036,854,775,807", "JPY", math.MaxInt64},
	} {
		if got, err := money.Parse(c.text, c.currency); got != c.want || err != nil {
			t.Errorf("Parse(%q, %s) = %d, %v; want %d", c.text, c.currency, got, err, c.want)
		}
	}
	for _, text := range []string{
		"", ".", ",", " ", "1.", ".5", "1.234", "1..2", "1.2.3", "1,20", "1,2000", "1200,50", "1.200,50", "1,200,", ",200", "1,,200", "1234,567",
		"-1", "+1", "$1", "1 200", " 1", "1 ", "1e3", "0x1", "01", "00", "0,123", "1.2,3", "1.,23", "１", "1_000", "NaN",
		"92233720368547758.08", "92233720368547759", strings.Repeat("9", 40),
	} {
		if got, err := money.Parse(text, "USD"); !errors.Is(err, money.ErrAmount) || got != 0 {
			t.Errorf("Parse(%q) = %d, %v; want it refused", text, got, err)
		}
	}
	if got, err := money.Parse("1.5", "JPY"); err == nil {
		t.Errorf("a yen has parts: %d", got)
	}
}

// What Format writes is read back as it was.
func TestParseReadsWhatFormatWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		minor := rapid.Int64Min(0).Draw(t, "minor")
		currency := rapid.SampledFrom([]string{"USD", "JPY", "KWD", "CLF"}).Draw(t, "currency")
		text := money.Format(minor, currency)
		for _, text := range []string{text, strings.ReplaceAll(text, ",", "")} {
			if back, err := money.Parse(text, currency); back != minor || err != nil {
				t.Fatalf("%d %s is written %q and read back as %d, %v", minor, currency, text, back, err)
			}
		}
	})
}

var amount = regexp.MustCompile(`^(0|[1-9][0-9]{0,2}(,[0-9]{3})+|[1-9][0-9]*)(\.[0-9]{1,2})?$`)

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0", "1,200.50", "1200.5", ".5", "1,20", "01", "-1", "92233720368547758.08", "1.", "999,999,999,999,999,999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		minor, err := money.Parse(text, "USD")
		if !amount.MatchString(text) {
			if err == nil {
				t.Errorf("Parse(%q) = %d, which is no amount", text, minor)
			}
			return
		}
		if err != nil && len(strings.ReplaceAll(text, ",", "")) <= 16 {
			t.Errorf("Parse(%q) refuses an amount", text)
		}
		if err == nil && (minor < 0 || trimZeros(money.Format(minor, "USD")) != trimZeros(text)) {
			t.Errorf("Parse(%q) = %d", text, minor)
		}
	})
}

// trimZeros makes one text of all that say the same amount.
func trimZeros(text string) string {
	text = strings.ReplaceAll(text, ",", "")
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
