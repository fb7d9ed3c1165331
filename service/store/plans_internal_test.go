package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/events"
	"tarmac/service/invoicing"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
	"tarmac/service/webhooks"
)

// plans are the query plans of the statements that a store has run, from the server's
// auto_explain.
type plans struct {
	mu       sync.Mutex
	messages []string
}

// planNode is a step of a plan.
type planNode struct {
	Type     string     `json:"Node Type"`
	Relation string     `json:"Relation Name"`
	Rows     float64    `json:"Actual Rows"`
	Filtered float64    `json:"Rows Removed by Filter"`
	Rechecks float64    `json:"Rows Removed by Index Recheck"`
	Loops    float64    `json:"Actual Loops"`
	Below    []planNode `json:"Plans"`
}

// explained opens a database and records the plans of all statements.
func explained(t testing.TB, name string) (*Store, *plans) {
	t.Helper()
	s := opened(t, name)
	p := &plans{}
	for _, pool := range []*database.Pool{&s.db.Writer, &s.db.Reader, &s.db.Lookup, &s.db.Scans} {
		config := configOf(t, pool)
		for name, value := range map[string]string{
			"session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0", "auto_explain.log_analyze": "on",
			"auto_explain.log_timing": "off", "auto_explain.log_format": "json", "client_min_messages": "log",
		} {
			config.RuntimeParams[name] = value
		}
		config.OnNotice = func(_ *pgconn.PgConn, notice *pgconn.Notice) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.messages = append(p.messages, notice.Message)
		}
		if err := pool.DB.Close(); err != nil {
			t.Fatal(err)
		}
		pool.DB = stdlib.OpenDB(*config)
	}
	return s, p
}

// configOf returns the configuration of a pool's connections.
func configOf(t testing.TB, pool *database.Pool) (config *pgx.ConnConfig) {
	t.Helper()
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = conn.Raw(func(driver any) error {
		config = driver.(*stdlib.Conn).Conn().Config()
		return nil
	})
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	return config
}

// take returns the plans since the last call.
func (p *plans) take(t testing.TB) (all []planNode, texts []string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, message := range p.messages {
		_, text, found := strings.Cut(message, "plan:")
		var explained struct{ Plan planNode }
		if !found {
			continue
		}
		if err := json.Unmarshal([]byte(text), &explained); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		all, texts = append(all, explained.Plan), append(texts, text)
	}
	p.messages = nil
	return all, texts
}

// largeTables are the tables that grow with use.
var largeTables = map[string]bool{
	"transactions": true, "events": true, "webhook_deliveries": true, "invoices": true, "payment_intents": true,
	"idempotency_keys": true, "tokens": true,
}

// problems returns the steps of a plan that get slower as tables grow: those that scan a large
// table, and those that read or sort more rows than limit.
func (n planNode) problems(limit float64) (what []string) {
	looked := (n.Rows + n.Filtered + n.Rechecks) * n.Loops
	switch {
	case largeTables[n.Relation] && strings.HasSuffix(n.Type, "Seq Scan"):
		what = append(what, "goes through all "+n.Relation)
	case largeTables[n.Relation] && looked > limit:
		what = append(what, fmt.Sprintf("looks at %.0f rows of %s", looked, n.Relation))
	case strings.HasSuffix(n.Type, "Sort") && len(n.Below) > 0 && n.Below[0].Rows*n.Below[0].Loops > limit:
		what = append(what, fmt.Sprintf("sorts %.0f rows", n.Below[0].Rows))
	}
	for _, below := range n.Below {
		what = append(what, below.problems(limit)...)
	}
	return what
}

