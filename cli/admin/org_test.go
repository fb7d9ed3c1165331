package admin_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestOrganizationsAndOwnersAsJSON(t *testing.T) {
	o := newOperated(t)
	created := o.object("org", "create", "Łukasz <& Co>")
	if id, _ := created["id"].(string); !regexp.MustCompile(`^org_[0-9A-Z]{26}$`).MatchString(id) ||
		created["name"] != "Łukasz <& Co>" ||
		created["owner_name"] != nil || created["owner_email"] != nil ||
		!strings.HasSuffix(created["created_at"].(string), "Z") || len(created) != 10 {
		t.Errorf("org create --json: %v", created)
	}
	if list := o.list("org", "list"); len(list) != 2 || list[0]["id"] != o.org || !reflect.DeepEqual(list[1], created) {
		t.Errorf("org list --json: %v", list)
	}
	if got := o.must("owner", "set", "--org", o.org, "--name", "Ada Palmer", "--email",
		"ada@northlight.example"); got != o.org+" owner Ada Palmer <ada@northlight.example>" {
		t.Errorf("owner set printed %q", got)
	}
	if got := o.must("org", "show", o.org); !regexp.MustCompile(`^ID +NAME +OWNER +REQUESTS +CREATED\n` + o.org +
		` +Northlight Labs +` +
		`Ada Palmer <ada@northlight.example> +- +2.*Z\n\nDrafts: 0 of 2000, 0.0 of 32 MiB$`).MatchString(got) {
		t.Errorf("org show printed:\n%s", got)
	}
	if got := o.object("org", "show", o.org); got["owner_name"] != "Ada Palmer" ||
		got["owner_email"] != "ada@northlight.example" {
		t.Errorf("org show --json: %v", got)
	}
	if got := o.object("owner", "set", "--org", o.org, "--name", "Ben", "--email",
		"ben@northlight.example"); got["owner_name"] != "Ben" {
		t.Errorf("owner set --json: %v", got)
	}
	if got := o.object("owner", "clear", "--org", o.org); got["owner_name"] != nil || got["owner_email"] != nil {
		t.Errorf("owner clear --json: %v", got)
	}
	if got := o.must("owner", "clear", "--org", o.org); got != o.org+" without owner" {
		t.Errorf("owner clear printed %q", got)
	}
}

func TestTheRequestsOfAnOrganizationAreLimitedAndSetFree(t *testing.T) {
	o := newOperated(t)
	if got := o.must("org", "limit", o.org, "--requests", "600"); got != o.org+
		" requests 600/min, drafts 2000 of 32 MiB" {
		t.Errorf("org limit printed %q", got)
	}
	if got := o.must("org", "list"); !regexp.MustCompile(o.org + ` .* 600/min +2`).MatchString(got) {
		t.Errorf("org list printed:\n%s", got)
	}
	if got := o.object("org", "show", o.org); got["requests_per_minute"] != 600.0 {
		t.Errorf("org show --json: %v", got)
	}
	if got := o.object("org", "limit", o.org, "--requests", "default"); got["requests_per_minute"] != nil {
		t.Errorf("org limit --json: %v", got)
	}
	for _, wrong := range []string{"0", "-1", "many", "1000001", ""} {
		o.refused(2, "--requests must be a number of requests a minute from 1 to 1000000, or default",
			"org", "limit", o.org, "--requests="+wrong)
	}
	o.refused(2, "needs --requests, --drafts or --draft-mib", "org", "limit", o.org)
	o.refused(4, "no such record", "org", "limit", "org_01ARZ3NDEKTSV4RRFFQ69G5FAV", "--requests", "5")
}

func TestTheDraftsOfAnOrganizationAreLimited(t *testing.T) {
	o := newOperated(t)
	o.draft("USD")
	if got := o.must("org", "limit", o.org, "--drafts", "5", "--draft-mib", "3"); got != o.org+
		" requests -, drafts 5 of 3 MiB" {
		t.Errorf("org limit printed %q", got)
	}
	if got := o.object("org", "show", o.org); got["drafts"] != 1.0 || got["max_drafts"] != 5.0 ||
		got["max_draft_bytes"] != 3.0*1024*1024 || got["draft_bytes"] == 0.0 {
		t.Errorf("org show --json: %v", got)
	}
	if got := o.must("org", "show", o.org); !strings.HasSuffix(got, "Drafts: 1 of 5, 0.0 of 3 MiB") {
		t.Errorf("org show printed:\n%s", got)
	}
	if got := o.object("org", "limit", o.org, "--drafts", "default"); got["max_drafts"] != 2000.0 ||
		got["max_draft_bytes"] != 3.0*1024*1024 {
		t.Errorf("org limit --json: %v", got)
	}
	o.refused(2, "--drafts must be a number of drafts from 1 to 50000, or default", "org", "limit", o.org, "--drafts=0")
}

