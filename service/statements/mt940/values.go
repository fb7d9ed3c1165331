package mt940

import (
	"regexp"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// balance is a balance as the file has it.
type balance struct {
	line     int
	day      date
	currency string // "" if the file leaves it out
	amount   string // with its sign
}

// equal reports whether two balances are the same, of which one may lack its currency.
func (b *balance) equal(other *balance) bool {
	currency := firstOf(b.currency, other.currency)
	minor, err := b.in(currency)
	same, errOther := other.in(currency)
	return err == nil && errOther == nil && minor == same
}

var balanceForm = regexp.MustCompile(`^([CD])\s*(\d{6})\s*([A-Z]{3})?\s*(\d[\d.]*(?:,\d*)?)$`)

// parseBalance reads a balance: C or D, a date, a currency and an amount.
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

// in returns the balance in the currency of its account.
func (b *balance) in(currency string) (int64, error) {
	if b.currency != "" && b.currency != currency {
		return 0, bank.Errorf(b.line, "a balance is in %s, and its account in %s", b.currency, currency)
	}
	return parseAmount(b.amount, currency, b.line)
}

// parseAmount reads an amount. Its decimal mark is the comma; a few banks write a point.
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

// date is a calendar date. moved is set for days of February that do not exist, such as the 30th,
// which banks that count 30 days to the month write. They are read as its last day.
type date struct {
	civil.Date
	moved bool
}

// parseDate reads YYMMDD.
func parseDate(text string, line int) (date, error) {
	year, err := strconv.Atoi(text[:2])
	if err != nil {
		return date{}, bank.Errorf(line, "%q is not a date", bank.Short(text))
	}
	if year += 2000; year >= 2080 {
		year -= 100
	}
	if day, ok := dayOf(year, text[2:]); ok {
		return day, nil
	}
	return date{}, bank.Errorf(line, "the date %q does not exist", text)
}

// dayOf reads MMDD of a year.
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

// entryDate reads MMDD in the year that brings it nearest to the value date.
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

// parseTotal reads the number and the sum of lines.
func parseTotal(text string) (sum, bool) {
	parts := totalForm.FindStringSubmatch(text)
	if parts == nil {
		return sum{}, false
	}
	count, err := strconv.Atoi(parts[1])
	minor, errAmount := parseAmount(parts[3], parts[2], 0)
	return sum{count: count, minor: minor}, err == nil && errAmount == nil
}

// parseAccount reads an account: its number, or its bank and its number, and perhaps its currency
// after another slash.
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

// splitCurrency splits a currency from the end of an account's number.
func splitCurrency(text string) (number, currency string) {
	parts := glued.FindStringSubmatch(text)
	if parts == nil || !bank.IsCurrency(parts[2]) {
		return text, ""
	}
	return parts[1], parts[2]
}

// setBalances sets the balances, and the days that they enclose as the period.
func (s *statement) setBalances() error {
	if s.opening != nil {
		minor, err := s.opening.in(s.Currency)
		if err != nil {
			return err
		}
		day := s.opening.day.Date
		if s.closing != nil && day == s.closing.day.Date {
			day = day.AddDays(-1) // a statement of one day, dated by it
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
