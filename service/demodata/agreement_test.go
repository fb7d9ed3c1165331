package demodata_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/events"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// settledNet is what rows come to, of those that have a USD amount.
const settledNet = "coalesce(sum(CASE direction WHEN 1 THEN usd_cents ELSE -usd_cents END), 0)"

// none fails with the first thing that query finds: each is a rule that no
// record may break.
func (w world) none(t testing.TB, rule, query string, args ...any) {
	t.Helper()
	if n := w.number(t, "SELECT count(*) FROM ("+query+")", args...); n != 0 {
		t.Errorf("%s: broken %d times", rule, n)
	}
}

// checkAgreement checks that the figures of an organization agree at that time.
func (w world) checkAgreement(t testing.TB, now time.Time) {
	t.Helper()
	w.checkCash(t)
	w.checkInvoices(t, now)
	w.checkPayments(t)
	w.checkFuture(t, now)
	w.checkFeed(t, now)
}

func (w world) checkCash(t testing.TB) {
	t.Helper()
	service := w.number(t, "SELECT available_cents + holding_cents + locked_cents FROM accounts")
	linked := w.number(t, "SELECT sum(usd_cents) FROM linked_accounts")
	// What a balance has besides its rows are transfers between the two.
	const rowsOf = "SELECT " + settledNet + " FROM transactions WHERE source = ?"
	sent := w.number(t, rowsOf, int64(ledger.ServiceAccount)) - service
	if received := linked - w.number(t, rowsOf, int64(ledger.LinkedBank)); sent != received {
		t.Errorf("the service account sent %d besides its rows, and the bank received %d", sent, received)
	}
	if err := w.st.Read(context.Background(), func(s *store.Snapshot) error {
		all, err := s.Summary(w.org, ledger.Filter{})
		if err == nil && all.NetUSD() != service+linked {
			t.Errorf("the summary's net is %d and cash is %d", all.NetUSD(), service+linked)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.none(t, "no balance is negative", "SELECT 1 FROM accounts WHERE min(available_cents, holding_cents, locked_cents, pending_cents) < 0")
	w.none(t, "no linked balance is negative", "SELECT 1 FROM linked_accounts WHERE balance_minor <= 0 OR usd_cents <= 0")
	w.none(t, "no day ends below zero", `SELECT 1 FROM (
		SELECT sum(net) OVER (ORDER BY day) AS cash FROM (
			SELECT day, `+settledNet+` AS net FROM ledger_daily GROUP BY day)) WHERE cash < 0`)
	w.none(t, "a transfer that both feeds saw is no row", `SELECT 1 FROM transactions a JOIN transactions b
		ON a.category = 'internal_transfer' AND b.category = a.category AND a.usd_cents = b.usd_cents AND a.source < b.source AND a.direction <> b.direction`)
	w.none(t, "a small amount is at least a dollar", "SELECT 1 FROM transactions WHERE usd_known = 1 AND usd_cents < 99")
	w.none(t, "unknown amounts are 0", "SELECT 1 FROM transactions WHERE amount_known = 0 AND (amount_minor <> 0 OR usd_known = 1)")
}

func (w world) checkInvoices(t testing.TB, now time.Time) {
	t.Helper()
	day := int64(civil.Of(now).DaysSince(civil.New(1900, 1, 1)))
	w.none(t, "paid cents are the rows with the invoice's number", `SELECT 1 FROM invoices i WHERE paid_cents <> (
		SELECT coalesce(sum(amount_minor), 0) FROM transactions t WHERE t.reference = printf('INV-%06d', i.sequence)
			AND t.direction = 1 AND t.currency = i.currency AND t.has_receipt = 1 AND t.counterparty = i.recipient_name)`)
	w.none(t, "every row of an invoice has its invoice", `SELECT 1 FROM transactions WHERE reference LIKE 'INV-%'
		AND NOT EXISTS (SELECT 1 FROM invoices i WHERE reference = printf('INV-%06d', i.sequence))`)
	w.none(t, "the last payment is of the day the invoice was paid", `SELECT 1 FROM invoices i WHERE status = 'paid' AND paid_at / 86400000000 + 25567 <> (
		SELECT max(id >> 26 & 131071) FROM transactions t WHERE t.reference = printf('INV-%06d', i.sequence))`)
	w.none(t, "paid means paid in full", "SELECT 1 FROM invoices WHERE (status = 'paid') <> (paid_cents = total_cents) OR paid_cents > total_cents")
	w.none(t, "drafts and voided invoices have no payments", "SELECT 1 FROM invoices WHERE status IN ('draft', 'voided') AND paid_cents <> 0")
	w.none(t, "sent is due today or later", "SELECT 1 FROM invoices WHERE status = 'sent' AND due_day < ?", day)
	w.none(t, "overdue was due before today", "SELECT 1 FROM invoices WHERE status = 'overdue' AND (due_day IS NULL OR due_day >= ?)", day)
	w.none(t, "times are there when they happened", `SELECT 1 FROM invoices WHERE (paid_at IS NOT NULL) <> (status = 'paid')
		OR (voided_at IS NOT NULL) <> (status = 'voided') OR (sent_at IS NOT NULL AND status = 'draft')
		OR (sent_at IS NULL AND status NOT IN ('draft', 'voided'))`)
	w.none(t, "times are in order", `SELECT 1 FROM invoices WHERE created_at > sent_at OR sent_at > paid_at OR sent_at > voided_at
		OR created_at > voided_at OR updated_at < max(created_at, coalesce(sent_at, 0), coalesce(paid_at, 0), coalesce(voided_at, 0))`)
	w.none(t, "numbers are in the order of creation", `SELECT 1 FROM (
		SELECT created_at - lag(created_at) OVER (ORDER BY sequence) AS step FROM invoices) WHERE step < 0`)
	w.none(t, "lines come to the total", `SELECT 1 FROM invoices WHERE total_cents <> subtotal_cents + tax_cents
		OR subtotal_cents <> (SELECT sum(json_extract(value, '$.amount_cents')) FROM json_each(line_items))
		OR EXISTS (SELECT 1 FROM json_each(line_items) WHERE json_extract(value, '$.amount_cents')
			<> json_extract(value, '$.quantity') * json_extract(value, '$.unit_price_cents'))`)
}

func (w world) checkPayments(t testing.TB) {
	t.Helper()
	w.none(t, "a payment that went out has its row", `SELECT 1 FROM payment_intents p WHERE direction = 'outflow' AND
		(status = 'completed') <> EXISTS (SELECT 1 FROM transactions t WHERE t.reference = p.public_id AND t.direction = 0
			AND t.amount_minor = p.amount_cents AND t.currency = p.currency AND t.counterparty = p.counterparty
			AND t.id >> 26 & 131071 = p.completed_at / 86400000000 + 25567)`)
	w.none(t, "a completed collection has paid its invoice", `SELECT 1 FROM payment_intents p WHERE direction = 'inflow' AND status = 'completed'
		AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.status = 'paid' AND 'Collection of ' || printf('INV-%06d', i.sequence) = p.description)`)
	w.none(t, "status and times agree", `SELECT 1 FROM payment_intents WHERE (completed_at IS NOT NULL) <> (status = 'completed')
		OR (failed_at IS NOT NULL) <> (status = 'failed') OR (canceled_at IS NOT NULL) <> (status = 'canceled')
		OR (status = 'held' AND held_at IS NULL) OR (status = 'held') <> (status_reason IN ('awaiting_approval', 'step_up_required'))
		OR (status = 'failed' AND status_reason = '')`)
	w.none(t, "times are in order", `SELECT 1 FROM payment_intents WHERE created_at > held_at
		OR max(created_at, coalesce(held_at, 0)) > coalesce(completed_at, failed_at, canceled_at, updated_at)`)
	w.checkEarmarks(t)
}

// checkEarmarks checks that the account sets aside what open payments come to.
func (w world) checkEarmarks(t testing.TB) {
	t.Helper()
	const open = `SELECT coalesce(sum(CASE currency WHEN 'USD' THEN amount_cents WHEN 'EUR' THEN (amount_cents * 108 + 50) / 100
		WHEN 'JPY' THEN (amount_cents * 67 + 50) / 100 END), 0) FROM payment_intents WHERE direction = ? AND status = ?`
	if got, want := w.number(t, "SELECT holding_cents FROM accounts"), w.number(t, open, "outflow", "held"); got != want {
		t.Errorf("holding is %d and the held payments are %d", got, want)
	}
	if got, want := w.number(t, "SELECT pending_cents FROM accounts"), w.number(t, open, "inflow", "processing"); got != want {
		t.Errorf("pending is %d and what is on its way in is %d", got, want)
	}
	// 45,000 dollars are the guarantee of the lease.
	if got, want := w.number(t, "SELECT locked_cents FROM accounts"), 45_000_00+w.number(t, open, "outflow", "processing"); got != want {
		t.Errorf("locked is %d and what is on its way out, with the guarantee, %d", got, want)
	}
}

func (w world) checkFuture(t testing.TB, now time.Time) {
	t.Helper()
	us := now.UnixMicro()
	var last string
	if err := w.db.QueryRow("SELECT max(public_id) FROM transactions").Scan(&last); err != nil {
		t.Fatal(err)
	}
	if id, err := ulid.ParseStrict(last); err != nil || id.Time() > uint64(now.UnixMilli()) {
		t.Errorf("the last row's id %s is of %v (%v), in the future", last, ulid.Time(id.Time()), err)
	}
	w.none(t, "no row is in the future", "SELECT 1 FROM transactions WHERE id >> 26 & 131071 > ?", civil.Of(now).DaysSince(civil.New(1900, 1, 1)))
	w.none(t, "no invoice is in the future", "SELECT 1 FROM invoices WHERE updated_at > ?", us)
	w.none(t, "no payment is in the future", "SELECT 1 FROM payment_intents WHERE updated_at > ?", us)
	w.none(t, "no event is in the future", "SELECT 1 FROM events WHERE occurred_at > ?", us)
	w.none(t, "no balance was read in the future", "SELECT 1 FROM accounts WHERE synced_at > ?", us)
}

// checkFeed checks that the events of the last ninety days are exactly the moves
// of the invoices and payments they are about.
func (w world) checkFeed(t testing.TB, now time.Time) {
	t.Helper()
	w.none(t, "the feed is in order", `SELECT 1 FROM (
		SELECT occurred_at - lag(occurred_at) OVER (ORDER BY sequence) AS step FROM events) WHERE step < 0`)
	w.none(t, "ids are in order", `SELECT 1 FROM (
		SELECT public_id <= lag(public_id) OVER (ORDER BY sequence) AS back FROM events) WHERE back`)
	since := now.AddDate(0, 0, -events.RetentionDays)
	moves := map[string]int{} // type, id and moment
	count := func(kind, table, column string) {
		rows, err := w.db.Query("SELECT public_id, "+column+" FROM "+table+" WHERE "+column+" / 1000 >= ?", since.UnixMilli())
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
			moves[kind+" "+id+" "+time.UnixMicro(at).UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)]++
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

	rows, err := w.db.Query("SELECT type, body FROM events")
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
		w.checkEvent(t, kind, body, since, moves)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for move, n := range moves {
		if n != 0 {
			t.Errorf("%s has %d events too few", move, n)
		}
	}
	// Each overdue invoice of the last ninety days says so once.
	w.none(t, "an invoice that fell overdue has its event", `SELECT 1 FROM invoices i WHERE status = 'overdue' AND due_day > ? AND 1 <> (
		SELECT count(*) FROM events e WHERE e.type = 'invoice.overdue' AND json_extract(e.body, '$.data.invoice_id') = i.public_id)`,
		civil.Of(since).DaysSince(civil.New(1900, 1, 1)))
}

func (w world) checkEvent(t testing.TB, kind string, body []byte, since time.Time, moves map[string]int) {
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
		if w.number(t, "SELECT count(*) FROM invoices WHERE public_id = ? AND printf('INV-%06d', sequence) = ? AND total_cents = ? AND currency = ?",
			e.Data.InvoiceID, e.Data.Number, e.Data.TotalCents, e.Data.Currency) != 1 {
			t.Errorf("no invoice agrees with %s", body)
		}
	} else if w.number(t, "SELECT count(*) FROM payment_intents WHERE public_id = ? AND amount_cents = ? AND currency = ?",
		e.Data.PaymentIntentID, e.Data.AmountCents, e.Data.Currency) != 1 {
		t.Errorf("no payment agrees with %s", body)
	}
	if kind == "invoice.overdue" {
		if w.number(t, `SELECT count(*) FROM invoices WHERE public_id = ? AND due_day < ?
			AND status IN ('overdue', 'paid', 'voided') AND coalesce(paid_at, voided_at, ?) >= ?`,
			e.Data.InvoiceID, civil.Of(e.OccurredAt).DaysSince(civil.New(1900, 1, 1)), e.OccurredAt.UnixMicro(), e.OccurredAt.UnixMicro()) != 1 {
			t.Errorf("no invoice was overdue as %s says", body)
		}
		return
	}
	moves[kind+" "+e.Data.InvoiceID+e.Data.PaymentIntentID+" "+e.OccurredAt.Format(time.RFC3339Nano)]--
}

func TestTheFiguresAgree(t *testing.T) {
	for i, now := range []time.Time{
		today,
		today,
		today,
		time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),                      // a Sunday, the first of a month, at midnight
		time.Date(2028, 2, 29, 23, 59, 59, 999, time.UTC),                // a leap day
		time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC),                   // the last day of a year
		time.Date(2026, 8, 2, 6, 15, 0, 0, time.UTC),                     // a Sunday, the month's first working day not reached
		time.Date(2026, 9, 24, 5, 0, 0, 0, time.UTC),                     // payments of yesterday are on their way
		time.Date(2027, 1, 4, 7, 0, 0, 500_000, time.UTC),                // the moment of a transfer
		time.Date(2026, 11, 21, 0, 0, 30, 0, time.FixedZone("", 9*3600)), // yesterday in UTC
	} {
		t.Run(fmt.Sprintf("%s seed %d", now.Format(time.RFC3339), i), func(t *testing.T) {
			w := newWorld(t)
			figures := generate(t, w, demodata.Options{Seed: int64(i), Transactions: 1_100, Today: now})
			w.checkAgreement(t, now)
			w.checkStory(t, figures, now)
		})
	}
}

