package journal

import (
	"math/big"

	"tarmac/service/statements/bank"
)

// maxCommodities is the largest number of commodities in a journal.
const maxCommodities = 10_000

// styles decides how the numbers of a journal of hledger or ledger are read.
type styles struct {
	option byte // Options.Decimal
	mark   byte // that of the directive decimal-mark; 0 without one
	// marks and places are the decimal marks and decimals of commodities that directives declare.
	marks  map[string]byte
	places map[string]int
	// fallback is the commodity of amounts without one, as the directive D declares it.
	fallback string
	// commas has the commodities of which a number proves that their decimal mark is a comma.
	commas map[string]bool
}

func newStyles(option byte) *styles {
	return &styles{option: option, marks: map[string]byte{}, places: map[string]int{}, commas: map[string]bool{}}
}

// value returns the value of a number of a commodity.
func (s *styles) value(n number, commodity string, line int) (quantity *big.Rat, places int, err error) {
	mark, declared := s.declared(commodity)
	if !declared {
		if mark, err = s.proved(n, commodity, line); err != nil {
			return nil, 0, err
		}
	}
	quantity, places, ok := n.value(mark)
	if !ok {
		return nil, 0, bank.Errorf(line, "the amount %q cannot be read", bank.Short(n.text))
	}
	return quantity, places, nil
}

func (s *styles) declared(commodity string) (mark byte, ok bool) {
	if s.mark != 0 {
		return s.mark, true
	}
	mark, ok = s.marks[commodity]
	return mark, ok
}

// proved returns the decimal mark of a number without a declared one. hledger takes the only
// separator of a number for its decimal mark. ledger reads thousands where three digits follow a
// comma, and where three follow a point if a comma was the commodity's decimal mark before.
func (s *styles) proved(n number, commodity string, line int) (byte, error) {
	mark := n.mark()
	switch {
	case mark == ',':
		if len(s.commas) >= maxCommodities {
			return 0, bank.Errorf(line, "more than %d commodities", maxCommodities)
		}
		s.commas[commodity] = true
		return mark, nil
	case mark != 0:
		return mark, nil
	case s.option != 0:
		return s.option, nil
	case n.text[len(n.text)-4] == '.' && !s.commas[commodity]:
		return '.', nil
	}
	return 0, n.question(line)
}

// declare takes the format of a commodity from the amount of a directive.
func (s *styles) declare(commodity string, n number, line int) error {
	mark := n.mark()
	if s.mark != 0 {
		mark = s.mark
	}
	if mark == 0 {
		mark = n.text[len(n.text)-4] // a format shows its decimal mark
	}
	_, places, ok := n.value(mark)
	if !ok {
		return bank.Errorf(line, "the amount %q cannot be read", bank.Short(n.text))
	}
	if len(s.marks) >= maxCommodities {
		return bank.Errorf(line, "more than %d commodities", maxCommodities)
	}
	s.marks[commodity], s.places[commodity] = mark, places
	return nil
}
