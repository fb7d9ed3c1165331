package demodata_test

import (
	"encoding/json"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/events"
)

// checkFeed checks that the events of the last ninety days equal the status changes of invoices
// and payments.
func (f fixture) checkFeed(t testing.TB, now time.Time) {
	t.Helper()
	f.none(t, "the feed is in order", `SELECT 1 FROM (
		SELECT occurred_at - lag(occurred_at) OVER (ORDER BY sequence) AS step FROM events) WHERE step < 0`)
	f.none(t, "ids are in order", `SELECT 1 FROM (
		SELECT public_id <= lag(public_id) OVER (ORDER BY sequence) AS back FROM events) WHERE back`)
	since := now.AddDate(0, 0, -events.RetentionDays)
	changes := map[string]int{} // type, id and moment
	count := func(kind, table, column string) {
		rows, err := f.db.Query("SELECT public_id, "+column+" FROM "+table+" WHERE "+column+" / 1000 >= ?", since.UnixMilli())
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			var at int64
			if err := rows.Scan(&id, &at); err != nil {
				t.Fatal(err)
			}
			changes[kind+" "+id+" "+time.UnixMicro(at).UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)]++
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	count("invoice.sent", "invoices", "sent_at")
	count("invoice.paid", "invoices", "paid_at")
	count("invoice.voided", "invoices", "voided_at")
	count("payment.held", "payment_intents", "held_at")
	count("payment.completed", "payment_intents", "completed_at")
	count("payment.failed", "payment_intents", "failed_at")
	count("payment.canceled", "payment_intents", "canceled_at")

	rows, err := f.db.Query("SELECT type, body FROM events")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		var body []byte
		if err := rows.Scan(&kind, &body); err != nil {
			t.Fatal(err)
		}
		f.checkEvent(t, kind, body, since, changes)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for move, n := range changes {
		if n != 0 {
			t.Errorf("%s has %d events too few", move, n)
		}
	}
	// Each invoice that became overdue in the last ninety days has one event of it.
	f.none(t, "an invoice that fell overdue has its event", `SELECT 1 FROM invoices i WHERE status = 'overdue'
		AND due_day > ? AND 1 <> (
		SELECT count(*) FROM events e WHERE e.type = 'invoice.overdue'
		AND json_extract(e.body, '$.data.invoice_id') = i.public_id)`,
		civil.Of(since).DaysSince(civil.New(1900, 1, 1)))
}

func (f fixture) checkEvent(t testing.TB, kind string, body []byte, since time.Time, moves map[string]int) {
	t.Helper()
	var e struct {
		Type       string    `json:"type"`
		OccurredAt time.Time `json:"occurred_at"`
		Data       struct {
			InvoiceID       string `json:"invoice_id"`
			Number          string `json:"number"`
			Status          string `json:"status"`
			TotalCents      int64  `json:"total_cents"`
			PaymentIntentID string `json:"payment_intent_id"`
			AmountCents     int64  `json:"amount_cents"`
			Currency        string `json:"currency"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatal(err)
	}
	if e.Type != kind || e.OccurredAt.Before(since) {
		t.Errorf("the event %s is kept as %s, of %v", body, kind, e.OccurredAt)
	}
	if e.Data.InvoiceID != "" {
		if kind != "invoice."+e.Data.Status {
			t.Errorf("%s says that the invoice is %s", kind, e.Data.Status)
		}
		if f.number(t, `SELECT count(*) FROM invoices
			WHERE public_id = ? AND printf('INV-%06d', sequence) = ? AND total_cents = ? AND currency = ?`,
			e.Data.InvoiceID, e.Data.Number, e.Data.TotalCents, e.Data.Currency) != 1 {
			t.Errorf("no invoice agrees with %s", body)
		}
	} else if f.number(t, "SELECT count(*) FROM payment_intents WHERE public_id = ? AND amount_cents = ? AND currency = ?",
		e.Data.PaymentIntentID, e.Data.AmountCents, e.Data.Currency) != 1 {
		t.Errorf("no payment agrees with %s", body)
	}
	if kind == "invoice.overdue" {
		if f.number(t, `SELECT count(*) FROM invoices WHERE public_id = ? AND due_day < ?
			AND status IN ('overdue', 'paid', 'voided') AND coalesce(paid_at, voided_at, ?) >= ?`,
			e.Data.InvoiceID, civil.Of(e.OccurredAt).DaysSince(civil.New(1900, 1, 1)), e.OccurredAt.UnixMicro(),
			e.OccurredAt.UnixMicro()) != 1 {
			t.Errorf("no invoice was overdue as %s says", body)
		}
		return
	}
	moves[kind+" "+e.Data.InvoiceID+e.Data.PaymentIntentID+" "+e.OccurredAt.Format(time.RFC3339Nano)]--
}
