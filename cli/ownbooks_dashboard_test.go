//go:build unix

package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestTheDashboardSwitchesToOwnBooksAndBack(t *testing.T) {
	environ, _ := importedBooks(t)
	url := goodServer(t)
	w := startTerminal(t, 120, 30, []string{
		"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"], "TARMAC_BASE_URL=" + url, "TARMAC_TOKEN=svc_org_good",
	})
	host := strings.TrimPrefix(url, "http://")
	w.until("tarmac  " + host)
	w.press("p")
	w.until("own books +on this machine")
	w.press("own", "enter")
	w.until("tarmac  Fennel & Thyme", "● live", `1,000\.00`)
	w.press("p")
	w.until("own books +current")
	w.press("127", "enter")
	w.until("tarmac  " + host)
	w.press("q")
	if code := w.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// An import that is left at any of its steps leaves no books; the last step leaves them whole.
func TestTheWelcomePageLeadsToTheFirstImport(t *testing.T) {
	file := statementFile(t, "a.qfx", rentLine)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, steps := range map[string]func(w *terminal){
		"files": func(*terminal) {},
		"questions": func(w *terminal) {
			w.press("enter")
			w.until("Your company")
		},
		"check": func(w *terminal) {
			w.press("enter")
			w.until("Your company")
			w.press("Fennel & Thyme", "enter")
			w.until("Import 1 file")
		},
		"done": func(w *terminal) {
			w.press("enter")
			w.until("Your company")
			w.press("Fennel & Thyme", "enter")
			w.until("Import 1 file")
			w.press("y")
			w.until(`\[4 Done\]`, "Imported as", "tarmac  Fennel & Thyme")
			w.press("enter")
			w.until("tarmac  Fennel & Thyme", `1,000\.00`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			downloads := filepath.Join(home, "Downloads")
			if err := errors.Join(os.Mkdir(downloads, 0o700),
				os.WriteFile(filepath.Join(downloads, "a.qfx"), content, 0o600),
				os.WriteFile(filepath.Join(downloads, "holiday.jpg"), []byte{0xff, 0xd8, 0}, 0o600)); err != nil {
				t.Fatal(err)
			}
			w := startTerminal(t, 80, 24, []string{"HOME=" + home})
			w.until("Look around", "My own books")
			w.press("down", "enter")
			screen := w.until(`\[1 Files\]`, `\[x\] a\.qfx`)
			if strings.Contains(screen, "holiday") {
				t.Errorf("a picture is listed:\n%s", screen)
			}
			steps(w)
			w.press("ctrl+c")
			if code := w.ended(); code != 0 {
				t.Errorf("exit %d", code)
			}

			path := filepath.Join(home, ".local", "share", "tarmac", "books.db")
			info, err := os.Stat(path)
			switch {
			case name != "done" && !errors.Is(err, fs.ErrNotExist):
				t.Errorf("books are there although nothing was imported: %v", err)
			case name == "done" && (err != nil || info.Mode().Perm() != 0o600):
				t.Errorf("%v, %v", info, err)
			}
		})
	}
}

// From an empty machine with a bank's files in the folder of downloads, few keys and the name of
// the company lead to how long the cash lasts.
func TestAnEmptyMachineTakesNineKeysToARunway(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	made := program(t, []string{"HOME=" + home}, "demo", "--files", filepath.Join(home, "Downloads"))
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w := startTerminal(t, 80, 24, []string{"HOME=" + home})
	w.until("Look around", "My own books")
	keys := 0
	for _, step := range []struct{ press, shows string }{
		{"down", "> My own books"}, {"enter", `files ticked`}, {"enter", "Your company"},
		{"Northlight Labs", "Northlight Labs"}, {"enter", `Import \d+ files`},
		{"y", "Question 1 of 2"}, {"1", "Question 2 of 2"}, {"n", `\[4 Done\].*`}, {"enter", `months of cash`},
	} {
		w.press(step.press)
		w.until(step.shows)
		if step.press != "Northlight Labs" {
			keys++
		}
	}
	if keys > 9 {
		t.Errorf("%d keys and the name", keys)
	}
	w.press("q")
	w.ended()
}

// A first import whose program was killed at one of its steps leaves empty books. The next start
// removes them, but never books into which something was imported.
func TestTheNextStartRemovesEmptyBooksOfAKilledFirstImport(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, ".local", "share", "tarmac", "books.db")
	marks := filepath.Join(filepath.Dir(path), ".books.db-begun-*")
	begin := func() *terminal {
		w := startTerminal(t, 80, 24, []string{"HOME=" + home})
		w.until("Look around", "My own books")
		return w
	}
	killed := func(steps func(w *terminal)) {
		w := begin()
		w.press("down", "enter")
		w.until(`\[1 Files\]`)
		steps(w)
		w.signal(syscall.SIGKILL)
		w.ended()
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
	}
	files := func(*terminal) {}
	questions := func(w *terminal) {
		w.press(statementFile(t, "a.qfx", rentLine), "enter")
		w.until(`\[3 Questions\]`, "Your company")
	}
	check := func(w *terminal) {
		questions(w)
		w.press("Fennel & Thyme", "enter")
		w.until("Import 1 file")
	}
	for step, steps := range []func(w *terminal){files, questions, check} {
		killed(steps)

		other := begin() // the welcome page again

		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("killed at step %d, the empty books are still there: %v", step, err)
		}
		other.press("ctrl+c")
		other.ended()
	}

	killed(check)
	imported := program(t, []string{"HOME=" + home, "XDG_DATA_HOME="}, "import", "--yes",
		statementFile(t, "a.qfx", rentLine))
	if out, err := imported.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w := startTerminal(t, 80, 24, []string{"HOME=" + home})
	w.until("● live", `1,000\.00`)
	w.press("q")
	w.ended()
	if left, _ := filepath.Glob(marks); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("the books with an import were removed")
	}
}
