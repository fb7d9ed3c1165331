package snapshot

import "tarmac/client/figures"

// figuresParts are the parts whose figures are in the currency of the totals.
var figuresParts = [...]Part{Account, Cash, Aging, Months, Latest, History}

// Currency returns the currency of the figures. It returns "" before the server has sent any.
func (s *Snapshot) Currency() string {
	for _, part := range [...]Part{Cash, Months, Aging, Account, Latest, History} {
		if currency := s.currencyOf(part); currency != "" {
			return currency
		}
	}
	return ""
}

// currencyOf returns the currency of the figures of a part, or "" if there are none.
func (s *Snapshot) currencyOf(part Part) string {
	switch part {
	case Account:
		if a, known := s.Account.Value(); known {
			return a.Currency
		}
	case Cash:
		if c, known := s.Cash.Value(); known {
			return c.Currency
		}
	case Aging:
		if a, known := s.Aging.Value(); known {
			return a.Currency
		}
	case Months:
		if months, known := s.Months.Value(); known {
			return figures.CurrencyOf(months)
		}
	case Latest:
		if page, known := s.Latest.Value(); known {
			return page.Summary.Currency
		}
	case History:
		if ledger := s.History.Ledger(); ledger != nil {
			return ledger.Currency
		}
	}
	return ""
}

// dropOtherCurrencies forgets all figures that are in another currency than those of a part that
// has just been answered: somebody has changed the currency of the books. They are fetched again,
// so that amounts in two currencies never stand side by side.
func (s *Snapshot) dropOtherCurrencies(answered Part) {
	currency := s.currencyOf(answered)
	if currency == "" {
		return
	}
	for _, part := range figuresParts {
		other := s.currencyOf(part)
		if other == "" || other == currency {
			continue
		}
		switch part {
		case Account:
			s.Account.Forget()
		case Cash:
			s.Cash.Forget()
		case Aging:
			s.Aging.Forget()
		case Months:
			s.Months.Forget()
		case Latest:
			s.Latest.Forget()
		case History:
			s.History.reader.Forget()
			s.History.state.Forget()
			s.RenewHistory()
		}
	}
}
