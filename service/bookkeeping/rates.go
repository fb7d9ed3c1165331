package bookkeeping

import (
	"context"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// RatesReport lists the exchange rates that the books have, and the amounts without a rate. Its
// JSON is the output of `tarmac books rates`.
type RatesReport struct {
	Rates   []CurrencyRates `json:"rates"`
	Missing []MissingRates  `json:"missing"`
}

// CurrencyRates describes the exchange rates of a currency to the US dollar.
type CurrencyRates struct {
	Currency string `json:"currency"`
	First    string `json:"first_date"`
	Last     string `json:"last_date"`
	Days     int    `json:"days"` // number of days with a rate
	// USD is the newest rate: the value of one unit in US dollars, with at most twelve decimals.
	USD      string   `json:"usd"`
	AgeDays  int      `json:"age_days"` // age of the newest rate
	Accounts []string `json:"accounts"` // accounts in this currency, as in AccountState.Account
}

// MissingRates describes amounts that are unknown in US dollars, because there is no rate for them.
type MissingRates struct {
	// Account is "…" and the last four characters of the number, or the whole name. It is nil for
	// open invoices.
	Account  *string `json:"account"`
	Currency string  `json:"currency"`
	Lines    int     `json:"lines"`      // number of lines or open invoices without a rate
	First    *string `json:"first_date"` // date of the first line or open invoice without a rate; nil if there is none
	Last     *string `json:"last_date"`
	Balance  bool    `json:"balance"` // true if there is no rate for the account's balance
	// Download is the address of a file with the rates. It is nil if, for this currency or that of
	// the books, the European Central Bank publishes no rates: the user must write a table of rates
	// then (docs/import.md).
	Download *string `json:"download"`
}

// ECBRates is the address of the European Central Bank's rates of all days.
const ECBRates = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip"

// Rates returns the exchange rates of the books, and the amounts without a rate.
func (b *Books) Rates(ctx context.Context) (report RatesReport, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	report = RatesReport{Rates: []CurrencyRates{}, Missing: []MissingRates{}}
	err = b.Store.Read(ctx, func(snap *store.Snapshot) error {
		mt, err := b.matching(snap)
		if err != nil {
			return err
		}
		spans, err := snap.BookRateSpans(b.Org)
		if err != nil {
			return err
		}
		for _, span := range spans {
			rates, err := mt.currencyRates(span, civil.Of(b.Now()))
			if err != nil {
				return err
			}
			report.Rates = append(report.Rates, rates)
		}
		report.Missing, err = mt.missingRates()
		return err
	})
	return report, err
}

// currencyRates describes the rates of a currency.
func (mt *matching) currencyRates(span bookrules.RateSpan, today civil.Date) (CurrencyRates, error) {
	newest, err := mt.books.BookRates(mt.books.Org, span.Currency, bookrules.Span{First: span.Last, Last: span.Last})
	if err != nil {
		return CurrencyRates{}, err
	}
	r := CurrencyRates{
		Currency: span.Currency, First: span.First.Date().String(), Last: span.Last.Date().String(), Days: span.Days,
		USD: bookrules.RateText(newest[len(newest)-1]), AgeDays: today.DaysSince(span.Last.Date()), Accounts: []string{},
	}
	for n := range mt.accounts {
		if a := &mt.accounts[n]; a.Currency == span.Currency {
			r.Accounts = append(r.Accounts, ShortNumber(a.Number))
		}
	}
	return r, nil
}

// missingRates returns the accounts and open invoices without a rate.
func (mt *matching) missingRates() ([]MissingRates, error) {
	all := []MissingRates{}
	for n := range mt.accounts {
		a := &mt.accounts[n]
		if a.Currency == mt.books.currency {
			continue
		}
		rates, err := mt.books.ratesOf(bookrules.Span{Last: 1 << 30}, a.Currency)
		if err != nil {
			return nil, err
		}
		account := ShortNumber(a.Number)
		missing := MissingRates{Account: &account, Currency: a.Currency}
		for _, m := range bookrules.WithoutRate(a.merged, a.Currency, mt.books.currency, rates) {
			missing.add(m.Day)
		}
		if balance, known := bookrules.BookedBalance(a.merged, a.contents); known {
			_, found := bookrules.QuoteAt(a.Currency, mt.books.currency, balance.Day, rates)
			missing.Balance = !found
		}
		if missing.Lines > 0 || missing.Balance {
			all = append(all, missing)
		}
	}
	invoices, err := mt.missingInvoiceRates()
	all = append(all, invoices...)
	for n := range all {
		if bookrules.ECBPublishes(all[n].Currency) && bookrules.ECBPublishes(mt.books.currency) {
			all[n].Download = textOrNil(ECBRates)
		}
	}
	return all, err
}

// missingInvoiceRates returns the currencies of open invoices without a rate.
func (mt *matching) missingInvoiceRates() (all []MissingRates, err error) {
	for _, item := range mt.receivables.Open {
		rates, err := mt.books.ratesOn(item.AsOf, item.Currency)
		if err != nil {
			return nil, err
		}
		_, known := bookrules.Convert(item.Minor, item.Currency, mt.books.currency, item.AsOf, rates)
		if known || item.Minor <= 0 {
			continue
		}
		at := slices.IndexFunc(all, func(m MissingRates) bool { return m.Currency == item.Currency })
		if at < 0 {
			at = len(all)
			all = append(all, MissingRates{Currency: item.Currency})
		}
		all[at].add(item.AsOf)
	}
	return all, nil
}

// add counts a line or an open invoice and notes its day.
func (m *MissingRates) add(day bookrules.Day) {
	m.Lines++
	date := day.Date().String()
	if m.First == nil || date < *m.First {
		m.First = &date
	}
	if m.Last == nil || date > *m.Last {
		m.Last = &date
	}
}
