package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sharedWith makes the directory of own books one of another user, to which everybody can write.
func sharedWith(t *testing.T, database string) string {
	t.Helper()
	dir := filepath.Dir(database)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Chown(dir, 12345, 12345) != nil {
		t.Skip("only root can give a directory away")
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTheFirstImportWritesNothingIntoADirectoryOfSomebodyElse(t *testing.T) {
	environ, database := withBooks(t)
	dir, elsewhere := sharedWith(t, database), filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Symlink(elsewhere, database+"-wal"); err != nil {
		t.Fatal(err)
	}

	r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))

	if r.code != 1 || !strings.Contains(r.stderr, "belongs to another user") || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if left := filesIn(dir); len(left) != 1 {
		t.Errorf("there are %q", left)
	}
	if _, err := os.Lstat(elsewhere); !os.IsNotExist(err) {
		t.Errorf("behind the link: %v", err)
	}
}

func TestTheFirstImportRefusesALogWithoutItsBooks(t *testing.T) {
	for _, ending := range []string{"-wal", "-shm", "-journal"} {
		environ, database := withBooks(t)
		if err := os.Mkdir(filepath.Dir(database), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(database+ending, []byte("of other books"), 0o600); err != nil {
			t.Fatal(err)
		}

		r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine))

		if r.code != 1 || !strings.Contains(r.stderr, "books.db"+ending+" is there without books.db: move it away") {
			t.Errorf("%s: exit %d, %q", ending, r.code, r.stderr)
		}
		if left := filesIn(filepath.Dir(database)); len(left) != 1 {
			t.Errorf("%s: there are %q", ending, left)
		}
	}
}

// The next start removes what killed first imports have left, however young it is, but not what
// belongs to an import that is running.
func TestWhatKilledFirstImportsLeaveIsRemovedAtTheNextStart(t *testing.T) {
	environ, database := withBooks(t)
	dir := filepath.Dir(database)
	files := filepath.Join(t.TempDir(), "files")
	must(t, "demo", "--files", files)
	statements, err := filepath.Glob(filepath.Join(files, "*"))
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for range 4 {
		cmd := program(t, []string{"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"]},
			append([]string{"import", "--yes"}, statements...)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for running := true; running && len(filesIn(dir)) == 0; {
			select {
			case <-ended:
				running = false
			case <-time.After(time.Millisecond):
			}
		}
		_ = cmd.Process.Kill()
		<-ended
		killed += len(filesIn(dir))

		tarmac(t, environ, "books")

		if left := filesIn(dir); len(left) > 0 {
			t.Errorf("after the next start there are %q", left)
		}
	}
	if killed == 0 {
		t.Error("no import was killed while it was preparing the books")
	}
}
