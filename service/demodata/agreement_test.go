package demodata_test

import (
	"context"
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

// settledNet is an SQL expression: the net amount of the rows with a USD amount.
const settledNet = "coalesce(sum(CASE direction WHEN 1 THEN usd_cents ELSE -usd_cents END), 0)"

// none fails with the first record that a query finds. The query selects violations of a rule.
func (f fixture) none(t testing.TB, rule, query string, args ...any) {
	t.Helper()
	if n := f.number(t, "SELECT count(*) FROM ("+query+")", args...); n != 0 {
		t.Errorf("%s: broken %d times", rule, n)
	}
}

// checkAgreement checks that an organization's figures are consistent at that time.
func (f fixture) checkAgreement(t testing.TB, now time.Time) {
	t.Helper()
	f.checkCash(t)
	f.checkInvoices(t, now)
	f.checkPayments(t)
	f.checkFuture(t, now)
	f.checkFeed(t, now)
}

func (f fixture) checkCash(t testing.TB) {
	t.Helper()
	service := f.number(t, "SELECT available_cents + holding_cents + locked_cents FROM accounts")
	linked := f.number(t, "SELECT sum(usd_cents) FROM linked_accounts")
	// The differences between balances and rows are transfers between the feeds.
	const rowsOf = "SELECT " + settledNet + " FROM transactions WHERE source = ?"
	sent := f.number(t, rowsOf, int64(ledger.ServiceAccount)) - service
	if received := linked - f.number(t, rowsOf, int64(ledger.LinkedBank)); sent != received {
		t.Errorf("the service account sent %d besides its rows, and the bank received %d", sent, received)
	}
	if err := f.st.Read(context.Background(), func(s *store.Snapshot) error {
		all, err := s.Summary(f.org, ledger.Filter{})
		if err == nil && all.Net() != service+linked {
			t.Errorf("the summary's net is %d and cash is %d", all.Net(), service+linked)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	f.none(
		t, "no balance is negative",
		"SELECT 1 FROM accounts WHERE min(available_cents, holding_cents, locked_cents, pending_cents) < 0",
	)
	f.none(t, "no linked balance is negative", "SELECT 1 FROM linked_accounts WHERE balance_minor <= 0 OR usd_cents <= 0")
	f.none(t, "no day ends below zero", `SELECT 1 FROM (
		SELECT sum(net) OVER (ORDER BY day) AS cash FROM (
			SELECT day, `+settledNet+` AS net FROM ledger_daily GROUP BY day)) WHERE cash < 0`)
	f.none(t, "a transfer that both feeds saw is no row", `SELECT 1 FROM transactions a JOIN transactions b
		ON a.category = 'internal_transfer' AND b.category = a.category AND a.usd_cents = b.usd_cents
		AND a.source < b.source AND a.direction <> b.direction`)
	f.none(t, "a small amount is at least a dollar", "SELECT 1 FROM transactions WHERE usd_known = 1 AND usd_cents < 99")
	f.none(
		t, "unknown amounts are 0",
		"SELECT 1 FROM transactions WHERE amount_known = 0 AND (amount_minor <> 0 OR usd_known = 1)",
	)
}

func (f fixture) checkInvoices(t testing.TB, now time.Time) {
	t.Helper()
	day := int64(civil.Of(now).DaysSince(civil.New(1900, 1, 1)))
	f.none(t, "paid cents are the rows with the invoice's number", `SELECT 1 FROM invoices i WHERE paid_cents <> (
		SELECT coalesce(sum(amount_minor), 0) FROM transactions t WHERE t.reference = printf('INV-%06d', i.sequence)
			AND t.direction = 1 AND t.currency = i.currency AND t.has_receipt = 1 AND t.counterparty = i.recipient_name)`)
	f.none(t, "every row of an invoice has its invoice", `SELECT 1 FROM transactions WHERE reference LIKE 'INV-%'
		AND NOT EXISTS (SELECT 1 FROM invoices i WHERE reference = printf('INV-%06d', i.sequence))`)
	f.none(t, "the last payment is of the day the invoice was paid", `SELECT 1 FROM invoices i WHERE status = 'paid'
		AND paid_at / 86400000000 + 25567 <> (
		SELECT max(id >> 26 & 131071) FROM transactions t WHERE t.reference = printf('INV-%06d', i.sequence))`)
	f.none(
		t, "paid means paid in full",
		"SELECT 1 FROM invoices WHERE (status = 'paid') <> (paid_cents = total_cents) OR paid_cents > total_cents",
	)
	f.none(
		t, "drafts and voided invoices have no payments",
		"SELECT 1 FROM invoices WHERE status IN ('draft', 'voided') AND paid_cents <> 0",
	)
	f.none(t, "sent is due today or later", "SELECT 1 FROM invoices WHERE status = 'sent' AND due_day < ?", day)
	f.none(
		t, "overdue was due before today",
		"SELECT 1 FROM invoices WHERE status = 'overdue' AND (due_day IS NULL OR due_day >= ?)", day,
	)
	f.none(t, "times are there when they happened", `SELECT 1 FROM invoices
		WHERE (paid_at IS NOT NULL) <> (status = 'paid')
		OR (voided_at IS NOT NULL) <> (status = 'voided') OR (sent_at IS NOT NULL AND status = 'draft')
		OR (sent_at IS NULL AND status NOT IN ('draft', 'voided'))`)
	f.none(t, "times are in order", `SELECT 1 FROM invoices WHERE created_at > sent_at OR sent_at > paid_at
		OR sent_at > voided_at
		OR created_at > voided_at
		OR updated_at < max(created_at, coalesce(sent_at, 0), coalesce(paid_at, 0), coalesce(voided_at, 0))`)
	f.none(t, "numbers are in the order of creation", `SELECT 1 FROM (
		SELECT created_at - lag(created_at) OVER (ORDER BY sequence) AS step FROM invoices) WHERE step < 0`)
	f.none(t, "lines come to the total", `SELECT 1 FROM invoices WHERE total_cents <> subtotal_cents + tax_cents
		OR subtotal_cents <> (SELECT sum(json_extract(value, '$.amount_cents')) FROM json_each(line_items))
		OR EXISTS (SELECT 1 FROM json_each(line_items) WHERE json_extract(value, '$.amount_cents')
			<> json_extract(value, '$.quantity') * json_extract(value, '$.unit_price_cents'))`)
}

func (f fixture) checkPayments(t testing.TB) {
	t.Helper()
	f.none(t, "a payment that went out has its row", `SELECT 1 FROM payment_intents p WHERE direction = 'outflow' AND
		(status = 'completed') <> EXISTS (SELECT 1 FROM transactions t WHERE t.reference = p.public_id AND t.direction = 0
			AND t.amount_minor = p.amount_cents AND t.currency = p.currency AND t.counterparty = p.counterparty
			AND t.id >> 26 & 131071 = p.completed_at / 86400000000 + 25567)`)
	f.none(t, "a completed collection has paid its invoice", `SELECT 1 FROM payment_intents p
		WHERE direction = 'inflow' AND status = 'completed'
		AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.status = 'paid'
		AND 'Collection of ' || printf('INV-%06d', i.sequence) = p.description)`)
	f.none(t, "status and times agree", `SELECT 1 FROM payment_intents
		WHERE (completed_at IS NOT NULL) <> (status = 'completed')
		OR (failed_at IS NOT NULL) <> (status = 'failed') OR (canceled_at IS NOT NULL) <> (status = 'canceled')
		OR (status = 'held' AND held_at IS NULL)
		OR (status = 'held') <> (status_reason IN ('awaiting_approval', 'step_up_required'))
		OR (status = 'failed' AND status_reason = '')`)
	f.none(t, "times are in order", `SELECT 1 FROM payment_intents WHERE created_at > held_at
		OR max(created_at, coalesce(held_at, 0)) > coalesce(completed_at, failed_at, canceled_at, updated_at)`)
	f.checkEarmarks(t)
}

// checkEarmarks checks that holding, locked and pending amounts equal the open payments.
func (f fixture) checkEarmarks(t testing.TB) {
	t.Helper()
	const open = `SELECT coalesce(sum(CASE currency WHEN 'USD' THEN amount_cents
		WHEN 'EUR' THEN (amount_cents * 108 + 50) / 100
		WHEN 'JPY' THEN (amount_cents * 67 + 50) / 100 END), 0) FROM payment_intents WHERE direction = ? AND status = ?`
	if got, want := f.number(t, "SELECT holding_cents FROM accounts"), f.number(t, open, "outflow", "held"); got != want {
		t.Errorf("holding is %d and the held payments are %d", got, want)
	}
	pending := f.number(t, open, "inflow", "processing")
	if got, want := f.number(t, "SELECT pending_cents FROM accounts"), pending; got != want {
		t.Errorf("pending is %d and what is on its way in is %d", got, want)
	}
	// 45,000 dollars are the guarantee of the lease.
	locked := 45_000_00 + f.number(t, open, "outflow", "processing")
	if got, want := f.number(t, "SELECT locked_cents FROM accounts"), locked; got != want {
		t.Errorf("locked is %d and what is on its way out, with the guarantee, %d", got, want)
	}
}

func (f fixture) checkFuture(t testing.TB, now time.Time) {
	t.Helper()
	us := now.UnixMicro()
	var last string
	if err := f.db.QueryRow("SELECT max(public_id) FROM transactions").Scan(&last); err != nil {
		t.Fatal(err)
	}
	if id, err := ulid.ParseStrict(last); err != nil || id.Time() > uint64(now.UnixMilli()) {
		t.Errorf("the last row's id %s is of %v (%v), in the future", last, ulid.Time(id.Time()), err)
	}
	f.none(
		t, "no row is in the future", "SELECT 1 FROM transactions WHERE id >> 26 & 131071 > ?",
		civil.Of(now).DaysSince(civil.New(1900, 1, 1)),
	)
	f.none(t, "no invoice is in the future", "SELECT 1 FROM invoices WHERE updated_at > ?", us)
	f.none(t, "no payment is in the future", "SELECT 1 FROM payment_intents WHERE updated_at > ?", us)
	f.none(t, "no event is in the future", "SELECT 1 FROM events WHERE occurred_at > ?", us)
	f.none(t, "no balance was read in the future", "SELECT 1 FROM accounts WHERE synced_at > ?", us)
}

func TestTheGeneratedFiguresAreConsistent(t *testing.T) {
	for i, now := range []time.Time{
		today,
		today,
		today,
		time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),       // a Sunday, the first of a month, at midnight
		time.Date(2028, 2, 29, 23, 59, 59, 999, time.UTC), // a leap day
		time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC),    // the last day of a year
		time.Date(
			2026, 8, 2, 6, 15, 0, 0, time.UTC,
		), // a Sunday, the month's first working day not reached
		time.Date(2026, 9, 24, 5, 0, 0, 0, time.UTC),                     // payments of yesterday are on their way
		time.Date(2027, 1, 4, 7, 0, 0, 500_000, time.UTC),                // the moment of a transfer
		time.Date(2026, 11, 21, 0, 0, 30, 0, time.FixedZone("", 9*3600)), // yesterday in UTC
	} {
		t.Run(fmt.Sprintf("%s seed %d", now.Format(time.RFC3339), i), func(t *testing.T) {
			f := newFixture(t)
			figures := generate(t, f, demodata.Options{Seed: int64(i), Transactions: 1_100, Today: now})
			f.checkAgreement(t, now)
			f.checkStory(t, figures, now)
		})
	}
}

// checkStory checks that the organization has every kind of record that the API knows.
func (f fixture) checkStory(t *testing.T, figures demodata.Figures, now time.Time) {
	t.Helper()
	if cash := f.number(t, "SELECT "+settledNet+" FROM transactions"); cash != figures.CashCents {
		t.Errorf("cash is %d and is said to be %d", cash, figures.CashCents)
	}
	some := func(what, query string, args ...any) {
		t.Helper()
		if f.number(t, "SELECT count(*) FROM "+query, args...) == 0 {
			t.Errorf("there is no %s", what)
		}
	}
	for _, status := range []string{"draft", "sent", "paid", "overdue", "voided"} {
		some(status+" invoice", "invoices WHERE status = ?", status)
	}
	for _, status := range []string{"processing", "held", "completed", "failed", "canceled"} {
		some(status+" payment", "payment_intents WHERE status = ?", status)
	}
	for _, kind := range events.Types {
		if kind == events.TestEvent {
			continue // the sample company has no connections to providers and verifies no endpoint
		}
		some(string(kind)+" event", "events WHERE type = ?", string(kind))
	}
	some("partly paid open invoice", "invoices WHERE status = 'overdue' AND paid_cents > 0")
	some("open invoice without a due date", "invoices WHERE status = 'sent' AND due_day IS NULL")
	some("invoice paid in parts", `invoices i WHERE status = 'paid' AND 1 < (
		SELECT count(*) FROM transactions WHERE reference = printf('INV-%06d', i.sequence))`)
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
	if n := f.number(t, "SELECT count(*) FROM transactions WHERE memo LIKE '%' || ? || '%'", demodata.RareWord); n != 1 {
		t.Errorf("the rare word is in %d rows", n)
	}
	if first := f.number(t, "SELECT category = 'financing' FROM transactions ORDER BY id LIMIT 1"); first != 1 {
		t.Error("the ledger does not begin with financing")
	}
	f.checkAging(t, now)
	f.checkRunway(t, now)
}

func (f fixture) checkAging(t *testing.T, now time.Time) {
	t.Helper()
	today := civil.Of(now).DaysSince(civil.New(1900, 1, 1))
	for _, bucket := range []struct{ from, to int }{{-9999, 0}, {1, 30}, {31, 60}, {61, 90}, {91, 9999}} {
		if f.number(t, `SELECT count(*) FROM invoices WHERE status IN ('sent', 'overdue') AND currency = 'USD'
			AND ? - due_day BETWEEN ? AND ?`, today, bucket.from, bucket.to) == 0 {
			t.Errorf("nothing is %d to %d days past due", bucket.from, bucket.to)
		}
	}
	if n := f.number(t, "SELECT count(DISTINCT recipient_email) FROM invoices WHERE status = 'overdue'"); n < 5 {
		t.Errorf("%d customers are overdue; at least five were meant", n)
	}
	n := f.number(t, `SELECT max(n) FROM (
		SELECT count(*) AS n FROM invoices WHERE status = 'overdue' GROUP BY recipient_email)`)
	if n < 2 {
		t.Error("no customer has several overdue invoices")
	}
}

// checkRunway checks the runway that the cash position estimates (docs/api.md, Runway estimate).
func (f fixture) checkRunway(t *testing.T, now time.Time) {
	t.Helper()
	to := civil.Of(now).FirstOfMonth()
	from := to.AddMonths(-3)
	var net int64
	err := f.st.Read(context.Background(), func(s *store.Snapshot) error {
		for _, source := range ledger.Sources {
			first, err := s.FirstDay(f.org, source)
			if err != nil {
				return err
			}
			if first.After(from) || first.IsZero() {
				t.Errorf("%v begins on %v, within the window", source, first)
			}
			sums, err := s.OperatingSummary(f.org, source, from, to.AddDays(-1), "")
			if err != nil {
				return err
			}
			net += sums.Net()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if net >= 0 {
		t.Fatalf("the organization does not burn: %d", net)
	}
	cash := f.number(t, "SELECT available_cents + (SELECT sum(usd_cents) FROM linked_accounts) FROM accounts")
	if tenths := 30 * cash / -net; tenths < 90 || tenths > 160 {
		t.Errorf("cash lasts %d.%d months", tenths/10, tenths%10)
	}
}
