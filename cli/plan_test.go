package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/client/draft"
	"tarmac/client/plan"
)

func TestAPlanIsBegunReadAndCompared(t *testing.T) {
	environ, _ := withBooks(t)
	environ["XDG_CONFIG_HOME"] = t.TempDir()
	if books := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); books.code != 0 {
		t.Fatalf("import: exit %d, %q", books.code, books.stderr)
	}
	other := filepath.Join(t.TempDir(), "cash.plan")
	for _, one := range []struct {
		args      []string
		code      int
		out, says string
	}{
		{[]string{"plan"}, 1, "", "begin one with `tarmac plan add"},
		{[]string{"plan", "check"}, 1, "", "begin one with `tarmac plan add"},
		{[]string{"plan", "add", "hire engineer 9k/month"}, 2, "", "column 6: expected a name in quotation marks"},
		{[]string{"plan"}, 1, "", "begin one with"},
		{[]string{"plan", "add", `hire 2 "engineer" 9k/month`}, 0, `hire 2 "engineer" 9,000/month`, ""},
		{[]string{"plan", "add", `raise "Seed" 1M on 2031-06-15, takes 10 weeks`, "--plan", other}, 0, other, ""},
		{[]string{"plan", "add", `hire "engineer" 1k/month`}, 2, "", `the name "engineer" is in line 2 already`},
		{[]string{"plan", "add", `hire "x" 1k/month`, "--read-only"}, 2, "", "read-only"},
		{[]string{"plan", "check"}, 0, `hire 2 "engineer" 9,000/month`, "1 line, no mistakes."},
		{[]string{"plan", "--against", "someday"}, 2, "", "--against must be a month"},
		{[]string{"plan", "--against", "2026-09"}, 0, "Net of 2026-09", "nothing is planned for this month"},
		{[]string{"check", "--decide-within", "soon"}, 3, "--decide-within must be", ""},
		{[]string{"check", "--decide-within", "30d", "--plan", "/nowhere"}, 3, "there is no plan in /nowhere", ""},
		{[]string{"plan", "confirm"}, 2, "", "only a person confirms"},
		{[]string{"forecast", "--with", "plan"}, 0, "", "No forecast: a forecast needs transactions of 26 weeks"},
		{[]string{"forecast", "--with", "Lean"}, 2, "", "--with must be plan or the name of one of its cases: it has none"},
		{[]string{"forecast", "--with", "plan", "--plan", "/nowhere"}, 1, "", "there is no plan in /nowhere"},
		{[]string{"forecast", "--plan", other}, 2, "", "--plan needs --with plan"},
	} {
		got := tarmac(t, environ, one.args...)

		if got.code != one.code || !strings.Contains(got.stdout, one.out) ||
			!strings.Contains(got.stderr+got.stdout, one.says) {
			t.Errorf("%q: exit %d, %q, %q", one.args, got.code, got.stdout, got.stderr)
		}
	}
	var whole struct {
		Hypothetical bool
		Columns      []struct{ Column string }
		Decision     struct{ Text string }
	}
	shown := tarmac(t, environ, "plan", "--json", "--plan", other)
	if err := json.Unmarshal([]byte(shown.stdout), &whole); err != nil || !whole.Hypothetical ||
		len(whole.Columns) != 3 || whole.Columns[2].Column != "plan without raises" || whole.Decision.Text == "" {
		t.Errorf("--json: exit %d, %q, %v", shown.code, shown.stdout, err)
	}
	far := tarmac(t, environ, "check", "--decide-within", "30d", "--plan", other)
	if !strings.Contains(far.stdout, "By when money must be there is not known") || far.code != 3 {
		t.Errorf("check: exit %d, %q", far.code, far.stdout)
	}
	if err := os.WriteFile(other, []byte("plan from 2026-11 in USD\n\nbudget \"A\" 1,20/month\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	wrong := tarmac(t, environ, "plan", "--plan", other)
	if wrong.code != 1 || !strings.Contains(wrong.stderr, `cash.plan: line 3, column 12: "1,20" must be an amount`) {
		t.Errorf("a wrong file: exit %d, %q", wrong.code, wrong.stderr)
	}
}

func TestPlanAddTakesWhatIfsOfEarlierVersions(t *testing.T) {
	environ, _ := withBooks(t)
	environ["XDG_CONFIG_HOME"], environ["XDG_STATE_HOME"] = t.TempDir(), t.TempDir()
	mustAt(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))
	var of struct {
		OrgID string `json:"org_id"`
	}
	if err := json.Unmarshal([]byte(mustAt(t, environ, "ping", "--json")), &of); err != nil || of.OrgID == "" {
		t.Fatalf("%+v, %v", of, err)
	}
	file := plan.WhatIfPrefix + draft.FileName(draft.OrgKey("local", of.OrgID)) + ".json"
	writeFile(t, filepath.Join(environ["XDG_STATE_HOME"], "tarmac", file),
		`{"version":1,"day":"2026-09-30","what_ifs":[{"fields":["Lean","-10%","","","","","","",""]}]}`)

	mustAt(t, environ, "plan", "add", `hire "engineer" 9k/month`)
	checked := mustAt(t, environ, "plan", "check")

	for _, line := range []string{`case "Lean": burn -10%`, `hire "engineer" 9,000/month`} {
		if !strings.Contains(checked, line) {
			t.Errorf("%q lacks %q", checked, line)
		}
	}
	mustAt(t, environ, "plan", "add", `hire "designer" 8k/month`)
	if again := mustAt(t, environ, "plan", "check"); strings.Count(again, "Lean") != 1 {
		t.Errorf("after the next line: %q", again)
	}
}
