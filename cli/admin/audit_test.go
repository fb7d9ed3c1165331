package admin_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/admin"
	"tarmac/cli/command"
	"tarmac/service/store"
)

// auditLine is a line of `tarmac admin audit --json`.
type auditLine struct {
	Time                        time.Time
	Organization, Target        *string
	Actor, Way, Action, Outcome string
}

func (o operated) audit(args ...string) (lines []auditLine) {
	o.Helper()
	o.decode(&lines, append([]string{"audit"}, args...)...)
	return lines
}

// silent are the commands that write nothing to the database, with those that write elsewhere.
var silent = []string{
	"account show", "audit", "backup", "books", "books export", "books imports", "books lines", "books providers",
	"books rates", "copy", "invoice list", "key create", "org list",
	"org show", "payment list", "ssh-key list", "ssh-key sessions", "token list", "webhook list",
}

// elsewhere are the commands that need a provider or a question, for which other tests run them.
// The store refuses their writes too if they are not audited.
var elsewhere = []string{
	"books questions answer", "books rules apply", "books transfers accept", "books transfers reject", "connect",
	"disconnect", "sync",
}

func TestEachCommandThatWritesLeavesALine(t *testing.T) {
	o := newOperated(t)
	key, statement := publicKeyFile(t), filepath.Join(t.TempDir(), "bank.csv")
	content := "Date,Description,Amount\n2026-10-01,Coffee,-3.50\n2026-10-02,Sale,90.00\n"
	if err := os.WriteFile(statement, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	covered := map[string]bool{"org create": true}
	lines := o.audit()
	if len(lines) != 1 || lines[0].Action != "org create" || lines[0].Target == nil || *lines[0].Target != o.org {
		t.Fatalf("the audit of a new organization: %+v", lines)
	}
	change := func(action string, args ...string) string {
		t.Helper()
		out := o.must(args...)
		after := o.audit()
		if len(after) != len(lines)+1 {
			t.Fatalf("%s left %d lines", action, len(after)-len(lines))
		}
		got := after[len(lines)]
		if got.Action != action || got.Way != store.WayAdmin || got.Outcome != store.AuditDone ||
			!strings.Contains(got.Actor, "@") || got.Time.IsZero() {
			t.Errorf("%s: %+v", action, got)
		}
		if (got.Organization == nil) != (action == "key reset") {
			t.Errorf("%s: the organization is %v", action, got.Organization)
		}
		lines = after
		covered[strings.TrimSuffix(action, " on")] = true
		return strings.Fields(out + " ")[0]
	}

	change("owner set", "owner", "set", "--org", o.org, "--name", "Ada Palmer", "--email", "ada@northlight.example")
	change("owner clear", "owner", "clear", "--org", o.org)
	change("account open", "account", "open", "--org", o.org, "--available", "777.77")
	change("account fault on", "account", "fault", "on", "--org", o.org)
	change("account close", "account", "close", "--org", o.org)
	secret := change("token create", "token", "create", "--org", o.org, "--scope", "account:read")
	change("token revoke", "token", "revoke", *lines[len(lines)-1].Target)
	change("ssh-key revoke", "ssh-key", "revoke", change("ssh-key add", "ssh-key", "add", "--org", o.org, "--name",
		"Grace Hopper", "--file", key))
	invoice := o.draft("USD")
	change("invoice withhold", "invoice", "withhold", invoice)
	change("invoice release", "invoice", "release", invoice)
	change("invoice send", "invoice", "send", invoice)
	change("invoice pay", "invoice", "pay", invoice, "--amount", "777.77")
	change("invoice void", "invoice", "void", o.draft("USD"))
	payment := func() string {
		return change("payment create", "payment", "create", "--org", o.org, "--amount", "777.77", "--description",
			"Deposit", "--counterparty", "Harbour Estates")
	}
	first := payment()
	change("payment hold", "payment", "hold", first)
	change("payment approve", "payment", "approve", first)
	change("payment complete", "payment", "complete", first)
	change("payment fail", "payment", "fail", payment())
	change("payment cancel", "payment", "cancel", payment())
	change("key reset", "key", "reset", "--yes")
	filled := o.org
	o.org = change("org create", "org", "create", "Harbour Estates")
	change("seed", "seed", "--org", o.org, "--transactions", "100")
	o.org = change("org create", "org", "create", "Imported")
	change("import", "import", "--org", o.org, "--account", "Checking", "--currency", "USD", "--yes", statement)
	change("books role", "books", "role", "Checking", "savings", "--org", o.org)
	change("books rename", "books", "rename", "Checking", "Main", "--org", o.org)
	change("books undo", "books", "undo", o.importID(), "--org", o.org)

	for _, leaf := range leaves(admin.New(command.Env{Now: time.Now}, "test")) {
		if !covered[leaf] && !slices.Contains(silent, leaf) && !slices.Contains(elsewhere, leaf) {
			t.Errorf("%s: no line of the audit is expected of it, and it is not listed as one that writes nothing", leaf)
		}
	}
	all := o.run("audit").stdout + o.run("audit", "--json").stdout
	for _, hidden := range []string{secret, "777", "Ada", "Grace", "Harbour", "bank.csv", "Coffee"} {
		if strings.Contains(all, hidden) {
			t.Errorf("the audit has %q: %s", hidden, all)
		}
	}
	if one := o.audit("--org", filled); len(one) == 0 || len(one) >= len(lines) {
		t.Errorf("of one organization %d lines, of all %d", len(one), len(lines))
	}
}

// leaves returns the commands below cmd that do something, without the name of the program.
func leaves(cmd *cobra.Command) (names []string) {
	for _, below := range cmd.Commands() {
		if !below.HasSubCommands() {
			_, name, _ := strings.Cut(below.CommandPath(), "admin ")
			names = append(names, name)
		}
		names = append(names, leaves(below)...)
	}
	return names
}

func TestAChangeThatFailsIsAuditedAsFailed(t *testing.T) {
	o := newOperated(t)
	invoice := o.draft("USD")
	o.must("invoice", "void", invoice)

	o.run("invoice", "send", invoice)

	lines := o.audit()
	last := lines[len(lines)-1]
	if last.Action != "invoice send" || last.Outcome != store.AuditFailed || *last.Target != invoice ||
		last.Organization == nil || *last.Organization != o.org {
		t.Errorf("%+v", last)
	}
	if got := o.audit("--since", "1h"); len(got) != len(lines) {
		t.Errorf("since an hour ago there are %d lines, in all %d", len(got), len(lines))
	}
	o.must("org", "list")
	if got := o.audit(); len(got) != len(lines) {
		t.Errorf("listing left %d lines", len(got)-len(lines))
	}
}

// importID returns the ID of the only import.
func (o operated) importID() string {
	o.Helper()
	var list struct{ Imports []struct{ Import string } }
	o.decode(&list, "books", "imports", "--org", o.org)
	return list.Imports[0].Import
}
