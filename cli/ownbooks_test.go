package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/internal/testsupport/testprogram"
)

func statementFile(t *testing.T, name, lines string) string {
	t.Helper()
	return testprogram.StatementFile(t, name, lines)
}

const rentLine = testprogram.RentLine

// withBooks returns the environment of a user with own books in a new directory.
func withBooks(t *testing.T) (environ map[string]string, database string) {
	t.Helper()
	return testprogram.NoBooks(t)
}

func TestOwnBooksAreCreatedByTheFirstImportAndUndone(t *testing.T) {
	environ, database := withBooks(t)
	file := statementFile(t, "a.qfx", rentLine)

	imported := tarmac(t, environ, "import", "--yes", file)
	if imported.code != 0 || !strings.Contains(imported.stdout, "…6789 USD, 2026-09-02 to 2026-09-02: 1 line (1 new)") {
		t.Fatalf("import: exit %d, %q, %q", imported.code, imported.stdout, imported.stderr)
	}
	id := regexp.MustCompile(`imp_[0-9A-Z]{26}`).FindString(imported.stdout)
	if info, err := os.Stat(database); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the database: %v, %v", info, err)
	}
	accounts := tarmac(t, environ, "books")
	if !strings.Contains(accounts.stdout, "1,000.00") || !strings.Contains(accounts.stdout, "2026-09-01 to 2026-09-30") {
		t.Errorf("books: %q, %q", accounts.stdout, accounts.stderr)
	}
	if list := tarmac(t, environ, "books", "imports"); !strings.Contains(list.stdout, id) {
		t.Errorf("books imports: %q, %q", list.stdout, list.stderr)
	}
	if undone := tarmac(t, environ, "books", "undo", id); undone.code != 0 {
		t.Errorf("books undo: exit %d, %q", undone.code, undone.stderr)
	}
	if list := tarmac(t, environ, "books", "imports", "--json"); strings.TrimSpace(list.stdout) != `{"imports":[]}` {
		t.Errorf("books imports: %q, %q", list.stdout, list.stderr)
	}
	for _, list := range [][]string{{"books"}, {"books", "imports"}} {
		if r := tarmac(t, environ, list...); !strings.Contains(r.stdout, "The books are empty. Import") {
			t.Errorf("%v: %q, %q", list, r.stdout, r.stderr)
		}
	}
	if again := tarmac(t, environ, "books", "undo", id); again.code != 4 || !strings.Contains(again.stderr, id) {
		t.Errorf("books undo again: exit %d, %q", again.code, again.stderr)
	}
}

func TestImportingAFileAgainSaysThatNothingChanged(t *testing.T) {
	environ, _ := withBooks(t)
	file := statementFile(t, "a.qfx", rentLine)
	first := tarmac(t, environ, "import", "--yes", file)

	again := tarmac(t, environ, "import", "--yes", file)

	if first.code != 0 || !strings.Contains(first.stdout, "Imported as imp_") {
		t.Errorf("first: exit %d, %q, %q", first.code, first.stdout, first.stderr)
	}
	if again.code != 0 || !strings.Contains(again.stdout, "Nothing changed: the line was in the books already.") ||
		strings.Contains(again.stdout, "Imported as") {
		t.Errorf("again: exit %d, %q, %q", again.code, again.stdout, again.stderr)
	}
}

func TestADryRunKeepsNothing(t *testing.T) {
	environ, database := withBooks(t)

	r := tarmac(t, environ, "import", "--dry-run", "--json", statementFile(t, "a.qfx", rentLine))

	var report struct {
		Import *string `json:"import"`
		Files  []struct {
			Statements []struct {
				Transactions int   `json:"transactions"`
				Outflow      int64 `json:"outflow_minor"`
			} `json:"statements"`
		} `json:"files"`
	}
	err := json.Unmarshal([]byte(r.stdout), &report)
	if err != nil || r.code != 0 || report.Import != nil || report.Files[0].Statements[0].Outflow != 50000 {
		t.Errorf("exit %d, %q, %q, %v", r.code, r.stdout, r.stderr, err)
	}
	if _, err := os.Stat(database); !os.IsNotExist(err) {
		t.Errorf("the dry run made the books: %v", err)
	}
}

