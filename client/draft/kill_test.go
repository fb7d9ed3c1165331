package draft_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/client/draft"
	"tarmac/client/state"
	"tarmac/internal/privatefile"
)

// asWriter makes the test binary save drafts until it is killed, asHolder makes it hold its
// slot until then.
const (
	asWriter = "TARMAC_TEST_DRAFTS"
	asHolder = "TARMAC_TEST_PLACE"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		os.Exit(write(dir))
	}
	if dir := os.Getenv(asHolder); dir != "" {
		os.Exit(hold(dir))
	}
	os.Exit(m.Run())
}

// write saves drafts that repeat one letter, and prints each letter after the save.
func write(dir string) int {
	s := draft.NewStore(state.Directory(dir))
	for turn := uint64(1); ; turn++ {
		if err := s.Save("org_1", turn, lettered(turn)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(turn)
	}
}

// hold saves a draft in its own slot, prints so and waits.
func hold(dir string) int {
	s := draft.NewStore(state.Directory(dir))
	_, _, err := s.Open("org_1", now)
	if errors.Is(err, fs.ErrNotExist) {
		err = s.Save("org_1", 1, sample("of the first"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("saved")
	for {
		time.Sleep(time.Hour)
		runtime.KeepAlive(s) // or the collector would close the file, which releases the lock
	}
}

// Concurrent programs never overwrite each other's drafts, and the next program takes over
// the draft of a killed one.
func TestADraftIsOfOneProgramAtATime(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	first := exec.Command(self)
	first.Env = append(os.Environ(), asHolder+"="+dir)
	out, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = first.Process.Kill(); _ = first.Wait() }()
	if lines := bufio.NewScanner(out); !lines.Scan() || lines.Text() != "saved" {
		t.Fatalf("it says %q", lines.Text())
	}

	second := draft.NewStore(state.Directory(dir))
	if d, beside, err := second.Open("org_1", now); !errors.Is(err, fs.ErrNotExist) || !beside {
		t.Fatalf("beside another program: %+v, %v, %v", d, beside, err)
	}
	if err := second.Save("org_1", 1, sample("of the second")); err != nil {
		t.Fatal(err)
	}
	if err := second.Discard("org_1", 2); err != nil {
		t.Fatal(err)
	}
	if err := second.Save("org_1", 3, sample("of the second")); err != nil {
		t.Fatal(err)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	third := draft.NewStore(state.Directory(dir))
	if d, beside, err := third.Open("org_1", now); err != nil || beside || d.Notes != "of the first" {
		t.Errorf("after a kill: %+v, %v, %v", d, beside, err)
	}
	if err := errors.Join(third.Discard("org_1", 1), third.Close(), second.Close()); err != nil {
		t.Fatal(err)
	}
	fourth := draft.NewStore(state.Directory(dir))
	defer fourth.Close()
	if d, _, err := fourth.Open("org_1", now); err != nil || d.Notes != "of the second" {
		t.Errorf("what the second left: %+v, %v", d, err)
	}
}

// A store without a slot does not overwrite drafts when it saves later.
func TestWhatWasNotReadIsNotWrittenOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "drafts")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	late := draft.NewStore(state.Directory(dir))
	defer late.Close()
	if _, _, err := late.Open("org_1", now); err == nil {
		t.Fatal("a file is opened as a directory")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if err := draft.NewStore(state.Directory(dir)).Save("org_1", 1, sample("of another")); err != nil {
		t.Fatal(err)
	}
	if err := late.Save("org_1", 1, sample("late")); err != nil {
		t.Fatal(err)
	}
	if d, err := draft.NewStore(state.Directory(dir)).Load("org_1", now); err != nil || d.Notes != "of another" {
		t.Errorf("%+v, %v", d, err)
	}
}

func lettered(turn uint64) draft.Draft {
	d := sample(strings.Repeat(string(rune('a'+turn%26)), int(1+turn*997%50_000)))
	d.Key = fmt.Sprint(turn)
	return d
}

// A program killed at any moment leaves the draft that it reported as saved, or a later
// one, complete.
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
		for lines.Scan() { // its output before it was killed
			if _, err := fmt.Sscan(lines.Text(), &said); err != nil {
				break
			}
		}
		_ = cmd.Wait()
		got, err := draft.NewStore(state.Directory(dir)).Load("org_1", now)
		if err != nil {
			t.Fatalf("after it said that %d was saved: %v", said, err)
		}
		var turn uint64
		if _, err := fmt.Sscan(got.Key, &turn); err != nil || turn < said || got.Notes != lettered(turn).Notes {
			t.Errorf("after %d was saved, there is %q with %d characters of notes", said, got.Key, len(got.Notes))
		}
	}
}

// A draft that is exposed stays where it is. What is typed meanwhile goes to another slot.
func TestAnExposedDraftIsNeitherReadNorOverwritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "proposal-org_1.json")
	s := draft.NewStore(state.Directory(dir))
	if err := errors.Join(s.Save("org_1", 1, sample("first")), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}

	_, _, err := s.Open("org_1", now)
	if !errors.Is(err, privatefile.ErrExposed) {
		t.Fatal(err)
	}
	if err := errors.Join(s.Save("org_1", 2, sample("second")), s.Close(), os.Chmod(path, 0o600)); err != nil {
		t.Fatal(err)
	}

	again := draft.NewStore(state.Directory(dir))
	defer again.Close()
	if d, _, err := again.Open("org_1", now); err != nil || d.Notes != "first" {
		t.Errorf("%q, %v", d.Notes, err)
	}
}
