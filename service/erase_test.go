package service_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/demodata"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
	"tarmac/service/store/database"
)

// rowsOf returns the number of rows of an organization in each table that has some, but for the
// audit.
func (f *fixture) rowsOf(org store.OrgKey) map[string]int64 {
	f.t.Helper()
	db, err := database.Open(f.t.Context(), f.database, store.Schema(), database.Options{Ephemeral: true})
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Reader.QueryContext(f.t.Context(), db.Pick(
		`SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
			WHERE t.type = 'table' AND c.name = 'org_id' AND t.name <> 'audit'`,
		`SELECT CAST(table_name AS TEXT) FROM information_schema.columns
			WHERE table_schema = current_schema() AND column_name = 'org_id' AND table_name <> 'audit'`))
	names, err := database.Collect(rows, err, "the tables", func(row database.Row) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	first, last, _ := org.CopiedRows(0)
	counts := map[string]int64{}
	for _, name := range append(names, "transactions") {
		n, query, args := int64(0), "SELECT count(*) FROM "+name+" WHERE org_id = ?", []any{org}
		if name == "transactions" {
			query, args = "SELECT count(*) FROM transactions WHERE id BETWEEN ? AND ?", []any{first, last}
		}
		if err := db.Reader.QueryRowContext(f.t.Context(), query, args...).Scan(&n); err != nil {
			f.t.Fatalf("%s: %v", name, err)
		}
		if n > 0 {
			counts[name] = n
		}
	}
	return counts
}

// importedTenant returns a tenant with own books and an open invoice.
func (f *fixture) importedTenant() tenant {
	f.t.Helper()
	a := f.tenant("Books Ltd")
	books, err := f.service.Books(f.t.Context(), a.id)
	if err != nil {
		f.t.Fatal(err)
	}
	var lines strings.Builder
	lines.WriteString("Date,Description,Amount\n")
	for n := range 40 {
		fmt.Fprintf(&lines, "2026-%02d-03,Vendor %d,-%d.00\n", 1+n%10, n, n+1)
	}
	_, err = books.Import(f.t.Context(), []bookkeeping.Source{
		{Name: "a.csv", Content: strings.NewReader(lines.String())},
		{Name: "open.jsonl", Content: strings.NewReader(`{"source":"erp","as_of":"2026-11-20"}` + "\n" +
			`{"invoice":"A-1","customer":"Other","currency":"USD","amount":"50.00"}` + "\n")},
	}, bookkeeping.Options{Read: bank.Options{
		Account: "00123456789", Currency: "USD", AsOf: civil.New(2026, 11, 20),
	}})
	if err != nil {
		f.t.Fatal(err)
	}
	return a
}

func TestAnErasedOrganizationLeavesNothingAndOthersAlone(t *testing.T) {
	f := start(t, 0)
	used, _ := f.usedTenant("https://hooks.example.com/finance")
	f.useSSHKey(f.addSSHKey(service.NewSSHKey{OrgPublicID: used.id, Name: "Ada", PublicKey: newPublicKey(t)}))
	neighbour := f.tenant("Neighbour")
	options := demodata.Options{Seed: 4, Today: noon, Transactions: 300}
	if _, err := demodata.Generate(t.Context(), f.service.Store(), neighbour.key, options, nil); err != nil {
		t.Fatal(err)
	}
	before := f.rowsOf(neighbour.key)
	for name, erased := range map[string]tenant{"used": used, "imported": f.importedTenant()} {
		full := f.rowsOf(erased.key)
		if len(full) < 8 {
			t.Fatalf("%s: only %v is there", name, full)
		}

		// Interrupted at more and more places, it continues each time.
		var err error
		for wait := time.Millisecond; ; wait *= 2 {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			_, err = f.service.EraseOrganization(ctx, erased.id)
			interrupted := ctx.Err() != nil
			cancel()
			if err == nil || !interrupted {
				break
			}
		}

		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left := f.rowsOf(erased.key); len(left) > 0 {
			t.Errorf("%s: these rows are left: %v", name, left)
		}
		if got := f.get(erased.secret, prefix+"/ping"); got.status != http.StatusUnauthorized {
			t.Errorf("%s: its token gets %d", name, got.status)
		}
		if _, err := f.service.EraseOrganization(t.Context(), erased.id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: erased again: %v", name, err)
		}
		all, err := f.service.Organizations(t.Context())
		for _, o := range all {
			if o.PublicID == erased.id || err != nil {
				t.Errorf("%s is listed: %v", name, err)
			}
		}
		if after := f.rowsOf(neighbour.key); !maps.Equal(after, before) {
			t.Errorf("%s: the neighbour has %v, had %v", name, after, before)
		}
	}
	if got := f.get(neighbour.secret, prefix+"/ping"); got.status != http.StatusOK {
		t.Errorf("the neighbour gets %d", got.status)
	}
}

// The second operator continues what the first has begun, or is told that nothing is left.
func TestTwoOperatorsEraseAnOrganizationAtOnce(t *testing.T) {
	f := start(t, 0)
	erased := f.tenant("Ended")
	options := demodata.Options{Seed: 4, Today: noon, Transactions: 2000}
	if _, err := demodata.Generate(t.Context(), f.service.Store(), erased.key, options, nil); err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := f.service.EraseOrganization(t.Context(), erased.id)
			errs <- err
		}()
	}

	done := 0
	for range 2 {
		if err := <-errs; err == nil {
			done++
		} else if !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	}

	if left := f.rowsOf(erased.key); done == 0 || len(left) > 0 {
		t.Errorf("%d operators erased it; these rows are left: %v", done, left)
	}
}
