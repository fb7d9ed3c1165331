package mt940

import (
	"regexp"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/dates"
)

// balance is the content of a balance field.
type balance struct {
	line     int
	day      date
	currency string // "" if the file does not give it
	amount   string // amount with its sign, as text
}

// equal reports whether two balances are the same. A balance without a currency equals one in any
// currency.
func (b *balance) equal(other *balance) bool {
	currency := firstOf(b.currency, other.currency)
	minor, err := b.in(currency)
	same, errOther := other.in(currency)
	return err == nil && errOther == nil && minor == same
}

var balanceForm = regexp.MustCompile(`^([CD])\s*(\d{6})\s*([A-Z]{3})?\s*(\d[\d.]*(?:,\d*)?)$`)

// parseBalance parses a balance field: C or D, a date, a currency and an amount.
func parseBalance(f field) (*balance, error) {
	parts := balanceForm.FindStringSubmatch(f.first())
	if parts == nil {
		return nil, bank.Errorf(f.line, "%q is not a balance", bank.Short(f.first()))
	}
	day, err := parseDate(parts[2], f.line)
	if err != nil {
		return nil, err
	}
	if parts[3] != "" && !bank.IsCurrency(parts[3]) {
		return nil, bank.Errorf(f.line, "%q is not a currency", parts[3])
	}
	amount := parts[4]
	if parts[1] == "D" {
		amount = "-" + amount
	}
	return &balance{line: f.line, day: day, currency: parts[3], amount: amount}, nil
}

// in returns the balance in minor units of the account's currency. It returns an error if the
// balance has another currency.
func (b *balance) in(currency string) (int64, error) {
	if b.currency != "" && b.currency != currency {
		return 0, bank.Errorf(b.line, "a balance is in %s, and its account in %s", b.currency, currency)
	}
	return parseAmount(b.amount, currency, b.line)
}

// parseAmount parses an amount. The decimal mark is a comma, or a point at a few banks.
func parseAmount(text, currency string, line int) (int64, error) {
	mark := byte(',')
	if at := strings.LastIndexByte(text, '.'); !strings.Contains(text, ",") && at >= 0 && len(text)-at <= 3 {
		mark = '.'
	}
	minor, err := bank.ParseAmount(text, mark, currency)
	if err != nil {
		return 0, bank.Errorf(line, "the amount %q %v", bank.Short(text), err)
	}
	return minor, nil
}

// date is a calendar date. Some banks count 30 days in each month and write days such as 30
// February; these are read as the last day of February, and moved is true.
type date struct {
	civil.Date
	moved bool
}

// parseDate parses a date in the form YYMMDD.
func parseDate(text string, line int) (date, error) {
	year, err := strconv.Atoi(text[:2])
	if err != nil {
		return date{}, bank.Errorf(line, "%q is not a date", bank.Short(text))
	}
	if day, ok := dayOf(dates.FullYear(year, dates.SwiftTurn), text[2:]); ok {
		return day, nil
	}
	return date{}, bank.Errorf(line, "the date %q does not exist", text)
}

// dayOf parses a date in the form MMDD in the given year. It returns false if there is no such day.
func dayOf(year int, text string) (date, bool) {
	month, errMonth := strconv.Atoi(text[:2])
	number, errDay := strconv.Atoi(text[2:])
	if errMonth != nil || errDay != nil {
		return date{}, false
	}
	if day, ok := bank.Day(year, month, number); ok {
		return date{Date: day}, true
	}
	if month == 2 && (number == 29 || number == 30) {
		return date{Date: civil.New(year, 3, 0), moved: true}, true
	}
	return date{}, false
}

// entryDate parses a booking date in the form MMDD. It takes the year in which the date is closest
// to the value date.
func entryDate(text string, value civil.Date, line int) (date, error) {
	var nearest date
	for year := value.Year() - 1; year <= value.Year()+1; year++ {
		day, ok := dayOf(year, text)
		if ok && (nearest.IsZero() || distance(day.Date, value) < distance(nearest.Date, value)) {
			nearest = day
		}
	}
	if nearest.IsZero() {
		return date{}, bank.Errorf(line, "the entry date %q does not exist", text)
	}
	return nearest, nil
}

func distance(a, b civil.Date) int {
	days := a.DaysSince(b)
	return max(days, -days)
}

var totalForm = regexp.MustCompile(`^(\d{1,5})([A-Z]{3})(\d[\d.]*(?:,\d*)?)$`)

// parseTotal parses the number and sum of debits or credits (fields :90D: and :90C:).
func parseTotal(text string) (sum, bool) {
	parts := totalForm.FindStringSubmatch(text)
	if parts == nil {
		return sum{}, false
	}
	count, err := strconv.Atoi(parts[1])
	minor, errAmount := parseAmount(parts[3], parts[2], 0)
	return sum{count: count, minor: minor}, err == nil && errAmount == nil
}

// parseAccount parses an account field: the number, or the bank and the number, optionally with the
// currency after another slash.
func parseAccount(text string) bank.Account {
	text = bank.Text(text)
	parts := strings.Split(text, "/")
	if last := len(parts) - 1; last > 1 && bank.IsCurrency(parts[last]) {
		parts = parts[:last]
	}
	if len(parts) == 2 && parts[0] != "" && parts[1] != "" {
		if bank.IsCurrency(parts[1]) {
			return bank.Account{Number: parts[0]}
		}
		return bank.Account{Bank: strings.TrimSpace(parts[0]), Number: strings.TrimSpace(parts[1])}
	}
	return bank.Account{Number: strings.Trim(strings.Join(parts, "/"), "/ ")}
}

var glued = regexp.MustCompile(`^(.*\d) ?([A-Z]{3})$`)

// splitCurrency splits an account number from the currency code at its end, which is "" if there is
// none.
func splitCurrency(text string) (number, currency string) {
	parts := glued.FindStringSubmatch(text)
	if parts == nil || !bank.IsCurrency(parts[2]) {
		return text, ""
	}
	return parts[1], parts[2]
}

// setBalances sets the balances of the statement. Its period is from the day after the opening
// balance to the day of the closing balance.
func (s *statement) setBalances() error {
	if s.opening != nil {
		minor, err := s.opening.in(s.Currency)
		if err != nil {
			return err
		}
		day := s.opening.day.Date
		if s.closing != nil && day == s.closing.day.Date {
			// Both balances have the day of the statement; the opening one is of the day before.
			day = day.AddDays(-1)
		}
		s.Opening = &bank.Balance{Minor: minor, Date: bank.OpeningDate(day, s.firstLine, &s.Statement)}
	}
	if s.closing == nil {
		return nil
	}
	minor, err := s.closing.in(s.Currency)
	if err != nil {
		return err
	}
	s.Closing = &bank.Balance{Minor: minor, Date: s.closing.day.Date}
	if s.opening == nil || s.page || s.closing.day.Before(s.lastLine) {
		return nil
	}
	if first := s.Opening.Date.AddDays(1); !first.After(s.Closing.Date) {
		s.First, s.Last = first, s.Closing.Date
	}
	return nil
}
