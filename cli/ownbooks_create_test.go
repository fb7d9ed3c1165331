package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// filesIn returns the names of all files in a directory. A missing directory has none.
func filesIn(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAFailedFirstImportLeavesNoBooks(t *testing.T) {
	environ, database := withBooks(t)
	damaged := statementFile(t, "damaged.qfx", "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260231<TRNAMT>-5<FITID>1</STMTTRN>")

	failed := tarmac(t, environ, "import", "--yes", damaged)

	if left := filesIn(filepath.Dir(database)); failed.code != 1 || len(left) != 0 {
		t.Errorf("exit %d; there are %q", failed.code, left)
	}
	if list := tarmac(t, environ, "books"); list.code != 1 || !strings.Contains(list.stderr, "no books yet") {
		t.Errorf("books: exit %d, %q", list.code, list.stderr)
	}
}

func TestTheFirstImportNamesTheCompany(t *testing.T) {
	environ, database := withBooks(t)
	file := statementFile(t, "a.qfx", rentLine)

	first := tarmac(t, environ, "import", "--yes", "--name", "Fennel & Thyme", file)
	same := tarmac(t, environ, "import", "--yes", "--name", "Fennel & Thyme", file)
	other := tarmac(t, environ, "import", "--yes", "--name", "Other", file)

	if first.code != 0 || same.code != 0 {
		t.Fatalf("exit %d, %q; then %d, %q", first.code, first.stderr, same.code, same.stderr)
	}
	if other.code != 2 || !strings.Contains(other.stderr, "--name is for new books") {
		t.Errorf("another name: exit %d, %q", other.code, other.stderr)
	}
	list := must(t, "admin", "--db", database, "org", "list")
	if !strings.Contains(list, "Fennel & Thyme") || strings.Count(list, "org_") != 1 {
		t.Errorf("organizations: %q", list)
	}
}

// The files that a killed first import leaves do not count as books and do not disturb the next
// import. An import more than an hour after the kill removes them.
func TestWhatAKilledFirstImportLeavesIsNoBooks(t *testing.T) {
	environ, database := withBooks(t)
	dir := filepath.Dir(database)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{
		".books.db-123": 2 * time.Hour, ".books.db-123-wal": 2 * time.Hour, ".books.db-123-shm": 2 * time.Hour,
		".books.db-123.key": 2 * time.Hour, ".books.db-124": time.Minute,
	} {
		path, at := filepath.Join(dir, name), time.Now().Add(-age)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}

	if list := tarmac(t, environ, "books"); list.code != 1 || !strings.Contains(list.stderr, "no books yet") {
		t.Errorf("books: exit %d, %q", list.code, list.stderr)
	}
	imported := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))

	if left := strings.Join(filesIn(dir), " "); imported.code != 0 || left != ".books.db-124 books.db" {
		t.Errorf("exit %d, %q; there are %s", imported.code, imported.stderr, left)
	}
}

func TestTwoFirstImportsAtOnceTakeTurns(t *testing.T) {
	environ, _ := withBooks(t)
	later := strings.NewReplacer("20260902", "20260903", "<FITID>1", "<FITID>2").Replace(rentLine)
	files := []string{statementFile(t, "a.qfx", rentLine), statementFile(t, "b.qfx", rentLine+later)}
	var both sync.WaitGroup
	for _, file := range files {
		both.Go(func() {
			if r := tarmac(t, environ, "import", "--yes", file); r.code != 0 {
				t.Errorf("exit %d, %q", r.code, r.stderr)
			}
		})
	}
	both.Wait()

	list := tarmac(t, environ, "books", "imports")
	if !strings.Contains(list.stdout, "a.qfx") || !strings.Contains(list.stdout, "b.qfx") {
		t.Errorf("imports: %q, %q", list.stdout, list.stderr)
	}
}
