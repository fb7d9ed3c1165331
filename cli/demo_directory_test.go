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
	abandoned := place("tarmac-demo-1", "demo.db", yesterday)
	living := place("tarmac-demo-2", "demo.db", yesterday)
	if err := os.Chtimes(living, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	other := place("somebody-elses", "file", yesterday)
	link := filepath.Join(temp, "tarmac-demo-3")
	if err := os.Symlink(filepath.Dir(other), link); err != nil {
		t.Fatal(err)
	}

	term := startTerminal(t, 80, 24, []string{"TMPDIR=" + temp}, "demo")
	term.until("● live")
	term.press("q")
	term.ended()
	for path, want := range map[string]bool{abandoned: false, living: true, other: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", path, err == nil, want)
		}
	}
}
