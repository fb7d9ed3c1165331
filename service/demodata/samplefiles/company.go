package samplefiles

import (
	"cmp"
	"slices"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// openingSavings is the balance of the savings account before the first day of the files, in cents.
const openingSavings = 500_000_00

// company distributes the ledger of the sample company over its bank accounts.
type company struct {
	name        string
	home        string     // currency of the company
	rates       rates      // prices of the other currency in that of the company
	dollars     rates      // prices of the company's currency in US dollars; none if it is the US dollar
	first, last civil.Date // first and last day that the files cover

	// foreign is the account in another currency: euros, or pounds of a company in euros.
	operating, savings, card, foreign *account

	cardDue int64 // amount owed on the card at the end of the previous month, in cents
}

// newCompany returns the company in US dollars or euros, with the exchange rates of the days that
// its files cover.
func newCompany(o Options, first, last civil.Date) *company {
	c := &company{
		name: o.Company, home: cmp.Or(o.Currency, "USD"), rates: newRates(o.Seed, ratesStream, first, last),
		first: first, last: last, foreign: &account{Account: euroAccount, currency: "EUR"},
	}
	c.operating = &account{Account: operatingAccount, currency: c.home}
	c.savings = &account{Account: savingsAccount, currency: c.home}
	c.card = &account{Account: cardAccount, currency: c.home}
	if c.home == "EUR" {
		c.foreign = &account{Account: poundAccount, currency: "GBP"}
		c.dollars = newRates(o.Seed, dollarsStream, first, last)
	}
	return c
}

// currency returns the currency in the company's files for one in the ledger, which is in US
// dollars and euros.
func (c *company) currency(inLedger string) string {
	switch inLedger {
	case "USD":
		return c.home
	case "EUR":
		return c.foreign.currency
	}
	return inLedger
}

// posting is a line that will be booked on an account.
type posting struct {
	account *account
	line    bank.Line
}

// book adds the ledger rows to the accounts as lines, and transfers between the accounts so that
// none is overdrawn. Rows that a bank would book after the last day become pending lines.
func (c *company) book(rows []ledger.Transaction) {
	postings := c.postings(rows)
	postings = c.open(postings)
	for day := c.first; !day.After(c.last); day = day.AddDays(1) {
		if day.Day() == 1 {
			c.cardDue = -c.card.balance
		}
		for len(postings) > 0 && postings[0].line.Booked == day {
			postings[0].account.book(postings[0].line)
			postings = postings[1:]
		}
		if weekday := day.Weekday(); weekday != time.Saturday && weekday != time.Sunday {
			c.moveMoney(day)
		}
	}
	for _, p := range postings {
		p.line.Pending = true
		p.account.book(p.line)
	}
	for _, a := range []*account{c.operating, c.savings, c.card, c.foreign} {
		a.number()
	}
}

// postings returns the lines for those ledger rows whose USD amount is known, ordered by booking
// date.
func (c *company) postings(rows []ledger.Transaction) (postings []posting) {
	for _, t := range rows {
		switch {
		case !t.USDKnown:
		case t.Category == ledger.CategoryInternalTransfer:
			postings = append(postings, c.savingsTransfer(t)...)
		default:
			postings = append(postings, c.posting(t))
		}
	}
	slices.SortStableFunc(postings, func(a, b posting) int { return a.line.Booked.Compare(b.line.Booked) })
	return postings
}

// open sets the opening balances so that they include all postings before the first day. It returns
// the other postings. On the first day, a month of purchases is owed on the card, and the
// account in another currency is new.
func (c *company) open(postings []posting) []posting {
	var total, owed int64 // in cents
	for len(postings) > 0 && postings[0].line.Booked.Before(c.first) {
		p := postings[0]
		postings = postings[1:]
		minor := p.line.Minor
		if p.account == c.foreign {
			minor = c.rates.home(minor, c.first)
		}
		total += minor
		if p.account == c.card && !p.line.Booked.Before(c.first.AddMonths(-1)) {
			owed -= minor
		}
	}
	for a, opening := range map[*account]int64{
		c.savings: openingSavings, c.card: -owed, c.operating: total - openingSavings + owed,
	} {
		a.opening, a.balance = opening, opening
	}
	return postings
}

// posting returns the line for a ledger row, and the account that it belongs to. Banks book on
// working days.
func (c *company) posting(t ledger.Transaction) posting {
	minor := t.USDCents
	if t.Currency == "EUR" {
		minor = t.AmountMinor
	}
	if t.Direction == ledger.Outflow {
		minor = -minor
	}
	booked := demodata.Workday(t.Date)
	switch {
	case t.Method == "card" && t.Direction == ledger.Outflow:
		return posting{c.card, cardLine(t, c.currency(t.Currency), c.home)}
	case t.Method == "interest":
		return posting{c.savings, bank.Line{
			Booked: booked, Minor: minor, Method: "NINT", Counterparty: "Northgate Savings", Description: upper(t.Memo),
		}}
	case t.Currency == "EUR":
		return posting{c.foreign, foreignLine(t, booked, minor)}
	}
	return posting{c.operating, operatingLine(t, booked, minor, c.currency(t.Currency), c.home)}
}
