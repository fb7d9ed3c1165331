package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNotesOutliveTheSession(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := openSaving(t, directory)
	d.press("4", "m")
	d.press("r", "e", "n", "t", "enter")
	d.shows("note saved · u takes it back")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	next := openSaving(t, directory)

	next.press("4", "enter")
	next.shows("rent (you)")
}

func TestNotesThatCannotBeReadAreLeftAsTheyAre(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state")
	d := openSaving(t, directory)
	d.press("4", "m", "x", "enter")
	found, err := filepath.Glob(filepath.Join(directory, "annotations-*.json"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if err := os.WriteFile(found[0], []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}

	next := openSaving(t, directory)

	next.shows("categories and notes could not be read")
	next.after(time.Minute)
	next.press("4", "m", "y", "enter")
	next.shows("the note was not saved")
	if content, err := os.ReadFile(found[0]); err != nil || string(content) != "secret" ||
		strings.Contains(next.text(), "secret") {
		t.Errorf("it holds %q, %v", content, err)
	}
}
