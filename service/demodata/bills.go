package demodata

import (
	"slices"
	"strconv"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
)

// bill is a generated invoice with its payments, including those after the end of the history.
// resolve sets the invoice's status and times.
type bill struct {
	inv          invoicing.Invoice
	installments []installment
	source       ledger.Source
	method       string
	draft        bool      // true if the bill is never sent
	voided       time.Time // time at which the bill is voided; zero if it is not
}

// installment is one payment on an invoice, in minor units of the invoice's currency.
type installment struct {
	at    time.Time
	cents int64
}

// noTerms is passed to newBill as terms for a bill without a due date.
const noTerms = -1

func (p *plan) planBills() error {
	customers := p.customers()
	p.planContracts(customers)
	p.planDelinquents(customers)
	p.planUnusual(customers)

	p.bills = slices.DeleteFunc(p.bills, func(b bill) bool { return b.inv.CreatedAt.After(p.now) })
	slices.SortStableFunc(p.bills, func(a, b bill) int { return a.inv.CreatedAt.Compare(b.inv.CreatedAt) })
	for i := range p.bills {
		b := &p.bills[i]
		var err error
		if b.inv.ID, err = p.ids.invoices.New(ids.Invoice, b.inv.CreatedAt); err != nil {
			return err
		}
		b.inv.Sequence = int64(i + 1)
		b.resolve(p.now, p.today)
		p.addReceipts(b)
	}
	return nil
}

// newBill returns a bill for a customer. terms is the number of days from its creation to its due
// date.
func (p *plan) newBill(
	c *customer, created time.Time, terms int, description string, lines ...invoicing.LineItem,
) bill {
	b := bill{source: ledger.ServiceAccount, method: c.method, inv: invoicing.Invoice{
		Currency: c.currency, Description: description, RecipientName: c.name, RecipientEmail: c.email(),
		LineItems: lines, CreatedAt: created, UpdatedAt: created,
	}}
	if c.method == "check" {
		b.source = ledger.LinkedBank
	}
	for _, line := range lines {
		b.inv.SubtotalCents += line.AmountCents
	}
	b.inv.TotalCents = b.inv.SubtotalCents
	if terms != noTerms {
		b.inv.DueDate = civil.Of(created).AddDays(terms)
	}
	return b
}

func newLineItem(description string, quantity, unitPriceCents int64) invoicing.LineItem {
	return invoicing.LineItem{
		Description: description, Quantity: strconv.FormatInt(quantity, 10),
		UnitPriceCents: unitPriceCents, AmountCents: quantity * unitPriceCents,
	}
}

// planContracts adds a bill for each billing period of each contract.
func (p *plan) planContracts(customers []customer) {
	p.eachMonth(func(m int, first civil.Date) {
		for i := range customers {
			c := &customers[i]
			if !c.billedIn(m) {
				continue
			}
			period := monthName(first)
			if c.every > 1 {
				period += " to " + monthName(first.AddMonths(c.every-1))
			}
			lines := []invoicing.LineItem{newLineItem("Platform subscription, "+period, int64(c.every), c.price(m))}
			if p.rng.IntN(4) == 0 {
				lines = append(lines, newLineItem("Additional seats", int64(2+p.rng.IntN(9)), 45_00))
			}
			created := p.officeTime(dayOfMonth(first, 1+p.rng.IntN(3)))
			b := p.newBill(c, created, c.terms, "Subscription "+period, lines...)
			p.schedulePayments(&b, p.paymentDay(c.habit, b.inv.DueDate))
			p.bills = append(p.bills, b)
		}
	})
}

// schedulePayments schedules the payment of a bill on the given day. One bill in twelve is paid in
// two parts, the first ten days earlier.
func (p *plan) schedulePayments(b *bill, on civil.Date) {
	at, total := p.officeTime(on), b.inv.TotalCents
	if earlier := p.officeTime(Workday(on.AddDays(-10))); p.rng.IntN(12) == 0 && earlier.After(b.sendTime()) {
		part := total * int64(40+p.rng.IntN(20)) / 100
		b.installments = []installment{{earlier, part}, {at, total - part}}
		return
	}
	b.installments = []installment{{at, total}}
}

// delinquents lists bills that are past due when the history ends, some for every aging bucket.
var delinquents = [...]struct {
	daysPastDue int
	dollars     int64
	customer    int
	paidPercent int64
}{
	{8, 9_600, 19, 0}, {17, 6_250, 3, 0}, {26, 12_400, 14, 50}, {38, 8_900, 21, 0}, {52, 4_750, 5, 0},
	{58, 7_300, 19, 0}, {67, 11_200, 21, 40}, {84, 3_900, 3, 0}, {97, 14_500, 16, 0}, {124, 6_800, 16, 25},
	{163, 5_400, 24, 0},
}

