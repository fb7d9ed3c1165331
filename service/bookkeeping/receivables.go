package bookkeeping

import (
	"strings"

	"tarmac/service/books"
	"tarmac/service/ledger"
	"tarmac/service/receivables"
)

// collectPayments collects the inflows of a month, which may be payments of open invoices.
func (p *publisher) collectPayments(rows []ledger.Transaction) {
	if len(p.lists) == 0 {
		return
	}
	for i := range rows {
		row := &rows[i]
		if row.Direction != ledger.Inflow {
			continue
		}
		p.payments = append(p.payments, books.Payment{
			ID: row.ID, Day: books.DayOf(row.Date), Minor: row.AmountMinor, Currency: row.Currency,
			Payer: row.Counterparty, Text: row.Counterparty + " " + row.Memo + " " + row.Reference,
		})
	}
}

// setReceivables replaces the receivables of the API with the imported lists of open invoices, less
// the payments received after the day of each list.
func (p *publisher) setReceivables() error {
	if err := p.tx.DeleteReceivables(p.Org); err != nil || len(p.lists) == 0 {
		return err
	}
	found, err := books.OpenReceivables(p.lists, nil, p.payments, nil)
	if err != nil {
		return err
	}
	for _, item := range found.Open {
		if item.Minor <= 0 {
			continue
		}
		span := books.Span{First: item.AsOf - books.MaxRateAge, Last: item.AsOf}
		rates, err := p.tx.BookRates(p.Org, item.Currency, span)
		if err != nil {
			return err
		}
		cents, known := books.USDCents(item.Minor, item.Currency, item.AsOf, rates)
		if !known {
			cents = 0
		}
		err = p.tx.InsertReceivable(p.Org, receivables.ImportedItem{
			CustomerKey: strings.ToLower(item.Customer), CustomerName: item.Customer, Currency: item.Currency,
			OpenMinor: item.Minor, USDCents: cents, USDKnown: known, Due: item.Due,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
