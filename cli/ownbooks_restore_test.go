package cli_test

import (
	"database/sql"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/long"
)

// twoCompanies returns a user with books, and a backup of the books of another company.
func twoCompanies(t *testing.T) (environ map[string]string, backup string) {
	t.Helper()
	environ, backup = atHome(t), filepath.Join(t.TempDir(), "books.backup")
	mustAt(t, environ, "import", "--yes", "--name", "Old Company", statementFile(t, "a.qfx", rentLine))
	config := filepath.Join(environ["HOME"], ".config", "tarmac")
	writeFile(t, filepath.Join(config, "rules.toml"), "[[rule]]\nmatch = \"old\"\ncategory = \"old\"\n")
	mustAt(t, ownerOfBooks(t), "books", "backup", backup)
	return environ, backup
}

func TestARestoreOverBooksNeedsReplaceAndKeepsTheOldOnes(t *testing.T) {
	t.Parallel()
	environ, backup := twoCompanies(t)
	want := pictureOf(t, environ)

	refused := tarmac(t, environ, "books", "restore", backup)

	if refused.code != 1 || !strings.Contains(refused.stderr, "add --replace") || pictureOf(t, environ) != want {
		t.Errorf("exit %d, %q", refused.code, refused.stderr)
	}
	replaced := mustAt(t, environ, "books", "restore", "--replace", backup)
	if list := mustAt(t, environ, "books", "rules"); !strings.Contains(list, "landlord") {
		t.Errorf("rules: %q", list)
	}
	data := filepath.Join(environ["HOME"], ".local", "share", "tarmac")
	kept, err := filepath.Glob(filepath.Join(data, "books-replaced-*"))
	if err != nil || len(kept) != 1 || !strings.Contains(replaced, kept[0]) || len(filesIn(data)) != 2 {
		t.Fatalf("kept %q, %v; restore says %q; there are %q", kept, err, replaced, filesIn(data))
	}
	// The old books are whole: they can be moved back.
	if err := os.Rename(filepath.Join(kept[0], "books.db"), filepath.Join(data, "books.db")); err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(environ["HOME"], ".config", "tarmac", "rules.toml")
	if err := os.Rename(filepath.Join(kept[0], "rules.toml"), rules); err != nil {
		t.Fatal(err)
	}
	if got := pictureOf(t, environ); got != want {
		t.Errorf("the old books say\n%s\nwant\n%s", got, want)
	}
}

func TestDamagedBooksAreReplacedAndKept(t *testing.T) {
	environ, backup := twoCompanies(t)
	data := filepath.Join(environ["HOME"], ".local", "share", "tarmac")
	writeFile(t, filepath.Join(data, "books.db"), "no database")
	writeFile(t, filepath.Join(data, "books.db-wal"), "no log")

	mustAt(t, environ, "books", "restore", "--replace", backup)

	if list := mustAt(t, environ, "books", "lines"); !strings.Contains(list, "Landlord") {
		t.Errorf("lines: %q", list)
	}
	kept, _ := filepath.Glob(filepath.Join(data, "books-replaced-*", "*"))
	if len(kept) != 3 {
		t.Errorf("kept %q", kept)
	}
}

func TestBooksThatAreOpenElsewhereAreNotReplaced(t *testing.T) {
	environ, backup := twoCompanies(t)
	database := filepath.Join(environ["HOME"], ".local", "share", "tarmac", "books.db")
	db, err := sql.Open("sqlite", database)
	if err == nil {
		_, err = db.Exec("SELECT count(*) FROM organizations")
	}
	if err != nil {
		t.Fatal(err)
	}

	r := tarmac(t, environ, "books", "restore", "--replace", backup)

	if r.code != 1 || !strings.Contains(r.stderr, "open in another tarmac: close it first") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	mustAt(t, environ, "books", "restore", "--replace", backup)
}