func TestTokensAsJSON(t *testing.T) {
	o := newOperated(t)
	created := o.object("token", "create", "--org", o.org, "--scope", "payments:read,account:read", "--expires", "90d")
	secret, _ := created["token"].(string)
	if !regexp.MustCompile(`^svc_org_[0-9A-Za-z]{36}$`).MatchString(secret) || created["org_id"] != o.org ||
		len(created) != 5 ||
		!reflect.DeepEqual(created["scopes"], []any{"account:read", "payments:read"}) ||
		!strings.HasSuffix(created["expires_at"].(string), "Z") {
		t.Errorf("token create --json: %v", created)
	}
	if forever := o.object("token", "create", "--org", o.org, "--scope", "account:read"); forever["expires_at"] != nil {
		t.Errorf("a token without an end: %v", forever)
	}
	id := created["id"].(string)
	if got := o.object("token", "revoke", id); !reflect.DeepEqual(got, map[string]any{"id": id, "state": "revoked"}) {
		t.Errorf("token revoke --json: %v", got)
	}
	if got := o.must("token", "revoke", id); got != id+" revoked" {
		t.Errorf("token revoke printed %q", got)
	}
	list := o.list("token", "list", "--org", o.org)
	if len(list) != 2 || list[0]["id"] != id || list[0]["state"] != "revoked" || list[0]["revoked_at"] == nil ||
		list[0]["last_four"] != secret[len(secret)-4:] ||
		list[0]["expires_at"] != created["expires_at"] || list[1]["state"] != "active" || list[1]["revoked_at"] != nil {
		t.Errorf("token list --json: %v", list)
	}
	if raw := o.must("token", "list", "--org", o.org, "--json"); strings.Contains(raw, secret) {
		t.Errorf("token list --json shows a secret: %s", raw)
	}
}

func TestSeedAndBackup(t *testing.T) {
	o := newOperated(t)
	if got := o.object("seed", "--org", o.org, "--transactions", "900"); !reflect.DeepEqual(got,
		map[string]any{"org_id": o.org, "transactions": 900.0}) {
		t.Errorf("seed --json: %v", got)
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, "copy.db")
	if got := o.must("backup", copied); !regexp.MustCompile(`^` + regexp.QuoteMeta(copied) +
		` [0-9]{1,3}(,[0-9]{3})+ bytes$`).MatchString(got) {
		t.Errorf("backup printed %q", got)
	}
	info, err := os.Stat(copied)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info.Mode(), err)
	}
	o.refused(1, copied+": file already exists; name a new file", "backup", copied)
	second := filepath.Join(dir, "second.db")
	if got := o.object("backup", second); got["path"] != second || got["bytes"] != float64(info.Size()) {
		t.Errorf("backup --json: %v; the first has %d bytes", got, info.Size())
	}
	// The copy lists the same invoices as the original.
	was, is := o.must("invoice", "list", "--org", o.org, "--json"),
		operated{t, second, o.org}.must("invoice", "list", "--org", o.org, "--json")
	if was != is || len(was) < 1000 {
		t.Errorf("the copy lists\n%s\nand the original\n%s", is, was)
	}
}

func TestOperatorMistakesExitTwo(t *testing.T) {
	o := newOperated(t)
	id := o.draft("USD")
	pay := []string{"payment", "create", "--org", o.org, "--amount", "1", "--description", "d", "--counterparty", "c"}
	paid := o.must(pay...)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"invoice"}, "requires a subcommand"},
		{[]string{"invoice", "unsend", id}, `unknown command "unsend"`},
		{[]string{"invoice", "send"}, "tarmac admin invoice send needs the invoice's id, from `tarmac admin invoice list`"},
		{[]string{"invoice", "void", id, id}, "needs the invoice's id"},
		{[]string{"invoice", "list"}, "--org is missing"},
		{[]string{"invoice", "list", "--org", o.org, "--status", "open"},
			`--status must be draft, sent, paid, overdue or voided, not "open"`},
		{[]string{"invoice", "list", "--org", o.org, "--status", ""}, "--status must be draft"},
		{[]string{"invoice", "list", "--org", o.org, "--limit", "0"}, "--limit must be from 1"},
		{[]string{"invoice", "pay", id, "--amount", "12,00"},
			`--amount must be an amount of USD such as 1,200.50, not "12,00"`},
		{[]string{"invoice", "pay", id, "--amount", "-5"}, "--amount must be an amount"},
		{[]string{"invoice", "pay", id, "--amount", "0"}, "--amount must be greater than zero"},
		{[]string{"payment", "hold"}, "needs the payment's id"},
		{[]string{"payment", "hold", paid, "--reason", "fun"}, "a payment is held for awaiting_approval or step_up_required"},
		{[]string{"payment", "list", "--org", o.org, "--limit", "10001"}, "--limit must be from 1 to 10000"},
		{pay[:8], "--amount, --description and --counterparty are required"},
		{append(pay, "--amount", "1.234"), "--amount must be an amount of USD"},
		{append(pay, "--amount", "0"), "the amount must be from 1"},
		{append(pay, "--currency", "JPY", "--amount", "1.5"), "--amount must be an amount of JPY such as 120,050"},
		{append(pay, "--currency", "dollars"), "--currency must be three capital letters"},
		{append(pay, "--currency", "usd"), "the currency must be a code"},
		{append(pay, "--direction", "sideways"), `--direction must be outflow or inflow, not "sideways"`},
		{append(pay, "--hold", "fun"), "a payment is held for awaiting_approval or step_up_required"},
		{append(pay, "--description", " "), "the description must have 1 to 500 characters"},
		{[]string{"account", "open", "--org", o.org, "--locked", "much"},
			`--locked must be an amount of USD such as 1,200.50, not "much"`},
		{[]string{"account", "show"}, "--org is missing"},
		{[]string{"account", "fault", "--org", o.org}, "needs on or off"},
		{[]string{"account", "fault", "maybe", "--org", o.org}, "needs on or off"},
		{[]string{"owner", "set", "--org", o.org, "--name", "Ada"}, "--name and --email are required"},
		{[]string{"owner", "set", "--org", o.org, "--name", "Ada", "--email", "ada"},
			"the owner's e-mail address must be like"},
		{[]string{"owner", "clear"}, "--org is missing"},
		{[]string{"org", "show"}, "needs the organization's id"},
		{[]string{"webhook", "list"}, "--org is missing"},
		{[]string{"backup"}, "needs the name of a new file"},
	} {
		o.refused(2, c.says, c.args...)
	}
	if list := o.list("payment", "list", "--org", o.org); len(list) != 1 || list[0]["status"] != "processing" {
		t.Errorf("mistakes made or moved payments: %v", list)
	}
}

