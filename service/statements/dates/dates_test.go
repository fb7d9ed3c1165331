package dates_test

import (
	"testing"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/dates"
)

func TestNumbersOfADateStandInTheirOrder(t *testing.T) {
	for order, numbers := range map[bank.DateOrder][3]int{
		bank.DayFirst: {30, 9, 2026}, bank.MonthFirst: {9, 30, 2026}, bank.YearFirst: {2026, 9, 30},
	} {
		if year, month, day := dates.In(order, numbers); year != 2026 || month != 9 || day != 30 {
			t.Errorf("%v in %s is %d-%d-%d", numbers, order, year, month, day)
		}
	}
}

func TestYearsOfTwoDigitsGetTheirCentury(t *testing.T) {
	for _, test := range []struct{ year, turn, want int }{
		{69, dates.CommonTurn, 2069}, {70, dates.CommonTurn, 1970}, {79, dates.SwiftTurn, 2079}, {80, dates.SwiftTurn, 1980},
		{99, dates.NoTurn, 2099}, {0, dates.CommonTurn, 2000},
	} {
		if got := dates.FullYear(test.year, test.turn); got != test.want {
			t.Errorf("%d is %d, want %d", test.year, got, test.want)
		}
	}
}

func TestMonthsHaveEnglishNames(t *testing.T) {
	for text, want := range map[string]int{
		"Jan": 1, "JUNE": 6, "sept": 9, "September": 9, "Septembers": 0, "ma": 0, "": 0, "okt": 0, "Dec": 12,
	} {
		if got := dates.EnglishMonth(text); got != want {
			t.Errorf("%q is month %d, want %d", text, got, want)
		}
	}
}

func TestMonthsHaveNamesInOtherLanguages(t *testing.T) {
	for text, want := range map[string]int{
		"okt": 10, "juin": 6, "juil": 7, "maerz": 3, "maj": 5, "brezen": 3, "aralik": 12, "wrzesnia": 9, "xyz": 0, "ja": 0,
		"januariusque": 0,
	} {
		if got := dates.Month(text); got != want {
			t.Errorf("%q is month %d, want %d", text, got, want)
		}
	}
}
