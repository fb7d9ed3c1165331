package cli_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testdata/euros-of-0023.db.gz are books that tarmac wrote when all figures were in US dollars: ten
// lines of one account in euros, without a rate.
func TestBooksOfAnOlderVersionGetTheirCurrencyAtTheFirstStart(t *testing.T) {
	environ, database := withBooks(t)
	packed, err := os.Open("testdata/euros-of-0023.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	content, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	books, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(database), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(database, books, 0o600); err != nil {
		t.Fatal(err)
	}

	first, second := tarmac(t, environ, "account"), tarmac(t, environ, "transactions")

	if first.code != 0 || !strings.Contains(first.stdout, "€250,000.00") ||
		!strings.Contains(first.stderr, "the books report in EUR now") {
		t.Errorf("first start: exit %d, %q, %q", first.code, first.stdout, first.stderr)
	}
	if second.code != 0 || strings.Contains(second.stdout, "$") || strings.Contains(second.stderr, "EUR now") ||
		!strings.Contains(second.stdout, "-€90,000.00") {
		t.Errorf("second start: exit %d, %q, %q", second.code, second.stdout, second.stderr)
	}
}
