//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"tarmac/internal/testsupport/testterminal"
)

const cafeLine = "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260915<TRNAMT>-12.50<FITID>2<NAME>Cafe</STMTTRN>"

// openBooks imports a statement into new books, and returns their environment and the path of
// another statement with one more line.
func openBooks(t *testing.T) (environ []string, more string) {
	t.Helper()
	set, _ := withBooks(t)
	environ = []string{"XDG_DATA_HOME=" + set["XDG_DATA_HOME"]}
	r := tarmac(t, set, "import", "--name", "Harbour Works", "--yes", statementFile(t, "a.qfx", rentLine))
	if r.code != 0 {
		t.Fatalf("import: exit %d, %q", r.code, r.stderr)
	}
	return environ, statementFile(t, "more.qfx", rentLine+cafeLine)
}

func TestThePageBooksImportsAndUndoes(t *testing.T) {
	t.Parallel()
	environ, more := openBooks(t)
	term := startTerminal(t, 100, 30, environ)
	term.until(`Harbour Works`, `● live`)

	term.press("9")
	term.until(`…6789`, `1,000\.00 USD`, `a\.qfx`)
	term.press("n")
	term.until(`Files  ~/Downloads`)
	term.press(strings.TrimSuffix(more, ".qfx"), "tab")
	term.until(regexp.QuoteMeta(filepath.Base(more)))
	term.press("enter")
	term.until(`1 file: 1 new line; 1 was already there`, `Import 1 file\?`)
	term.press("y")
	term.until(`✓ Imported as imp_`, `more\.qfx`)
	term.press("4")
	term.until(`Cafe`)
	term.press("9", "tab", "u")
	term.until(`Removes 1 line of 1 file`)
	term.press("y")
	term.until(`✓ Undone: 1 line of 1 file removed`)
	term.press("4")
	term.untilGone(`Cafe`)
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// What would be written to a removed file would be lost with it.
func TestBooksWhoseFileIsGoneTakeNoImport(t *testing.T) {
	t.Parallel()
	environ, more := openBooks(t)
	term := startTerminal(t, 120, 30, environ)
	term.until(`Harbour Works`, `● live`)
	term.press("9")
	term.until(`1,000\.00 USD`)
	file := filepath.Join(strings.TrimPrefix(environ[0], "XDG_DATA_HOME="), "tarmac", "books.db")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}

	term.press("n")
	term.until(`Files  ~/Downloads`)
	term.press(more, "enter")
	term.until(`(?s)was removed or.*replaced`, `(?s)tarmac books.*restore`)
	term.press("esc")
	term.untilGone(`1 Files`)
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// Old terminals answer no queries: of their colours, modes or keys.
func TestATerminalThatAnswersNothingShowsThePages(t *testing.T) {
	t.Parallel()
	environ, _ := openBooks(t)
	mute := testterminal.StartMute(t, program(t, environ), 80, 24)
	term := &terminal{mute, t, mute.Cmd, mute.Done(), mute.Changed()}

	text := term.until(`Harbour Works`, `● live`)
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
		t.Errorf("the screen has what no terminal shows: %q", text)
	}
	term.press("9")
	term.until(`1,000\.00 USD`)
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestTheLineModeImportsAndUndoes(t *testing.T) {
	t.Parallel()
	environ, more := openBooks(t)

	r, _ := typing(t, environ,
		"books\nopen 1\nimport "+more+"\ny\ntransactions\nundo imp_0\nimport "+more+".gone\nhelp\n", "--plain")

	for _, want := range []string{
		"121000358 …6789, operating, balance 1,000.00 USD on 2026-09-30", "Covered: 2026-09-01 to 2026-09-30.",
		"September 2026: 30 days covered, 1 line, in ",
		"1 file: 2 lines, 1 new, 1 known", "Import 1 file? y/n: y\nImported as imp_", "Cafe",
		"Cannot undo imp_0: ", "no such file", "books, own books: accounts and imports.",
		"import FILE…, preview files and import them.",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not said:\n%s", want, r.stdout)
		}
	}
	if r.code != 0 {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
	id := regexp.MustCompile(`imp_[0-9A-Z]{26}`).FindAllString(r.stdout, -1)
	r, _ = typing(t, environ, "undo "+id[len(id)-1]+"\nyes\ntransactions\n", "--plain")
	if _, after, ok := strings.Cut(r.stdout, "Undone: 1 line of 1 file removed."); !ok || strings.Contains(after, "Cafe") {
		t.Errorf("after undo:\n%s", r.stdout)
	}
	r, _ = typing(t, environ, "import "+more+"\nhelp\n", "--plain", "--read-only")
	if !strings.Contains(r.stdout, "Unknown command") || strings.Contains(r.stdout, "import FILE…, preview") {
		t.Errorf("a read-only session:\n%s", r.stdout)
	}
}

func TestImportedReceivablesAreExplainedInLineMode(t *testing.T) {
	environ, _ := openBooks(t)
	list := filepath.Join(t.TempDir(), "open.csv")
	content := "As of September 10, 2026\n\nNumber,Customer,Issued,Due,Currency,Amount due\n" +
		"INV-8,Other Ltd,2026-08-01,2026-09-01,USD,300.00\n"
	if err := os.WriteFile(list, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}

	r, _ := typing(t, environ, "import "+list+"\ny\nreceivables\nopen 1\n", "--plain")

	if !strings.Contains(r.stdout, "1: Other Ltd, $300.00") ||
		!strings.Contains(r.stdout, "No invoices overdue, matching Other Ltd (search without text clears the search). "+
			"What is owed here was imported as open items") {
		t.Errorf("it said:\n%s", r.stdout)
	}
}

func TestCashThatLeavesAnAccountOutIsMarked(t *testing.T) {
	environ, _ := openBooks(t)
	unrated := filepath.Join(t.TempDir(), "unrated.csv")
	content := "Date,Description,Amount,Balance,Account,Currency\n2026-09-03,Coffee,-4.50,995.50,77123456,GEL\n" +
		"2026-09-25,Rent,-500.00,495.50,77123456,GEL\n"
	if err := os.WriteFile(unrated, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}

	r, _ := typing(t, environ, "import "+unrated+"\ny\noverview\n", "--plain")

	if want := "Cash on hand: $1,000.00 (partial), "; !strings.Contains(r.stdout, want) {
		t.Errorf("%q is not said:\n%s", want, r.stdout)
	}
	if want := "Accounts without an exchange rate are left out: …3456 in GEL."; !strings.Contains(r.stdout, want) {
		t.Errorf("%q is not said:\n%s", want, r.stdout)
	}
	term := startTerminal(t, 100, 30, environ)
	term.until(`cash without …3456 in GEL`, `\$1,000\.00 °`)
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

const (
	adaLine  = "<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260903<TRNAMT>25000.00<FITID>3<NAME>Ada Ventures</STMTTRN>"
	blueLine = "<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260904<TRNAMT>30000.00<FITID>4<NAME>Blue Capital</STMTTRN>"
)

func TestThePageBooksAsksWhatAnImportLeavesOpen(t *testing.T) {
	t.Parallel()
	environ, _ := openBooks(t)
	funded := statementFile(t, "funded.qfx", rentLine+adaLine+blueLine)
	term := startTerminal(t, 120, 30, environ)
	term.until(`Harbour Works`, `● live`)
	term.press("9")
	term.until(`…6789`, `a\.qfx`)
	term.press("n")
	term.until(`Files  ~/Downloads`)
	term.press(funded, "enter")
	term.until(`Import 1 file\?`)
	term.press("y")
	term.until(`2 open questions: a`)

	term.press("a")
	term.until(`Question 1 of 2`, `25,000\.00 USD from Ada Ventures`, `1 yes  financing`, `2 no   earned`)
	term.press("n")
	term.until(`✓ Answered no: earned: it counts in burn\. 1 transaction changed\.`, `Question 2 of 2`, `Blue Capital`)
	term.press("enter")

	term.until(`1 question answered, 1 left\.`, `1 question to answer: a`)
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	set := map[string]string{"XDG_DATA_HOME": strings.TrimPrefix(environ[0], "XDG_DATA_HOME=")}
	left := tarmac(t, set, "books", "questions")
	if strings.Contains(left.stdout, "Ada") || !strings.Contains(left.stdout, "Blue Capital") {
		t.Errorf("questions: exit %d, %q, %q", left.code, left.stdout, left.stderr)
	}
	if audit := tarmac(t, set, "books", "audit", "--json"); !strings.Contains(audit.stdout, "books questions answer") {
		t.Errorf("the audit has no answer: %q, %q", audit.stdout, audit.stderr)
	}
}

func TestTheLineModeAsksWhatAnImportLeavesOpen(t *testing.T) {
	environ, _ := openBooks(t)
	funded := statementFile(t, "funded.qfx", rentLine+adaLine+blueLine)

	r, _ := typing(t, environ, "import "+funded+"\ny\nquestions\nanswer 2 no\nbooks\nquestions\n", "--plain")

	_, after, _ := strings.Cut(r.stdout, "Answered no: earned: it counts in burn. 1 transaction changed.")
	for _, want := range []string{"1 question to answer: type questions.", "1: 25,000.00 USD from Ada Ventures"} {
		if !strings.Contains(after, want) {
			t.Errorf("%q is not said after the answer:\n%s", want, r.stdout)
		}
	}
	if !strings.Contains(r.stdout, "2 open questions: type questions.") || strings.Contains(after, "Blue") || r.code != 0 {
		t.Errorf("exit %d, %s\n%s", r.code, r.stderr, r.stdout)
	}
}
