package record

import (
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
)

// Ping describes the owner and the permissions of a token.
func Ping(p *apiclient.Ping) Object {
	return Object{
		Text("org_id", "Organization", p.OrgID),
		words("scopes", "Scopes", p.Scopes),
		Time("token_expires_at", "Token expires", p.TokenExpiresAt),
	}
}

// Account describes an account with its balance.
func Account(a *apiclient.Account) Object {
	balance := Within("balance", Balance(a.Balance))
	balance.null = a.Balance == nil
	return Object{
		Text("org_id", "Organization", a.OrgID),
		Text("status", "Status", string(a.Status)),
		balance,
		dated("synced_at", "Synced", a.SyncedAt),
	}
}

// Balance describes a balance. All amounts of a nil balance are unknown.
func Balance(b *apiclient.Balance) Object {
	var available, holding, locked, pending *int64
	if b != nil {
		available, holding, locked, pending = &b.AvailableCents, &b.HoldingCents, &b.LockedCents, &b.PendingCents
	}
	return Object{
		cents("available_cents", "Available", available).meaning(figures.AvailableMeans),
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
		dated("as_of", "As of", &c.AsOf),
		cents("cash_cents", "Cash on hand", &c.CashCents).meaning(figures.CashMeans),
		cents("monthly_burn_cents", "Net burn / mo", &c.MonthlyBurnCents),
		Flag("is_burning", "Burning", c.IsBurning),
		Flag("sufficient", "Enough history", c.Sufficient),
		cents("runway_cash_cents", "Spendable", c.RunwayCashCents).meaning(figures.SpendableMeans),
		months,
		Text("runway_note", "Note", c.RunwayNote),
	}
}

// Aging describes the receivables: totals, buckets and the customers with the most overdue.
func Aging(a *apiclient.ReceivablesAging) Object {
	t, sums := a.Totals, figures.AgingOf(a)
	customers := make([]Object, len(a.TopOverdue))
	for i, c := range a.TopOverdue {
		customers[i] = Object{
			Text("customer_name", "Customer", c.Name).in().cut(),
			optionalSum("overdue_cents", "Overdue", c.OverdueCents, sums.Customers[i]).in(),
			Count("overdue_count", "Invoices", c.OverdueCount).in(),
			Count("oldest_days_past_due", "Oldest, days past due", c.OldestDaysPastDue).in(),
		}
	}
	buckets := make(Object, len(figures.BucketNames))
	for i := range buckets {
		buckets[i] = sum(figures.BucketNames[i]+"_cents", figures.BucketLabels[i], sums.Buckets[i])
	}
	return Object{
		Text("org_id", "Organization", a.OrgID),
		dated("as_of", "As of", a.AsOf),
		Text("currency", "", "USD"),
		Within("totals", Object{
			optionalSum("outstanding_cents", "Outstanding", t.OutstandingCents, sums.Outstanding),
			optionalSum("overdue_cents", "Overdue", t.OverdueCents, sums.Overdue),
			Count("invoice_count", "Open invoices", t.InvoiceCount),
			Count("overdue_count", "Overdue invoices", t.OverdueCount),
			Count("unconverted_count", "No USD rate (excluded)", t.UnconvertedCount),
		}),
		Within("buckets", buckets),
		List("top_overdue_customers", customers),
	}
}

// AgingBuckets describes the buckets as rows. Each row has the number of receivables that
// no bucket includes.
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

// Summary describes the totals of a listing of transactions with one direction, or both if
// of is "".
func Summary(s apiclient.Summary, of apiclient.Direction) Object {
	sums := figures.FlowsOf(s, of)
	return Object{
		Count("count", "Transactions", &s.Count),
		sum("inflow_usd_cents", "In", sums.In),
		sum("outflow_usd_cents", "Out", sums.Out),
		sum("net_usd_cents", "Net", sums.Net),
		Count("unconverted_count", "No USD rate", &s.UnconvertedCount).yields(1),
	}
}

// sum returns an amount field in USD. People see a mark on an incomplete sum.
func sum(name, label string, s figures.Sum) Field { return optionalSum(name, label, &s.Cents, s) }

// optionalSum returns sum for an amount that may be missing.
func optionalSum(name, label string, n *int64, s figures.Sum) Field {
	f := cents(name, label, n)
	if n != nil {
		f.text = s.String()
	}
	return f
}

// dated returns a time field. People see no implausible times, such as one that was never
// set.
func dated(name, label string, t *time.Time) Field {
	f := Time(name, label, t)
	if t != nil && !figures.Dated(*t) {
		f.Kind = KindText
	}
	return f
}
