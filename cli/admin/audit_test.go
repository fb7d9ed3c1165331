package admin_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tarmac/cli/admin"
	"tarmac/cli/command"
	"tarmac/service"
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

// written says what each command below admin writes; "" is nothing that the audit has.
var written = map[string]string{
	"account close": "the account", "account fault": "the account", "account open": "the account", "account show": "",
	"audit": "", "backup": "a copy of all data", "books balance": "a balance",
	"books company": "the company's name", "books currency": "a currency",
	"books export": "", "books imports": "",
	"books lines": "", "books mark": "a bill",
	"books providers": "", "books questions answer": "an answer", "books questions answered": "",
	"books rates": "", "books rename": "an account's name",
	"books role": "an account's role", "books rules apply": "the rules in force", "books transfers accept": "an answer",
	"books transfers reject": "an answer", "books undo": "the books", "connect": "a connection",
	"copy": "organizations, in the other database", "disconnect": "a connection", "import": "the books",
	"invoice list": "", "invoice pay": "the invoice", "invoice release": "the invoice", "invoice send": "the invoice",
	"invoice void": "the invoice", "invoice withhold": "the invoice",
	"key create":  "", // a file, for which there may be no database yet
	"key reset":   "the key of all secrets",
	"org create":  "an organization",
	"org limit":   "the limit of an organization",
	"org erase":   "an organization and all that it has",
	"org list":    "",
	"org show":    "",
	"owner clear": "the owner", "owner set": "the owner", "payment approve": "the payment",
	"payment cancel": "the payment", "payment complete": "the payment", "payment create": "a payment",
	"payment fail": "the payment", "payment hold": "the payment", "payment list": "", "seed": "sample data",
	"ssh-key add": "an SSH key", "ssh-key list": "", "ssh-key revoke": "the SSH key", "ssh-key sessions": "",
	"sync": "the books", "token create": "a token", "token list": "", "token revoke": "the token", "webhook list": "",
}

// withProviders are the commands that need a provider: TestConnectionsOfAnOrganizationLeaveLines in
// cli runs them.
var withProviders = []string{"connect", "disconnect", "sync"}

