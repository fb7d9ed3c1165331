package cli_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"tarmac/internal/testsupport/banks"
	"tarmac/internal/testsupport/long"
)

// ofxLine returns a line of an OFX file.
func ofxLine(day, amount, name string) string {
	return "\n<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>" + day + "<TRNAMT>" + amount + "<FITID>1<NAME>" + name + "</STMTTRN>"
}

// ofxWith returns an OFX file with the given lines.
func ofxWith(t *testing.T, lines string) string {
	t.Helper()
	content, err := os.ReadFile(statementFile(t, "a.qfx", lines))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// zipped returns a ZIP archive of one file.
func zipped(t *testing.T, name string, content io.Reader) string {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	w, err := archive.Create(name)
	if err == nil {
		_, err = io.Copy(w, content)
	}
	if err == nil {
		err = archive.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte{'0'}, len(p))), nil }

const (
	tableHead = "Account number,00123456789\nCurrency,USD\n\nDate,Description,Amount\n"
	camtHead  = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>`
)

// unreadable is a file that cannot be imported.
type unreadable struct {
	content string
	reason  string
}

// noStatement returns whether a file is no statement, which is left out among other files.
func (u unreadable) noStatement() bool {
	return strings.HasPrefix(u.reason, "is ") && u.reason != "is empty"
}

func unreadableFiles(t *testing.T) map[string]unreadable {
	t.Helper()
	rates := io.MultiReader(strings.NewReader("Date,USD\n"), io.LimitReader(zeros{}, 80<<20))
	yen := strings.Replace(ofxWith(t, ofxLine("20260902", "-5.5", "x")), "USD", "JPY", 1)
	large, many := ofxLine("20260902", "-92233720368547758.07", "x"), ofxLine("20260902", "-11000000000000000.00", "x")
	return map[string]unreadable{
		"truncated.qfx":   {ofxWith(t, rentLine)[:280], "the file ends within"},
		"truncated.csv":   {tableHead + "2026-09-02,x,-5.00\n2026-09-15,\"x,1", "line 6: a quote is not closed"},
		"truncated.xml":   {`<?xml version="1.0"?>` + camtHead, "line 1: the file ends within <Id>"},
		"truncated.sta":   {":20:X\n:25:1/2\n:28C:1/1\n:60F:C260901EUR1,00\n:61:2609020902D5", "line 5: the file ends"},
		"empty":           {"", "is empty"},
		"binary":          {"\x00\x01\x02\x03\xff\xfe\xfd", "is no statement"},
		"picture.png":     {"\x89PNG\r\n\x1a\n\x00\x00", "is a picture"},
		"cut.pdf":         {"%PDF-1.7\n", "is a damaged PDF: get it again"},
		"invoice.pdf":     {string(banks.PDF(t)), "is a PDF, whose lines cannot be read reliably: download"},
		"login.qfx":       {"<!DOCTYPE html><html><title>Sign in</title></html>", "is a web page"},
		"statements.zip":  {zipped(t, "a.qfx", strings.NewReader("OFXHEADER:100")), "is a ZIP archive: unpack it"},
		"book.xlsx":       {zipped(t, "xl/workbook.xml", strings.NewReader("<a/>")), "Word file, which cannot be read:"},
		"bomb.zip":        {zipped(t, "eurofxref-hist.csv", rates), "more than 64 MB"},
		"bomb.xml":        {`<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>` + camtHead + "&c;", "entity is declared"},
		"entity.xml":      {`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hosts">]>` + camtHead + "&b;", "entity is declared"},
		"huge.qfx":        {ofxWith(t, ofxLine("20260902", "-99999999999999999999.00", "x")), "line 8: the amount"},
		"large.qfx":       {ofxWith(t, large), "line 8: the amount"},
		"many.qfx":        {ofxWith(t, strings.Repeat(many, 9)), "line 16: "},
		"huge.csv":        {tableHead + "2026-09-02,x,-99999999999999999999\n", "line 5: the amount"},
		"decimals.qfx":    {ofxWith(t, ofxLine("20260902", "-5.123", "x")), "line 8: the amount"},
		"yen.qfx":         {yen, "line 8: the amount"},
		"year0.qfx":       {ofxWith(t, ofxLine("00000902", "-5", "x")), "line 8: the date"},
		"year9999.qfx":    {ofxWith(t, ofxLine("99990902", "-5", "x")), "line 8: the date"},
		"february.qfx":    {ofxWith(t, ofxLine("20260231", "-5", "x")), "line 8: the date"},
		"february.csv":    {tableHead + "2026-02-31,x,-5.00\n2026-09-15,x,1.00\n", "line 5: the date"},
		"no-currency.qfx": {strings.Replace(ofxWith(t, rentLine), "USD", "XQX", 1), `line 7: "XQX" is not a currency`},
	}
}

