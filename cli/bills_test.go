package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

const billsFile = "As of 2026-09-30\nvendor,bill,bill date,due,currency,amount due\n" +
	"Cloudhost,2026-118,2026-09-14,2026-10-14,USD,1000.00\nHarbor Print,7741,2026-08-10,2026-09-09,USD,450.00\n"

func TestBillsAreListedMarkedAndChecked(t *testing.T) {
	environ, _ := withBooks(t)
	if books := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); books.code != 0 {
		t.Fatalf("import: exit %d, %q", books.code, books.stderr)
	}
	if none := tarmac(t, environ, "bills"); none.code != 1 || !strings.Contains(none.stderr, "No bills were imported.") {
		t.Errorf("without bills: exit %d, %q, %q", none.code, none.stdout, none.stderr)
	}
	if check := tarmac(t, environ, "check", "--bills-past-due-above", "1"); check.code != 3 ||
		!strings.Contains(check.stdout, "bills past due unknown (No bills were imported") {
		t.Errorf("check without bills: exit %d, %q", check.code, check.stdout)
	}
	imported := tarmac(t, environ, "import", "--yes", writeFile(t, filepath.Join(t.TempDir(), "bills.csv"), billsFile))
	if imported.code != 0 || !strings.Contains(imported.stdout, "2 bills to pay") {
		t.Fatalf("import: exit %d, %q, %q", imported.code, imported.stdout, imported.stderr)
	}

	var rows []struct {
		Vendor string `json:"vendor_name"`
		Number string
		State  string
		Minor  int64 `json:"open_minor"`
	}
	listed := tarmac(t, environ, "bills", "--json")
	if err := json.Unmarshal([]byte(listed.stdout), &rows); err != nil || len(rows) != 2 || rows[0].Number != "7741" ||
		rows[1].Minor != 100000 {
		t.Fatalf("bills: exit %d, %q, %v", listed.code, listed.stdout, err)
	}
	for _, one := range []struct {
		args      []string
		code      int
		out, says string
	}{
		{[]string{"bills"}, 0, "Harbor Print", "To pay $1,450.00: past due"},
		{[]string{"bills", "--vendor", "CLOUD", "--csv"}, 0, "Cloudhost,2026-118,open", ""},
		{[]string{"bills", "--due", "soon"}, 2, "", "--due must be like 90d"},
		{[]string{"bills", "mark", "7741", "perhaps"}, 2, "", "paid, disputed or open"},
		{[]string{"bills", "mark", "7742", "paid"}, 4, "", "7742"},
		{[]string{"check", "--bills-past-due-above", "400", "--bills-days", "0"}, 1, "(above $400.00)", ""},
		{[]string{"check", "--bills-past-due-above", "1", "--bills-days", "-1"}, 3, "", ""},
		{[]string{"bills", "mark", "7741", "disputed"}, 0, "7741 of Harbor Print is marked disputed. 0 questions open.", ""},
		{[]string{"bills"}, 0, "Cloudhost", "1 disputed bill not included."},
		{[]string{"books", "mark", "2026-118", "paid"}, 0, "is marked paid", ""},
		{[]string{"bills", "--all"}, 0, "disputed", "No bills to pay."},
	} {
		got := tarmac(t, environ, one.args...)

		if got.code != one.code || !strings.Contains(got.stdout, one.out) || !strings.Contains(got.stderr, one.says) {
			t.Errorf("%q: exit %d, %q, %q", one.args, got.code, got.stdout, got.stderr)
		}
	}
}