func TestEachCommandThatWritesLeavesALine(t *testing.T) {
	o := newOperated(t)
	key, dir := publicKeyFile(t), t.TempDir()
	const head = "Date,Description,Amount\n"
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
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
		if (got.Organization == nil) != (action == "key reset" || action == "backup") {
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
	change("import", "import", "--org", o.org, "--account", "Checking", "--currency", "USD", "--yes",
		file("bank.csv", head+"2026-10-01,Angel Ventures,25000.00\n2026-10-02,Coffee,-3.50\n2026-10-05,Move,-7777.00\n"+
			"2026-10-08,Move,-7777.77\n2026-10-09,Sale,90.00\n"))
	change("import", "import", "--org", o.org, "--account", "Savings", "--currency", "USD", "--yes",
		file("savings.csv", head+"2026-10-02,Fee,-1.00\n2026-10-03,Fee,-2.00\n2026-10-06,Reserve,7777.00\n"+
			"2026-10-09,Reserve,7777.77\n"))
	change("books questions answer", "books", "questions", "answer", o.question(), "no", "--org", o.org)
	change("books transfers accept", "books", "transfers", "accept", o.proposal(), "--org", o.org)
	change("books transfers reject", "books", "transfers", "reject", o.proposal(), "--org", o.org)
	change("books rules apply", "books", "rules", "apply", "--org", o.org, file("rules.toml", ""))
	change("books role", "books", "role", "Checking", "savings", "--org", o.org)
	change("books balance", "books", "balance", "Checking", "5", "2026-09-30", "--org", o.org)
	change("books currency", "books", "currency", "EUR", "--yes", "--org", o.org)
	change("books company", "books", "company", "Palmer Works", "--org", o.org)
	change("import", "import", "--org", o.org, "--yes", file("bills.csv", "As of September 30, 2026\n"+
		"vendor,bill,bill date,due,currency,amount due\nHarbor Print,7741,2026-08-10,2026-09-09,USD,450.00\n"))
	change("books mark", "books", "mark", "7741", "disputed", "--org", o.org)
	change("books rename", "books", "rename", "Checking", "Main", "--org", o.org)
	change("books undo", "books", "undo", o.importID(), "--org", o.org)

	change("org limit", "org", "limit", o.org, "--requests", "77777")
	ended := change("org create", "org", "create", "Ended")
	change("org erase", "org", "erase", ended, "--confirm", ended)

	change("backup", "backup", filepath.Join(dir, "backup.db"))
	o.copied(filepath.Join(dir, "copy.db"))
	covered["copy"] = true

	known := leaves(admin.New(command.Env{Now: time.Now}, "test"))
	for _, leaf := range known {
		what, listed := written[leaf]
		switch {
		case !listed:
			t.Errorf("%s: say what it writes", leaf)
		case what != "" && !covered[leaf] && !slices.Contains(withProviders, leaf):
			t.Errorf("%s writes %s, and no line of the audit is expected of it", leaf, what)
		case what == "" && covered[leaf]:
			t.Errorf("%s leaves a line, although it writes nothing", leaf)
		}
	}
	for leaf := range written {
		if !slices.Contains(known, leaf) {
			t.Errorf("there is no command %s", leaf)
		}
	}
	times := regexp.MustCompile(`"time":"[^"]*"`)
	all := o.run("audit").stdout + times.ReplaceAllString(o.run("audit", "--json").stdout, "")
	for _, hidden := range []string{secret, "777.77", "77777", "25000", "Ada", "Grace", "Harbour", "bank.csv", "Coffee",
		"Angel", "backup.db", "rules.toml"} {
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

// importID returns the ID of the first import.
func (o operated) importID() string {
	o.Helper()
	var list struct{ Imports []struct{ Import string } }
	o.decode(&list, "books", "imports", "--org", o.org)
	return list.Imports[0].Import
}

// question returns the ID of the first open question.
func (o operated) question() string {
	o.Helper()
	var list struct{ Questions []struct{ ID string } }
	o.decode(&list, "books", "questions", "--org", o.org)
	if len(list.Questions) == 0 {
		o.Fatal("nobody asks anything")
	}
	return list.Questions[0].ID
}

// proposal returns the ID of the first proposed transfer.
func (o operated) proposal() string {
	o.Helper()
	var list struct{ Proposals []struct{ ID string } }
	o.decode(&list, "books", "transfers", "--org", o.org)
	if len(list.Proposals) == 0 {
		o.Fatal("no transfer is proposed")
	}
	return list.Proposals[0].ID
}

// copied copies the organization to another database, whose audit then has its lines and that of
// the copy.
func (o operated) copied(to string) {
	o.Helper()
	before := o.audit("--org", o.org)
	o.must("copy", "--from", o.db, "--to", to, "--org", o.org)
	copied := operated{TB: o.TB, db: to, org: o.org}.audit()
	if len(copied) != len(before)+1 || !reflect.DeepEqual(copied[:len(before)], before) {
		o.Fatalf("of %d lines the copy has %d", len(before), len(copied))
	}
	if last := copied[len(before)]; last.Action != "copy" || last.Outcome != store.AuditDone || last.Target == nil ||
		*last.Target != o.org || last.Organization == nil || *last.Organization != o.org {
		o.Errorf("the line of the copy: %+v", last)
	}
}

func TestABackupHasTheAuditAndItself(t *testing.T) {
	o := newOperated(t)
	backup := operated{TB: t, db: filepath.Join(t.TempDir(), "backup.db"), org: o.org}

	o.must("backup", backup.db)

	lines, restored := o.audit(), backup.audit()
	if len(lines) != 2 || lines[1].Action != "backup" || lines[1].Outcome != store.AuditDone {
		t.Fatalf("the audit is %+v", lines)
	}
	lines[1].Outcome = store.AuditAttempted // as it was when the backup was made
	if !reflect.DeepEqual(restored, lines) {
		t.Errorf("the backup has %+v, want %+v", restored, lines)
	}
}

func TestABackupThatFailsIsAuditedAsFailed(t *testing.T) {
	o := newOperated(t)

	o.run("backup", o.db)

	if last := o.audit()[1]; last.Action != "backup" || last.Outcome != store.AuditFailed {
		t.Errorf("%+v", last)
	}
}

func TestRowsOfTheAuditFitEightyColumns(t *testing.T) {
	o := newOperated(t)
	o.with(func(svc *service.Service, _ store.OrgKey) {
		for _, e := range []store.AuditEntry{
			{
				Actor: "an-operator-with-a-long-name@a-machine-with-a-long-name", Way: store.WayAdmin,
				Action: "books questions answer",
			},
			{Actor: "SHA256:uNiVztksCsDhcc0u9e8BrSxxc0X7kYhBbQKZ4ZmT0gE", Way: store.WaySSH, Action: "rotateWebhookSecret"},
			{Actor: o.org, Way: store.WayLocal, Action: "import"},
		} {
			e.At, e.OrgPublicID, e.Target, e.Address = time.Now(), o.org, o.org, "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"
			ctx := store.WithAudit(t.Context(), &store.Audit{AuditEntry: e})
			if err := errors.Join(svc.Store().BeginAudit(ctx), svc.Store().EndAudit(ctx, errors.New("failed"))); err != nil {
				t.Fatal(err)
			}
		}
	})

	rows := strings.Split(o.must("audit"), "\n")

	for _, row := range rows {
		if utf8.RuneCountInString(row) > 80 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(row), row)
		}
	}
	wanted := []string{"an-operator-…  books questions…", "SHA256:…mT0gE  rotateWebhookSe…", "org_…"}
	for n, want := range wanted {
		if !strings.Contains(rows[n+2], want) || !strings.HasSuffix(rows[n+2], o.org[len(o.org)-6:]) {
			t.Errorf("%q lacks %q, or the end of the target", rows[n+2], want)
		}
	}
}
