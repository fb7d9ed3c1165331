package scenario

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// Field is an input field of a scenario. The field after an amount takes the amount's month.
type Field int

// The fields in order.
const (
	NameField Field = iota
	BurnField
	MonthlyField
	MonthlyFromField
	OnceField
	OnceInField
	OverdueField // a checkbox without text
	CustomerField
	CustomerLostField
	FieldCount int = iota
)

// IsAmount reports whether the field takes an amount.
func (f Field) IsAmount() bool { return f == MonthlyField || f == OnceField || f == CustomerField }

// isMonth reports whether the field takes a month.
func (f Field) isMonth() bool {
	return f == MonthlyFromField || f == OnceInField || f == CustomerLostField
}

// Input is a scenario as typed.
type Input struct {
	Texts   [FieldCount]string
	Overdue bool
}

// Problems describes what is wrong with each field, or with the whole input if every field
// is valid.
type Problems struct {
	Fields [FieldCount]string
	Whole  string
}

// Any reports whether there is a problem.
func (p Problems) Any() bool { return p != Problems{} }

// Errors of an input.
var (
	errPercent = errors.New("must be a whole percentage from -100 to 1000, such as +10 or -25")
	errNothing = errors.New(
		"fill in at least one field besides the name",
	)
)

// InputOf returns the input that Read parses to this scenario.
func InputOf(one Scenario) Input {
	in := Input{Overdue: one.Overdue}
	in.Texts[NameField] = one.Name
	if one.BurnPercent != 0 {
		in.Texts[BurnField] = signed(one.BurnPercent)
	}
	amount := func(at Field, cents int64, month civil.Date) {
		if cents != 0 {
			in.Texts[at], in.Texts[at+1] = amountText(at, cents), figures.YearMonth(month)
		}
	}
	amount(MonthlyField, one.Monthly, one.MonthlyFrom)
	amount(OnceField, one.Once, one.OnceIn)
	amount(CustomerField, one.Customer, one.CustomerLost)
	return in
}

// Read parses the input. A scenario without a name is named by its summary.
func (in Input) Read(today civil.Date) (one Scenario, wrong Problems) {
	note := func(at Field, err error) {
		if err != nil {
			wrong.Fields[at] = err.Error()
		}
	}
	var err error
	one.BurnPercent, err = parsePercent(in.Texts[BurnField])
	note(BurnField, err)
	amount := func(at Field, cents *int64, month *civil.Date) {
		*cents, err = parseAmount(at, in.Texts[at])
		note(at, err)
		first, err := civil.ParseMonth(in.Texts[at+1], today)
		// A month without an amount is not an error.
		if *cents != 0 {
			note(at+1, err)
			*month = first
		}
	}
	amount(MonthlyField, &one.Monthly, &one.MonthlyFrom)
	amount(OnceField, &one.Once, &one.OnceIn)
	amount(CustomerField, &one.Customer, &one.CustomerLost)
	one.Overdue = in.Overdue
	if !wrong.Any() && one.Changes == (Changes{}) {
		wrong.Whole = errNothing.Error()
	}
	if one.Name = strings.TrimSpace(termtext.Line(in.Texts[NameField])); one.Name == "" && !wrong.Any() {
		one.Name = one.Summary()
	}
	return one, wrong
}

// StandardText returns the standard form of a field's text: -24,000.00 for -24k, 2027-01 for
// January. Standard and invalid text is returned unchanged.
func StandardText(at Field, text string, today civil.Date) string {
	switch {
	case at.IsAmount():
		cents, err := parseAmount(at, text)
		if err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
			return amountText(at, cents)
		}
	case at.isMonth():
		month, err := civil.ParseMonth(text, today)
		if err == nil && strings.TrimSpace(text) != "" {
			return figures.YearMonth(month)
		}
	}
	return text
}

// amountText formats cents for their field: with a sign, except for a customer's revenue.
func amountText(at Field, cents int64) string {
	text := money.Format(cents, "USD")
	if cents > 0 && at != CustomerField {
		text = "+" + text
	}
	return text
}

// parsePercent reads a change in percent, such as +10 or -25 %. Blank text is 0.
func parsePercent(text string) (int64, error) {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < leastBurnPercent || n > mostBurnPercent {
		return 0, errPercent
	}
	return n, nil
}

// parseAmount reads US dollars as cents, with a sign except for a customer's revenue. Blank
// text is 0.
func parseAmount(at Field, text string) (int64, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return 0, nil
	case at == CustomerField:
		return money.Parse(text, "USD")
	}
	return money.ParseSigned(text, "USD")
}

func signed(n int64) string {
	if n > 0 {
		return "+" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
