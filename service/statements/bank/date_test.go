package bank_test

import (
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

func TestADayThatDoesNotExistIsNoDate(t *testing.T) {
	for _, day := range [][3]int{
		{2026, 2, 29}, {2026, 2, 31}, {2026, 13, 1}, {2026, 0, 1}, {2026, 1, 0}, {0, 1, 1}, {1, 1, 1}, {9999, 12, 31},
		{1899, 12, 31}, {2200, 1, 1},
	} {
		if date, ok := bank.Day(day[0], day[1], day[2]); ok {
			t.Errorf("%v is %v", day, date)
		}
	}
	if date, ok := bank.Day(2024, 2, 29); !ok || date != civil.New(2024, 2, 29) {
		t.Errorf("29 February 2024 is %v, %v", date, ok)
	}
}

func TestIsCurrency(t *testing.T) {
	for code, want := range map[string]bool{
		"USD": true, "EUR": true, "JPY": true, "DEM": true, "SLE": true,
		"": false, "usd": false, "US": false, "USDX": false, "ABC": false, "XXX": false, "XTS": false, "R$ ": false,
	} {
		if got := bank.IsCurrency(code); got != want {
			t.Errorf("%q is a currency: %v", code, got)
		}
	}
}

func TestAnOpeningBalanceHoldsTheDayBefore(t *testing.T) {
	for name, test := range map[string]struct{ written, line, first, last, want string }{
		"the day before":             {"2026-08-31", "2026-09-02", "2026-09-01", "2026-09-30", "2026-08-31"},
		"the first day":              {"2026-09-01", "2026-09-02", "2026-09-01", "2026-09-30", "2026-08-31"},
		"the first day, with a line": {"2026-09-01", "2026-09-01", "", "", "2026-08-31"},
		"no period":                  {"2026-08-31", "2026-09-02", "", "", "2026-08-31"},
		"no date":                    {"", "2026-09-02", "2026-09-01", "2026-09-30", "2026-08-31"},
		"no date and no period":      {"", "2026-09-02", "", "", "2026-09-01"},
		"a line before the period":   {"2026-09-01", "2026-08-28", "2026-09-01", "2026-09-30", "2026-08-27"},
		"another year's period":      {"2026-09-01", "", "2025-09-01", "2025-09-30", "2026-09-01"},
		"nothing":                    {"", "", "", "", ""},
	} {
		s := &bank.Statement{First: day(test.first), Last: day(test.last)}

		if got := bank.OpeningDate(day(test.written), day(test.line), s); got != day(test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func day(text string) civil.Date {
	if text == "" {
		return civil.Date{}
	}
	return civil.MustParse(text)
}
