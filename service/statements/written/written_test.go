package written_test

import (
	"errors"
	"slices"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

func TestMarksOfAnAmount(t *testing.T) {
	for number, want := range map[string]written.Marks{
		"1500": written.AnyMark, "1,500": written.AnyMark, "1.500": written.AnyMark, "(12,500)": written.AnyMark,
		"−1,500": written.AnyMark, "1,500-": written.AnyMark,
		"0,500": written.Comma, "0.125": written.Point, "1234,567": written.Comma, "1234.567": written.Point,
		"12,5": written.Comma, "12.5": written.Point, "1,500.00": written.Point, "1.500,00": written.Comma,
		"1,500,000": written.Point, "1.500.000": written.Comma, ".500": written.Point, ",500": written.Comma,
		"12 345.678": written.Point, "1'234,567": written.Comma, "12,5000": written.Comma,
	} {
		if got := written.MarksOf(number); got != want {
			t.Errorf("%s has the marks %b, want %b", number, got, want)
		}
	}
}

func TestEachAmountNarrowsTheMarks(t *testing.T) {
	for name, c := range map[string]struct {
		amounts []string
		likely  written.Marks
		option  byte
		want    byte // 0 for a question, 'x' for an error
	}{
		"nothing":                 {want: '.'},
		"no separators":           {amounts: []string{"1500"}, want: '.'},
		"an open amount":          {amounts: []string{"1,500"}, want: 0},
		"with an option":          {amounts: []string{"1,500"}, option: ',', want: ','},
		"with a likely mark":      {amounts: []string{"1.250"}, likely: written.Point, want: '.'},
		"decided by a later one":  {amounts: []string{"1,500", "0,500"}, want: ','},
		"decided by a former one": {amounts: []string{"12.50", "1,500"}, option: ',', want: '.'},
		"two marks":               {amounts: []string{"12.50", "12,50"}, want: 'x'},
		"likely against certain":  {amounts: []string{"12,50", "1.250"}, likely: written.Point, want: 'x'},
	} {
		var amounts written.Amounts
		if c.likely == 0 {
			c.likely = written.AnyMark
		}
		var wrong error
		for n, text := range c.amounts {
			wrong = errors.Join(wrong, amounts.See(n+1, text, text, c.likely))
		}

		mark, err := amounts.Mark(c.option)

		switch question := new(bank.Question); {
		case c.want == 'x' && wrong == nil, c.want != 'x' && wrong != nil:
			t.Errorf("%s: the error is %v", name, wrong)
		case c.want == 'x':
		case c.want == 0 && (!errors.As(err, &question) || question.Flag != "--decimal" || question.Place != 1):
			t.Errorf("%s: %q, %v", name, mark, err)
		case c.want != 0 && (err != nil || mark != c.want):
			t.Errorf("%s: %q, %v, want %q", name, mark, err, c.want)
		}
	}
}

// date returns a date of three numbers.
func date(first, second, third int) written.Date {
	return func(order bank.DateOrder) (civil.Date, bool) {
		switch order {
		case bank.DayFirst:
			return bank.Day(2000+third, second, first)
		case bank.MonthFirst:
			return bank.Day(2000+third, first, second)
		}
		return bank.Day(2000+first, second, third)
	}
}

func TestEachDateNarrowsTheOrders(t *testing.T) {
	for name, c := range map[string]struct {
		dates   []written.Date
		exclude written.Orders
		option  bank.DateOrder
		want    bank.DateOrder // "" for a question, "x" for an error
	}{
		"an open date":              {dates: []written.Date{date(3, 4, 26)}, want: ""},
		"with an option":            {dates: []written.Date{date(3, 4, 26)}, option: bank.MonthFirst, want: bank.MonthFirst},
		"an impossible option":      {dates: []written.Date{date(30, 4, 26)}, option: bank.MonthFirst, want: bank.DayFirst},
		"one day in both":           {dates: []written.Date{date(4, 4, 26)}, want: bank.DayFirst},
		"decided by a later one":    {dates: []written.Date{date(3, 4, 26), date(3, 14, 26)}, want: bank.MonthFirst},
		"said by the file":          {dates: []written.Date{date(3, 4, 26)}, exclude: written.DayFirst, want: "mdy"},
		"the year first, if alone":  {dates: []written.Date{date(26, 4, 30), date(26, 13, 1)}, want: "x"},
		"only the year first fits":  {dates: []written.Date{date(31, 4, 30)}, want: bank.YearFirst},
		"no such day":               {dates: []written.Date{date(0, 0, 0)}, want: "x"},
		"another order than before": {dates: []written.Date{date(13, 1, 26), date(1, 14, 26)}, want: "x"},
	} {
		var dates written.Dates
		dates.Exclude(c.exclude)
		var wrong error
		for n, d := range c.dates {
			wrong = errors.Join(wrong, dates.See(n+1, "text", d))
		}

		order, err := dates.Order(c.option)

		switch question := new(bank.Question); {
		case c.want == "x" && wrong == nil, c.want != "x" && wrong != nil:
			t.Errorf("%s: the error is %v", name, wrong)
		case c.want == "x":
		case c.want == "" && (!errors.As(err, &question) || !slices.Equal(question.Choices, []string{"dmy", "mdy"}) ||
			question.Reason != `"text" may be 2026-04-03 or 2026-03-04`):
			t.Errorf("%s: %q, %v", name, order, err)
		case c.want != "" && (err != nil || order != c.want):
			t.Errorf("%s: %q, %v, want %q", name, order, err, c.want)
		}
	}
}
