package runway

import (
	"errors"
	"testing"

	"tarmac/client/figures"
	"tarmac/internal/civil"
)

var november = civil.New(2026, 11, 20)

func TestChangesAreReadWithTheirSign(t *testing.T) {
	for text, want := range map[string]int64{"": 0, " ": 0, "+5,000": 500000, "-1,200.50": -120050, "+$5": 500, "- 5": -500, "-24k": -2400000, "+1.5M": 150000000} {
		if got, err := parseChange(text); got != want || err != nil {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"5000", "+", "--5", "+-5", "+1,20", "5-"} {
		if got, err := parseChange(text); err == nil || got != 0 {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
}

func TestPercentsAreWholeAndBounded(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "+10": 10, "10 %": 10, "-25%": -25, "-100": -100, "1000": 1000} {
		if got, err := parsePercent(text); got != want || err != nil {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"-101", "1001", "1.5", "ten", "99999999999999999999"} {
		if got, err := parsePercent(text); !errors.Is(err, errPercent) {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
}

func FuzzParseChange(f *testing.F) {
	for _, text := range []string{"", "+5,000", "-1,200.50", "5", "+$5", "-92233720368547758.07"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cents, err := parseChange(text)
		if err != nil {
			return
		}
		form := newForm(0, true)
		form.fill(&scenario{what: whatIfMonthly(cents)})
		if again, err := parseChange(form.texts[monthlyField].Value()); err != nil || again != cents {
			t.Errorf("%q is %d, which is read as %d, %v", text, cents, again, err)
		}
	})
}

func whatIfMonthly(cents int64) figures.WhatIf {
	return figures.WhatIf{Monthly: cents, MonthlyFrom: november.FirstOfMonth()}
}