// checkStory checks that the organization has everything that a ledger can have.
func (w world) checkStory(t *testing.T, figures demodata.Figures, now time.Time) {
	t.Helper()
	if cash := w.number(t, "SELECT "+settledNet+" FROM transactions"); cash != figures.CashCents {
		t.Errorf("cash is %d and is said to be %d", cash, figures.CashCents)
	}
	some := func(what, query string, args ...any) {
		t.Helper()
		if w.number(t, "SELECT count(*) FROM "+query, args...) == 0 {
			t.Errorf("there is no %s", what)
		}
	}
	for _, status := range []string{"draft", "sent", "paid", "overdue", "voided"} {
		some(status+" invoice", "invoices WHERE status = ?", status)
	}
	for _, status := range []string{"processing", "held", "completed", "failed", "canceled"} {
		some(status+" payment", "payment_intents WHERE status = ?", status)
	}
	for _, kind := range events.Types[:len(events.Types)-1] {
		some(string(kind)+" event", "events WHERE type = ?", string(kind))
	}
	some("partly paid open invoice", "invoices WHERE status = 'overdue' AND paid_cents > 0")
	some("open invoice without a due date", "invoices WHERE status = 'sent' AND due_day IS NULL")
	some("invoice paid in parts", "invoices i WHERE status = 'paid' AND (SELECT count(*) FROM transactions WHERE reference = printf('INV-%06d', i.sequence)) > 1")
	some("receivable without a rate", "imported_receivables WHERE usd_known = 0")
	some("transfer that one feed alone saw", "transactions WHERE category = 'internal_transfer'")
	some("unknown counterparty", "transactions WHERE counterparty = '(unknown)'")
	some("unknown amount", "transactions WHERE amount_known = 0")
	for _, currency := range []string{"EUR", "GBP", "JPY"} {
		some(currency+" row with a rate", "transactions WHERE currency = ? AND usd_known = 1", currency)
		some(currency+" row without a rate", "transactions WHERE currency = ? AND usd_known = 0", currency)
	}
	for source := range 2 {
		some("row without a receipt", "transactions WHERE source = ? AND has_receipt = 0", source)
		some("row with a receipt", "transactions WHERE source = ? AND has_receipt = 1", source)
	}
	if n := w.number(t, "SELECT count(*) FROM transactions WHERE memo LIKE '%' || ? || '%'", demodata.RareWord); n != 1 {
		t.Errorf("the rare word is in %d rows", n)
	}
	if first := w.number(t, "SELECT category = 'financing' FROM transactions ORDER BY id LIMIT 1"); first != 1 {
		t.Error("the ledger does not begin with financing")
	}
	w.checkAging(t, now)
	w.checkRunway(t, now)
}