func TestABackupReplacesAFileOnlyWithForce(t *testing.T) {
	environ := ownerOfBooks(t)
	dir := t.TempDir()
	taken := writeFile(t, filepath.Join(dir, "taken"), "precious")

	refused := tarmac(t, environ, "books", "backup", taken)
	folder := tarmac(t, environ, "books", "backup", dir)

	if content, _ := os.ReadFile(taken); refused.code != 1 || !strings.Contains(refused.stderr, "--force") ||
		string(content) != "precious" {
		t.Errorf("exit %d, %q", refused.code, refused.stderr)
	}
	if folder.code != 1 || !strings.Contains(folder.stderr, "is a directory; name a file in it") {
		t.Errorf("exit %d, %q", folder.code, folder.stderr)
	}
	mustAt(t, environ, "books", "backup", "--force", taken)
	mustAt(t, atHome(t), "books", "restore", taken)
	if left := filesIn(dir); len(left) != 1 {
		t.Errorf("there are %q", left)
	}
}

func TestABackupGoesThroughAPipe(t *testing.T) {
	t.Parallel()
	environ, other := ownerOfBooks(t), atHome(t)
	piped := program(t, []string{"HOME=" + environ["HOME"]}, "books", "backup", "-")
	out, err := piped.Output()
	if err != nil {
		t.Fatal(err)
	}
	restore := program(t, []string{"HOME=" + other["HOME"]}, "books", "restore", "-")
	restore.Stdin = strings.NewReader(string(out))

	if out, err := restore.CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}

	if got, want := pictureOf(t, other), pictureOf(t, environ); got != want {
		t.Errorf("restored books say\n%s\nwant\n%s", got, want)
	}
}

func TestAWrongPassphraseChangesNothing(t *testing.T) {
	environ, other, dir := ownerOfBooks(t), atHome(t), t.TempDir()
	backup, words := filepath.Join(dir, "sealed"), writeFile(t, filepath.Join(dir, "words"), "correct horse battery\n")
	wrong := writeFile(t, filepath.Join(dir, "wrong"), "another horse battery\n")
	short := writeFile(t, filepath.Join(dir, "short"), "horse\n")
	mustAt(t, environ, "books", "backup", backup, "--passphrase-file", words)

	for _, test := range []struct {
		args   []string
		code   int
		reason string
	}{
		{[]string{"books", "restore", backup, "--passphrase-file", wrong}, 1, "that is not its passphrase"},
		{[]string{"books", "restore", backup}, 2, "--passphrase-file"},
		{[]string{"books", "backup", backup + "2", "--passphrase-file", short}, 2, "8 characters or more"},
		{[]string{"books", "backup", backup + "3", "--seal"}, 2, "no terminal to ask"},
	} {
		r := tarmac(t, other, test.args...)
		if test.args[1] == "backup" {
			r = tarmac(t, environ, test.args...)
		}
		if r.code != test.code || !strings.Contains(r.stderr, test.reason) {
			t.Errorf("%v: exit %d, %q", test.args, r.code, r.stderr)
		}
	}
	if left := below(t, other); len(left) > 0 || len(filesIn(dir)) != 4 {
		t.Errorf("there are %v and %q", left, filesIn(dir))
	}
}

// A restore that is killed at any moment leaves the old books with their rules, or the new ones
// with theirs.
func TestAKilledRestoreLeavesOldOrNewBooks(t *testing.T) {
	t.Parallel()
	environ, backup := twoCompanies(t)
	want := map[string]string{"old": pictureOf(t, environ)}
	old := filepath.Join(t.TempDir(), "old.backup")
	mustAt(t, environ, "books", "backup", old)
	restore := func() *exec.Cmd {
		return program(t, []string{"HOME=" + environ["HOME"]}, "books", "restore", "--replace", backup)
	}
	begun := time.Now()
	if out, err := restore().CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	took := time.Since(begun)
	want["new"] = pictureOf(t, environ)
	seen := map[string]int{}
	for range long.Size(3, 8) {
		mustAt(t, environ, "books", "restore", "--replace", old)
		cmd := restore()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-time.After(rand.N(took))
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // the error only reports the kill

		switch got := pictureOf(t, environ); got {
		case want["old"]:
			seen["old"]++
		case want["new"]:
			seen["new"]++
		default:
			t.Fatalf("the books say\n%s\nwant\n%s\nor\n%s", got, want["old"], want["new"])
		}
		data := filepath.Join(environ["HOME"], ".local", "share", "tarmac")
		for _, name := range filesIn(data) {
			if strings.HasPrefix(name, ".") {
				t.Errorf("%s is left", name)
			}
		}
	}
	t.Logf("after the kills there were %v", seen)
}
