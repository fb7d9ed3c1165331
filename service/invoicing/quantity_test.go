package invoicing_test

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/service/invoicing"
)

func TestLinesAreRoundedHalfUpToTheCent(t *testing.T) {
	for _, c := range []struct {
		quantity string
		price    int64
		cents    int64
		ok       bool
	}{
		{"1", 1, 1, true},
		{"1.5", 160_000, 240_000, true},
		{"0.5", 1, 1, true},
		{"0.499999", 1, 0, true},
		{"0.000001", 499_999, 0, true},
		{"0.000001", 500_000, 1, true},
		{"2.5", 1, 3, true},
		{"0.333333", 3, 1, true},
		{"1.005", 100, 101, true},
		{"1", 0, 0, true},
		{"1", invoicing.MaxCents, invoicing.MaxCents, true},
		{"1", invoicing.MaxCents + 1, 0, false},
		{"0.000001", invoicing.MaxCents*1_000_000 + 499_999, invoicing.MaxCents, true},
		{"0.000001", invoicing.MaxCents*1_000_000 + 500_000, 0, false},
		{"999999999.999999", 1000, 1_000_000_000_000, true},
		{"999999999.999999", 1001, 0, false},
		{"999999999.999999", math.MaxInt64, 0, false},
		{"42.007935", 439_125_228_929, 0, false},       // 2^64-1 millionths: rounding carries
		{"999999999.999999", 18_446_744_074, 0, false}, // a million times 2^64: the quotient has 65 bits
		{"1", -1, 0, false},
	} {
		q, err := invoicing.ParseQuantity(c.quantity)
		if err != nil {
			t.Fatalf("%s: %v", c.quantity, err)
		}
		if cents, ok := q.Times(c.price); cents != c.cents || ok != c.ok {
			t.Errorf("%s at %d cents is %d, %v; want %d, %v", c.quantity, c.price, cents, ok, c.cents, c.ok)
		}
	}
}

// drawQuantity draws quantities of every length of both parts.
func drawQuantity(t *rapid.T) string {
	s := rapid.StringMatching(`(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?`).Draw(t, "quantity")
	if strings.Trim(s, "0.") == "" {
		return "1"
	}
	return s
}

func drawPrice(t *rapid.T) int64 {
	return rapid.OneOf(rapid.Int64Range(0, 1_000_000), rapid.Int64Min(0)).Draw(t, "price")
}

func TestLinesAgreeWithRationalArithmetic(t *testing.T) {
	half := big.NewRat(1, 2)
	rapid.Check(t, func(t *rapid.T) {
		text, price := drawQuantity(t), drawPrice(t)
		q, err := invoicing.ParseQuantity(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		exact, _ := new(big.Rat).SetString(text)
		exact.Mul(exact, new(big.Rat).SetInt64(price)).Add(exact, half)
		want := new(big.Int).Div(exact.Num(), exact.Denom())
		fits := want.Cmp(big.NewInt(invoicing.MaxCents)) <= 0
		cents, ok := q.Times(price)
		if ok != fits || ok && cents != want.Int64() {
			t.Fatalf("%s at %d cents is %d, %v; want %s", text, price, cents, ok, want)
		}
	})
}

// ParseQuantity accepts what the contract's pattern accepts, except zero.
func FuzzParseQuantity(f *testing.F) {
	for _, seed := range []string{
		"1", "1.5", "0.000001", "999999999.999999", "1000000000", "0", "0.0", "0.000000", "00", "01", "-1", "+1", "1e3", ".5",
		"5.", "1,5",
		" 1", "1 ", "NaN", "1.1234567", "1..5", "1.5.5", "0x1", "1_0", "١", "1.٥", "1\n", "",
	} {
		f.Add(seed)
	}
	pattern := regexp.MustCompile(`\A(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?\z`)
	f.Fuzz(func(t *testing.T, s string) {
		q, err := invoicing.ParseQuantity(s)
		want := false
		exact := new(big.Rat)
		if pattern.MatchString(s) {
			exact.SetString(s)
			want = exact.Sign() > 0
		}
		if (err == nil) != want || err != nil && !errors.Is(err, invoicing.ErrQuantity) {
			t.Fatalf("ParseQuantity(%q): %v; want a quantity: %v", s, err, want)
		}
		if err != nil {
			return
		}
		// At a price of a million cents no product needs rounding.
		millionths := exact.Mul(exact, big.NewRat(1_000_000, 1))
		cents, ok := q.Times(1_000_000)
		if !millionths.IsInt() || ok != (millionths.Num().Cmp(big.NewInt(invoicing.MaxCents)) <= 0) ||
			ok && strconv.FormatInt(cents, 10) != millionths.Num().String() {
			t.Fatalf("%q comes to %d, %v; want %s", s, cents, ok, millionths)
		}
	})
}