func TestWhatCannotBeReadIsRefusedInOneLine(t *testing.T) {
	files := unreadableFiles(t)
	for n, name := range slices.Sorted(maps.Keys(files)) {
		t.Run(name, func(t *testing.T) {
			file := files[name]
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(file.content), 0o600); err != nil {
				t.Fatal(err)
			}
			environ, database := withBooks(t)

			alone := tarmac(t, environ, "import", "--yes", path)

			if alone.code != 1 || strings.Count(alone.stderr, "\n") != 1 || !strings.Contains(alone.stderr, path) ||
				!strings.Contains(alone.stderr, file.reason) {
				t.Errorf("exit %d, %q", alone.code, alone.stderr)
			}
			if _, err := os.Stat(database); !os.IsNotExist(err) {
				t.Errorf("there are books: %v", err)
			}
			for _, r := range alone.stdout + alone.stderr {
				if unicode.IsControl(r) && r != '\n' {
					t.Errorf("%q has control characters", alone.stdout+alone.stderr)
				}
			}
			if n%long.Size(4, 1) != 0 {
				return
			}
			among := tarmac(t, environ, "import", "--yes", statementFile(t, "good.qfx", rentLine), path)
			if file.noStatement() {
				if among.code != 0 || !strings.Contains(among.stdout, file.reason) || !strings.Contains(among.stdout, "1 new") {
					t.Errorf("among others: exit %d, %q, %q", among.code, among.stdout, among.stderr)
				}
				return
			}
			if _, err := os.Stat(database); among.code != 1 || among.stderr != alone.stderr || !os.IsNotExist(err) {
				t.Errorf("among others: exit %d, %q; books: %v", among.code, among.stderr, err)
			}
		})
	}
}

// Memory is bounded for a file that is one long line, also if it comes through a pipe.
func TestALineWithoutAnEndIsRefusedInLittleMemory(t *testing.T) {
	for name, head := range map[string]string{
		"csv": "Date,Description,Amount\n", "nothing": "",
		"ofx": "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>",
	} {
		cmd := program(t, []string{"XDG_DATA_HOME=" + t.TempDir()}, "import", "--yes", "-")
		cmd.Stdin = io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, long.Size[int64](128<<20, 256<<20)))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr

		used, err := runMeasured(cmd)

		if cmd.ProcessState.ExitCode() != 1 || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s: %v, %q", name, err, &stderr)
		}
		if used > 100<<20 || used == 0 && runtime.GOOS == "linux" {
			t.Errorf("%s: %d MB of memory", name, used>>20)
		}
	}
}

func TestTextsOfFilesAreCleanedAndDefused(t *testing.T) {
	environ, _ := withBooks(t)
	environ["XDG_CONFIG_HOME"] = t.TempDir()
	lines := ofxLine("20260902", "-5.00", "La\x00nd\x1b[31mlo\u202erd\u200b") +
		ofxLine("20260903", "-6.00", "=cmd|' /C calc'!A0")

	imported := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", lines))

	if imported.code != 0 {
		t.Fatalf("exit %d, %q", imported.code, imported.stderr)
	}
	var book struct {
		Lines []struct{ Counterparty string }
	}
	listed := tarmac(t, environ, "books", "lines", "--json")
	if err := json.Unmarshal([]byte(listed.stdout), &book); err != nil || len(book.Lines) != 2 {
		t.Fatalf("lines are %q, %v", listed.stdout, err)
	}
	for _, l := range book.Lines {
		if strings.ContainsFunc(l.Counterparty, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("the counterparty is %q", l.Counterparty)
		}
	}
	table := tarmac(t, environ, "transactions", "--csv")
	if table.code != 0 || strings.Contains(table.stdout, ",=") || !strings.Contains(table.stdout, "'=cmd") {
		t.Errorf("exit %d, %q, %q", table.code, table.stdout, table.stderr)
	}
}

func TestBooksOfANewerVersionAreLeftAlone(t *testing.T) {
	environ, database := withBooks(t)
	file := statementFile(t, "a.qfx", rentLine)
	must := tarmac(t, environ, "import", "--yes", file)
	db, err := sql.Open("sqlite", database)
	if err != nil || must.code != 0 {
		t.Fatal(err, must)
	}
	if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	r := tarmac(t, environ, "import", "--yes", file)

	if r.code != 1 || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "use a newer version of tarmac") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
}
