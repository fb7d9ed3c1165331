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
