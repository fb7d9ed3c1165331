package cli

import (
	"encoding/json"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
)

// The records of the API as the commands print them, in the order of tables.
// `with` adds what a server sends beyond it.

func pingObject(p *apiclient.Ping) object {
	return object{
		text("org_id", "Organization", p.OrgID), list("scopes", "Scopes", p.Scopes),
		when("token_expires_at", "Token expires", p.TokenExpiresAt),
	}
}

func accountObject(a *apiclient.Account) object {
	balance := field{name: "balance", parts: balanceObject(nil, nil, nil, nil)}
	if b := a.Balance; b != nil {
		balance.value = balanceObject(&b.AvailableCents, &b.HoldingCents, &b.LockedCents, &b.PendingCents)
	}
	return object{
		text("org_id", "Organization", a.OrgID), text("status", "Status", string(a.Status)), balance, dated("synced_at", "Synced", a.SyncedAt),
	}
}

func balanceObject(available, holding, locked, pending *int64) object {
	return object{
		cents("available_cents", "Available", available).meaning(figures.AvailableMeans), cents("holding_cents", "Holding", holding),
		cents("locked_cents", "Locked", locked), cents("pending_cents", "Pending", pending),
	}
}

func cashObject(c *apiclient.CashPosition) object {
	months := field{name: "runway_months", label: "Runway in months"}
	if c.RunwayMonths != nil {
		months.value, months.text = json.Number(c.RunwayMonths.String()), c.RunwayMonths.String()
	}
	return object{
		text("org_id", "Organization", c.OrgID), text("status", "Status", string(c.Status)), dated("as_of", "As of", &c.AsOf),
		cents("cash_cents", "Cash on hand", &c.CashCents).meaning(figures.CashMeans), cents("monthly_burn_cents", "Net burn a month", &c.MonthlyBurnCents),
		truth("is_burning", "Burning", c.IsBurning), truth("sufficient", "Enough history", c.Sufficient),
		cents("runway_cash_cents", "Spendable", c.RunwayCashCents).meaning(figures.SpendableMeans), months, text("runway_note", "Note", c.RunwayNote),
	}
}

func agingObject(a *apiclient.ReceivablesAging) object {
	t, sums := a.Totals, figures.AgingOf(a)
	customers := make([]object, len(a.TopOverdue))
	for i, c := range a.TopOverdue {
		customers[i] = object{
			text("customer_name", "Customer", c.Name).in().cut(), said("overdue_cents", "Overdue", c.OverdueCents, sums.Customers[i]).in(),
			count("overdue_count", "Invoices", c.OverdueCount).in(), count("oldest_days_past_due", "Oldest, days past due", c.OldestDaysPastDue).in(),
		}
	}
	return object{
		text("org_id", "Organization", a.OrgID), dated("as_of", "As of", a.AsOf), text("currency", "", "USD"),
		{name: "totals", value: object{
			said("outstanding_cents", "Outstanding", t.OutstandingCents, sums.Outstanding), said("overdue_cents", "Overdue", t.OverdueCents, sums.Overdue),
			count("invoice_count", "Open invoices", t.InvoiceCount), count("overdue_count", "Overdue invoices", t.OverdueCount),
			count("unconverted_count", "No USD rate (excluded)", t.UnconvertedCount),
		}},
		{name: "buckets", value: object{
			sum("current_cents", "Current", sums.Buckets[0]), sum("days_1_30_cents", "1–30 days", sums.Buckets[1]),
			sum("days_31_60_cents", "31–60 days", sums.Buckets[2]), sum("days_61_90_cents", "61–90 days", sums.Buckets[3]),
			sum("days_90_plus_cents", "91+ days", sums.Buckets[4]),
		}},
		{name: "top_overdue_customers", value: customers},
	}
}

// bucketObjects are the buckets as rows, each with how many receivables are in none.
func bucketObjects(a *apiclient.ReceivablesAging) []object {
	var rows []object
	for i, s := range figures.AgingOf(a).Buckets {
		amount := &s.Cents
		if s.Unknown {
			amount = nil
		}
		rows = append(rows, object{
			when("as_of", "", a.AsOf), text("currency", "", "USD"), text("bucket", "", figures.BucketNames[i]), cents("amount_cents", "", amount),
			count("unconverted_count", "", a.Totals.UnconvertedCount),
		})
	}
	return rows
}

func invoiceObject(i apiclient.Invoice) object {
	due := when("due_date", "Due", i.DueDate)
	if i.DueDate != nil {
		due.text = i.DueDate.UTC().Format(time.DateOnly)
	}
	return object{
		text("id", "Id", i.ID).in(), text("number", "Number", i.Number).in(), text("status", "Status", string(i.Status)).in().yield(2),
		text("currency", "", i.Total.Currency()), text("description", "Description", i.Description),
		text("recipient_name", "Recipient", i.RecipientName).in().cut(), text("recipient_email", "E-mail", i.RecipientEmail),
		minor("subtotal_cents", "Subtotal", i.Subtotal), minor("tax_cents", "Tax", i.Tax), minor("total_cents", "Total", i.Total).in(),
		when("created_at", "Created", &i.CreatedAt), when("updated_at", "Updated", &i.UpdatedAt), due.in().yield(1),
		when("sent_at", "Sent", i.SentAt), when("paid_at", "Paid", i.PaidAt), when("voided_at", "Voided", i.VoidedAt),
	}
}