func (w world) checkAging(t *testing.T, now time.Time) {
	t.Helper()
	today := civil.Of(now).DaysSince(civil.New(1900, 1, 1))
	for _, bucket := range []struct{ from, to int }{{-9999, 0}, {1, 30}, {31, 60}, {61, 90}, {91, 9999}} {
		if w.number(t, `SELECT count(*) FROM invoices WHERE status IN ('sent', 'overdue') AND currency = 'USD'
			AND ? - due_day BETWEEN ? AND ?`, today, bucket.from, bucket.to) == 0 {
			t.Errorf("nothing is %d to %d days past due", bucket.from, bucket.to)
		}
	}
	if n := w.number(t, "SELECT count(DISTINCT recipient_email) FROM invoices WHERE status = 'overdue'"); n < 5 {
		t.Errorf("%d customers are overdue; at least five were meant", n)
	}
	if n := w.number(t, "SELECT max(n) FROM (SELECT count(*) AS n FROM invoices WHERE status = 'overdue' GROUP BY recipient_email)"); n < 2 {
		t.Error("no customer has several overdue invoices")
	}
}

// checkRunway works out the runway as the cash position does (docs/api.md, Runway
// estimate).
func (w world) checkRunway(t *testing.T, now time.Time) {
	t.Helper()
	to := civil.Of(now).FirstOfMonth()
	from := to.AddMonths(-3)
	var net int64
	err := w.st.Read(context.Background(), func(s *store.Snapshot) error {
		for _, source := range ledger.Sources {
			first, err := s.FirstDay(w.org, source)
			if err != nil {
				return err
			}
			if first.After(from) || first.IsZero() {
				t.Errorf("%v begins on %v, within the window", source, first)
			}
			sums, err := s.OperatingSummary(w.org, source, from, to.AddDays(-1))
			if err != nil {
				return err
			}
			net += sums.NetUSD()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if net >= 0 {
		t.Fatalf("the organization does not burn: %d", net)
	}
	cash := w.number(t, "SELECT available_cents + (SELECT sum(usd_cents) FROM linked_accounts) FROM accounts")
	if tenths := 30 * cash / -net; tenths < 90 || tenths > 160 {
		t.Errorf("cash lasts %d.%d months", tenths/10, tenths%10)
	}
}
