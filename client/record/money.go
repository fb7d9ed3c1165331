package record

import (
	"strings"
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
	balance := Nested("balance", Balance(a)).phrased("Balance: %s.")
	balance.null = a.Balance == nil
	o := Object{
		Text("org_id", "Organization", a.OrgID).phrased(NoPhrase),
		Text("status", "Status", string(a.Status)).phrasedIf(a.Status != apiclient.AccountOpen, "%s"),
		balance,
		plausibleTime("synced_at", "Synced", a.SyncedAt),
	}
	if a.Currency != apiclient.DefaultCurrency {
		o = append(o, Text("currency", "", a.Currency).phrased(NoPhrase))
	}
	if a.Status == apiclient.AccountNotOpen {
		o = append(o, Text("balance_note", "", "").derived().
			phrased("Balance: no account is open yet. Figures appear once an account is open."))
	}
	return o
}

// Balance describes the parts of an account's balance. If it has none, all amounts are unknown.
func Balance(a *apiclient.Account) Object {
	var available, holding, locked, pending *int64
	if b := a.Balance; b != nil {
		available, holding, locked, pending = &b.AvailableCents, &b.HoldingCents, &b.LockedCents, &b.PendingCents
	}
	return Object{
		inMinor("available_cents", "Available", a.Currency, available).withMeaning(figures.AvailableMeaning),
		inMinor("holding_cents", "Holding", a.Currency, holding),
		inMinor("locked_cents", "Locked", a.Currency, locked),
		inMinor("pending_cents", "Pending", a.Currency, pending),
	}
}

// CashPosition describes cash, net burn and runway. JSON and CSV have the values of the API, also
// the zeros of an account that is not open, and nothing that is derived, such as held cash and the
// zero-cash month. JSON also has the extension (docs/api.md, Facts).
func CashPosition(cash figures.Cash) Object {
	c := cash.Position
	o := Object{
		Text("org_id", "Organization", c.OrgID).phrased(NoPhrase),
		Text("status", "Status", string(c.Status)).phrasedIf(c.Status != apiclient.AccountOpen, "%s"),
		plausibleTime("as_of", "As of", &c.AsOf),
		apiTotal("cash_cents", "Cash on hand", &c.CashCents, cash.OnHand).withMeaning(figures.CashMeaning),
		netBurn(cash),
		Flag("is_burning", "Burning", c.IsBurning).unknownToPeopleIf(cash.Burning == figures.BurningUnknown).
			phrased(NoPhrase),
		Flag("sufficient", "Enough history", c.Sufficient).phrasedIf(!c.Sufficient, "%s"),
		apiTotal("runway_cash_cents", "Spendable", c.RunwayCashCents, cash.Spendable).
			withMeaning(figures.SpendableMeaning).listed(),
		total("held_cents", "Held or locked", cash.Held).listed().derived(),
		runwayMonths(cash),
		zeroMonth(cash),
		Text("runway_note", "", strings.TrimSpace(c.RunwayNote+" "+cash.Unanswered())),
		Text("server_note", "", cash.Note()).derived(),
		{
			Name: "runway_sentences", Label: "Note", Derived: true,
			text: strings.TrimSpace(cash.Note() + " " + cash.Unanswered()),
		},
	}
	if cash.Runway == nil {
		o = append(o, Field{Name: "runway_reason", Label: "Why no runway", Derived: true, text: cash.Reason})
	}
	if c.Extension != nil && len(c.Extension.Sent) > 0 {
		o = append(o, Field{Name: "extension", Kind: KindObject, value: c.Extension.Sent})
	}
	return o
}

func netBurn(cash figures.Cash) Field {
	f := apiTotal("monthly_burn_cents", "Net burn a month", &cash.Position.MonthlyBurnCents, cash.NetBurn)
	f.Unit, f.Phrase = "a month", "Net burn: %s a month"
	if months := cash.BurnMonths(); months != "" {
		f.Unit += ", " + months
		f.Phrase += " (" + months + ")"
	}
	if cash.Burning == figures.NotBurning {
		f.text, f.Unit, f.Phrase = "not burning", "", "Net burn: %s"
	}
	return f
}

