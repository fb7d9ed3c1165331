package record

import (
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
)

// Ping describes the owner and the scopes of a token.
func Ping(p *apiclient.Ping) Object {
	return Object{
		Text("org_id", "Organization", p.OrgID),
		words("scopes", "Scopes", p.Scopes),
		Time("token_expires_at", "Token expires", p.TokenExpiresAt),
	}
}

// Account describes an account with its balance.
func Account(a *apiclient.Account) Object {
	balance := Nested("balance", Balance(a.Balance))
	balance.null = a.Balance == nil
	return Object{
		Text("org_id", "Organization", a.OrgID),
		Text("status", "Status", string(a.Status)),
		balance,
		plausibleTime("synced_at", "Synced", a.SyncedAt),
	}
}

// Balance describes the parts of a balance. If b is nil, all amounts are unknown.
func Balance(b *apiclient.Balance) Object {
	var available, holding, locked, pending *int64
	if b != nil {
		available, holding, locked, pending = &b.AvailableCents, &b.HoldingCents, &b.LockedCents, &b.PendingCents
	}
	return Object{
		cents("available_cents", "Available", available).withMeaning(figures.AvailableMeaning),
		cents("holding_cents", "Holding", holding),
		cents("locked_cents", "Locked", locked),
		cents("pending_cents", "Pending", pending),
	}
}

// CashPosition describes cash, net burn and runway.
func CashPosition(c *apiclient.CashPosition) Object {
	months := Field{Name: "runway_months", Label: "Runway in months", Kind: KindDecimal, null: c.RunwayMonths == nil}
	if c.RunwayMonths != nil {
		months.text = c.RunwayMonths.String()
	}
	return Object{
		Text("org_id", "Organization", c.OrgID),
		Text("status", "Status", string(c.Status)),
		plausibleTime("as_of", "As of", &c.AsOf),
		cents("cash_cents", "Cash on hand", &c.CashCents).withMeaning(figures.CashMeaning),
		cents("monthly_burn_cents", "Net burn / mo", &c.MonthlyBurnCents),
		Flag("is_burning", "Burning", c.IsBurning),
		Flag("sufficient", "Enough history", c.Sufficient),
		cents("runway_cash_cents", "Spendable", c.RunwayCashCents).withMeaning(figures.SpendableMeaning),
		months,
		Text("runway_note", "Note", c.RunwayNote),
	}
}

// NetBurn describes the monthly net burn for users. It is unknown without enough history, and the
// text "not burning" if money in exceeds money out.
func NetBurn(c *apiclient.CashPosition) Field {
	f := CashPosition(c).Get("monthly_burn_cents")
	switch {
	case !c.Sufficient:
		f.Amount = apiclient.UnknownAmount("USD")
		return f.withDetail(money.Dash + " (not enough history)")
	case !c.IsBurning:
		f.Kind, f.text = KindText, "not burning"
	}
	return f
}

// Aging describes the aging of the receivables: totals, buckets, and the customers who owe the most
// overdue money.
func Aging(a *apiclient.ReceivablesAging) Object {
	t, sums := a.Totals, figures.AgingOf(a)
	customers := make([]Object, len(a.TopOverdue))
	for i, c := range a.TopOverdue {
		customers[i] = Object{
			Text("customer_name", "Customer", c.Name).inTable().truncated(),
			optionalTotal("overdue_cents", "Overdue", c.OverdueCents, sums.Customers[i]).inTable(),
			Count("overdue_count", "Invoices", c.OverdueCount).inTable(),
			Count("oldest_days_past_due", "Oldest, days past due", c.OldestDaysPastDue).inTable(),
		}
	}
	buckets := make(Object, len(figures.BucketNames))
	for i := range buckets {
		buckets[i] = total(figures.BucketNames[i]+"_cents", figures.BucketLabels[i], sums.Buckets[i])
	}
	return Object{
		Text("org_id", "Organization", a.OrgID),
		plausibleTime("as_of", "As of", a.AsOf),
		Text("currency", "", "USD"),
		Nested("totals", Object{
			optionalTotal("outstanding_cents", "Outstanding", t.OutstandingCents, sums.Outstanding),
			optionalTotal("overdue_cents", "Overdue", t.OverdueCents, sums.Overdue),
			Count("invoice_count", "Open invoices", t.InvoiceCount),
			Count("overdue_count", "Overdue invoices", t.OverdueCount),
			Count("unconverted_count", "No USD rate (excluded)", t.UnconvertedCount),
		}),
		Nested("buckets", buckets),
		List("top_overdue_customers", customers),
	}
}

// AgingBuckets describes each aging bucket as a record. The field unconverted_count of each is the
// number of receivables without a USD rate, which no bucket includes.
func AgingBuckets(a *apiclient.ReceivablesAging) []Object {
	var rows []Object
	for i, s := range figures.AgingOf(a).Buckets {
		known := &s.Cents
		if s.Unknown {
			known = nil
		}
		rows = append(rows, Object{
			Time("as_of", "", a.AsOf),
			Text("currency", "", "USD"),
			Text("bucket", "", figures.BucketNames[i]),
			cents("amount_cents", "", known),
			Count("unconverted_count", "", a.Totals.UnconvertedCount),
		})
	}
	return rows
}

// Summary describes the summary of a listing of transactions. The listing is filtered by direction;
// "" means both.
func Summary(s apiclient.Summary, direction apiclient.Direction) Object {
	sums := figures.FlowsOf(s, direction)
	return Object{
		Count("count", "Transactions", &s.Count),
		total("inflow_usd_cents", "In", sums.In),
		total("outflow_usd_cents", "Out", sums.Out),
		total("net_usd_cents", "Net", sums.Net),
		Count("unconverted_count", "No USD rate", &s.UnconvertedCount).dropOrder(1),
	}
}

// total returns a field for a USD amount. Its text has a mark if the total s is incomplete.
func total(name, label string, s figures.Total) Field { return optionalTotal(name, label, &s.Cents, s) }

// optionalTotal returns a field for a USD amount that the server may not have sent. If n is nil, it
// was not sent. The text has a mark if the total s is incomplete.
func optionalTotal(name, label string, n *int64, s figures.Total) Field {
	f := cents(name, label, n)
	if n != nil {
		f.text = s.String()
	}
	return f
}

// plausibleTime returns a time field. An implausible time, such as one in the year 1, appears only
// in JSON and CSV, because it was probably never set.
func plausibleTime(name, label string, t *time.Time) Field {
	f := Time(name, label, t)
	if t != nil && !figures.IsPlausible(*t) {
		f.Kind = KindText
	}
	return f
}
