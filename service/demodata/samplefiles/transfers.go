package samplefiles

import (
	"fmt"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// Limits, in cents, by which the sample company moves money between its accounts.
const (
	mostOperating  = 1_500_000_00 // balance above which money is moved to the savings account
	leastOperating = 350_000_00   // balance below which money is moved back
	usualOperating = 900_000_00   // balance of the operating account after such a transfer
	transferStep   = 50_000_00
	leastForeign   = 8_000_00 // in the other currency
	purchase       = 20_000_00

	cardPayday = 12 // day of the month on which the card's balance is paid
)

// moveMoney makes the transfers between the company's accounts that are due on a day.
func (c *company) moveMoney(day civil.Date) {
	switch balance := c.operating.balance; {
	case balance > mostOperating:
		c.sweep(day, (balance-usualOperating)/transferStep*transferStep)
	case balance < leastOperating:
		need := (usualOperating - balance + transferStep - 1) / transferStep * transferStep
		if cents := min(need, c.savings.balance/transferStep*transferStep); cents > 0 {
			c.sweep(day, -cents)
		}
	}
	if c.foreign.balance < leastForeign {
		c.exchange(day)
	}
	if day == demodata.Workday(day.FirstOfMonth().AddDays(cardPayday-1)) && c.cardDue > 0 {
		c.payCard(day)
	}
}

// transfer books a transfer on both accounts. The money arrives on the next working day. If that is
// after the last day of the files, the transfer is not made.
func (c *company) transfer(day civil.Date, from *account, out bank.Line, to *account, in bank.Line) {
	out.Booked, in.Booked = day, demodata.Workday(day.AddDays(1))
	if in.Booked.After(c.last) {
		return
	}
	out.Value, in.Value = out.Booked, in.Booked
	from.book(out)
	to.book(in)
}

// sweep moves cents from the operating account to the savings account. A negative amount is moved
// back.
func (c *company) sweep(day civil.Date, cents int64) {
	operating, savings := c.savingsLines(cents)
	if cents < 0 {
		c.transfer(day, c.savings, savings, c.operating, operating)
		return
	}
	c.transfer(day, c.operating, operating, c.savings, savings)
}

// savingsLines returns the two lines of a transfer of cents to the savings account: that of the
// operating account and that of the savings account. A negative amount is a transfer from the
// savings account.
func (c *company) savingsLines(cents int64) (operatingLine, savingsLine bank.Line) {
	to, from := "TO", "FROM"
	if cents < 0 {
		to, from = from, to
	}
	operatingLine = bank.Line{
		Minor: -cents, Method: "XFER", Counterparty: "Northgate Savings",
		Description: "TRANSFER " + to + " SAVINGS " + savingsAccount.Number,
	}
	savingsLine = bank.Line{
		Minor: cents, Method: "NTRF", Counterparty: upper(c.name), OtherAccount: operatingAccount.Number,
		Description: "TRANSFER " + from + " CHECKING " + operatingAccount.Number,
	}
	return operatingLine, savingsLine
}

// savingsTransfer returns the two lines of a ledger row that is a transfer from or to the savings
// account. Both have the same day.
func (c *company) savingsTransfer(t ledger.Transaction) []posting {
	cents := t.USDCents
	if t.Direction == ledger.Inflow {
		cents = -cents
	}
	operating, savings := c.savingsLines(cents)
	operating.Booked = demodata.Workday(t.Date)
	operating.Value, savings.Booked, savings.Value = operating.Booked, operating.Booked, operating.Booked
	return []posting{{c.operating, operating}, {c.savings, savings}}
}

// payCard pays the amount that was owed on the card at the end of the previous month.
func (c *company) payCard(day civil.Date) {
	c.transfer(day, c.operating, bank.Line{
		Minor: -c.cardDue, Method: "PAYMENT", Counterparty: harborPine.Name,
		Description: "CARD PAYMENT TO " + cardAccount.Number,
	}, c.card, bank.Line{
		Minor: c.cardDue, Method: "CREDIT", Counterparty: "PAYMENT RECEIVED - THANK YOU",
		Description: "FROM CHECKING " + operatingAccount.Number,
	})
	c.cardDue = 0
}

// exchange moves money to the account in another currency. The bank's rate is a little above the
// rate of the day.
func (c *company) exchange(day civil.Date) {
	rate := c.rates.on(day) * 1003 / 1000
	dealt := rateText(rate)
	cents := convert(purchase, rate)
	bought := money.Format(purchase, c.foreign.currency)
	c.transfer(day, c.operating, bank.Line{
		Minor: -cents, Method: "XFER", Counterparty: c.name,
		Description: fmt.Sprintf("FX TRANSFER %s %s AT %s TO %s", c.foreign.currency, bought, dealt, c.foreign.Number),
	}, c.foreign, bank.Line{
		Minor: purchase, Counterparty: c.name, OtherAccount: operatingAccount.Number,
		Description: fmt.Sprintf("OWN TRANSFER FROM %s %s %s AT %s", operatingAccount.Number, c.home,
			money.Format(cents, c.home), dealt),
		Original: &bank.Original{Currency: c.home, Minor: cents, Rate: dealt},
	})
}
