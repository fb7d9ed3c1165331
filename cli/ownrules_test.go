package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withRules returns the environment of a user with own books and a rules file, and its path.
func withRules(t *testing.T, text string) (environ map[string]string, path string) {
	t.Helper()
	environ, _ = withBooks(t)
	environ["XDG_CONFIG_HOME"] = t.TempDir()
	path = filepath.Join(environ["XDG_CONFIG_HOME"], "tarmac", "rules.toml")
	writeRules(t, path, text)
	return environ, path
}

func writeRules(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const twoRules = "[[rule]]\nmatch = \"landlord\"\ncategory = \"rent\"\n\n[[rule]]\nmatch = \"gusto\"\nmemo = \"pay\"\n"

func TestRulesAreListedAndApplied(t *testing.T) {
	environ, path := withRules(t, "")
	must := func(args ...string) string {
		t.Helper()
		r := tarmac(t, environ, args...)
		if r.code != 0 {
			t.Fatalf("%s: exit %d, %s", strings.Join(args, " "), r.code, r.stderr)
		}
		return r.stdout
	}
	must("import", "--yes", statementFile(t, "a.qfx", rentLine))
	if none := must("books", "rules"); !strings.Contains(none, "There are no rules in "+path) {
		t.Errorf("rules: %q", none)
	}
	writeRules(t, path, twoRules)

	listed := must("books", "rules")
	applied := must("books", "rules", "apply")

	for _, want := range []string{"1     1     landlord  category rent", "Hit nothing: the rules at line 5",
		"do not follow these rules yet: `tarmac books rules apply`"} {
		if !strings.Contains(listed, want) {
			t.Errorf("%q lacks %q", listed, want)
		}
	}
	if !strings.Contains(applied, "1 transaction changed.") || strings.Contains(applied, "do not follow") {
		t.Errorf("apply: %q", applied)
	}
	var again struct {
		ChangedRows int  `json:"changed_rows"`
		Applied     bool `json:"applied"`
		Rules       []struct {
			Line int    `json:"line"`
			Hits int    `json:"hits"`
			Memo string `json:"memo"`
		} `json:"rules"`
	}
	if err := json.Unmarshal([]byte(must("books", "rules", "apply", "--json")), &again); err != nil ||
		again.ChangedRows != 0 || !again.Applied || again.Rules[0].Hits != 1 || again.Rules[1].Memo != "pay" {
		t.Errorf("the rules are %+v, %v", again, err)
	}
	if text := must("books", "rules", "--toml"); text != twoRules {
		t.Errorf("the rules file is %q", text)
	}
}

func TestAWrongRulesFileStopsWhatNeedsIt(t *testing.T) {
	environ, path := withRules(t, twoRules)
	file := statementFile(t, "a.qfx", rentLine)
	if r := tarmac(t, environ, "import", "--yes", file); r.code != 0 {
		t.Fatal(r.stderr)
	}
	writeRules(t, path, twoRules+"colour = \"red\"\n")

	for _, args := range [][]string{
		{"books", "rules"}, {"books", "rules", "apply"}, {"import", "--yes", file}, {"import", "--dry-run", file},
		{"books", "role", "6789", "closed"},
	} {
		r := tarmac(t, environ, args...)

		if r.code != 1 || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, path+", line 8: colour") {
			t.Errorf("%s: exit %d, %q", strings.Join(args, " "), r.code, r.stderr)
		}
	}
	if r := tarmac(t, environ, "books"); r.code != 0 || !strings.Contains(r.stdout, "operating") {
		t.Errorf("books: exit %d, %q", r.code, r.stdout)
	}
}

func TestAccountsGetRolesAndNames(t *testing.T) {
	environ, _ := withBooks(t)
	if r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); r.code != 0 {
		t.Fatal(r.stderr)
	}
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"role 6789 savings", 0, "…6789 USD has the role savings. 0 transactions changed."},
		{"role …6789 excluded", 0, "…6789 USD has the role excluded. 1 transaction changed."},
		{"role 6789 spare", 2, `there is no role "spare"; there are operating, savings, card, closed and excluded`},
		{"role 6789", 2, "needs an account and a role"},
		{"role 1111 savings", 4, `no account is called "1111"; there are …6789`},
		{"rename 6789 Reserve", 0, "…6789 USD is called Reserve. 0 transactions changed."},
		{"role reserve closed", 0, "…6789 USD has the role closed. 1 transaction changed."},
		{"rename 6789", 2, "needs an account and its new name"},
		{"__complete", 0, ""},
	} {
		args := append([]string{"books"}, strings.Fields(test.args)...)
		if test.args == "__complete" {
			args = []string{"__complete", "books", "role", ""}
			test.want = "6789\tReserve …6789, closed, USD"
		}

		r := tarmac(t, environ, args...)

		if r.code != test.code || !strings.Contains(r.stdout+r.stderr, test.want) {
			t.Errorf("%s: exit %d, %q, %q", test.args, r.code, r.stdout, r.stderr)
		}
	}
	if books := tarmac(t, environ, "books"); !strings.Contains(books.stdout, "Reserve") {
		t.Errorf("books: %q", books.stdout)
	}
}

func TestAnOperatorReplacesTheRulesOfAnOrganization(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	org := must(t, "admin", "--db", db, "org", "create", "Northlight Labs")
	must(t, "admin", "--db", db, "import", "--org", org, "--yes", statementFile(t, "a.qfx", rentLine))
	rules := filepath.Join(t.TempDir(), "rules.toml")
	writeRules(t, rules, twoRules)

	applied := must(t, "admin", "--db", db, "books", "rules", "apply", "--org", org, rules)

	if !strings.Contains(applied, "1 transaction changed.") {
		t.Errorf("apply: %q", applied)
	}
	text := must(t, "admin", "--db", db, "books", "rules", "--org", org, "--toml")
	if text != strings.TrimSuffix(twoRules, "\n") {
		t.Errorf("the rules are %q", text)
	}
	must(t, "admin", "--db", db, "books", "role", "--org", org, "6789", "savings")
	must(t, "admin", "--db", db, "books", "rename", "--org", org, "6789", "Reserve")
	if list := must(t, "admin", "--db", db, "books", "--org", org); !strings.Contains(list, "Reserve") {
		t.Errorf("books: %q", list)
	}
	writeRules(t, rules, "[[rule]]\nmatch = \"(\"\n")
	for args, code := range map[string]int{rules: 1, rules + ".gone": 1, "": 2} {
		words := append([]string{"admin", "--db", db, "books", "rules", "apply", "--org", org}, strings.Fields(args)...)
		if r := tarmac(t, nil, words...); r.code != code {
			t.Errorf("apply %s: exit %d, %q", args, r.code, r.stderr)
		}
	}
}
