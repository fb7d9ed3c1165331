package demodata_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"tarmac/service/demodata"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Two organizations of one seed have the same figures and different ids, also after steps of
// their simulators.
func TestTwoOrganizationsOfOneSeedCanShareADatabase(t *testing.T) {
	ctx, now := t.Context(), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	st, err := store.Open(ctx, filepath.Join(t.TempDir(), "tarmac.db"), store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	var figures [2]demodata.Figures
	var rows [2][]ledger.Transaction
	for i, id := range []string{"org_a", "org_b"} {
		var org store.OrgKey
		if err := st.Write(ctx, func(tx *store.Tx) (err error) {
			org, err = tx.CreateOrganization(store.Organization{PublicID: id, Name: id, CreatedAt: now})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if figures[i], err = demodata.Generate(ctx, st, org, demodata.Options{Seed: 7, Today: now}, nil); err != nil {
			t.Fatalf("the organization %s: %v", id, err)
		}
		rows[i] = newest(t, st, org)
		life := demodata.NewSimulator(st, org, 7, func() time.Time { return now })
		for n := range 20 {
			if err := life.Step(context.Background(), now.Add(time.Duration(n)*time.Second)); err != nil {
				t.Fatalf("step %d of %s: %v", n, id, err)
			}
		}
	}
	if figures[0] != figures[1] || len(rows[0]) == 0 {
		t.Errorf("the figures are %+v and %+v", figures[0], figures[1])
	}
	for i := range rows[0] {
		a, b := rows[0][i], rows[1][i]
		if a.ID == b.ID {
			t.Errorf("both have %s", a.ID)
		}
		if a.Date != b.Date || a.Counterparty != b.Counterparty || a.AmountMinor != b.AmountMinor {
			t.Errorf("row %d differs: %+v and %+v", i, a, b)
		}
	}
}

func newest(t *testing.T, st *store.Store, org store.OrgKey) (rows []ledger.Transaction) {
	t.Helper()
	err := st.Read(t.Context(), func(snap *store.Snapshot) error {
		page, err := snap.Transactions(org, ledger.Filter{}, nil, 100)
		rows = page.Rows
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
