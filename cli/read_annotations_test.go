package cli_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
)

// ofLastMonth moves a statement of testprogram.StatementFile into the month before this one.
func ofLastMonth(t *testing.T, statement string) (path string) {
	t.Helper()
	content, err := os.ReadFile(statement)
	if err != nil {
		t.Fatal(err)
	}
	month := civil.Of(time.Now().UTC()).AddMonths(-1).Time().Format("200601")
	moved := strings.NewReplacer("20260930", month+"28", "202609", month).Replace(string(content))
	if err := os.WriteFile(statement, []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	return statement
}

func TestCategoriesOfRulesAndOfTheUserAreListedAndSummed(t *testing.T) {
	environ, _ := withRules(t, twoRules)
	environ["XDG_STATE_HOME"] = t.TempDir()
	mustAt(t, environ, "import", "--yes", ofLastMonth(t, statementFile(t, "a.qfx", rentLine)))
	must := func(args ...string) string {
		t.Helper()
		return mustAt(t, environ, append(args, "--profile", "own books")...)
	}
	type transaction struct {
		ID           string
		Category     string
		CategoryFrom string `json:"category_from"`
		Note         string
	}
	listed := func() (all struct{ Data []transaction }) {
		t.Helper()
		if err := json.Unmarshal([]byte(must("transactions", "list", "--json")), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := listed().Data
	if len(before) != 1 || before[0].Category != "rent" || before[0].CategoryFrom != "rule" {
		t.Fatalf("of a rule: %+v", before)
	}
	id := before[0].ID

	must("transactions", "category", id, "Office\x1b[31m space")
	shown := must("transactions", "note", id, "=due\nsoon")

	for _, want := range []string{"Category       Office space\nCategory from  you\n", "Note           =due soon\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q lacks %q", shown, want)
		}
	}
	if one := must("transactions", "get", id); !strings.Contains(one, "Category from  you") ||
		!strings.Contains(one, "Account        121000358 …6789\n") {
		t.Errorf("get says %q", one)
	}
	if wire := must("transactions", "get", id, "--json"); strings.Contains(wire, `"account"`) {
		t.Errorf("JSON has more than the API says: %s", wire)
	}
	if got := listed().Data[0]; got != (transaction{id, "Office space", "you", "=due soon"}) {
		t.Errorf("%+v", got)
	}
	if csv := must("transactions", "list", "--csv"); !strings.Contains(csv, ",Office space,you,'=due soon\r\n") {
		t.Errorf("CSV is %q", csv)
	}
	if table := must("transactions"); !strings.Contains(table, "CATEGORY") || !strings.Contains(table, "Office space") {
		t.Errorf("the table is\n%s", table)
	}
	if spent := must("spend", "--by", "category", "--json"); !strings.Contains(spent, `"category":"Office space"`) {
		t.Errorf("spend says %q", spent)
	}
	must("transactions", "category", id, "")
	must("transactions", "note", id, "")
	if got := listed().Data[0]; got != (transaction{id, "rent", "rule", ""}) {
		t.Errorf("removed: %+v", got)
	}
	for _, args := range [][]string{{"transactions", "note", id}, {"spend", "--by", "mood"},
		{"spend", "--by", "category", "--bridge", "2026-01..2026-02"}} {
		if r := tarmac(t, environ, append(args, "--profile", "own books")...); r.code != 2 {
			t.Errorf("%q: exit %d, %s", args, r.code, r.stderr)
		}
	}
	if r := tarmac(t, environ, "transactions", "note", "txn_no", "x", "--profile", "own books"); r.code != 4 {
		t.Errorf("an unknown transaction: exit %d, %s", r.code, r.stderr)
	}
}