func transactionObject(t apiclient.Transaction) object {
	amount, usd := signed(minor("amount_cents", "Amount", t.Amount), t.Direction), signed(minor("amount_usd_cents", "USD", t.USD), t.Direction)
	known, usdKnown := truth("amount_known", "", t.Amount.Known()), truth("usd_known", "", t.USD.Known())
	return object{
		text("id", "Id", t.ID).in(), text("date", "Date", t.Date.String()).in(), text("direction", "Direction", string(t.Direction)),
		amount.in(), known, text("currency", "", t.Amount.Currency()), usd.in().yield(2), usdKnown,
		text("counterparty_name", "Counterparty", t.CounterpartyName).in().cut(), spare("memo", "Memo", t.Memo).in().cut().yield(3), spare("method", "Method", t.Method),
		spare("reference", "Reference", t.Reference), truth("has_receipt", "Receipt", t.HasReceipt),
		text("source", "Source", string(t.Source)), text("source_label", "Feed", t.SourceLabel).in().cut().yield(1), spare("logo_url", "", t.LogoURL),
	}
}

// signed writes a magnitude for people with the sign of its direction.
func signed(f field, d apiclient.Direction) field {
	switch {
	case f.value == nil:
	case d == apiclient.Inflow:
		f.text = "+" + f.text
	case d == apiclient.Outflow:
		f.text = "-" + f.text
	}
	return f
}

func summaryObject(s apiclient.Summary) object {
	sums := figures.FlowsOf(s)
	return object{
		count("count", "Transactions", &s.Count), sum("inflow_usd_cents", "In", sums.In), sum("outflow_usd_cents", "Out", sums.Out),
		sum("net_usd_cents", "Net", sums.Net), count("unconverted_count", "No USD rate", &s.UnconvertedCount).yield(1),
	}
}

func intentObject(p *apiclient.PaymentIntent) object {
	return object{
		text("id", "Id", p.ID), text("status", "Status", string(p.Status)),
		signed(minor("amount_cents", "Amount", p.Amount), p.Direction), text("currency", "", p.Amount.Currency()),
		text("direction", "Direction", string(p.Direction)), text("description", "Description", p.Description),
		text("counterparty_name", "Counterparty", p.CounterpartyName), optional("status_reason", "Reason", p.StatusReason),
		when("created_at", "Created", p.CreatedAt), when("updated_at", "Updated", p.UpdatedAt), when("held_at", "Held", p.HeldAt),
		when("completed_at", "Completed", p.CompletedAt), when("failed_at", "Failed", p.FailedAt), when("canceled_at", "Canceled", p.CanceledAt),
	}.with(p.Extra)
}

func eventObject(e apiclient.Event) object {
	data := field{name: "data", label: "About", text: eventAbout(e), column: true, short: true, named: true}
	if e.Data != nil {
		data.value = e.Data
	}
	version := int64(e.Version)
	occurred := when("occurred_at", "Occurred", &e.OccurredAt)
	return object{
		text("id", "Id", e.ID).in().yield(1), text("type", "Type", string(e.Type)).in(), count("version", "Version", &version), occurred.in(), data,
	}
}

// eventAbout says in words what an event is about.
func eventAbout(e apiclient.Event) string {
	if e.Omitted > 0 {
		return e.PrettyData()
	}
	if d, ok := e.InvoiceData(); ok {
		return strings.TrimSpace(d.Number + " " + d.Total.String() + " " + d.InvoiceID)
	}
	if d, ok := e.PaymentData(); ok {
		return strings.TrimSpace(d.Amount.String() + " " + d.PaymentIntentID)
	}
	return e.Message()
}

func webhookObject(w apiclient.Webhook) object { return endpointObject(w).with(w.Extra) }

func endpointObject(w apiclient.Webhook) object {
	return object{
		text("id", "Id", w.ID).in(), text("url", "URL", w.URL).in().cut(), list("event_types", "Events", w.EventTypes).in().cut().yield(2),
		text("status", "Status", string(w.Status)).in(), when("created_at", "Created", w.CreatedAt), when("updated_at", "Updated", w.UpdatedAt),
		when("disabled_at", "Disabled", w.DisabledAt), optional("disabled_reason", "Why disabled", w.DisabledReason).in().cut().yield(1),
		when("previous_secret_expires_at", "Previous secret signs until", w.PreviousSecretExpiresAt),
	}
}

func deliveryObject(d apiclient.WebhookDelivery) object {
	code := field{name: "last_response_code", label: "Code", right: true, column: true}
	if n := d.LastResponseCode; n != nil {
		code.value, code.text = *n, money.Count(*n)
	}
	return object{
		text("id", "Id", d.ID).in().yield(1), text("event_id", "Event", d.EventID).in().yield(2), text("event_type", "Type", string(d.EventType)).in(),
		text("status", "Status", string(d.Status)).in(), count("attempt_count", "Attempts", d.Attempts).in(), code,
		optional("last_error", "Error", d.LastError).in().cut(), when("next_retry_at", "Next try", d.NextRetryAt).in(),
		when("created_at", "Created", d.CreatedAt), when("last_attempt_at", "Last try", d.LastAttemptAt),
		when("delivered_at", "Delivered", d.DeliveredAt),
	}.with(d.Extra)
}
