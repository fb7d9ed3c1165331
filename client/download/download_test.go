package download_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/client/download"
)

func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestADocumentIsSavedBesideWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		document, name string
		kept           bool
	}{
		{"one", "INV-1.pdf", false}, {"two", "INV-1 (2).pdf", false}, {"one", "INV-1.pdf", true},
		{"two", "INV-1 (2).pdf", true}, {"three", "INV-1 (3).pdf", false},
	} {
		path, kept, err := download.Save(dir, "INV-1.pdf", []byte(c.document))
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(path) != c.name || kept != c.kept {
			t.Errorf("%s went to %s (kept %t), want %s (%t)", c.document, path, kept, c.name, c.kept)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.document {
			t.Errorf("%s holds %q: %v", path, got, err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	if got := names(t, dir); len(got) != 3 {
		t.Errorf("the directory holds %q", got)
	}
}

// Save neither touches nor follows a directory or a link with the name.
func TestWhatIsNoFileIsLeftAlone(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(filepath.Join(dir, "a.pdf"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, "a (2).pdf")); err != nil {
		t.Skip("no symbolic links here")
	}
	path, kept, err := download.Save(dir, "a.pdf", []byte("x"))
	if err != nil || kept || filepath.Base(path) != "a (3).pdf" {
		t.Errorf("saved as %s, %t, %v", path, kept, err)
	}
	if _, err := os.Stat(other); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what the link leads to was written: %v", err)
	}
}

func TestNothingIsLeftWhereNothingCanBeSaved(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if _, _, err := download.Save(missing, "a.pdf", []byte("x")); !errors.Is(err, os.ErrNotExist) ||
		!strings.Contains(err.Error(), missing) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

// A later Save removes the temporary files of killed saves after an hour, but not those of
// exports.
func TestWhatAKilledProgramLeftIsSwept(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{
		".tarmac-1.part": 2 * time.Hour, ".tarmac-2.part": time.Minute, ".tarmac-export-3.part": 2 * time.Hour,
		"a.part": 2 * time.Hour,
	} {
		path, at := filepath.Join(dir, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := download.Save(dir, "a.pdf", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{".tarmac-2.part", ".tarmac-export-3.part", "a.part", "a.pdf"}; !slices.Equal(
		got, want) {
		t.Errorf("the directory holds %q, want %q", got, want)
	}
}

// Two programs that save the same name at once get different files.
func TestSavesAtOnceDoNotMeet(t *testing.T) {
	dir := t.TempDir()
	const savers = 12
	var all sync.WaitGroup
	for i := range savers {
		all.Go(func() {
			if _, _, err := download.Save(dir, "a.pdf", []byte{byte(i), 1}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var seen []byte
	for _, name := range names(t, dir) {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(got) != 2 || slices.Contains(seen, got[0]) {
			t.Errorf("%s holds %v: %v", name, got, err)
			continue
		}
		seen = append(seen, got[0])
	}
	if len(seen) != savers {
		t.Errorf("%d documents of %d are there", len(seen), savers)
	}
}

func TestNamesAreThoseOfPlainFiles(t *testing.T) {
	for text, want := range map[string]string{
		"INV-000001": "INV-000001.pdf", "../../etc/passwd": "etc-passwd.pdf", "": "invoice.pdf",
		"株式会社":    "invoice.pdf",
		".hidden": "hidden.pdf", "a b\x1b[2J": "a-b--2J.pdf", strings.Repeat("9", 300): strings.Repeat("9", 100) + ".pdf",
	} {
		if got := download.Name(text, "invoice", ".pdf"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTheDirectoryForDownloads(t *testing.T) {
	home := t.TempDir()
	named, downloads, config := filepath.Join(home, "named"), filepath.Join(home, "Downloads"),
		filepath.Join(home, ".config")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"HOME": home}
	check := func(what, want string) {
		t.Helper()
		if got := download.Directory(func(name string) string { return env[name] }); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	check("without any", here)
	for _, dir := range []string{named, downloads, config} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	check("by custom", downloads)
	dirs := "# written by a desktop\nXDG_DESKTOP_DIR=\"$HOME/Desktop\"\nXDG_DOWNLOAD_DIR=\"$HOME/named\"\n"
	if err := os.WriteFile(filepath.Join(config, "user-dirs.dirs"), []byte(dirs), 0o600); err != nil {
		t.Fatal(err)
	}
	check("by the desktop's file", named)
	env["XDG_DOWNLOAD_DIR"] = config
	check("by the environment", config)
	env["XDG_DOWNLOAD_DIR"] = filepath.Join(home, "gone")
	check("one that is not there", named)
	env = map[string]string{"XDG_DOWNLOAD_DIR": "relative"}
	check("without a home", here)
}

func TestThereIsAnOpenerWhereADocumentCanBeSeen(t *testing.T) {
	found := func(name string) (string, error) { return name, nil }
	missing := func(string) (string, error) { return "", os.ErrNotExist }
	for _, c := range []struct {
		what, system string
		env          map[string]string
		look         func(string) (string, error)
		want         bool
	}{
		{"a desktop", "linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, found, true},
		{"a desktop of X", "freebsd", map[string]string{"DISPLAY": ":0"}, found, true},
		{"no display", "linux", nil, found, false},
		{"nothing to open with", "linux", map[string]string{"DISPLAY": ":0"}, missing, false},
		{"over SSH", "linux", map[string]string{"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "1 2 3 4"}, found, false},
		{"macOS", "darwin", nil, found, true},
		{"macOS over SSH", "darwin", map[string]string{"SSH_TTY": "/dev/ttys001"}, found, false},
		{"Windows", "windows", nil, found, true},
	} {
		open := download.Opener(c.system, func(name string) string { return c.env[name] }, c.look)
		if (open != nil) != c.want {
			t.Errorf("%s: an opener %t, want %t", c.what, open != nil, c.want)
		}
	}
}

func TestAFailedOpenerSaysItsName(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	open := download.Opener("darwin", func(string) string { return "" }, func(string) (string, error) { return gone, nil })
	if err := open("a.pdf"); err == nil || !strings.HasPrefix(err.Error(), "open: ") {
		t.Errorf("got %v", err)
	}
}

func TestAnOpenerIsHandedNoToken(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is the shell's")
	}
	dir := t.TempDir()
	program, seen := filepath.Join(dir, "open"), filepath.Join(dir, "seen")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nenv > "+seen+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TARMAC_TOKEN", "svc_org_secret")
	t.Setenv("OTHER", "kept")
	if err := download.Opener("darwin", func(string) string { return "" },
		func(string) (string, error) { return program, nil })("a.pdf"); err != nil {
		t.Fatal(err)
	}
	env, err := os.ReadFile(seen)
	if err != nil || strings.Contains(string(env), "svc_org_secret") || !strings.Contains(string(env), "OTHER=kept") {
		t.Errorf("it sees %q, %v", env, err)
	}
}
