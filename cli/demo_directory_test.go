//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestADemoClearsAwayWhatKilledOnesLeft(t *testing.T) {
	temp := t.TempDir()
	yesterday := time.Now().Add(-25 * time.Hour)
	place := func(name, file string, written time.Time) string {
		t.Helper()
		dir := filepath.Join(temp, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{path, dir} {
			if err := os.Chtimes(p, written, written); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	abandoned := place("tarmac-demo-1.temporary", "demo.db", yesterday)
	living := place("tarmac-demo-2.temporary", "demo.db", yesterday)
	if err := os.Chtimes(living, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	other := place("somebody-elses", "file", yesterday)
	// A directory named with --data is kept, whatever its name.
	named, like := place("tarmac-demo-2026", "demo.db", yesterday),
		place("tarmac-demo-acme.temporary", "demo.db", yesterday)
	link := filepath.Join(temp, "tarmac-demo-3.temporary")
	if err := os.Symlink(filepath.Dir(other), link); err != nil {
		t.Fatal(err)
	}

	term := startTerminal(t, 80, 24, []string{"TMPDIR=" + temp}, "demo")
	term.until("● live")
	term.press("q")
	term.ended()
	for path, want := range map[string]bool{abandoned: false, living: true, other: true, named: true, like: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", path, err == nil, want)
		}
	}
}

// Even root removes only its own demo directory, although it could remove any directory.
func TestADemoLeavesThoseOfOtherUsersAlone(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a directory of somebody else's")
	}
	temp := t.TempDir()
	theirs := filepath.Join(temp, "tarmac-demo-1.temporary")
	if err := os.Mkdir(theirs, 0o700); err != nil {
		t.Fatal(err)
	}
	lastWeek := time.Now().AddDate(0, 0, -7)
	if err := os.Chtimes(theirs, lastWeek, lastWeek); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(theirs, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	term := startTerminal(t, 80, 24, []string{"TMPDIR=" + temp}, "demo")
	term.until("● live")
	term.press("q")
	term.ended()
	if _, err := os.Stat(theirs); err != nil {
		t.Error(err)
	}
}
