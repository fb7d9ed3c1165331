package demodata_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/store"
)

var today = time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC)

// fixture is an organization in a store, with a second connection to its database.
type fixture struct {
	st  *store.Store
	org store.OrgKey
	db  *sql.DB
}

func newFixture(t testing.TB) fixture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tarmac.db")
	st, err := store.Open(context.Background(), path, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{st: st}
	err = st.Write(context.Background(), func(tx *store.Tx) (err error) {
		f.org, err = tx.CreateOrganization(store.Organization{PublicID: "org_demo", Name: "Demo", CreatedAt: today})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slashed := "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // Windows paths begin with a letter
	if f.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed}).String()); err != nil {
		t.Fatal(err)
	}
	// The checks look up rows by reference, which the service has no index for.
	if _, err := f.db.Exec("CREATE INDEX test_by_reference ON transactions (reference)"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(f.db.Close(), st.Close()); err != nil {
			t.Error(err)
		}
	})
	return f
}

func generate(t testing.TB, f fixture, opts demodata.Options) demodata.Figures {
	t.Helper()
	figures, err := demodata.Generate(context.Background(), f.st, f.org, opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return figures
}

// number returns the integer that a query selects.
func (f fixture) number(t testing.TB, query string, args ...any) (n int64) {
	t.Helper()
	if err := f.db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// digest returns a hash of all generated records.
func (f fixture) digest(t *testing.T) string {
	t.Helper()
	hash := sha256.New()
	for _, table := range []string{
		"transactions ORDER BY id", "transaction_facts ORDER BY id", "ledger_daily ORDER BY 1, 2, 3, 4, 5",
		"invoices ORDER BY id",
		"imported_receivables ORDER BY id", "payment_intents ORDER BY id", "events ORDER BY sequence", "accounts",
		"linked_accounts ORDER BY id",
	} {
		rows, err := f.db.Query("SELECT * FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		for rows.Next() {
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				fmt.Fprintf(hash, "%v|", *v.(*any))
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

func TestTheSameSeedAndTimeGiveTheSameOrganization(t *testing.T) {
	digests := map[string]string{}
	for _, c := range []struct {
		name string
		opts demodata.Options
	}{
		{"one", demodata.Options{Seed: 7, Transactions: 1500, Today: today}},
		{"the same again", demodata.Options{Seed: 7, Transactions: 1500, Today: today}},
		{"another seed", demodata.Options{Seed: 8, Transactions: 1500, Today: today}},
		{"another day", demodata.Options{Seed: 7, Transactions: 1500, Today: today.AddDate(0, 0, 1)}},
	} {
		f := newFixture(t)
		generate(t, f, c.opts)
		digests[c.name] = f.digest(t)
	}
	if digests["one"] != digests["the same again"] {
		t.Error("the same seed and moment gave two organizations")
	}
	if digests["one"] == digests["another seed"] || digests["one"] == digests["another day"] {
		t.Error("a seed or a day made no difference")
	}
}

func TestTheNumberOfTransactionsIsExact(t *testing.T) {
	story := generate(t, newFixture(t), demodata.Options{Seed: 1, Transactions: 0, Today: today}).Transactions
	if story < 300 || story > 1100 {
		t.Errorf("the story alone takes %d rows; several hundred were meant", story)
	}
	for _, want := range []int{1, 2, 3, 4, 50, story - 1, story, story + 1, story + 2, story + 97, 10_500} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			f := newFixture(t)
			var told []int
			figures, err := demodata.Generate(context.Background(), f.st, f.org, demodata.Options{
				Seed: 1, Transactions: want, Today: today,
			},
				func(done, total int) {
					told = append(told, done)
					if total != want {
						t.Errorf("progress was told a total of %d", total)
					}
				})
			if err != nil {
				t.Fatal(err)
			}
			if figures.Transactions != want || f.number(t, "SELECT count(*) FROM transactions") != int64(want) {
				t.Errorf(
					"%d rows, and %d are said; want %d", f.number(t, "SELECT count(*) FROM transactions"), figures.Transactions, want,
				)
			}
			if len(told) == 0 || told[len(told)-1] != want {
				t.Errorf("progress was told %v", told)
			}
			if want >= story {
				f.checkAgreement(t, today)
				return
			}
			f.checkCash(t)
			f.checkFuture(t, today)
			if figures.Invoices+figures.Receivables+figures.PaymentIntents+figures.Events != 0 {
				t.Errorf("a ledger too short for the story has %+v", figures)
			}
		})
	}
}

func TestTheSimulatorNeverOverdrawsAnOrganizationWithASimpleHistory(t *testing.T) {
	for _, rows := range []int{1, 2, 20} {
		f := newFixture(t)
		generate(t, f, demodata.Options{Seed: 2, Transactions: rows, Today: today})
		now := today
		life := demodata.NewSimulator(f.st, f.org, 2, func() time.Time { return now })
		for range 100 {
			now = now.Add(4 * time.Second)
			if err := life.Step(context.Background(), now); err != nil {
				t.Fatalf("%d rows: %v", rows, err)
			}
		}

		f.checkCash(t)
	}
}

func TestADayThatHasJustStartedHasNoRows(t *testing.T) {
	f := newFixture(t)
	generate(t, f, demodata.Options{Seed: 1, Transactions: 5_000, Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if n := f.number(t, "SELECT sum(n) FROM ledger_daily WHERE day = (SELECT max(day) FROM ledger_daily)"); n < 3 {
		t.Errorf("yesterday has %d rows", n)
	}
	day := civil.New(2026, 3, 1).DaysSince(civil.New(1900, 1, 1))
	if n := f.number(t, "SELECT count(*) FROM ledger_daily WHERE day >= ?", day); n != 0 {
		t.Error("today has rows at its first moment")
	}
}

func TestGenerateRefusesAnOrganizationThatHasRecords(t *testing.T) {
	f := newFixture(t)
	opts := demodata.Options{Seed: 1, Transactions: 0, Today: today}
	generate(t, f, opts)
	before := f.digest(t)
	if _, err := demodata.Generate(context.Background(), f.st, f.org, opts, nil); !errors.Is(err, demodata.ErrNotEmpty) {
		t.Errorf("Generate = %v; want ErrNotEmpty", err)
	}
	if f.digest(t) != before {
		t.Error("the refused generation left something")
	}
}

func TestGenerateEndsWithItsContext(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := demodata.Generate(ctx, f.st, f.org, demodata.Options{Seed: 1, Transactions: 21_000, Today: today},
		func(int, int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Generate = %v; want it canceled", err)
	}
}

// BenchmarkGenerate measures the generator at the demo's size and at larger ones.
func BenchmarkGenerate(b *testing.B) {
	for _, n := range []int{demodata.DefaultTransactions, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				f := newFixture(b)
				if _, err := f.db.Exec("DROP INDEX test_by_reference"); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				generate(b, f, demodata.Options{Seed: 1, Transactions: n, Today: today})
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func TestTheCompanyHasBillsToPayIfThatIsAsked(t *testing.T) {
	f := newFixture(t)
	generate(t, f, demodata.Options{Seed: 7, Transactions: 1500, Today: today, HasBills: true})

	bills := f.number(t, "SELECT COUNT(*) FROM imported_bills WHERE state = 'open' AND usd_cents = open_minor")
	paidBefore := f.number(t, "SELECT COUNT(*) FROM imported_bills b WHERE EXISTS (SELECT 1 FROM transactions t "+
		"JOIN transaction_facts f ON f.id = t.id WHERE t.amount_minor = b.open_minor)")
	if bills != 6 || paidBefore < 4 {
		t.Errorf("%d bills, %d with an amount that was paid before", bills, paidBefore)
	}

	linked := f.number(t, "SELECT COUNT(*) FROM imported_bills b JOIN transactions t "+
		"ON 'txn_' || t.public_id = b.paid_by WHERE b.state = 'paid' AND t.counterparty = b.vendor")
	if paid := f.number(t, "SELECT COUNT(*) FROM imported_bills WHERE state = 'paid'"); paid < 4 || linked != paid {
		t.Errorf("%d of %d paid bills have the transaction that paid them", linked, paid)
	}

	without := newFixture(t)
	generate(t, without, demodata.Options{Seed: 7, Transactions: 1500, Today: today})
	if n := without.number(t, "SELECT COUNT(*) FROM imported_bills"); n != 0 {
		t.Errorf("%d bills that nobody asked for", n)
	}
}
