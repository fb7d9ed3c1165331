package runway

import (
	"errors"
	"testing"

	"tarmac/client/figures"
	"tarmac/internal/civil"
)

var november = civil.New(2026, 11, 20)

func TestChangesAreReadWithTheirSign(t *testing.T) {
	for text, want := range map[string]int64{"": 0, " ": 0, "+5,000": 500000, "-1,200.50": -120050, "+$5": 500, "- 5": -500} {
		if got, err := parseChange(text); got != want || err != nil {
			t.Errorf("%q is read as %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"5000", "+", "--5", "+-5", "+1,20", "5-"} {
		if got, err := parseChange(text); !errors.Is(err, errMoney) {
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

func TestMonthsAreThisOneOrLater(t *testing.T) {
	for text, want := range map[string]string{"": "2026-11-01", "2026-11": "2026-11-01", " 2027-02 ": "2027-02-01", "+3": "2027-02-01", "+0": "2026-11-01"} {
		if got, err := parseMonth(text, november); got.String() != want || err != nil {
			t.Errorf("%q is read as %s, %v", text, got, err)
		}
	}
	for text, want := range map[string]error{
		"2026-10": errPast, "2126-12": errFar, "+1201": errFar, "+": errMonth, "+-1": errMonth, "2027-13": errMonth, "soon": errMonth,
	} {
		if got, err := parseMonth(text, november); !errors.Is(err, want) {
			t.Errorf("%q is read as %s, %v", text, got, err)
		}
	}
}

func FuzzParseMonth(f *testing.F) {
	for _, text := range []string{"", "2027-01", "+3", "+1200", "2026-10", "0001-01", "2027-1", "+ 3", "2027-01-01"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		month, err := parseMonth(text, november)
		if err != nil {
			return
		}
		again, err := parseMonth(month.String()[:7], november)
		if err != nil || again != month || month.Day() != 1 || month.Before(november.FirstOfMonth()) {
			t.Errorf("%q is %s, which is read as %s, %v", text, month, again, err)
		}
	})
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
