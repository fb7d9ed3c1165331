package journal

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/service/statements/bank"
)

// moved is an amount on an asset or liability account.
type moved struct {
	line      bank.Line // line whose Minor is not set
	account   string
	commodity string
	quantity  *big.Rat
}

// statements makes one statement of the postings of each account and currency.
type statements struct {
	options bank.Options
	sink    bank.Sink

	open      map[accountKey]*statement
	names     map[string]bool // asset and liability accounts with postings
	left      bank.Remark     // postings whose commodity is not a currency
	leftNames []string
	rounded   bank.Remark
}

type accountKey struct{ account, currency string }

// statement is a statement of one account and currency.
type statement struct {
	bank.Statement
	first, last civil.Date
	balance     *big.Rat
	minor       *big.Int // rounded balance in minor units
}

func newStatements(options bank.Options, sink bank.Sink) *statements {
	return &statements{
		options: options, sink: sink, open: map[accountKey]*statement{}, names: map[string]bool{},
	}
}

// wanted reports whether postings of an account are read. If Options.Account is set, only that
// account and its subaccounts are.
func (s *statements) wanted(account string) bool {
	want := s.options.Account
	return want == "" || account == want || strings.HasPrefix(account, want+":")
}

// take adds a posting to the statement of its account, and passes it to the sink as a line.
func (s *statements) take(e moved) error {
	s.names[e.account] = true
	if !s.wanted(e.account) {
		return nil
	}
	currency, ok, err := s.currency(e.line.Place, e.commodity)
	if err != nil {
		return err
	}
	if !ok {
		s.left.Add(e.line.Place)
		name := bank.Short(bank.Text(e.commodity))
		if len(s.leftNames) < 3 && !slices.Contains(s.leftNames, name) {
			s.leftNames = append(s.leftNames, name)
		}
		return nil
	}
	into, err := s.statement(e.account, currency)
	if err != nil {
		return err
	}
	if e.line.Minor, err = s.add(into, e); err != nil {
		return err
	}
	if into.first.IsZero() || e.line.Booked.Before(into.first) {
		into.first = e.line.Booked
	}
	if e.line.Booked.After(into.last) {
		into.last = e.line.Booked
	}
	return s.sink.Line(&into.Statement, e.line)
}

// signs maps signs that stand for one currency to its ISO code.
var signs = map[string]string{
	"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₩": "KRW", "₪": "ILS",
	"₴": "UAH", "A$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL",
	"zł": "PLN",
}

// shared maps signs that several currencies use to these currencies. Without Options.Currency, $ is
// the US dollar.
var shared = map[string][]string{
	"$":  {"USD", "AUD", "CAD", "HKD", "MXN", "NZD", "SGD", "TWD"},
	"kr": {"SEK", "NOK", "DKK", "ISK"},
	"¥":  {"JPY", "CNY"},
}

// currency returns the currency of a commodity. It returns false if the commodity is not a
// currency. For amounts without a commodity, it returns Options.Currency, which may be "".
func (s *statements) currency(line int, commodity string) (code string, ok bool, err error) {
	switch {
	case commodity == "", slices.Contains(shared[commodity], s.options.Currency):
		return s.options.Currency, true, nil
	case signs[commodity] != "":
		return signs[commodity], true, nil
	case shared[commodity] != nil:
		return "", false, &bank.Question{
			Place: line, Reason: strconv.Quote(commodity) + " is the sign of several currencies", Flag: "--currency",
			Choices: shared[commodity],
		}
	}
	return commodity, bank.IsCurrency(commodity), nil
}

// raw joins the parts of a posting for Line.Raw.
func raw(parts ...string) string {
	text := strings.ReplaceAll(strings.Join(parts, "  "), "\x00", "")
	return strings.ToValidUTF8(text[:min(len(text), bank.MaxRaw)], "")
}

// statement returns the statement of an account and currency. It passes a new one to the sink
// first.
func (s *statements) statement(account, currency string) (*statement, error) {
	key := accountKey{account, currency}
	if found := s.open[key]; found != nil {
		return found, nil
	}
	if len(s.open) >= maxAccounts {
		return nil, bank.Errorf(0, "has more than %d accounts", maxAccounts)
	}
	name := bank.Text(account)
	added := &statement{
		Statement: bank.Statement{Account: bank.Account{Number: name, Name: name}, Currency: currency},
		balance:   new(big.Rat), minor: new(big.Int),
	}
	s.open[key] = added
	return added, s.sink.Statement(&added.Statement)
}

// finish sets the opening and closing balances of all statements. A journal has all postings of its
// accounts, so every opening balance is zero.
func (s *statements) finish() error {
	for _, one := range s.open {
		one.Opening = &bank.Balance{Date: one.first.AddDays(-1)}
		one.Closing = &bank.Balance{Minor: one.minor.Int64(), Date: one.last}
	}
	if s.rounded.Count > 0 {
		s.sink.Problem(s.rounded.Place, plural.Count(s.rounded.Count, "amount")+
			" with more decimals than their currency rounded, so that balances agree")
	}
	if s.left.Count > 0 {
		s.sink.Problem(s.left.Place, fmt.Sprintf("%s left out: not in a currency (%s)",
			plural.Count(s.left.Count, "posting"), strings.Join(s.leftNames, ", ")))
	}
	switch {
	case len(s.open) > 0:
		return nil
	case len(s.names) == 0:
		return bank.Errorf(0, "has no postings to accounts of assets or liabilities")
	case s.left.Count == 0:
		return bank.Errorf(0, "has no account %q of assets or liabilities", bank.Short(s.options.Account))
	}
	return bank.Errorf(0, "has no amounts in a currency")
}