// largeLedgers fills two organizations, of which the test queries the second.
const largeLedgers = `
INSERT INTO organizations (id, public_id, name, created_at, invoice_sequence, event_sequence)
	VALUES (1, 'org_1', 'a', 0, 4000, 20000), (2, 'org_2', 'b', 0, 4000, 20000);
INSERT INTO transactions SELECT (o::bigint << 43) | ((44000 + g / 28)::bigint << 26) | g, lpad(o || '-' || g, 26, 'x'),
	g / 8 % 2, 0, 100, 1, 100, 1, 0, 'USD',
		'Acme', 'Software', '', 'memo', 'ach', 'ref ' || g,
			CASE WHEN g % 8 = 0 THEN 'cumulus ' WHEN g = 30000 THEN 'zephyrine ' ELSE '' END || left(md5(o || ' ' || g), 8)
	FROM generate_series(1, 2) o, generate_series(1, 50000 / (3 - o)) g ORDER BY 1;
INSERT INTO ledger_daily SELECT id >> 43, (id >> 26) & 131071, direction, 0, 1, count(*), sum(usd_cents), 0
	FROM transactions GROUP BY 1, 2, 3;
INSERT INTO events SELECT o, g, 'evt_' || o || '-' || g,
	CASE WHEN g % 1000 = 0 THEN 'invoice.voided' ELSE 'invoice.sent' END, g, g, '{}' FROM generate_series(1, 2) o,
		generate_series(1, 20000) g;
INSERT INTO invoices (public_id, org_id, sequence, status, currency, description, recipient_name, recipient_email,
	subtotal_cents, tax_cents, total_cents, due_day, line_items, created_at, updated_at)
	SELECT 'inv_' || o || '-' || g, o, g, CASE WHEN g % 400 = 0 THEN 'sent' ELSE 'paid' END, 'USD', 'd', 'n', 'e', 1, 0, 1,
		45000, '[]', 0, 0 FROM generate_series(1, 2) o, generate_series(1, 4000) g;
INSERT INTO payment_intents (public_id, org_id, status, amount_cents, currency, direction, description, counterparty,
	created_at, updated_at)
	SELECT 'pi_' || o || '-' || g, o, 'completed', 1, 'USD', 'outflow', 'd', 'c', 0, 0
		FROM generate_series(1, 2) o, generate_series(1, 4000) g;
INSERT INTO idempotency_keys SELECT o, 'key-' || g, 'f', 'inv_1', 'a', g
	FROM generate_series(1, 2) o, generate_series(1, 4000) g;
INSERT INTO webhook_endpoints (id, public_id, org_id, url, event_types, status, secret, created_at, updated_at)
	SELECT o * 100 + g, 'wh_' || o || '-' || g, o, 'https://hooks.example.com', 'invoice.sent', 'active', 's', 0, 0
		FROM generate_series(1, 2) o, generate_series(1, 20) g;
INSERT INTO webhook_deliveries (public_id, endpoint_id, org_id, event_sequence, event_id, event_type, status, due_at,
	created_at)
	SELECT 'whd_' || o || '-' || g, o * 100 + g % 20 + 1, o, g, 'evt_' || o || '-' || g, 'invoice.sent',
		CASE WHEN g > 19000 THEN 'pending' ELSE 'delivered' END,
		CASE WHEN g > 19000 THEN g END, g FROM generate_series(1, 2) o, generate_series(1, 20000) g;
INSERT INTO tokens (public_id, org_id, hash, last_four, scopes, created_at)
	SELECT 'tok_' || g, 2, sha256(g::text::bytea), 'xxxx', 'account:read', 0 FROM generate_series(1, 2000) g`

