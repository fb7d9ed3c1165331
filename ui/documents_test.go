package ui

import (
	"os"
	"path/filepath"
	"testing"

	"tarmac/client/export"
)

// Relative names keep their meaning when the working directory changes.
func TestPlacesAreFoundOnce(t *testing.T) {
	home := t.TempDir()
	docs := filepath.Join(home, "Downloads")
	if err := os.Mkdir(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	got := NewDocuments("linux", func(name string) string { return map[string]string{"HOME": home}[name] }, nil)
	if want := (export.Directories{Documents: docs, Current: here, Home: home}); got.Places != want {
		t.Errorf("%+v, not %+v", got.Places, want)
	}
	t.Chdir(t.TempDir())
	for typed, want := range map[string]string{"a.csv": filepath.Join(here, "a.csv"),
		"~/a.csv": filepath.Join(home, "a.csv")} {
		if path, err := got.Places.Path(typed); path != want || err != nil {
			t.Errorf("%s: %s, %v, not %s", typed, path, err, want)
		}
	}
}
