package ofx

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

// computedDecimals is the number of decimals from which an amount is taken for the result of
// floating point arithmetic, such as 12.340000000000001. Banks do not book such precise amounts.
const computedDecimals = 9

// amounts parses the amounts of a file. The standard allows a point or a comma as decimal mark and
// no thousands separators, but some banks write these too.
type amounts struct {
	options bank.Options
	commas  bool // true if an amount with a decimal comma was read
}

// parse returns an amount in minor units. The result rounded is true if it was rounded. Only
// amounts with computedDecimals or more decimals are rounded.
func (a *amounts) parse(text, currency string, line int) (minor int64, rounded bool, err error) {
	mark, err := a.decimalMark(text, currency, line)
	if err != nil {
		return 0, false, err
	}
	minor, err = bank.ParseAmount(text, mark, currency)
	if at := strings.IndexByte(text, mark); errors.Is(err, bank.ErrPrecision) && len(text)-at > computedDecimals {
		minor, err = round(text, mark, currency)
		rounded = err == nil
	}
	if err != nil {
		return 0, false, bank.Errorf(line, "the amount %q %v", bank.Short(text), err)
	}
	return minor, rounded, nil
}

// decimalMark returns the decimal mark of an amount. It returns a *bank.Question if the
// amount is ambiguous.
func (a *amounts) decimalMark(text, currency string, line int) (byte, error) {
	set := written.MarksOf(text)
	if !written.IsOpen(text) {
		a.commas = a.commas || set == written.Comma
		return set.Byte(), nil
	}
	if comma := strings.Contains(text, ","); comma || a.commas {
		switch {
		case money.Exponent(currency) >= 3:
		case a.options.Decimal != 0:
			return a.options.Decimal, nil
		default:
			return 0, written.AskMark(written.Place{Line: line, Text: text})
		}
		a.commas = true
		if comma {
			return ',', nil
		}
	}
	return '.', nil
}

// round parses an amount with computed decimals and rounds it to minor units, halves to even.
func round(text string, mark byte, currency string) (int64, error) {
	whole, decimals, _ := strings.Cut(strings.TrimSpace(text), string(mark))
	exponent := money.Exponent(currency)
	if strings.Trim(decimals, "0123456789") != "" || len(decimals) <= exponent {
		return 0, bank.ErrPrecision
	}
	minor, err := bank.ParseAmount(whole+string(mark)+decimals[:exponent], mark, currency)
	if err != nil {
		return 0, err
	}
	rest := decimals[exponent:]
	half := "5" + strings.Repeat("0", len(rest)-1)
	switch {
	case rest < half || rest == half && minor%2 == 0:
		return minor, nil
	case strings.HasPrefix(whole, "-"), strings.HasPrefix(whole, "\u2212"):
		return add(minor, -1)
	}
	return add(minor, 1)
}

func add(a, b int64) (int64, error) {
	sum, ok := money.Add(a, b)
	if !ok {
		return 0, bank.ErrTooLarge
	}
	return sum, nil
}

// currencySign matches currency signs such as $, R$ and US$.
var currencySign = regexp.MustCompile(`\p{L}{0,3}\p{Sc}`)

// balance is like parse, but for balances, in which some banks include the currency.
func (a *amounts) balance(text, currency string, line int) (int64, bool, error) {
	if currency != "" {
		text = strings.Replace(text, currency, "", 1)
	}
	if at := currencySign.FindStringIndex(text); at != nil {
		text = text[:at[0]] + text[at[1]:]
	}
	return a.parse(strings.TrimSpace(text), currency, line)
}

// rate parses an exchange rate. It returns nil if the text is not a positive decimal number.
func rate(text string) *big.Rat {
	text = strings.Replace(strings.TrimSpace(text), ",", ".", 1)
	if len(text) > 40 || strings.Trim(text, "0123456789.") != "" {
		return nil
	}
	ratio, ok := new(big.Rat).SetString(text)
	if !ok || ratio.Sign() <= 0 {
		return nil
	}
	return ratio
}

// convert converts minor units of one currency to those of another, rounded to the nearest. The
// rate is in units of the currency to for one unit of the currency from. It returns false if the
// result does not fit into 64 bits.
func convert(minor int64, from, to string, rate *big.Rat) (int64, bool) {
	amount := new(big.Rat).Mul(new(big.Rat).SetInt64(minor), rate)
	shift := big.NewRat(1, 1)
	for range money.Exponent(to) {
		shift.Mul(shift, big.NewRat(10, 1))
	}
	for range money.Exponent(from) {
		shift.Mul(shift, big.NewRat(1, 10))
	}
	rounded, ok := new(big.Int).SetString(amount.Mul(amount, shift).FloatString(0), 10)
	return rounded.Int64(), ok && rounded.IsInt64()
}

// date parses a date and ignores the time and its zone. It returns the zero date for an empty text,
// and for zeros, which stand for no date.
func date(text string, order bank.DateOrder, line int) (civil.Date, error) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0") == "" {
		return civil.Date{}, nil
	}
	day, _, _ := strings.Cut(text, " ")
	day, _, _ = strings.Cut(day, "T")
	parts := strings.FieldsFunc(day, func(r rune) bool { return r == '/' || r == '-' || r == '.' })
	switch digits := leadingDigits(text); {
	case len(digits) >= 8:
		parts = []string{digits[:4], digits[4:6], digits[6:8]}
	case len(parts) == 3 && len(parts[2]) == 4:
		return writtenDate(parts, order, line)
	case len(parts) != 3 || len(parts[0]) != 4:
		return civil.Date{}, bank.Errorf(line, "%q is not a date", bank.Short(text))
	}
	if date, ok := bank.Day(atoi(parts[0]), atoi(parts[1]), atoi(parts[2])); ok {
		return date, nil
	}
	return civil.Date{}, bank.Errorf(line, "the date %q does not exist", bank.Short(text))
}

// writtenDate parses a date such as 30/06/2026, which the standard does not allow. It returns a
// *bank.Question if the order of day and month is ambiguous.
func writtenDate(parts []string, order bank.DateOrder, line int) (civil.Date, error) {
	first, second, year := atoi(parts[0]), atoi(parts[1]), atoi(parts[2])
	text := strings.Join(parts, "/")
	date := written.Date(func(order bank.DateOrder) (civil.Date, bool) {
		switch order {
		case bank.DayFirst:
			return bank.Day(year, second, first)
		case bank.MonthFirst:
			return bank.Day(year, first, second)
		}
		return civil.Date{}, false
	})
	switch set := date.Orders(); {
	case set == 0:
		return civil.Date{}, bank.Errorf(line, "the date %q does not exist", bank.Short(text))
	case set.Decided() || date.IsOneDay(set):
		order = set.First()
	case set&written.Named(order) == 0:
		return civil.Date{}, written.AskOrder(written.Place{Line: line, Text: text}, set, date)
	}
	day, _ := date(order)
	return day, nil
}

func leadingDigits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}

// atoi returns the number in a text, or -1 if the text is not a number.
func atoi(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil || len(text) > 4 {
		return -1
	}
	return number
}
