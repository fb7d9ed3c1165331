package samplefiles

import (
	"fmt"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// The rules by which the company moves its money, in cents of the account's currency.
const (
	mostOperating  = 1_500_000_00 // more is moved to the savings account
	leastOperating = 350_000_00   // less is filled up from it
	usualOperating = 900_000_00   // what both leave on the operating account
	transferStep   = 50_000_00
	leastEuro      = 8_000_00
	euroPurchase   = 20_000_00

	cardPayday = 12 // day of the month on which the card is paid
)

// moveMoney makes the day's transfers between the company's accounts.
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
	if c.euro.balance < leastEuro {
		c.buyEuro(day)
	}
	if day == demodata.Workday(day.FirstOfMonth().AddDays(cardPayday-1)) && c.cardDue > 0 {
		c.payCard(day)
	}
}

// transfer books both lines of a transfer. The money arrives on the next working day; a transfer
// that would arrive after the last day is not made.
func (c *company) transfer(day civil.Date, from *account, out bank.Line, to *account, in bank.Line) {
	out.Booked, in.Booked = day, demodata.Workday(day.AddDays(1))
	if in.Booked.After(c.last) {
		return
	}
	out.Value, in.Value = out.Booked, in.Booked
	from.book(out)
	to.book(in)
}

// sweep moves cents from the operating account to the savings account, or back if negative.
func (c *company) sweep(day civil.Date, cents int64) {
	operating, savings := c.savingsLines(cents)
	if cents < 0 {
		c.transfer(day, c.savings, savings, c.operating, operating)
		return
	}
	c.transfer(day, c.operating, operating, c.savings, savings)
}

// savingsLines returns the lines of a transfer of cents to the savings account, or from it if
// negative: on the operating account and on the savings account.
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

// savingsTransfer returns the lines of a ledger row that moves money from or to the savings
// account, both on one day.
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

// payCard pays what the card owed at the end of the month before.
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

// buyEuro moves dollars to the euro account at the bank's rate, which is a little above that of
// the day.
func (c *company) buyEuro(day civil.Date) {
	rate := c.rates.on(day) * 1003 / 1000
	dealt := rateText(rate)
	cents := convert(euroPurchase, rate)
	euros := money.Format(euroPurchase, c.euro.currency)
	c.transfer(day, c.operating, bank.Line{
		Minor: -cents, Method: "XFER", Counterparty: c.name,
		Description: fmt.Sprintf("FX TRANSFER EUR %s AT %s TO %s", euros, dealt, euroAccount.Number),
	}, c.euro, bank.Line{
		Minor: euroPurchase, Counterparty: c.name, OtherAccount: operatingAccount.Number,
		Description: fmt.Sprintf("OWN TRANSFER FROM %s USD %s AT %s", operatingAccount.Number, money.USD(cents)[1:], dealt),
		Original:    &bank.Original{Currency: "USD", Minor: cents, Rate: dealt},
	})
}