func TestAnImportThatCannotAskSaysHowToGoOn(t *testing.T) {
	environ, database := withBooks(t)

	r := tarmac(t, environ, "import", statementFile(t, "a.qfx", rentLine))

	if r.code != 2 || !strings.Contains(r.stderr, "--dry-run") || !strings.Contains(r.stderr, "--yes") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if _, err := os.Stat(database); !os.IsNotExist(err) {
		t.Errorf("the books exist: %v", err)
	}
}

func TestAFileThatCannotBeImportedIsNamedInOneLine(t *testing.T) {
	environ, _ := withBooks(t)
	good := statementFile(t, "good.qfx", rentLine)
	damaged := statementFile(t, "damaged.qfx", "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260231<TRNAMT>-5<FITID>1</STMTTRN>")
	pdf := filepath.Join(t.TempDir(), "invoice.pdf")
	if err := os.WriteFile(pdf, banks.PDF(t), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		files []string
		want  []string
	}{
		"damaged among others": {[]string{good, damaged}, []string{damaged, "20260231", "nothing was imported"}},
		"missing":              {[]string{good + ".gone"}, []string{"good.qfx.gone", "no such file"}},
		"a directory":          {[]string{t.TempDir()}, []string{"is a folder", "folder/*"}},
		"a PDF alone":          {[]string{pdf}, []string{"invoice.pdf", "is a PDF, whose lines"}},
	} {
		r := tarmac(t, environ, append([]string{"import", "--yes"}, test.files...)...)

		if r.code != 1 || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
		for _, part := range test.want {
			if !strings.Contains(r.stderr, part) {
				t.Errorf("%s: %q lacks %q", name, r.stderr, part)
			}
		}
	}
	if list := tarmac(t, environ, "books"); list.code != 1 && !strings.Contains(list.stdout, "ACCOUNT") {
		t.Errorf("books: exit %d, %q", list.code, list.stderr)
	}
}

func TestBooksThatDoNotExistSayHowToBegin(t *testing.T) {
	environ, _ := withBooks(t)

	r := tarmac(t, environ, "books")

	if r.code != 1 || !strings.Contains(r.stderr, "tarmac import FILE…") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
}

func TestAnOperatorImportsIntoAnOrganization(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	org := must(t, "admin", "--db", db, "org", "create", "Northlight Labs")

	imported := must(t, "admin", "--db", db, "import", "--org", org, "--yes", statementFile(t, "a.qfx", rentLine))

	if !strings.Contains(imported, "1 line (1 new)") {
		t.Errorf("import printed %q", imported)
	}
	if accounts := must(t, "admin", "--db", db, "books", "--org", org); !strings.Contains(accounts, "1,000.00") {
		t.Errorf("books printed %q", accounts)
	}
	id := regexp.MustCompile(`imp_[0-9A-Z]{26}`).FindString(imported)
	must(t, "admin", "--db", db, "books", "undo", "--org", org, id)
	for _, args := range [][]string{
		{"admin", "--db", db, "import", "--yes", "a.qfx"},
		{"admin", "--db", db, "import", "--org", org, "--name", "Other", "--yes", statementFile(t, "b.qfx", rentLine)},
	} {
		if r := tarmac(t, nil, args...); r.code != 2 {
			t.Errorf("tarmac %s: exit %d, %q", strings.Join(args, " "), r.code, r.stderr)
		}
	}
}

