//go:build unix

package cli_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/service/store"
)

// audited is a line of `tarmac admin audit --json` and `tarmac books audit --json`.
type audited struct {
	Actor, Way, Action, Outcome string
	Target, Organization        *string
}

// times matches the times of lines, in which the digits of an amount may occur.
var times = regexp.MustCompile(`"time":"[^"]*"`)

func (o *online) audit(args ...string) (lines []audited, text string) {
	o.t.Helper()
	text = o.must("", append(args, "--json")...)
	if err := json.Unmarshal([]byte(text), &lines); err != nil {
		o.t.Fatalf("%v in %s", err, text)
	}
	return lines, times.ReplaceAllString(text, "")
}

// actionsOf returns the actions of lines that are done, in order.
func actionsOf(lines []audited) (actions []string) {
	for _, l := range lines {
		if l.Outcome == store.AuditDone {
			actions = append(actions, l.Action)
		}
	}
	return actions
}

func TestConnectionsOfAnOrganizationLeaveLines(t *testing.T) {
	t.Parallel()
	o := goOnline(t)
	account := o.mercury.Open("Operating", "checking", "202012346789", 777_77)
	o.mercury.Book(account, time.Now().AddDate(0, 0, -3), -12_50, "Coffee")
	token, db := o.mercury.Token(), filepath.Join(o.dir, "tarmac.db")
	admin := func(stdin string, args ...string) string {
		return o.must(stdin, append([]string{"admin", "--db", db}, args...)...)
	}
	org := strings.TrimSpace(admin("", "org", "create", "Northlight Labs"))

	admin(token+"\n", "connect", "mercury", "--token-stdin", "--yes", "--org", org)
	admin("", "sync", "--org", org)
	admin("", "disconnect", "mercury", "--yes", "--org", org)

	lines, text := o.audit("admin", "--db", db, "audit")
	if got := actionsOf(lines); !slices.Equal(got, []string{"org create", "connect mercury", "sync", "disconnect"}) {
		t.Errorf("the audit has %v", got)
	}
	for _, l := range lines {
		if l.Way != store.WayAdmin || l.Organization == nil || *l.Organization != org || !strings.Contains(l.Actor, "@") {
			t.Errorf("%+v", l)
		}
	}
	for _, hidden := range []string{token, "777.77", "77777", "Coffee", "6789", "Northlight"} {
		if strings.Contains(text, hidden) {
			t.Errorf("the audit has %q: %s", hidden, text)
		}
	}
}

func TestCommandsOnOwnBooksLeaveLines(t *testing.T) {
	t.Parallel()
	o := goOnline(t)
	account := o.mercury.Open("Operating", "checking", "202012346789", 777_77)
	o.mercury.Book(account, time.Now().AddDate(0, 0, -3), -12_50, "Coffee")
	token, backup := o.mercury.Token(), filepath.Join(o.dir, "books.backup")

	o.must(token+"\n", "connect", "mercury", "--token-stdin", "--yes", "--name", "Fennel & Thyme")
	o.must("", "import", "--yes", statementFile(t, "a.qfx", roundLine))
	var open struct{ Questions []struct{ ID string } }
	if err := json.Unmarshal([]byte(o.must("", "books", "questions", "--json")), &open); err != nil {
		t.Fatal(err)
	}
	o.must("", "books", "questions", "answer", open.Questions[0].ID, "no")
	o.must("", "books", "rename", "202012346789", "Secret name")
	o.must("", "disconnect", "mercury", "--yes")
	o.must("", "invoices", "list")
	o.must("", "books", "backup", backup)
	o.must("", "books", "restore", "--replace", backup)

	lines, text := o.audit("books", "audit")
	want := []string{"connect mercury", "import", "books questions answer", "books rename", "disconnect", "books restore"}
	if got := actionsOf(lines); !slices.Equal(got, want) {
		t.Errorf("the audit has %v", got)
	}
	for _, l := range lines {
		if l.Way != store.WayLocal || !strings.Contains(l.Actor, "@") || l.Outcome != store.AuditDone {
			t.Errorf("%+v", l)
		}
	}
	for _, hidden := range []string{token, "777.77", "77777", "25000", "Coffee", "Fennel", "Secret", "a.qfx", ".backup"} {
		if strings.Contains(text, hidden) {
			t.Errorf("the audit has %q: %s", hidden, text)
		}
	}
	if table := o.must("", "books", "audit", "--since", "1h"); strings.Count(table, "\n") != len(lines)+1 {
		t.Errorf("the table is %s", table)
	}
}

// What a person changes in the dashboard, in line mode and through the API of own books is the
// owner's change. Previews are none.
func TestScreensOfOwnBooksLeaveLines(t *testing.T) {
	environ, more := openBooks(t)
	r, _ := typing(t, environ, "import "+more+"\ny\n", "--plain")
	id := regexp.MustCompile(`imp_[0-9A-Z]{26}`).FindString(r.stdout)
	typing(t, environ, "undo "+id+"\nyes\n", "--plain")
	set := map[string]string{"XDG_DATA_HOME": strings.TrimPrefix(environ[0], "XDG_DATA_HOME=")}
	proposed := tarmac(t, set, "invoices", "propose", "--recipient-name", "Acme LLC", "--recipient-email",
		"pay@acme.example", "--due", "net 30", "--description", "Consulting", "--line", "1 x 777.77 Hours")
	if proposed.code != 0 {
		t.Fatalf("exit %d, %s", proposed.code, proposed.stderr)
	}

	listed := tarmac(t, set, "books", "audit", "--json")

	var lines []audited
	if err := json.Unmarshal([]byte(listed.stdout), &lines); err != nil {
		t.Fatalf("%v in %s, %s", err, listed.stdout, listed.stderr)
	}
	if got := actionsOf(lines); !slices.Equal(got, []string{"import", "import", "books undo", "proposeInvoice"}) {
		t.Fatalf("the audit has %v", got)
	}
	for _, l := range lines {
		if l.Way != store.WayLocal || l.Actor != lines[0].Actor || l.Outcome != store.AuditDone {
			t.Errorf("%+v", l)
		}
	}
	if l := lines[2]; l.Target == nil || *l.Target != id {
		t.Errorf("the undo is %+v", l)
	}
	for _, hidden := range []string{"777.77", "77777", "Acme"} {
		if strings.Contains(times.ReplaceAllString(listed.stdout, ""), hidden) {
			t.Errorf("the audit has %q: %s", hidden, listed.stdout)
		}
	}
}