// runwayMonths describes the runway.
func runwayMonths(cash figures.Cash) Field {
	f := Field{
		Name: "runway_months", Label: "Runway in months", Kind: KindDecimal, null: true, Reveals: true,
		Phrase: "Runway: %s months",
	}
	if months := cash.Position.RunwayMonths; months != nil {
		f.null, f.text = false, months.String()
	}
	return f.derivedFrom(cash)
}

// zeroMonth describes the month when the cash runs out.
func zeroMonth(cash figures.Cash) Field {
	f := Field{
		Name: "zero_cash_month", Label: "Zero-cash (est.)", Derived: true, Reveals: true,
		Phrase: "Zero-cash month: %s (estimate)",
	}
	if month := cash.ZeroMonth(); month != money.Dash {
		f.text = month
	}
	f = f.derivedFrom(cash)
	f.figure.Unknown = f.text == ""
	return f
}

// derivedFrom returns a copy of the field that is known if the cash position has a runway, and that
// excludes what the runway excludes.
func (f Field) derivedFrom(cash figures.Cash) Field {
	t := cash.NetBurn
	if t.Mark() == figures.NoMark {
		t = cash.Spendable
	}
	t.Unknown, t.Reason = cash.Runway == nil, cash.Reason
	f.figure = &t
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
			apiTotal("overdue_cents", "Overdue", c.OverdueCents, sums.Customers[i]).inTable().phrased("%s"),
			Count("overdue_count", "Invoices", c.OverdueCount).inTable().phrasedCount("%s", "invoice"),
			Count("oldest_days_past_due", "Oldest, days past due", c.OldestDaysPastDue).inTable().
				phrasedCount("the oldest %s past due", "day"),
		}
	}
	count := func(name, label string, n *int64) Field {
		f := Count(name, label, n)
		if sums.Outstanding.Reason != "" {
			f.figure = &sums.Outstanding
		}
		return f
	}
	buckets := make(Object, len(figures.BucketNames))
	for i := range buckets {
		bucket := sums.Buckets[i]
		buckets[i] = apiTotal(figures.BucketNames[i]+"_cents", figures.BucketLabels[i], &bucket.Minor, bucket)
		if share := sums.Share(i); share != "" {
			buckets[i].Phrase = buckets[i].Label + ": %s, " + share + " of all"
		}
	}
	return append(Object{
		Text("org_id", "Organization", a.OrgID).phrased(NoPhrase),
		plausibleTime("as_of", "As of", a.AsOf),
		Text("currency", "", a.Currency),
		Nested("totals", Object{
			apiTotal("outstanding_cents", "Outstanding", t.OutstandingCents, sums.Outstanding),
			apiTotal("overdue_cents", "Overdue", t.OverdueCents, sums.Overdue),
			count("invoice_count", "Open invoices", t.InvoiceCount),
			count("overdue_count", "Overdue invoices", t.OverdueCount),
			count("unconverted_count", noRate(a.Currency)+" (excluded)", t.UnconvertedCount).phrased(NoPhrase),
		}).phrased("Receivables: %s."),
		Nested("buckets", buckets).phrased("By days past due: %s."),
		List("top_overdue_customers", customers),
		List("bucket_list", AgingBuckets(a)).derived(),
		Text("list_day", "", figures.ListDay(a)).derived().ownText(),
	}, imported(a)...)
}

