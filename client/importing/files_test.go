package importing_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tarmac/client/export"
	"tarmac/client/importing"
)

// downloads returns a home directory with some downloaded files. Paths are relative to its
// directory Downloads.
func downloads(t *testing.T) export.Directories {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{
		"Downloads/march.csv", "Downloads/march.qfx", "Downloads/may 2026.csv", "Downloads/it's.csv", "Downloads/[1].ofx",
		"Downloads/.hidden.csv", "Downloads/Archive/old.csv", "Downloads/bad\x1b[31m.csv", "top.csv",
	} {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return export.Directories{Home: home, Current: filepath.Join(home, "Downloads")}
}

func skipWithoutBackslashes(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("these names cannot exist on Windows")
	}
}

func TestTypedPathsNameFiles(t *testing.T) {
	skipWithoutBackslashes(t)
	places := downloads(t)
	for typed, want := range map[string]string{
		"march.csv":                      "march.csv",
		" march.csv   march.qfx ":        "march.csv march.qfx",
		"march.*":                        "march.csv march.qfx",
		"~/Downloads/m*.csv":             "march.csv may 2026.csv",
		"may 2026.csv":                   "may 2026.csv",
		`may\ 2026.csv march.csv`:        "may 2026.csv march.csv",
		`'may 2026.csv' "it's.csv"`:      "may 2026.csv it's.csv",
		"[1].ofx":                        "[1].ofx",
		`\[1\].o*`:                       "[1].ofx",
		"march.csv m*.csv":               "march.csv may 2026.csv",
		"../top.csv Archive/*":           "../top.csv Archive/old.csv",
		".hid*":                          ".hidden.csv",
		places.Home + "/Downloads/*.qfx": "march.qfx",
	} {
		files, err := importing.Find(places, typed)

		for i := range files {
			if files[i], err = filepath.Rel(places.Current, files[i]); err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(files, " "); got != want || err != nil {
			t.Errorf("%q names %q, %v; want %q", typed, got, err, want)
		}
	}
}

func TestAWordThatNamesNoFileIsNamed(t *testing.T) {
	skipWithoutBackslashes(t)
	places := downloads(t)
	for typed, want := range map[string]string{
		"":                  "type the path of a file",
		"march.csv gone.*":  "gone.* matches no file",
		"march.csv old.csv": "old.csv: no such file",
		"Archive":           "Archive is a directory; Archive/* names its files",
		"[":                 "[: syntax error in pattern",
		"Arch*":             "Arch* matches no file",
	} {
		files, err := importing.Find(places, typed)

		if err == nil || !strings.Contains(err.Error(), want) || len(files) > 0 {
			t.Errorf("%q: %q, %v; want %q", typed, files, err, want)
		}
	}
}

func TestTheLastPathIsCompletedAsFarAsItIsCertain(t *testing.T) {
	skipWithoutBackslashes(t)
	places := downloads(t)
	for typed, want := range map[string]struct {
		text  string
		names string
	}{
		"mar":             {"march.", "march.csv march.qfx"},
		"march.c":         {"march.csv", "march.csv"},
		"march.csv ma":    {"march.csv ma", "march.csv march.qfx may 2026.csv"},
		"may":             {`may\ 2026.csv`, "may 2026.csv"},
		`'may`:            {`'may 2026.csv`, "may 2026.csv"},
		"it":              {`it\'s.csv`, "it's.csv"},
		"arch":            {"Archive/", "Archive/"},
		"Archive/":        {"Archive/old.csv", "old.csv"},
		"~":               {"~/", "Downloads/ top.csv"},
		"~/D":             {"~/Downloads/", "Downloads/"},
		".h":              {".hidden.csv", ".hidden.csv"},
		"zzz":             {"zzz", ""},
		"march.csv ":      {"march.csv ", "Archive/ [1].ofx it's.csv march.csv march.qfx may 2026.csv"},
		`may\ 2026.csv m`: {`may\ 2026.csv ma`, "march.csv march.qfx may 2026.csv"},
	} {
		got, err := importing.Complete(places, typed)

		if names := strings.Join(got.Names, " "); got.Text != want.text || names != want.names || err != nil {
			t.Errorf("%q becomes %q with %q, %v; want %q with %q", typed, got.Text, names, err, want.text, want.names)
		}
	}
	if got, err := importing.Complete(places, "gone/x"); err == nil || got.Text != "gone/x" {
		t.Errorf("in a missing directory: %+v, %v", got, err)
	}
}

func TestACompletedNameIsFound(t *testing.T) {
	places := downloads(t)
	for _, typed := range []string{"may", "it", "[", "march.q"} {
		completed, err := importing.Complete(places, typed)
		if err != nil || len(completed.Names) != 1 {
			t.Fatalf("%q: %+v, %v", typed, completed, err)
		}

		files, err := importing.Find(places, completed.Text)

		if want := filepath.Join(places.Current, completed.Names[0]); err != nil || !slices.Equal(files, []string{want}) {
			t.Errorf("%q names %q, %v", completed.Text, files, err)
		}
	}
}
