package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarmac/internal/testsupport/journaltools"
)

func TestOwnBooksAreExportedToAFile(t *testing.T) {
	environ, _ := withBooks(t)
	tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))
	path := filepath.Join(t.TempDir(), "company.journal")

	r := tarmac(t, environ, "books", "export", "--format", "hledger", path)

	journal, err := os.ReadFile(path)
	if err != nil || r.code != 0 || !strings.Contains(string(journal), "\n2026-09-02 * Landlord\n") ||
		!strings.Contains(r.stdout, "1 account, 2 transactions") {
		t.Errorf("exit %d, %q, %q, %v\n%s", r.code, r.stdout, r.stderr, err, journal)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	again := tarmac(t, environ, "books", "export", "--format", "beancount", path)
	if kept, err := os.ReadFile(path); err != nil || again.code != 1 || string(kept) != string(journal) ||
		!strings.Contains(again.stderr, "--force") {
		t.Errorf("exit %d, %q, %v", again.code, again.stderr, err)
	}
	forced := tarmac(t, environ, "books", "export", "--format", "beancount", "--force", "--json", path)
	var exported struct {
		File                   string
		Accounts, Transactions int
		Notes                  []string
	}
	if err := json.Unmarshal([]byte(forced.stdout), &exported); err != nil || forced.code != 0 || exported.File != path ||
		exported.Accounts != 1 || exported.Transactions != 2 || exported.Notes == nil {
		t.Errorf("exit %d, %q, %q, %v", forced.code, forced.stdout, forced.stderr, err)
	}
}

func TestOwnBooksAreExportedToStandardOutput(t *testing.T) {
	environ, _ := withBooks(t)
	tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))

	r := tarmac(t, environ, "books", "export", "--format", "csv", "-")

	row := "2026-09-02,assets:bank:6789,USD,-50000,-500.00,1000.00,transaction,Landlord"
	if r.code != 0 || !strings.Contains(r.stdout, row) {
		t.Errorf("exit %d, %q, %q", r.code, r.stdout, r.stderr)
	}
}

func TestExportsOfOwnBooksHoldThePersonsCategoriesAndNotes(t *testing.T) {
	journaltools.Need(t, "hledger")
	environ, _ := withBooks(t)
	environ["XDG_STATE_HOME"] = t.TempDir()
	mustAt(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))
	var listed struct{ Data []struct{ ID string } }
	must := func(args ...string) string {
		t.Helper()
		return mustAt(t, environ, append(args, "--profile", "own books")...)
	}
	err := json.Unmarshal([]byte(must("transactions", "list", "--json")), &listed)
	if err != nil || len(listed.Data) != 1 {
		t.Fatal(listed, err)
	}
	id := listed.Data[0].ID
	must("transactions", "category", id, "Office & space")
	must("transactions", "note", id, "paid late, date:2020-01-01 [2020-02-02]")
	journal := filepath.Join(t.TempDir(), "company.journal")

	mustAt(t, environ, "books", "export", "--format", "hledger", journal)
	table := mustAt(t, environ, "books", "export", "--format", "csv", "-")

	hledger := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "hledger", append(args, "-f", journal)...).Output()
		if err != nil {
			t.Error(err)
		}
		return string(out)
	}
	line := `"2026-09-02","","Landlord","expenses:Office & space"`
	if got := hledger("register", "-O", "csv", "expenses"); !strings.Contains(got, line) {
		t.Errorf("hledger reads\n%s", got)
	}
	if got := hledger("tags", "--values", "note"); got != "paid late; date:2020-01-01 (2020-02-02)\n" {
		t.Errorf("hledger's note is %q", got)
	}
	if want := ",Office & space,," + id + `,"paid late, date:2020-01-01 [2020-02-02]"`; !strings.Contains(table, want) {
		t.Errorf("CSV is\n%s", table)
	}
	damageNotes(t, environ["XDG_STATE_HOME"])
	r := tarmac(t, environ, "books", "export", "--format", "csv", "-")
	if r.code != 0 || strings.Contains(r.stdout, "Office") ||
		!strings.Contains(r.stderr, "Categories and notes could not be read: ") {
		t.Errorf("exit %d, %q, %q", r.code, r.stdout, r.stderr)
	}
}

// damageNotes makes the files of categories and notes unreadable.
func damageNotes(t *testing.T, stateHome string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(stateHome, "tarmac", "annotations-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnExportThatCannotBeWrittenSaysWhy(t *testing.T) {
	environ, _ := withBooks(t)
	tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))
	dir := t.TempDir()
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no file":        {[]string{"--format", "csv"}, 2, "needs the file"},
		"no format":      {[]string{dir + "/a"}, 2, "hledger, beancount or csv"},
		"another format": {[]string{"--format", "gnucash", dir + "/a"}, 2, "gnucash"},
		"no directory":   {[]string{"--format", "csv", dir + "/none/a"}, 1, "no such file"},
		"a directory":    {[]string{"--format", "csv", "--force", dir}, 1, "is a directory"},
		"JSON of it":     {[]string{"--format", "csv", "--json", "-"}, 2, "--json"},
	} {
		r := tarmac(t, environ, append([]string{"books", "export"}, test.args...)...)

		if r.code != test.code || !strings.Contains(r.stderr, test.want) {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRatesOfOwnBooksSayWhatToDownload(t *testing.T) {
	environ, _ := withBooks(t)
	tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))

	none := tarmac(t, environ, "books", "rates")
	euros := filepath.Join(t.TempDir(), "euros.csv")
	content := "Date,Description,Amount,Balance\n2026-09-01,Rent,-10.00,90.00\n"
	if err := os.WriteFile(euros, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	tarmac(t, environ, "import", "--yes", "--account", "Euros", "--currency", "EUR", "--sign", "out-negative", euros)
	missing := tarmac(t, environ, "books", "rates")

	if none.code != 0 || none.stdout != "There are no exchange rates, and nothing needs one.\n" {
		t.Errorf("exit %d, %q, %q", none.code, none.stdout, none.stderr)
	}
	want := "Euros EUR: no rate for 1 line (2026-09-01) and the balance; " +
		"download the rates of the European Central Bank, https://"
	if missing.code != 0 || !strings.HasPrefix(missing.stdout, want) {
		t.Errorf("exit %d, %q, %q", missing.code, missing.stdout, missing.stderr)
	}
}
