package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testprogram"
)

// importedBooks returns the environment of a user with own books of one account and one
// transaction.
func importedBooks(t *testing.T) (environ map[string]string, database string) {
	t.Helper()
	environ, database = withBooks(t)
	r := tarmac(t, environ, "import", "--yes", "--name", "Fennel & Thyme", statementFile(t, "a.qfx", rentLine))
	if r.code != 0 {
		t.Fatalf("import: exit %d, %q", r.code, r.stderr)
	}
	return environ, database
}

func TestCommandsServeOwnBooksWhereNoServerIsConfigured(t *testing.T) {
	t.Parallel()
	environ, _ := importedBooks(t)
	for line, want := range map[string]string{
		"overview":             "Available     $1,000.00",
		"account --json":       `"available_cents":100000`,
		"cash-position --json": `"status":"open"`,
		"aging --json":         `"outstanding_cents":0`,
		"transactions --json":  `"counterparty_name":"Landlord"`,
		"transactions --csv":   "Landlord",
		"invoices --json":      "[]",
		"events --json":        "",
		"webhooks --json":      "[]",
		"ping --json":          `"scopes":["account:read"`,
		"whoami":               "books.db",
		"profiles":             "*  own books",
		"doctor":               "Fennel & Thyme, ",
		"report --text":        "Fennel & Thyme: ",
		"account --read-only":  "open",
		"--plain":              "profile Fennel & Thyme",
	} {
		r := tarmac(t, environ, strings.Fields(line)...)

		if r.code != 0 || !strings.Contains(r.stdout, want) {
			t.Errorf("tarmac %s: exit %d, %q, %q", line, r.code, r.stdout, r.stderr)
		}
	}
}

func TestAnInvoiceIsProposedInOwnBooks(t *testing.T) {
	environ, _ := importedBooks(t)
	propose := []string{"invoices", "propose", "--recipient-name", "Acme LLC", "--recipient-email", "pay@acme.example",
		"--description", "Consulting", "--line", "2 x 100.00 Hours"}

	proposed := tarmac(t, environ, propose...)
	refused := tarmac(t, environ, append(propose, "--read-only")...)

	if proposed.code != 0 || !strings.Contains(proposed.stdout, "$200.00") {
		t.Errorf("exit %d, %q, %q", proposed.code, proposed.stdout, proposed.stderr)
	}
	if list := tarmac(t, environ, "invoices", "--status", "draft"); strings.Count(list.stdout, "INV-") != 1 {
		t.Errorf("drafts: %q", list.stdout)
	}
	if refused.code != 2 || !strings.Contains(refused.stderr, "read-only") {
		t.Errorf("read-only: exit %d, %q", refused.code, refused.stderr)
	}
}

func TestOwnBooksAreChosenInPlaceOfAServer(t *testing.T) {
	environ, _ := importedBooks(t)
	environ["XDG_CONFIG_HOME"] = t.TempDir()
	server := map[string]string{"TARMAC_BASE_URL": "http://127.0.0.1:1", "TARMAC_TOKEN": "svc_org_x"}
	for name, value := range environ {
		server[name] = value
	}

	byFlag := tarmac(t, server, "account", "--profile", "own books")
	use := tarmac(t, environ, "profiles", "use", "own books")
	byDefault := tarmac(t, environ, "whoami")
	unreached := tarmac(t, server, "account", "--timeout", "1s")

	if byFlag.code != 0 || !strings.Contains(byFlag.stdout, "1,000.00") {
		t.Errorf("--profile: exit %d, %q", byFlag.code, byFlag.stderr)
	}
	if use.code != 0 || byDefault.code != 0 || !strings.Contains(byDefault.stdout, "own books") {
		t.Errorf("the default: exit %d, %q; then %d, %q", use.code, use.stderr, byDefault.code, byDefault.stderr)
	}
	if unreached.code != 5 {
		t.Errorf("the environment names a server: exit %d, %q", unreached.code, unreached.stderr)
	}
}

func TestErrorsOfCommandsOnOwnBooks(t *testing.T) {
	environ, _ := importedBooks(t)
	none, _ := withBooks(t)
	for name, c := range map[string]struct {
		environ map[string]string
		args    []string
		code    int
		says    []string
	}{
		"neither a server nor books": {none, []string{"account"}, 2, []string{"tarmac login", "tarmac import FILE…"}},
		"no books": {none, []string{"account", "--profile", "own books"}, 1,
			[]string{"no books yet", "tarmac import FILE…"}},
		"a dashboard without books": {none, []string{"--profile", "own books"}, 1, []string{"no books yet"}},
		"a server too": {environ, []string{"account", "--profile", "own books", "--base-url", "https://x.example"}, 2,
			[]string{"--base-url is for servers"}},
		"no such record": {environ, []string{"transactions", "get", "txn_01M7XPE6004ZAJW5REE4NVH8A5"}, 4,
			[]string{"no such transaction"}},
		"no such period": {environ, []string{"transactions", "--period", "someday"}, 2, nil},
	} {
		r := tarmac(t, c.environ, c.args...)

		if r.code != c.code {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
		for _, text := range c.says {
			if !strings.Contains(r.stderr, text) {
				t.Errorf("%s: %q lacks %q", name, r.stderr, text)
			}
		}
	}
}

// A command that runs every minute would otherwise fill the list of tokens.
func TestCommandsOnOwnBooksLeaveNoToken(t *testing.T) {
	environ, database := importedBooks(t)
	var account struct {
		OrgID string `json:"org_id"`
	}
	r := tarmac(t, environ, "account", "--json")
	if err := json.Unmarshal([]byte(r.stdout), &account); err != nil {
		t.Fatal(err)
	}

	tokens := must(t, "admin", "--db", database, "token", "list", "--org", account.OrgID)

	if strings.Contains(tokens, "tok_") {
		t.Errorf("tokens: %q", tokens)
	}
}

func TestDoctorLooksAtOwnBooks(t *testing.T) {
	p := newPerson(t)
	environ, database := importedBooks(t)
	p.env["XDG_DATA_HOME"] = environ["XDG_DATA_HOME"]

	all, problems := p.Doctor()

	if len(problems) != 0 ||
		!testprogram.Has(all, "ok", "own books", "Fennel & Thyme, "+database+", 1 account, last import 20") ||
		!testprogram.Has(all, "ok", "statements", "those of 0 of 1 account") ||
		!testprogram.Has(all, "ok", "own books", "only you") {
		t.Errorf("%+v", all)
	}
	imports := tarmac(t, environ, "books", "imports", "--json")
	id := regexp.MustCompile(`imp_[0-9A-Z]{26}`).FindString(imports.stdout)
	if undone := tarmac(t, environ, "books", "undo", id); undone.code != 0 {
		t.Fatalf("undo: exit %d, %q", undone.code, undone.stderr)
	}
	if all, _ = p.Doctor(); !testprogram.Has(all, "note", "statements", "there are none") {
		t.Errorf("after the undo: %+v", all)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, mode := range map[string]os.FileMode{filepath.Dir(database): 0o755, database: 0o640} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if _, problems = p.Doctor(); len(problems) != 2 || problems[0].Advice != "chmod 700 "+filepath.Dir(database) ||
		problems[1].Advice != "chmod 600 "+database {
		t.Errorf("problems: %+v", problems)
	}
}
