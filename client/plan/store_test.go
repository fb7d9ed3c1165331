package plan_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/client/plan"
	"tarmac/client/state"
)

func TestEveryStoreKeepsWhatSomebodyElseWrote(t *testing.T) {
	folder := state.Directory(filepath.Join(t.TempDir(), "state"))
	for name, store := range map[string]plan.Store{
		"file":     plan.File{Path: filepath.Join(t.TempDir(), "a.plan")},
		"document": plan.DocumentOf(folder, "https://a.example"),
		"memory":   &plan.Memory{},
	} {
		const first = "plan from 2026-11 in USD\n"
		if _, _, err := store.Read(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
		err := errors.Join(store.Replace("", first), store.Replace(first, first+"floor 5\n"))
		p, text, readErr := store.Read()
		if errors.Join(err, readErr) != nil || text != first+"floor 5\n" || len(p.Lines) != 1 {
			t.Errorf("%s: %q, %v, %v", name, text, err, readErr)
		}
		if err := store.Replace(first, first+"floor 6\n"); !errors.Is(err, plan.ErrChanged) {
			t.Errorf("%s: overwritten: %v", name, err)
		}
		if err := store.Replace(first+"floor 5\n", first+"flor 6\n"); err == nil {
			t.Errorf("%s: a wrong text is written", name)
		}
	}
	if names, err := folder.List("plan-"); err != nil || len(names) != 1 || !strings.HasPrefix(names[0], "plan-") {
		t.Errorf("%q, %v", names, err)
	}
}

func TestWhatIfsAreCarriedOverOnce(t *testing.T) {
	folder := state.Directory(filepath.Join(t.TempDir(), "state"))
	const old = `{"version":2,"day":"2026-11-20","chosen":0,"what_ifs":[
		{"fields":["Cut","-25","","","","","","",""],"overdue":true},
		{"fields":["","+10","-8,000.00","2027-01","+500.00","2026-11","","1,000.00","2027-02"]},
		{"fields":["Hire","","-8,000.00","2027-01","","","","",""],"currency":"EUR"}]}`
	if err := folder.Write("what-if-org_1.json", []byte(old)); err != nil {
		t.Fatal(err)
	}
	const lines = `
# what-ifs of earlier versions
case "Cut": burn -25%
case "Cut": overdue
case "B": burn +10%
case "B": budget "monthly" 8,000/month from 2027-01
case "B": income "once" 500 on 2026-11-21
case "B": lose "customer" 1,000/month from 2027-02
# Hire, in EUR: monthly -8,000.00 from 2027-01
`
	text := plan.CarryOver("", folder, "", "org_1", "USD")
	if text != "plan from 2026-11 in USD\n"+lines {
		t.Errorf("%s", text)
	}
	if again := plan.CarryOver(text, folder, "", "org_1", "USD"); again != text {
		t.Errorf("again:\n%s", again)
	}
	mine := "plan from 2027-01 in USD\ncase \"Cut\": burn -5%\n"
	if got := plan.CarryOver(mine, folder, "", "org_1", "USD"); !strings.HasPrefix(got, mine) ||
		!strings.Contains(got, `case "A": overdue`) {
		t.Errorf("%s", got)
	}
	for _, none := range []state.Folder{nil, state.Directory(t.TempDir())} {
		if got := plan.CarryOver("", none, "", "org_1", "USD"); got != "" {
			t.Errorf("%q", got)
		}
	}
	if got := plan.Without("a\nb\nc\n", 2) + plan.Without("a\nb", 2); got != "a\nc\na\n" {
		t.Errorf("%q", got)
	}
}
