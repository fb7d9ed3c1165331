package filters_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tarmac/client/filters"
	"tarmac/client/state"
)

// asWriter makes the test binary save filters in the named directory until it is killed.
const asWriter = "TARMAC_TEST_FILTERS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		os.Exit(write(dir))
	}
	os.Exit(m.Run())
}

// write saves numbered filters, and prints each number after the save.
func write(dir string) int {
	f := filters.NewFile(state.Directory(dir), "org_1")
	for turn := uint64(1); ; turn++ {
		if err := f.Save(turn, numbered(turn)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(turn)
	}
}

// numbered returns filters whose texts tell their number.
func numbered(turn uint64) filters.Set {
	return filters.Set{
		"transactions": {Direction: fmt.Sprint(turn), Text: strings.Repeat(string(rune('a'+turn%26)), int(1+turn%199))},
	}
}

// A program killed at any moment leaves the filters that it reported as saved, or later ones,
// complete.
func TestFiltersSurviveAKill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range uint64(12) {
		dir := t.TempDir()
		saved := runUntilKilled(t, self, dir, round)

		got, err := filters.NewFile(state.Directory(dir), "org_1").Load()
		if err != nil {
			t.Fatalf("after %d was saved: %v", saved, err)
		}
		var turn uint64
		if _, err := fmt.Sscan(got["transactions"].Direction, &turn); err != nil || turn < saved ||
			got["transactions"] != numbered(turn)["transactions"] {
			t.Errorf("after %d was saved, there is %v", saved, got)
		}
	}
}

// runUntilKilled starts a program that saves filters, kills it after it has reported more than the
// given number of saves, and returns the last number that it reported.
func runUntilKilled(t *testing.T, program, dir string, saves uint64) (saved uint64) {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), asWriter+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for saved <= saves && lines.Scan() {
		if _, err := fmt.Sscan(lines.Text(), &saved); err != nil {
			t.Error(err)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	for lines.Scan() { // numbers printed before the kill
		if _, err := fmt.Sscan(lines.Text(), &saved); err != nil {
			break
		}
	}
	_ = cmd.Wait()
	return saved
}