// imported describes the imported lists of open invoices, if the organization has own books.
// People read the day of the oldest one, or that the list is missing.
func imported(a *apiclient.ReceivablesAging) Object {
	i := a.Imported
	if i == nil {
		return nil
	}
	note := Field{Name: "list_note", Label: "List as of", Derived: true, text: figures.ListDay(a)}
	if a.Empty() {
		note.Label, note.text = "Note", figures.NoReceivables(a)
	}
	converted := "usd_cents"
	if a.Currency != apiclient.DefaultCurrency {
		converted = "reporting_cents"
	}
	lists, invoices := make([]Object, len(i.Lists)), make([]Object, len(i.Invoices))
	for n, list := range i.Lists {
		lists[n] = Object{Text("source", "", list.Source), date("as_of", "", list.AsOf.String())}
	}
	for n, v := range i.Invoices {
		invoices[n] = Object{
			Text("number", "", v.Number), Text("customer_name", "", v.CustomerName), Text("currency", "", v.Open.Currency()),
			minor("open_minor", v.Open), minor(converted, v.Reporting), nullIfEmpty("issued_on", "", v.IssuedOn.String()),
			nullIfEmpty("due_on", "", v.DueOn.String()), nullIfEmpty("paid_on", "", v.PaidOn.String()),
		}
	}
	return Object{note, Nested("imported", Object{List("lists", lists), List("invoices", invoices)})}
}

// minor describes the minor units of an amount, or null if it is unknown.
func minor(name string, a apiclient.Amount) Field {
	units, known := a.Minor()
	if !known {
		return Null(name)
	}
	return Count(name, "", &units)
}

// AgingBuckets describes each aging bucket as a record. The field unconverted_count of each is the
// number of receivables without an exchange rate, which no bucket includes.
func AgingBuckets(a *apiclient.ReceivablesAging) []Object {
	var rows []Object
	for i, s := range figures.AgingOf(a).Buckets {
		rows = append(rows, Object{
			Time("as_of", "", a.AsOf),
			Text("currency", "", a.Currency),
			Text("bucket", "", figures.BucketNames[i]).ownText(),
			Text("days_past_due", "", figures.BucketLabels[i]).derived().ownText(),
			total("amount_cents", "", s),
			Count("unconverted_count", "", a.Totals.UnconvertedCount),
		})
	}
	return rows
}

// Summary describes the summary of a listing of transactions. The listing is filtered by direction;
// "" means both.
func Summary(s apiclient.Summary, direction apiclient.Direction) Object {
	return summary(s, figures.FlowsOf(s, direction))
}

// MonthSummary describes the summary of a month. JSON has null for sums without any covered day.
func MonthSummary(m figures.Month, now time.Time) Object {
	name := Field{Name: "month_name", Label: "Month", Derived: true, text: m.Name(now)}
	o := append(Object{Text("month", "", figures.YearMonth(m.First)), name}, summary(m.Summary, m.Flows())...)
	for i := range o {
		o[i].Column.InTable = o[i].Label != ""
		if o[i].Kind == KindCount {
			o[i].Phrase = NoPhrase
		}
	}
	return o
}

func summary(s apiclient.Summary, sums figures.Flows) Object {
	sum := func(name, label string, t figures.Total) Field {
		if t.Unknown && t.Uncovered {
			return total(name, label, t)
		}
		return apiTotal(name, label, &t.Minor, t)
	}
	unit := unitOfSums(s.Currency)
	return Object{
		Count("count", "Transactions", &s.Count),
		sum("inflow_"+unit, "In", sums.In),
		sum("outflow_"+unit, "Out", sums.Out),
		sum("net_"+unit, "Net", sums.Net),
		Count("unconverted_count", noRate(s.Currency), &s.UnconvertedCount).dropOrder(1),
	}
}

// unitOfSums returns how the names of sums of transactions end, which differs with their currency
// (docs/api.md, Reporting currency).
func unitOfSums(currency string) string {
	if currency == apiclient.DefaultCurrency {
		return "usd_cents"
	}
	return "cents"
}

// noRate labels a number of rows without an exchange rate to the currency.
func noRate(currency string) string { return "No " + figures.Rate(currency) }

// total returns a field for a total. An unknown total is null in JSON.
func total(name, label string, s figures.Total) Field {
	n := &s.Minor
	if s.Unknown {
		n = nil
	}
	return apiTotal(name, label, n, s)
}

// apiTotal returns a field for a total of the API. JSON and CSV have n, as the server
// sent it, or null if that is nil. People read the total s.
func apiTotal(name, label string, n *int64, s figures.Total) Field {
	f := inMinor(name, label, s.Currency, n)
	s.Unknown = s.Unknown || n == nil
	f.figure = &s
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
