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

// Field is an input field of a scenario. The field that follows an amount contains the month of
// that amount.
type Field int

// Values of Field, in the order of the form.
const (
	NameField Field = iota
	BurnField
	MonthlyField
	MonthlyFromField
	OnceField
	OnceInField
	OverdueField // a checkbox, so it has no text
	CustomerField
	CustomerLostField
	FieldCount int = iota
)

// IsAmount reports whether the field contains an amount.
func (f Field) IsAmount() bool { return f == MonthlyField || f == OnceField || f == CustomerField }

// isMonth reports whether the field contains a month.
func (f Field) isMonth() bool {
	return f == MonthlyFromField || f == OnceInField || f == CustomerLostField
}

// Input is a scenario as the user typed it.
type Input struct {
	Texts   [FieldCount]string
	Overdue bool
}

// Problems says what is wrong with each field or, if every field is valid, with the input as a
// whole.
type Problems struct {
	Fields [FieldCount]string
	Whole  string
}

// Any reports whether there is a problem.
func (p Problems) Any() bool { return p != Problems{} }

// Errors of an input, for the user.
var (
	errPercent = errors.New("must be a whole percentage from -100 to 1000, such as +10 or -25")
	errNothing = errors.New(
		"fill in at least one field besides the name",
	)
	errCurrency = errors.New("needs the currency of the company's figures, which are not read yet")
)

// InputOf returns an input that Read parses to the given scenario in the given currency. Amounts in
// another one have its code, so that Read refuses them instead of taking them for the given one.
func InputOf(one Scenario, currency string) Input {
	in := Input{Overdue: one.Overdue}
	in.Texts[NameField] = one.Name
	if one.BurnPercent != 0 {
		in.Texts[BurnField] = signed(one.BurnPercent)
	}
	amount := func(at Field, cents int64, month civil.Date) {
		if cents != 0 {
			in.Texts[at], in.Texts[at+1] = amountText(at, cents, one.Currency), figures.YearMonth(month)
			if one.Currency != currency {
				in.Texts[at] += " " + one.Currency
			}
		}
	}
	amount(MonthlyField, one.Monthly, one.MonthlyFrom)
	amount(OnceField, one.Once, one.OnceIn)
	amount(CustomerField, one.Customer, one.CustomerLost)
	return in
}

// Read parses the input, with amounts in the given currency. If the scenario has no name, its
// summary becomes the name.
func (in Input) Read(today civil.Date, currency string) (one Scenario, wrong Problems) {
	note := func(at Field, err error) {
		if err != nil {
			wrong.Fields[at] = err.Error()
		}
	}
	var err error
	one.BurnPercent, err = parsePercent(in.Texts[BurnField])
	note(BurnField, err)
	amount := func(at Field, cents *int64, month *civil.Date) {
		*cents, err = parseAmount(at, in.Texts[at], currency)
		note(at, err)
		first, err := civil.ParseMonth(in.Texts[at+1], today)
		// If there is no amount, its month is ignored, even if it is invalid.
		if *cents != 0 {
			note(at+1, err)
			*month, one.Currency = first, currency
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

// StandardText returns the text of a field in its standard form: -24,000.00 for -24k, 2027-01 for
// January. Invalid text is returned unchanged.
func StandardText(at Field, text string, today civil.Date, currency string) string {
	switch {
	case at.IsAmount():
		cents, err := parseAmount(at, text, currency)
		if err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
			return amountText(at, cents, currency)
		}
	case at.isMonth():
		month, err := civil.ParseMonth(text, today)
		if err == nil && strings.TrimSpace(text) != "" {
			return figures.YearMonth(month)
		}
	}
	return text
}

// amountText formats minor units for a field. The text has a sign, unless the field is for a
// customer's revenue.
func amountText(at Field, minor int64, currency string) string {
	text := money.Format(minor, currency)
	if minor > 0 && at != CustomerField {
		text = "+" + text
	}
	return text
}

// parsePercent parses a change in percent, such as +10 or -25 %. Blank text means 0.
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

// parseAmount parses an amount of the currency and returns minor units. The amount must have a
// sign, unless the field is for a customer's revenue. Blank text means 0. While the currency is
// unknown, amounts are refused.
func parseAmount(at Field, text, currency string) (int64, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return 0, nil
	case currency == "":
		return 0, errCurrency
	case at == CustomerField:
		return money.Parse(text, currency)
	}
	return money.ParseSigned(text, currency)
}

func signed(n int64) string {
	if n > 0 {
		return "+" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