// A missing record exits with code 4 and a one-line error that names it, with --json too.
func TestRecordsThatThereAreNotExitFour(t *testing.T) {
	o := newOperated(t)
	for _, args := range [][]string{
		{"invoice", "send", "inv_none"}, {"invoice", "pay", "inv_none"}, {"invoice", "pay", "inv_none", "--amount", "1"},
		{"invoice", "void", "inv_none"}, {"invoice", "withhold", "inv_none"}, {"invoice", "release", "inv_none"},
		{"payment", "hold", "pi_none"}, {"payment", "approve", "pi_none"}, {"payment", "complete", "pi_none"},
		{"payment", "fail", "pi_none"},
		{"payment", "cancel", "pi_none"}, {"org", "show", "org_none"}, {"token", "revoke", "tok_none"},
		{"ssh-key", "revoke", "ssh_none"}, {"ssh-key", "list", "--org", "org_none"},
		{"ssh-key", "sessions", "--org", "org_none"},
		{"invoice", "list", "--org", "org_none"}, {"payment", "list", "--org", "org_none"},
		{"webhook", "list", "--org", "org_none"},
		{"payment", "create", "--org", "org_none", "--amount", "1", "--description", "d", "--counterparty", "c"},
		{"account", "show", "--org", "org_none"}, {"account", "open", "--org", "org_none"},
		{"account", "close", "--org", "org_none"},
		{"account", "fault", "on", "--org", "org_none"},
		{"owner", "set", "--org", "org_none", "--name", "a", "--email", "a@b.c"},
		{"owner", "clear", "--org", "org_none"},
	} {
		o.refused(4, "_none", args...)
		o.refused(4, "_none", append(args, "--json")...)
		for i, arg := range args {
			if strings.HasSuffix(arg, "_none") {
				args[i] = strings.TrimSuffix(arg, "none") + "svc_org_secret"
			}
		}
		if r := o.run(args...); r.code != 4 || strings.Contains(r.stderr+r.stdout, "secret") {
			t.Errorf("tarmac admin %s: exit %d, %q", strings.Join(args, " "), r.code, r.stderr)
		}
	}
}

func TestEveryAdminCommandHasHelpWithAnExample(t *testing.T) {
	o := newOperated(t)
	for _, args := range [][]string{
		{"org", "create"}, {"org", "list"}, {"org", "show"}, {"owner", "set"}, {"owner", "clear"},
		{"token", "create"}, {"token", "list"}, {"token", "revoke"},
		{"ssh-key", "add"}, {"ssh-key", "list"}, {"ssh-key", "sessions"}, {"ssh-key", "revoke"},
		{"invoice", "list"}, {"invoice", "send"}, {"invoice", "pay"}, {"invoice", "void"}, {"invoice", "withhold"},
		{"invoice", "release"},
		{"payment", "list"}, {"payment", "create"}, {"payment", "hold"}, {"payment", "approve"}, {"payment", "complete"},
		{"payment", "fail"}, {"payment", "cancel"},
		{"account", "show"}, {"account", "open"}, {"account", "close"}, {"account", "fault"}, {"webhook", "list"}, {"seed"},
		{"backup"},
	} {
		out := o.must(append(args, "--help")...)
		for _, want := range []string{"EXAMPLES", "tarmac admin " + strings.Join(args, " "), "--json", "--key-file", "--db"} {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("the help of %s has no %s:\n%s", strings.Join(args, " "), want, out)
			}
		}
	}
}
