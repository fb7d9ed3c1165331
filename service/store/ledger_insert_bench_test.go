package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/store"
)

// BenchmarkInsertTransactions measures inserts into a ledger of TARMAC_BENCH_ROWS rows (none
// unless set): batches of a hundred rows with an event each, on any of the last thirty days, and
// batches of ten thousand without events, as a ledger is generated. "kept" waits for the disk,
// "ephemeral" does not. "bare" is the lower bound: the same hundred rows in a plain table,
// waiting for the disk.
func BenchmarkInsertTransactions(b *testing.B) {
	b.Run("bare/100", benchBare)
	for _, c := range []struct {
		name    string
		options store.Options
	}{{"kept", store.Options{}}, {"ephemeral", store.Options{Ephemeral: true}}} {
		for _, batch := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", c.name, batch), func(b *testing.B) {
				s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"), c.options)
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				benchInsert(b, s, batch)
			})
		}
	}
}

func benchInsert(b *testing.B, s *store.Store, batch int) {
	org, made := organization(b, s, "a"), newRows()
	for left := benchAlready(b); left > 0; left -= 10_000 {
		rows, _ := made.next(b, min(left, 10_000))
		write(b, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, rows) })
	}
	pace := &pace{rows: batch}
	for b.Loop() {
		rows, evs := made.next(b, batch)
		if batch > 100 {
			evs = nil
		}
		begun := time.Now()
		write(b, s, func(tx *store.Tx) error {
			if err := tx.InsertTransactions(org, rows); err != nil {
				return err
			}
			return tx.AppendEvents(org, evs)
		})
		pace.durations = append(pace.durations, time.Since(begun))
	}
	pace.report(b)
}

// benchBare inserts with the driver alone.
func benchBare(b *testing.B) {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(),
		"bare.db")+"?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=wal_autocheckpoint(4000)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE TABLE bare (id INTEGER PRIMARY KEY, public_id, direction, source, amount_minor,
		amount_known, usd_cents, usd_known,
			has_receipt, currency, counterparty, category, logo_url, memo, method, reference, search_text)`); err != nil {
		b.Fatal(err)
	}
	made, pace := newRows(), &pace{rows: 100}
	for b.Loop() {
		rows, _ := made.next(b, pace.rows)
		begun := time.Now()
		if err := insertBare(b.Context(), db, rows); err != nil {
			b.Fatal(err)
		}
		pace.durations = append(pace.durations, time.Since(begun))
	}
	pace.report(b)
}

func insertBare(ctx context.Context, db *sql.DB, rows []ledger.Transaction) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	insert, err := tx.PrepareContext(ctx,
		`INSERT INTO bare (public_id, direction, source, amount_minor, amount_known, usd_cents, usd_known,
			has_receipt, currency, counterparty, category, logo_url, memo, method, reference, search_text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	for _, t := range rows {
		if _, err := insert.ExecContext(ctx, t.ID, int64(t.Direction), int64(t.Source), t.AmountMinor, 1, t.USDCents, 1,
			0, t.Currency, t.Counterparty, t.Category, t.LogoURL, t.Memo, t.Method, t.Reference,
			t.Counterparty+t.Memo+t.Reference+t.Category); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func benchAlready(b *testing.B) int {
	b.Helper()
	text := os.Getenv("TARMAC_BENCH_ROWS")
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// benchRows generates rows with an event for each.
type benchRows struct {
	source *ids.Source
	random *rand.Rand
	at     time.Time
}

func newRows() *benchRows {
	return &benchRows{source: newIDs(), random: rand.New(rand.NewPCG(1, 2)), at: created}
}

func (r *benchRows) next(b *testing.B, n int) ([]ledger.Transaction, []events.Event) {
	rows, evs := make([]ledger.Transaction, n), make([]events.Event, n)
	today := civil.Of(r.at)
	for i := range rows {
		r.at = r.at.Add(time.Millisecond)
		rows[i] = benchRow(b, r.source, r.random, today.AddDays(-r.random.IntN(30)))
		id, err := r.source.New(ids.Transaction, r.at)
		if err != nil {
			b.Fatal(err)
		}
		rows[i].ID = id
		if evs[i], err = events.ForPayment(benchEvent(b, r.source, r.at).ID, r.at,
			payments.Intent{ID: id, Status: payments.Completed, AmountCents: rows[i].AmountMinor,
				Currency: rows[i].Currency}); err != nil {
			b.Fatal(err)
		}
	}
	return rows, evs
}

// pace holds the durations of transactions that each insert the given number of rows.
type pace struct {
	rows      int
	durations []time.Duration
}

func (p *pace) report(b *testing.B) {
	var all time.Duration
	for _, t := range p.durations {
		all += t
	}
	slices.Sort(p.durations)
	b.ReportMetric(float64(p.rows*len(p.durations))/all.Seconds(), "rows/s")
	b.ReportMetric(float64(p.durations[len(p.durations)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(p.durations[len(p.durations)*99/100].Microseconds()), "µs-p99")
}
