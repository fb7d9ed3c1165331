package demodata

import (
	"slices"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/receivables"
)

const (
	// approvalCents is the smallest amount, in cents, of a payment that needs approval.
	approvalCents = 9_000 * dollar
	// leaseGuaranteeCents is the locked part of the balance that guarantees the office lease, in
	// cents.
	leaseGuaranteeCents = 45_000 * dollar
	// collectionPrefix starts the description of a payment that collects the outstanding amount of
	// an invoice. The invoice's number follows it.
	collectionPrefix = "Collection of "
)

// contractors lists the contractors. Each is paid every month by a payment intent.
var contractors = [...]struct {
	name     string
	minor    int64
	currency string
	from     int // first month of the history in which the contractor is paid, counted from 0
}{
	{"Łukasz Wiśniewski", 6_400_00, "USD", 0},
	{"Søren Kjær", 5_900_00, "EUR", 4},
	{"山田 花子", 640_000, "JPY", 9},
	{"Zoë Okafor", 7_200_00, "USD", 14},
}

// oneOffs lists the outgoing payments that do not recur, with their age and status.
var oneOffs = [...]struct {
	hoursAgo     int
	status       payments.Status
	cents        int64
	counterparty string
	description  string
	reason       string
}{
	{7, payments.Held, 12_800_00, "Alder Instruments", "Test bench, first half", payments.AwaitingApproval},
	{29, payments.Held, 18_450_00, "Redbrick Recruiting", "Placement fee, staff engineer", payments.AwaitingApproval},
	{97, payments.Held, 9_300_00, "Messe Rheinblick", "Conference booth, next spring", payments.StepUpRequired},
	{3, payments.Processing, 4_180_00, "Wexford & Dunn Solicitors", "Employment contracts", ""},
	{26, payments.Processing, 2_960_00, "Copperline Electric", "Server room wiring", ""},
	{12 * 24, payments.Failed, 3_400_00, "Fable Print Shop", "Brochures", "the receiving bank refused the payment"},
	{33 * 24, payments.Failed, 7_900_00, "Polder Bikes", "Commuter bikes, six", "the receiving account is closed"},
	{71 * 24, payments.Failed, 1_150_00, "Inkwell Murals", "Mural, deposit", "name and account number do not match"},
	{
		140 * 24, payments.Failed, 5_600_00, "Verdant Plots", "Office plants, one year",
		"the receiving bank refused the payment",
	},
	{6 * 24, payments.Canceled, 2_250_00, "Paper Crane Events", "Offsite venue, option", ""},
	{41 * 24, payments.Canceled, 16_000_00, "Redbrick Recruiting", "Search retainer", ""},
	{80 * 24, payments.Canceled, 890_00, "Harbor Yoga", "Team classes", ""},
	{190 * 24, payments.Canceled, 11_700_00, "Alder Instruments", "Oscilloscope", ""},
	{9 * 24, payments.Completed, 10_900_00, "Wexford & Dunn Solicitors", "Audit support", ""},
	{19 * 24, payments.Completed, 3_750_00, "Fable Print Shop", "Customer day signage", ""},
	{37 * 24, payments.Completed, 14_200_00, "Redbrick Recruiting", "Placement fee, account manager", ""},
	{55 * 24, payments.Completed, 6_480_00, "Alder Instruments", "Soldering stations", ""},
	{68 * 24, payments.Completed, 9_950_00, "Wexford & Dunn Solicitors", "Data processing agreements", ""},
	{112 * 24, payments.Completed, 15_300_00, "Redbrick Recruiting", "Placement fee, designer", ""},
	{175 * 24, payments.Completed, 8_240_00, "Paper Crane Events", "Offsite, two days", ""},
	{301 * 24, payments.Completed, 22_600_00, "Wexford & Dunn Solicitors", "Financing round, legal work", ""},
	{420 * 24, payments.Completed, 5_100_00, "Copperline Electric", "Desk wiring", ""},
}

