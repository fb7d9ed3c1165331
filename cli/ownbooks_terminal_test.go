//go:build unix

package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTheFirstImportAsksTheCompanysName(t *testing.T) {
	file := statementFile(t, "a.qfx", rentLine)
	shell := startTerminal(t, 120, 24, nil, "import", file)
	shell.until(`Type the name \[My company\]`)
	shell.press("yes", "enter")
	shell.until(`"yes" is hardly a company's name`)
	shell.press("Fennel & Thyme", "enter")
	shell.until(`Import\? \[y/N\]`)
	shell.press("y", "enter")
	shell.until(`Imported as imp_\w+\. 1 file: 1 line, 1 new`)
	if code := shell.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if n := strings.Count(shell.output(), "a.qfx (ofx)"); n != 1 {
		t.Errorf("the report is there %d times", n)
	}

	database := filepath.Join(shell.cmd.Dir, ".local/share/tarmac/books.db")
	if list := must(t, "admin", "--db", database, "org", "list"); !strings.Contains(list, "Fennel & Thyme") {
		t.Errorf("organizations: %q", list)
	}
}

func TestAnImportAsksAboutLargePayments(t *testing.T) {
	shell := startTerminal(t, 120, 40, nil, "import", statementFile(t, "a.qfx", roundLine))
	shell.until(`Type the name`)
	shell.press("enter")
	shell.until(`Import\? \[y/N\]`)
	shell.press("y", "enter")
	shell.until("or nothing to answer later")
	shell.press("?", "enter")
	shell.until("That is none of yes, no.")
	shell.press("n", "enter")
	shell.until("Answered no: earned: it counts in burn.")
	if code := shell.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestAnImportAsksForABalanceThatNoFileSays(t *testing.T) {
	file := statementFile(t, "a.qfx", rentLine)
	withoutBalance(t, file)
	shell := startTerminal(t, 120, 24, nil, "import", "--name", "Fennel & Thyme", file)
	shell.until(`…6789: what was its balance in USD after the last payment`)
	shell.press("1,5@2026-09-30", "enter")
	shell.until("must be an amount")
	shell.press("1,500@2026-09-30", "enter")
	shell.until(`Import\? \[y/N\]`)
	shell.press("y", "enter")
	shell.until("Imported as imp_")
	if code := shell.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}

	environ := map[string]string{"XDG_DATA_HOME": filepath.Join(shell.cmd.Dir, ".local/share")}
	if list := tarmac(t, environ, "books"); !strings.Contains(list.stdout, "1,500.00") {
		t.Errorf("books: %q, %q", list.stdout, list.stderr)
	}
}

func TestProposedTransfersAreAskedAbout(t *testing.T) {
	environ, _ := withBooks(t)
	environ["XDG_CONFIG_HOME"] = t.TempDir()
	first, second := transferFiles(t)
	if r := tarmac(t, environ, "import", "--yes", first, second); r.code != 0 {
		t.Fatalf("import: exit %d, %q", r.code, r.stderr)
	}
	var variables []string
	for name, value := range environ {
		variables = append(variables, name+"="+value)
	}

	shell := startTerminal(t, 120, 40, variables, "books", "transfers")
	shell.until("reached …4321 on 2026-09-03")
	shell.press("n", "enter")
	shell.until("2 transactions changed.")
	shell.ended()

	shell = startTerminal(t, 120, 40, variables, "books", "transfers")
	shell.until("No transfers between your accounts.")
	if code := shell.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}
