package draft_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/draft"
)

// asWriter makes this test's program one that saves drafts until it is killed.
const asWriter = "TARMAC_TEST_DRAFTS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		os.Exit(write(dir))
	}
	os.Exit(m.Run())
}

// write saves drafts that are all of one letter, and says of each that it is saved.
func write(dir string) int {
	s := draft.NewStore(dir)
	for turn := uint64(1); ; turn++ {
		if err := s.Save("org_1", turn, lettered(turn)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(turn)
	}
}

func lettered(turn uint64) draft.Draft {
	d := sample(strings.Repeat(string(rune('a'+turn%26)), int(1+turn*997%50_000)))
	d.Key = fmt.Sprint(turn)
	return d
}

// A program that is killed, at whatever moment, leaves the draft that it said was
// saved, or a later one, whole.
func TestADraftSurvivesAKill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 12 {
		dir := t.TempDir()
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), asWriter+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var said uint64
		lines := bufio.NewScanner(out)
		for said <= uint64(round) && lines.Scan() {
			if _, err := fmt.Sscan(lines.Text(), &said); err != nil {
				t.Error(err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		for lines.Scan() { // what it said before it was killed
			if _, err := fmt.Sscan(lines.Text(), &said); err != nil {
				break
			}
		}
		_ = cmd.Wait()
		got, err := draft.NewStore(dir).Load("org_1", now)
		if err != nil {
			t.Fatalf("after it said that %d was saved: %v", said, err)
		}
		var turn uint64
		if _, err := fmt.Sscan(got.Key, &turn); err != nil || turn < said || got.Notes != lettered(turn).Notes {
			t.Errorf("after %d was saved, there is %q with %d characters of notes", said, got.Key, len(got.Notes))
		}
	}
}

func TestWhatAKilledProgramLeftIsSweptAnHourLater(t *testing.T) {
	dir := t.TempDir()
	s := draft.NewStore(dir)
	if err := s.Save("org_1", 1, sample("x")); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, ".proposal-org_1.json.123")
	if err := os.WriteFile(left, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(left, now, now); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		age  time.Duration
		want error
	}{{time.Minute, nil}, {2 * time.Hour, fs.ErrNotExist}} {
		if _, err := s.Load("org_1", now.Add(c.age)); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(left); !errors.Is(err, c.want) {
			t.Errorf("after %v: %v", c.age, err)
		}
	}
}