func (p *plan) planIntents() error {
	p.eachMonth(func(m int, first civil.Date) {
		for _, c := range contractors {
			if m >= c.from {
				requested := p.officeTime(dayOfMonth(first, 23))
				p.intents = append(
					p.intents,
					p.newIntent(
						payments.Completed, requested, p.vary(c.minor, 6), c.currency, c.name, "Contractor, "+monthName(first), "",
					),
				)
			}
		}
	})
	for _, o := range oneOffs {
		requested := p.now.Add(-time.Duration(o.hoursAgo)*time.Hour - time.Duration(p.rng.IntN(50))*time.Minute)
		p.intents = append(
			p.intents, p.newIntent(o.status, requested, o.cents, "USD", o.counterparty, o.description, o.reason),
		)
	}
	p.planCollections()

	p.intents = slices.DeleteFunc(p.intents, func(i payments.Intent) bool { return i.CreatedAt.After(p.now) })
	slices.SortStableFunc(p.intents, func(a, b payments.Intent) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for i := range p.intents {
		var err error
		if p.intents[i].ID, err = p.ids.intents.New(ids.PaymentIntent, p.intents[i].CreatedAt); err != nil {
			return err
		}
		if p.intents[i].CompletedAt != nil && p.intents[i].Direction == ledger.Outflow.String() {
			p.add(*p.intents[i].CompletedAt, payout(p.intents[i]))
		}
	}
	p.held, p.locked, p.pending = reservedAmounts(p.intents)
	return nil
}

// newIntent returns an outgoing payment that was requested at the time requested and has the given
// status. If it could not have reached that status by now, it has an earlier one. Payments that
// need approval were held first.
func (p *plan) newIntent(
	status payments.Status, requested time.Time, minor int64, currency, counterparty, description, reason string,
) payments.Intent {
	i := payments.Intent{
		Status: payments.Processing, AmountCents: minor, Currency: currency, Direction: ledger.Outflow.String(),
		Description: description, Counterparty: counterparty, CreatedAt: requested, UpdatedAt: requested,
	}
	advance := func(after time.Duration, to payments.Status, at **time.Time) bool {
		t := requested.Add(after)
		if t.After(p.now) {
			return false
		}
		i.Status, i.UpdatedAt, *at = to, t, &t
		return true
	}
	if status == payments.Held || (minor >= approvalCents && currency == "USD" && status != payments.Processing) {
		if !advance(2*time.Minute, payments.Held, &i.HeldAt) {
			return i
		}
		i.StatusReason = payments.AwaitingApproval
	}
	if status == payments.Held {
		i.StatusReason = reason
	}
	final := map[payments.Status]**time.Time{
		payments.Completed: &i.CompletedAt, payments.Failed: &i.FailedAt, payments.Canceled: &i.CanceledAt,
	}[status]
	if final != nil && advance(20*time.Hour+time.Duration(p.rng.IntN(600))*time.Minute, status, final) {
		i.StatusReason = reason
	}
	return i
}

// planCollections adds incoming payments for invoices: some completed, one in progress and one that
// the customer's bank returned.
func (p *plan) planCollections() {
	done, inProgress, returned := 0, false, false
	for n := len(p.bills) - 1; n >= 0; n-- {
		b := &p.bills[n]
		if b.inv.Currency != "USD" {
			continue
		}
		i := p.newIntent(
			payments.Processing, p.now.Add(-19*time.Hour), b.inv.OutstandingCents(), "USD", b.inv.RecipientName,
			collectionPrefix+b.inv.Number(), "",
		)
		i.Direction = ledger.Inflow.String()
		switch {
		case b.inv.Status == invoicing.Paid && b.method == "ach_debit" && len(b.installments) == 1 && done < 6:
			paid := *b.inv.PaidAt
			i.AmountCents, i.Status, i.CompletedAt = b.inv.TotalCents, payments.Completed, &paid
			i.CreatedAt, i.UpdatedAt = paid.Add(-30*time.Hour), paid
			done++
		case b.inv.Status == invoicing.Sent && b.inv.PaidCents == 0 && b.inv.SentAt.Before(i.CreatedAt) && !inProgress:
			inProgress = true
		case b.inv.Status == invoicing.Overdue && !returned:
			failed := i.CreatedAt.Add(6 * time.Hour)
			i.Status, i.FailedAt, i.UpdatedAt = payments.Failed, &failed, failed
			i.StatusReason = "the customer's bank returned the debit"
			returned = true
		default:
			continue
		}
		p.intents = append(p.intents, i)
	}
}

// payout returns the ledger row of a completed outgoing payment.
func payout(i payments.Intent) ledger.Transaction {
	method := "wire"
	if i.Currency == "USD" {
		method = "ach"
	}
	return ledger.Transaction{
		Direction: ledger.Outflow, Source: ledger.ServiceAccount, AmountMinor: i.AmountCents, Currency: i.Currency,
		Counterparty: i.Counterparty, HasReceipt: true, Category: "vendor_payments", Memo: i.Description, Method: method,
		Reference: i.ID,
	}
}

// reservedAmounts returns the amounts of the managed account that open payments reserve, in USD
// cents: held for payments that await approval, locked for outgoing payments in progress and the
// lease guarantee, pending for incoming payments in progress.
func reservedAmounts(intents []payments.Intent) (held, locked, pending int64) {
	locked = leaseGuaranteeCents
	for _, i := range intents {
		cents, ok := usdCents(i.AmountCents, i.Currency)
		switch {
		case !ok:
		case i.Direction == ledger.Inflow.String():
			if i.Status == payments.Processing {
				pending += cents
			}
		case i.Status == payments.Held:
			held += cents
		case i.Status == payments.Processing:
			locked += cents
		}
	}
	return held, locked, pending
}

// planReceivables adds open receivables as if they had been imported from an accounting system.
func (p *plan) planReceivables() {
	due := func(daysAgo int) civil.Date { return p.today.AddDays(-daysAgo) }
	p.receivables = []receivables.ImportedItem{
		{
			CustomerKey: "AR-2041", CustomerName: "Wexcombe Harbour Trust", Currency: "USD", OpenMinor: 8_640_00,
			USDCents: 8_640_00, USDKnown: true, Due: due(-12),
		},
		{
			CustomerKey: "AR-1987", CustomerName: "Atelier Brûlé", Currency: "EUR", OpenMinor: 5_200_00, USDCents: 5_616_00,
			USDKnown: true, Due: due(44),
		},
		{
			CustomerKey: "AR-1987", CustomerName: "Atelier Brûlé", Currency: "EUR", OpenMinor: 2_750_00, USDCents: 2_970_00,
			USDKnown: true, Due: due(12),
		},
		{
			CustomerKey: "AR-1902", CustomerName: "Marlow & Finch", Currency: "GBP", OpenMinor: 3_100_00, USDCents: 3_937_00,
			USDKnown: true, Due: due(103),
		},
		{CustomerKey: "AR-2066", CustomerName: "Nairobi Grid Services", Currency: "KES", OpenMinor: 412_000_00, Due: due(29)},
		{
			CustomerKey: "AR-2070", CustomerName: "Polder Research Group", Currency: "USD", OpenMinor: 1_980_00,
			USDCents: 1_980_00, USDKnown: true,
		},
	}
}
