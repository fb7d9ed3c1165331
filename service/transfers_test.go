package service_test

import (
	"encoding/json"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// historyMonths is the number of full months of a generated organization.
const historyMonths = 24

func TestTheMonthsOfAGeneratedOrganizationAreMoneyFromOutside(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	opts := demodata.Options{Seed: 1, Transactions: 1_100, Today: noon}

	if _, err := demodata.Generate(t.Context(), f.service.Store(), a.key, opts, nil); err != nil {
		t.Fatal(err)
	}

	f.checkMonths(a)
	if between := f.betweenFeeds(a); between <= 0 {
		t.Errorf("%d cents moved from the service account to the bank; it pays the bank's bills", between)
	}
}

func TestTheLivingDemoMovesMoneyBetweenItsFeedsWithoutRows(t *testing.T) {
	if testing.Short() {
		t.Skip("is one client, with one request at a time")
	}
	f := start(t, 0)
	a := f.tenant("a")
	if _, err := demodata.Generate(t.Context(), f.service.Store(), a.key, demodata.Options{
		Seed: 2, Transactions: 1_100, Today: noon,
	}, nil); err != nil {
		t.Fatal(err)
	}
	before := f.betweenFeeds(a)
	life := demodata.NewSimulator(f.service.Store(), a.key, 2, f.clock.now)

	for range 150 {
		f.clock.advance(4 * time.Second)
		if err := life.Step(t.Context(), f.clock.now()); err != nil {
			t.Fatal(err)
		}
	}

	if f.betweenFeeds(a) == before {
		t.Error("in 150 steps nothing moved between the feeds")
	}
	f.checkMonths(a)
}

// checkMonths compares each month's inflow in the API with the rows of external money.
func (f *fixture) checkMonths(a tenant) {
	f.t.Helper()
	rows := f.allRows(a)
	outside := map[civil.Date]int64{}
	oneSided := 0
	for _, t := range rows {
		if t.Category == ledger.CategoryInternalTransfer {
			oneSided++
			if seen := otherHalf(rows, t); seen != "" {
				f.t.Errorf("both feeds saw the transfer %s of %s, and it has rows (%s)", t.Reference, t.Date, seen)
				continue
			}
		}
		if t.Direction == ledger.Inflow {
			outside[t.Date.FirstOfMonth()] += t.USDCents
		}
	}
	if oneSided == 0 {
		f.t.Error("no transfer was seen by one feed alone")
	}
	for m := range historyMonths + 1 {
		from := civil.Of(f.clock.now()).FirstOfMonth().AddMonths(m - historyMonths)
		var page struct {
			Summary struct {
				Inflow int64 `json:"inflow_usd_cents"`
			} `json:"summary"`
		}
		got := f.get(
			a.secret, prefix+"/transactions?limit=1&from="+from.String()+"&to="+from.AddMonths(1).AddDays(-1).String(),
		)
		if err := json.Unmarshal(got.body, &page); err != nil || got.status != 200 {
			f.t.Fatalf("%d %s: %v", got.status, got.body, err)
		}
		if page.Summary.Inflow != outside[from] || outside[from] == 0 {
			f.t.Errorf("%s: the inflow is %d and %d came from outside", from, page.Summary.Inflow, outside[from])
		}
	}
}

// otherHalf returns the id of the other row of the same transfer, or "".
func otherHalf(rows []ledger.Transaction, t ledger.Transaction) string {
	for _, r := range rows {
		apart := r.Date.DaysSince(t.Date)
		if r.Category == t.Category && r.Source != t.Source && r.Direction != t.Direction && r.USDCents == t.USDCents &&
			-5 <= apart && apart <= 5 {
			return r.ID
		}
	}
	return ""
}

// betweenFeeds returns the cents that were transferred from the service account to the linked
// bank without a row. The differences of both balances must cancel each other out.
func (f *fixture) betweenFeeds(a tenant) int64 {
	f.t.Helper()
	var besides [2]int64
	for _, t := range f.allRows(a) {
		if t.Direction == ledger.Inflow {
			besides[t.Source] -= t.USDCents
		} else {
			besides[t.Source] += t.USDCents
		}
	}
	err := f.service.Store().Read(f.t.Context(), func(s *store.Snapshot) error {
		account, err := s.ManagedAccount(a.key)
		if err != nil {
			return err
		}
		settled, _ := account.Balance.SettledCents()
		besides[ledger.ServiceAccount] += settled
		linked, err := s.LinkedAccounts(a.key)
		for _, l := range linked {
			besides[ledger.LinkedBank] += l.USDCents
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	if besides[ledger.ServiceAccount]+besides[ledger.LinkedBank] != 0 {
		f.t.Errorf("the service account has %d cents besides its rows and the bank %d; they do not cancel",
			besides[ledger.ServiceAccount], besides[ledger.LinkedBank])
	}
	return besides[ledger.LinkedBank]
}

func (f *fixture) allRows(a tenant) (rows []ledger.Transaction) {
	f.t.Helper()
	err := f.service.Store().Read(f.t.Context(), func(s *store.Snapshot) error {
		var after *ledger.Position
		for {
			page, err := s.Transactions(a.key, ledger.Filter{}, after, 200)
			if err != nil {
				return err
			}
			rows = append(rows, page.Rows...)
			if after = page.Next; after == nil {
				return nil
			}
		}
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return rows
}
