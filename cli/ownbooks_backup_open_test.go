//go:build unix

package cli_test

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// While a dashboard is open, what was imported last is not in the database file itself yet.
func TestABackupBesideADashboardAndAWriterIsConsistent(t *testing.T) {
	t.Parallel()
	environ, other := ownerOfBooks(t), atHome(t)
	term := runInTerminal(t, program(t, []string{"HOME=" + environ["HOME"], "XDG_CONFIG_HOME=", "XDG_DATA_HOME=",
		"XDG_STATE_HOME="}, "--profile", "own books"), 100, 30)
	term.until("Fennel & Thyme", "live")
	mustAt(t, environ, "import", "--yes", statementFile(t, "b.qfx", roundLine))
	want := pictureOf(t, environ)
	backup := filepath.Join(t.TempDir(), "books.backup")
	db, err := sql.Open("sqlite", filepath.Join(environ["HOME"], ".local", "share", "tarmac", "books.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	half, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = half.Rollback() }()
	if result, err := half.Exec("DELETE FROM book_lines"); err != nil {
		t.Fatal(err)
	} else if n, _ := result.RowsAffected(); n == 0 {
		t.Fatal("there are no lines")
	}

	mustAt(t, environ, "books", "backup", backup)
	mustAt(t, other, "books", "restore", backup)

	if got := pictureOf(t, other); got != want {
		t.Errorf("restored books say\n%s\nwant\n%s", got, want)
	}
	if err := half.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got := pictureOf(t, environ); got != want {
		t.Errorf("afterwards the books say\n%s\nwant\n%s", got, want)
	}
	term.press("q")
	term.ended()
}
