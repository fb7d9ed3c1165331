package demodata

import (
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// transferStep is the unit of transfers in cents: their amounts are multiples of it.
const transferStep = 1_000 * dollar

// transfer is a transfer from the managed account to the linked bank. It changes both balances but
// has no ledger row, because the money stays in the organization.
type transfer struct {
	date  civil.Date
	cents int64
}

// planTransfers adds a transfer to the linked bank on the first working day of each month. The
// transfer covers the bank's net outflow until the next one. linked holds the bank's net amount of
// each day, in cents.
func (p *plan) planTransfers(linked []int64) {
	p.eachMonth(func(_ int, first civil.Date) {
		from := Workday(first)
		if from.Time().Add(7 * time.Hour).After(p.now) {
			return
		}
		next := Workday(first.AddMonths(1))
		need := -sum(linked[from.DaysSince(p.first):min(next.DaysSince(p.first), len(linked))])
		p.transfers = append(p.transfers, transfer{from, max(transferStep, roundUp(need, transferStep))})
	})
}

// oneSided lists transfers from and to a savings account outside the books. Each therefore has a
// row in one feed only. The latest is within the three months over which burn is averaged.
var oneSided = [...]struct {
	monthsAgo int
	direction ledger.Direction
	source    ledger.Source
	cents     int64
	memo      string
}{
	{16, ledger.Outflow, ledger.ServiceAccount, 20_000 * dollar, "To the savings account"},
	{7, ledger.Inflow, ledger.LinkedBank, 6_000 * dollar, "From the savings account"},
	{2, ledger.Outflow, ledger.LinkedBank, 9_000 * dollar, "To the savings account"},
}

func (p *plan) planOneSidedTransfers() {
	for _, t := range oneSided {
		d := dayOfMonth(p.today.FirstOfMonth().AddMonths(-t.monthsAgo), 18)
		p.add(d.Time().Add(11*time.Hour), ledger.Transaction{
			Direction: t.direction, Source: t.source, AmountMinor: t.cents, Currency: "USD", Counterparty: "Northgate Savings",
			Category: ledger.CategoryInternalTransfer, Memo: t.memo, Method: "transfer", Reference: "TRF-" + d.String(),
		})
	}
}