func TestLinesOfOwnBooksAreListed(t *testing.T) {
	environ, _ := withBooks(t)
	tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))

	r := tarmac(t, environ, "books", "lines", "--account", "6789", "--json")

	var listed struct {
		Lines []map[string]any `json:"lines"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &listed); err != nil || r.code != 0 || len(listed.Lines) != 1 {
		t.Fatalf("exit %d, %q, %q, %v", r.code, r.stdout, r.stderr, err)
	}
	line := listed.Lines[0]
	for name, want := range map[string]any{
		"account": "…6789", "date": "2026-09-02", "amount_minor": 50000.0, "direction": "outflow", "currency": "USD",
		"counterparty": "Landlord", "description": "", "status": "booked", "transfer": false,
	} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	if len(line) != 11 || !strings.HasPrefix(line["transaction"].(string), "txn_") {
		t.Errorf("the line is %v", line)
	}
	if none := tarmac(t, environ, "books", "lines", "--from", "2026-10-01"); none.code != 0 ||
		!strings.Contains(none.stderr, "No line matches.") {
		t.Errorf("exit %d, %q, %q", none.code, none.stdout, none.stderr)
	}
	if none := tarmac(t, environ, "books", "lines", "--from", "2026-10-01", "--json"); none.stdout != "{\"lines\":[]}\n" {
		t.Errorf("%q, %q", none.stdout, none.stderr)
	}
	if gone := tarmac(t, environ, "books", "lines", "--account", "0000"); gone.code != 4 ||
		!strings.Contains(gone.stderr, "there are …6789 (USD)") {
		t.Errorf("exit %d, %q", gone.code, gone.stderr)
	}
	table := tarmac(t, environ, "books", "lines")
	if !strings.Contains(table.stdout, "-500.00  USD  Landlord") {
		t.Errorf("%q", table.stdout)
	}
	if csv := tarmac(t, environ, "books", "lines", "--csv"); !strings.Contains(csv.stdout, ",50000,500.00,outflow,USD,") {
		t.Errorf("%q", csv.stdout)
	}
}

// withoutBalance removes the balance from a file of statementFile.
func withoutBalance(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		text = regexp.MustCompile("<LEDGERBAL>.*</LEDGERBAL>").ReplaceAll(text, nil)
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestABalanceIsStatedAfterTheImport(t *testing.T) {
	environ, _ := withBooks(t)
	file := statementFile(t, "a.qfx", rentLine)
	withoutBalance(t, file)
	tarmac(t, environ, "import", "--yes", file)
	for _, args := range [][]string{{"9999", "5", "2026-09-30"}, {"6789", "1,5", "2026-09-30"}, {"6789", "5"}} {
		r := tarmac(t, environ, append([]string{"books", "balance"}, args...)...)

		if r.code != 2 || !strings.HasPrefix(r.stderr, "tarmac: ") {
			t.Errorf("%q: exit %d, %q", args, r.code, r.stderr)
		}
	}

	r := tarmac(t, environ, "books", "balance", "6789", "-1,500", "2026-09-30")

	if r.code != 0 || !strings.Contains(r.stdout, "tarmac books undo imp_") {
		t.Errorf("exit %d, %q, %q", r.code, r.stdout, r.stderr)
	}
	if list := tarmac(t, environ, "books"); !strings.Contains(list.stdout, "-1,500.00") {
		t.Errorf("books: %q, %q", list.stdout, list.stderr)
	}
}

func TestABalanceIsStatedAtTheImport(t *testing.T) {
	environ, _ := withBooks(t)
	file := statementFile(t, "a.qfx", rentLine)
	withoutBalance(t, file)
	for balance, want := range map[string]string{
		"1500": "has a day", "much@2026-09-30": "must be an amount", "5@2099-01-01": "in the future",
	} {
		r := tarmac(t, environ, "import", "--yes", "--balance", balance, file)

		if r.code != 2 || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit %d, %q", balance, r.code, r.stderr)
		}
	}

	r := tarmac(t, environ, "import", "--yes", "--balance", "-1,500@2026-09-30", file)

	if r.code != 0 {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if list := tarmac(t, environ, "books"); !strings.Contains(list.stdout, "-1,500.00") {
		t.Errorf("books: %q, %q", list.stdout, list.stderr)
	}
}
