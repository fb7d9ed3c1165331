package figures_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/client/figures"
	"tarmac/internal/money"
)

func TestSumsInOneLineAddUpAsShown(t *testing.T) {
	for name, c := range map[string]struct {
		in, out, left int64
		whole         int
		want          string
	}{
		"dollars":             {12_297_437_40, 8_489_891_16, 6, 9, "≥$12,297,437 ≥$8,489,891 ~+$3,807,546"},
		"thousands":           {12_297_437_40, 8_489_891_16, 6, 6, "≥$12,297k ≥$8,489k ~+$3,808k"},
		"millions":            {12_297_437_40, 8_489_891_16, 0, 3, "$12.30M $8.49M +$3.81M"},
		"a little money out":  {12_297_437_40, 310_00, 0, 6, "$12,297k <$1k +$12,297k"},
		"a little of a bound": {12_297_437_40, 310_00, 6, 6, "≥$12,297k ≥$0 ~+$12,297k"},
		"nothing out":         {12_297_437_40, 0, 0, 3, "$12.30M $0 +$12.30M"},
		"cents":               {12_40, 11_16, 0, 6, "$12.40 $11.16 +$1.24"},
	} {
		texts := flows(c.in, c.out, c.left).Short(c.whole)
		if got := strings.Join(texts[:], " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func flows(in, out, excluded int64) figures.Flows {
	of := func(minor int64, kind figures.Kind) figures.Total {
		return figures.Total{Minor: minor, Currency: "USD", Kind: kind, Excluded: excluded}
	}
	return figures.Flows{In: of(in, figures.Gross), Out: of(out, figures.Gross), Net: of(in-out, figures.Net)}
}

// Sums that contradict each other cannot be made to add up, and unknown ones are not made known.
func TestSumsThatDoNotAddUpAreShownAsTheyAre(t *testing.T) {
	contradicting, unknown := flows(12_297_437_40, 8_489_891_16, 0), flows(12_297_437_40, 8_489_891_16, 0)
	contradicting.Net.Minor++
	unknown.Out = figures.UnknownTotal("USD", figures.Gross, "")

	for want, f := range map[string]figures.Flows{"$12.3M $8.49M +$3.81M": contradicting, "$12.3M — +$3.81M": unknown} {
		texts := f.Short(3)
		if got := strings.Join(texts[:], " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Whatever the sums, and whatever rows they leave out: as shown, money in less money out is the
// net, and a lower bound is never more than the sum.
func TestMoneyInLessMoneyOutIsTheNetAsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(name string) int64 {
			size := rapid.Int64Range(1, 16).Draw(t, "digits of "+name)
			most := int64(1)
			for range size {
				most *= 10
			}
			return rapid.Int64Range(0, most).Draw(t, name)
		}
		f := flows(amount("in"), amount("out"), 0)
		f.In.Excluded = rapid.Int64Range(0, 1).Draw(t, "left out of in")
		f.Out.Excluded = rapid.Int64Range(0, 1).Draw(t, "left out of out")
		f.Net.Excluded = max(f.In.Excluded, f.Out.Excluded)

		texts := f.Short(rapid.IntRange(3, 9).Draw(t, "whole digits"))
		in, out, net := texts[0], texts[1], texts[2]

		shownIn, shownOut, shownNet := read(t, in), read(t, out), read(t, net)
		if shownIn-shownOut != shownNet {
			t.Fatalf("%s less %s is not %s", in, out, net)
		}
		if f.In.Excluded > 0 && shownIn > f.In.Minor || f.Out.Excluded > 0 && shownOut > f.Out.Minor {
			t.Fatalf("a bound is more than it was: %s of %d, %s of %d", in, f.In.Minor, out, f.Out.Minor)
		}
		if shownNet > 0 && f.Net.Minor < 0 || shownNet < 0 && f.Net.Minor > 0 {
			t.Fatalf("the net %d is shown as %s", f.Net.Minor, net)
		}
	})
}

// read returns a short amount in cents. What is less than the last place is nothing.
func read(t *rapid.T, text string) int64 {
	if strings.Contains(text, "<") {
		return 0
	}
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("≥~+$,", r) {
			return -1
		}
		return r
	}, text)
	digits := strings.TrimRight(text, "kMBT")
	one := map[string]int64{"": 1, "k": 1_000, "M": 1_000_000, "B": 1e9, "T": 1e12}[text[len(digits):]]
	whole, decimals, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseInt(whole+decimals, 10, 64)
	if err != nil {
		t.Fatalf("%q is no amount: %v", text, err)
	}
	minor := 100 * one
	for range decimals {
		minor /= 10
	}
	return n * minor
}

func TestTermsAddUpToTheirSumAsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Int64Range(-9_000_000_00, 9_000_000_00), 1, 7).Draw(t, "parts")
		sum := figures.Total{Currency: "USD", Kind: figures.Net}
		totals := make([]figures.Total, len(parts))
		terms := make([]figures.Term, len(parts))
		for i, cents := range parts {
			totals[i] = figures.Total{Minor: cents, Currency: "USD", Kind: figures.Net}
			terms[i] = figures.Term{Total: &totals[i], Less: i%3 == 2}
			if terms[i].Less {
				cents = -cents
			}
			sum.Minor += cents
		}
		before, scale := sum.Minor, money.ScaleOf(sum.Minor, "USD", 3, 3)

		ok := figures.RoundToAddUp(scale, &sum, terms...)

		left := sum.Minor
		for i := range totals {
			if totals[i].Minor%scale.Place() != 0 || max(totals[i].Minor-parts[i], parts[i]-totals[i].Minor) >= 2*scale.Place() {
				t.Fatalf("%d is shown as %d by %d", parts[i], totals[i].Minor, scale.Place())
			}
			if terms[i].Less {
				left += totals[i].Minor
			} else {
				left -= totals[i].Minor
			}
		}
		if !ok || left != 0 || 2*max(sum.Minor-before, before-sum.Minor) > scale.Place() {
			t.Fatalf("%v of %d: %d is left of %d", parts, before, left, sum.Minor)
		}
	})
}