// No frequent statement scans or sorts a whole table that grows with use.
func TestNoQueryReadsAWholeTableOnPostgreSQL(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("this is of PostgreSQL alone")
	}
	t.Parallel()
	ctx := context.Background()
	s, plans := explained(t, testdb.New(t))
	for statement := range strings.SplitSeq(largeLedgers, ";\n") {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			t.Fatalf("%v in %s", err, statement)
		}
	}
	// Statistics of words are removed, as if all other organizations used other words.
	for _, statement := range [...]string{"ALTER TABLE transactions ALTER COLUMN search_text SET STATISTICS 0",
		"VACUUM ANALYZE"} {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	const org = 2
	for what, do := range hotQueries(s, org, func() { plans.take(t) }) {
		plans.take(t)
		if err := do(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		steps, texts := plans.take(t)
		if len(steps) == 0 {
			t.Errorf("%s: no plan was logged", what)
		}
		// One row in eight matches, so a page of 100 reads about 800 rows. The limit leaves a
		// margin.
		for i, step := range steps {
			if wrong := step.problems(2000); len(wrong) > 0 {
				t.Errorf("%s: it %s\n%s", what, strings.Join(wrong, ", "), texts[i])
			}
		}
	}
}

// hotQueries returns the queries that a service runs most often, by name. forget discards the
// plans recorded so far.
func hotQueries(s *Store, org OrgKey, forget func()) map[string]func() error {
	ctx, now := context.Background(), fromMicros(15_000)
	read := func(fn func(*Snapshot) error) func() error { return func() error { return s.Read(ctx, fn) } }
	write := func(fn func(*Tx) error) func() error { return func() error { return s.Write(ctx, fn) } }
	middle, tail := &ledger.Position{Date: dateOf(44000 + 900), Seq: 1}, &ledger.Position{Date: dateOf(44000 + 1), Seq: 1}
	inflow := ledger.Inflow
	all := map[string]func() error{
		"a token": func() error {
			_, err := s.TokenByHash(ctx, [32]byte{1})
			return missing(err)
		},
		"a transaction": read(func(snap *Snapshot) error {
			_, err := snap.Transaction(org, "txn_"+strings.Repeat("x", 20)+"2-4000")
			return err
		}),
		"a day's next number": write(func(tx *Tx) error {
			_, err := tx.lastSequence(org.ledger(0), 44900)
			return err
		}),
		"the newest events": read(func(snap *Snapshot) error {
			_, err := snap.Feed(org, FeedQuery{Limit: 50})
			return err
		}),
		"events since a time": read(func(snap *Snapshot) error {
			_, err := snap.Feed(org, FeedQuery{Limit: 50, Since: now, Before: 19_990})
			return err
		}),
		"events of a rare type": read(func(snap *Snapshot) error {
			_, err := snap.Feed(org, FeedQuery{Limit: 20, Types: []events.Type{events.InvoiceVoided}})
			return err
		}),
		"events of two types": read(func(snap *Snapshot) error {
			_, err := snap.Feed(org, FeedQuery{Limit: 50, Types: []events.Type{events.InvoiceSent, events.InvoiceVoided}})
			return err
		}),
		"an event": read(func(snap *Snapshot) error {
			_, err := snap.EventSequence(org, "evt_2-100", fromMicros(0))
			return err
		}),
		"the newest invoices": read(func(snap *Snapshot) error {
			_, err := snap.Invoices(org, "", 50)
			return err
		}),
		"sent invoices": read(func(snap *Snapshot) error {
			_, err := snap.Invoices(org, invoicing.Sent, 50)
			return err
		}),
		"open items": read(func(snap *Snapshot) error {
			_, err := snap.OpenItems(org)
			return err
		}),
		"an invoice": read(func(snap *Snapshot) error {
			_, err := snap.Invoice(org, "inv_2-7")
			return err
		}),
		"the newest payments": read(func(snap *Snapshot) error {
			_, err := snap.PaymentIntents(org, 50)
			return err
		}),
		"deliveries of an endpoint": read(func(snap *Snapshot) error {
			_, err := snap.Deliveries(org, "wh_2-1", 50)
			return err
		}),
		"a proposal's kept answer": write(func(tx *Tx) error {
			_, err := tx.StoredResponse(org, "key-100", fromMicros(0))
			return missing(err)
		}),
		"endpoints that something waits for": read(func(snap *Snapshot) error {
			_, err := snap.DueEndpoints()
			return err
		}),
		"a claim and its outcome": write(func(tx *Tx) error {
			claimed, err := tx.ClaimDeliveries(201, fromMicros(30_000), fromMicros(60_000), 4, 9)
			if err != nil || len(claimed) != 4 {
				return errors.Join(err, fmt.Errorf("%d claimed", len(claimed)))
			}
			_, err = tx.FinishAttempt(claimed[0], now, 204, webhooks.NoProblem, func(webhooks.Endpoint) webhooks.Consequence {
				return webhooks.Consequence{Status: webhooks.Delivered}
			})
			return err
		}),
		"an event that is appended": write(func(tx *Tx) error {
			return tx.AppendEvents(org, []events.Event{{ID: "evt_new", Type: events.InvoiceSent, OccurredAt: now,
				Body: []byte("{}")}})
		}),
		"deliveries too far ahead": write(func(tx *Tx) error {
			_, err := tx.ResetDueTimes(now, fromMicros(1<<40), 500)
			return err
		}),
		"invoices that fall due": write(func(tx *Tx) error {
			_, err := tx.InvoicesPastDue(dateOf(45_001), 100)
			return err
		}),
		"old events": write(func(tx *Tx) error {
			_, err := tx.PruneEvents(fromMicros(100), 200)
			return err
		}),
		"old answers": write(func(tx *Tx) error {
			_, err := tx.PruneResponses(fromMicros(100), 200)
			return err
		}),
	}
	for what, c := range map[string]struct {
		filter ledger.Filter
		after  *ledger.Position
	}{
		"the first page":            {},
		"a page in the middle":      {after: middle},
		"the last page":             {after: tail},
		"money in":                  {filter: ledger.Filter{Direction: &inflow}},
		"money in, in the middle":   {filter: ledger.Filter{Direction: &inflow}, after: middle},
		"a month":                   {filter: ledger.Filter{From: dateOf(44900), To: dateOf(44930)}},
		"a word in an eighth":       {filter: ledger.Filter{Keyword: "cumulus"}},
		"and further on":            {filter: ledger.Filter{Keyword: "cumulus"}, after: middle},
		"and at its end":            {filter: ledger.Filter{Keyword: "cumulus"}, after: tail},
		"and with a direction":      {filter: ledger.Filter{Keyword: "cumulus", Direction: &inflow}},
		"and in a month":            {filter: ledger.Filter{Keyword: "cumulus", From: dateOf(44900), To: dateOf(44930)}},
		"a rare word":               {filter: ledger.Filter{Keyword: "zephyrine"}},
		"a word that there is not":  {filter: ledger.Filter{Keyword: "gazorpazorp"}},
		"a rare one in money in":    {filter: ledger.Filter{Keyword: "zephyrine", Direction: &inflow}},
		"no such word, with a date": {filter: ledger.Filter{Keyword: "gazorpazorp", To: civil.New(2024, 1, 1)}},
	} {
		all[what] = func() error {
			if c.filter.Keyword == "cumulus" {
				// Computing the summary of a frequent word reads its rows once.
				err := s.Read(ctx, func(snap *Snapshot) error {
					_, err := snap.Summary(org, c.filter)
					return err
				})
				if err != nil {
					return err
				}
				forget()
			}
			return s.Read(ctx, func(snap *Snapshot) error {
				_, _, err := snap.Listing(org, c.filter, c.after, 100)
				return err
			})
		}
	}
	return all
}

func missing(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