func (p *plan) planDelinquents(customers []customer) {
	for _, d := range delinquents {
		c := &customers[d.customer]
		created := p.officeTime(p.today.AddDays(-d.daysPastDue - 30))
		b := p.newBill(c, created, 30, "Onboarding and migration services",
			newLineItem("Migration services, hours", d.dollars/50, 50*dollar))
		b.inv.Notes = "Reminded by e-mail; ask the account manager."
		if d.paidPercent > 0 {
			b.installments = []installment{
				{p.officeTime(p.today.AddDays(-d.daysPastDue + 3)), b.inv.TotalCents * d.paidPercent / 100},
			}
		}
		p.bills = append(p.bills, b)
	}
}

// planUnusual adds bills that contracts do not produce: drafts, voided bills, and open bills that
// are due today or have no due date.
func (p *plan) planUnusual(customers []customer) {
	ago := func(days, hours int) time.Time { return p.now.Add(-time.Duration(24*days+hours) * time.Hour) }
	for i, created := range []time.Time{ago(0, 2), ago(1, 3), ago(3, 1), ago(6, 4)} {
		b := p.newBill(
			&customers[7+i], created, 30, "Training workshop", newLineItem("Workshop, half day", int64(1+i), 1_800*dollar),
		)
		b.draft = true
		p.bills = append(p.bills, b)
	}
	for i, v := range []struct{ created, voided int }{{12, 11}, {48, 40}, {75, 36}, {130, 82}, {300, 280}} {
		b := p.newBill(
			&customers[11+i],
			ago(v.created, 5),
			14,
			"Custom report",
			newLineItem("Report design, hours", int64(6+2*i), 160*dollar),
		)
		b.draft, b.voided = i == 0, ago(v.voided, 1)
		b.inv.Notes = "Billed twice."
		p.bills = append(p.bills, b)
	}
	noDueDate := p.newBill(
		&customers[22], ago(20, 6), noTerms, "Pilot extension", newLineItem("Pilot, flat fee", 1, 7_500*dollar),
	)
	dueToday := p.newBill(
		&customers[17], p.officeTime(p.today.AddDays(-30)), 30, "Priority support",
		newLineItem("Priority support, quarter", 1, 4_200*dollar),
	)
	abroad := p.newBill(
		&customers[13], ago(9, 2), 30, "Data residency in the EU", newLineItem("Setup, one time", 1, 3_600*dollar),
	)
	p.bills = append(p.bills, noDueDate, dueToday, abroad)
}

// sendTime returns the time at which a bill is sent, 25 to 114 minutes after its creation.
func (b *bill) sendTime() time.Time {
	return b.inv.CreatedAt.Add(25*time.Minute + time.Duration(b.inv.TotalCents/dollar%90)*time.Minute)
}

// overdueTime returns the time at which the bill becomes past due: the start of the day after its
// due date, in UTC.
func (b *bill) overdueTime() time.Time { return b.inv.DueDate.AddDays(1).Time() }

// resolve sets the invoice's status, paid amount and times as they are at the time now, and removes
// payments after now.
func (b *bill) resolve(now time.Time, today civil.Date) {
	inv := &b.inv
	setStatus := func(status invoicing.Status, at time.Time) *time.Time {
		inv.Status, inv.UpdatedAt = status, at
		return &at
	}
	inv.Status = invoicing.Draft
	if !b.draft && !b.sendTime().After(now) {
		inv.SentAt = setStatus(invoicing.Sent, b.sendTime())
	}
	b.installments = slices.DeleteFunc(
		b.installments,
		func(i installment) bool { return i.at.After(now) || inv.Status != invoicing.Sent },
	)
	var last time.Time
	for _, i := range b.installments {
		inv.PaidCents += i.cents
		last = i.at
	}
	if inv.Status == invoicing.Sent && inv.PaidCents == inv.TotalCents {
		inv.PaidAt = setStatus(invoicing.Paid, last)
		return
	}
	if inv.Status == invoicing.Sent && !inv.DueDate.IsZero() && inv.DueDate.Before(today) {
		setStatus(invoicing.Overdue, b.overdueTime())
	}
	if last.After(inv.UpdatedAt) {
		inv.UpdatedAt = last
	}
	if !b.voided.IsZero() {
		inv.VoidedAt = setStatus(invoicing.Voided, b.voided)
	}
}

// addReceipts adds the customer's payments of an invoice to the planned ledger rows.
func (p *plan) addReceipts(b *bill) {
	for _, i := range b.installments {
		memo := "Payment of " + b.inv.Description
		if i.cents < b.inv.TotalCents {
			memo = "Part payment of " + b.inv.Description
		}
		p.add(i.at, invoiceReceipt(b.inv, i.cents, b.source, b.method, memo))
	}
}

// invoiceReceipt returns the ledger row of a payment on an invoice.
func invoiceReceipt(inv invoicing.Invoice, cents int64, source ledger.Source, method, memo string) ledger.Transaction {
	return ledger.Transaction{
		Direction: ledger.Inflow, Source: source, AmountMinor: cents, Currency: inv.Currency,
		Counterparty: inv.RecipientName, HasReceipt: true, Category: "revenue",
		Memo: memo, Method: method, Reference: inv.Number(),
	}
}
