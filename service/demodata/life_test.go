package demodata_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tarmac/service/accounts"
	"tarmac/service/demodata"
	"tarmac/service/events"
	"tarmac/service/store"
)

func TestFiguresAgreeAfterEveryStep(t *testing.T) {
	for seed := range int64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			w := newWorld(t)
			generate(t, w, demodata.Options{Seed: seed, Transactions: 900, Today: today})
			now := today
			life := demodata.NewLife(w.st, w.org, seed, func() time.Time { return now })
			for range 4 {
				// Some pauses go past midnights, at which invoices fall overdue.
				pause := []time.Duration{0, 4 * time.Second, time.Hour, 30 * time.Hour}[random.IntN(4)]
				for range 1 + random.IntN(25) {
					now = now.Add(pause)
					if err := life.Step(context.Background(), now); err != nil {
						t.Fatal(err)
					}
					w.checkEarmarks(t)
				}
				w.forget(t, now)
				w.checkAgreement(t, now)
			}
		})
	}
}

// forget drops the events that are too old to be read at that time, as the
// service does with its window.
func (w world) forget(t testing.TB, now time.Time) {
	t.Helper()
	if _, err := w.db.Exec("DELETE FROM events WHERE occurred_at < ?", now.AddDate(0, 0, -events.RetentionDays).UnixMicro()); err != nil {
		t.Fatal(err)
	}
}

func TestEveryStepMakesOneThingHappen(t *testing.T) {
	w := newWorld(t)
	generate(t, w, demodata.Options{Seed: 3, Transactions: 900, Today: today})
	now := today
	life := demodata.NewLife(w.st, w.org, 3, func() time.Time { return now })
	trace := func() [5]int64 {
		return [5]int64{
			w.number(t, "SELECT available_cents FROM accounts"),
			w.number(t, "SELECT count(*) FROM transactions"), w.number(t, "SELECT count(*) FROM events"),
			w.number(t, "SELECT sum(length(status) + coalesce(updated_at, 0) % 1000000007) FROM payment_intents"),
			w.number(t, "SELECT count(*) + sum(paid_cents) FROM invoices"),
		}
	}
	started := w.number(t, "SELECT count(*) FROM events")
	for range 200 {
		before := trace()
		now = now.Add(4 * time.Second)
		if err := life.Step(context.Background(), now); err != nil {
			t.Fatal(err)
		}
		if trace() == before {
			t.Fatal("nothing happened")
		}
	}
	if n := w.number(t, "SELECT count(*) FROM events") - started; n < 50 {
		t.Errorf("200 steps told %d events; more were meant", n)
	}
	for _, kind := range events.Types[:len(events.Types)-1] {
		if kind == events.InvoiceOverdue || kind == events.InvoiceVoided {
			continue // the one waits for midnight, the other is rare
		}
		if w.number(t, "SELECT count(*) FROM events WHERE type = ? AND occurred_at > ?", string(kind), today.UnixMicro()) == 0 {
			t.Errorf("200 steps told no %s", kind)
		}
	}
}

func TestALongLifeKeepsItsCash(t *testing.T) {
	w := newWorld(t)
	figures := generate(t, w, demodata.Options{Seed: 5, Transactions: 0, Today: today})
	now := today
	life := demodata.NewLife(w.st, w.org, 5, func() time.Time { return now })
	for range 400 {
		now = now.Add(4 * time.Second)
		if err := life.Step(context.Background(), now); err != nil {
			t.Fatal(err)
		}
	}
	w.checkAgreement(t, now)
	cash := w.number(t, "SELECT "+settledNet+" FROM transactions")
	if drift := cash - figures.CashCents; drift < -150_000_00 || drift > 150_000_00 {
		t.Errorf("cash moved from %d to %d cents", figures.CashCents, cash)
	}
	if open := w.number(t, "SELECT count(*) FROM invoices WHERE status IN ('sent', 'overdue')"); open < 10 || open > 70 {
		t.Errorf("%d invoices are open", open)
	}
}

func TestAFailedStepLeavesNothing(t *testing.T) {
	w := newWorld(t)
	generate(t, w, demodata.Options{Seed: 3, Transactions: 0, Today: today})
	before := w.digest(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	life := demodata.NewLife(w.st, w.org, 3, func() time.Time { return today })
	if err := life.Step(ctx, today); !errors.Is(err, context.Canceled) {
		t.Errorf("Step = %v; want it canceled", err)
	}
	if w.digest(t) != before {
		t.Error("the failed step left something")
	}
}

func TestStepNeedsAnOpenAccount(t *testing.T) {
	w := newWorld(t)
	life := demodata.NewLife(w.st, w.org, 3, func() time.Time { return today })
	if err := life.Step(context.Background(), today); !errors.Is(err, demodata.ErrNoAccount) {
		t.Errorf("Step = %v without an account", err)
	}
	err := w.st.Write(context.Background(), func(tx *store.Tx) error { return tx.SetAccount(w.org, false, accounts.Balance{}) })
	if err != nil {
		t.Fatal(err)
	}
	if err := life.Step(context.Background(), today); !errors.Is(err, demodata.ErrNoAccount) {
		t.Errorf("Step = %v with a closed account", err)
	}
}

func TestRunStepsAtThePaceItIsGivenUntilItIsStopped(t *testing.T) {
	w := newWorld(t)
	generate(t, w, demodata.Options{Seed: 3, Transactions: 0, Today: today})
	before := w.number(t, "SELECT count(*) FROM transactions") + w.number(t, "SELECT count(*) FROM events")
	ctx, cancel := context.WithCancel(context.Background())
	now, pauses := today, 0
	life := demodata.NewLife(w.st, w.org, 3, func() time.Time { return now })
	life.Run(ctx, func(d time.Duration) <-chan time.Time {
		if d < 2*time.Second || d > 6*time.Second {
			t.Errorf("a pause of %v", d)
		}
		if pauses++; pauses > 20 {
			cancel()
			return nil
		}
		now = now.Add(d)
		fired := make(chan time.Time, 1)
		fired <- now
		return fired
	}, func(err error) { t.Error(err) })
	if after := w.number(t, "SELECT count(*) FROM transactions") + w.number(t, "SELECT count(*) FROM events"); after < before+10 {
		t.Errorf("20 steps left %d new rows and events", after-before)
	}
	w.checkAgreement(t, now)
}

func TestRunTellsOfAStepThatFailsAndGoesOn(t *testing.T) {
	w := newWorld(t) // without an account
	ctx, cancel := context.WithCancel(context.Background())
	life := demodata.NewLife(w.st, w.org, 3, func() time.Time { return today })
	var failures []error
	life.Run(ctx, func(time.Duration) <-chan time.Time {
		fired := make(chan time.Time, 1)
		fired <- today
		return fired
	}, func(err error) {
		if failures = append(failures, err); len(failures) == 3 {
			cancel()
		}
	})
	for _, err := range failures {
		if !errors.Is(err, demodata.ErrNoAccount) {
			t.Errorf("told of %v", err)
		}
	}
	if len(failures) < 3 {
		t.Errorf("told of %d failures", len(failures))
	}
}

func BenchmarkStep(b *testing.B) {
	w := newWorld(b)
	generate(b, w, demodata.Options{Seed: 3, Transactions: demodata.DefaultTransactions, Today: today})
	now := today
	life := demodata.NewLife(w.st, w.org, 3, func() time.Time { return now })
	for b.Loop() {
		now = now.Add(4 * time.Second)
		if err := life.Step(context.Background(), now); err != nil {
			b.Fatal(err)
		}
	}
}
