package state_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/client/state"
	"tarmac/internal/privatefile"
)

func TestNoPathIsNoFolder(t *testing.T) {
	if folder := state.Directory(""); folder != nil {
		t.Errorf("%v", folder)
	}
}

func TestContentsAreReadListedRenamedAndRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	folder := state.Directory(dir)

	_, missing := folder.Read("b.json", 10)
	names, err := folder.List("")
	if !errors.Is(missing, fs.ErrNotExist) || err != nil || len(names) > 0 {
		t.Errorf("before anything was written: %v, %v, %v", missing, names, err)
	}
	err = errors.Join(folder.Write("b.json", []byte("first")), folder.Write("b.json", []byte("second")),
		folder.Write("a.json", []byte("a")), folder.Write("ba.json", nil), folder.Rename("b.json", "b.json.aside"),
		folder.Remove("a.json"), folder.Remove("a.json"))
	if err != nil {
		t.Fatal(err)
	}

	content, err := folder.Read("b.json.aside", 6)
	if err != nil || string(content) != "second" {
		t.Errorf("%q, %v", content, err)
	}
	if names, err := folder.List("b"); err != nil || !slices.Equal(names, []string{"b.json.aside", "ba.json"}) {
		t.Errorf("%v, %v", names, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "ba.json")); err != nil ||
		runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestNeitherLargeFilesNorDirectoriesAreContents(t *testing.T) {
	dir := t.TempDir()
	folder := state.Directory(dir)
	err := errors.Join(folder.Write("large", []byte("1234567")), os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	if err != nil {
		t.Fatal(err)
	}

	for _, name := range []string{"large", "sub"} {
		if _, err := folder.Read(name, 6); !errors.Is(err, privatefile.ErrInvalid) ||
			!strings.Contains(err.Error(), folder.Path(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAClaimedNameIsFreeAfterItsRelease(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	one, other := state.Directory(dir), state.Directory(dir)

	release, err := one.Claim("a.json")
	if err != nil {
		t.Fatal(err)
	}
	_, claimed := other.Claim("a.json")
	beside, err := other.Claim("b.json")

	if !errors.Is(claimed, state.ErrClaimed) || err != nil {
		t.Fatalf("the same name: %v, another one: %v", claimed, err)
	}
	if err := errors.Join(release(), beside()); err != nil {
		t.Fatal(err)
	}
	if release, err = other.Claim("a.json"); err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}

func TestADirectoryThatOthersCanWriteToIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("directories have no modes")
	}
	dir := t.TempDir()
	folder := state.Directory(dir)
	if err := errors.Join(folder.Write("a", nil), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}

	_, read := folder.Read("a", 10)
	_, listed := folder.List("a")
	_, claimed := folder.Claim("a")

	for what, err := range map[string]error{
		"read": read, "written": folder.Write("a", nil), "listed": listed, "claimed": claimed,
	} {
		if !errors.Is(err, privatefile.ErrExposed) {
			t.Errorf("a content is %s: %v", what, err)
		}
	}
}

func TestPartialFilesOfAKilledProgramAreRemovedAnHourLater(t *testing.T) {
	dir := t.TempDir()
	folder := state.Directory(dir)
	if err := folder.Write("a.json", []byte("x")); err != nil {
		t.Fatal(err)
	}
	partial := filepath.Join(dir, ".a.json-123")
	for _, c := range []struct {
		age  time.Duration
		want error
	}{{time.Minute, nil}, {2 * time.Hour, fs.ErrNotExist}} {
		written := time.Now().Add(-c.age)
		if err := errors.Join(os.WriteFile(partial, []byte("{"), 0o600), os.Chtimes(partial, written, written)); err != nil {
			t.Fatal(err)
		}

		if _, err := folder.Read("a.json", 10); err != nil {
			t.Fatal(err)
		}

		if _, err := os.Lstat(partial); !errors.Is(err, c.want) {
			t.Errorf("after %v: %v", c.age, err)
		}
	}
}

func TestPathsInMessagesAreCleaned(t *testing.T) {
	folder := state.Directory(filepath.Join(t.TempDir(), "a\x1b[31mb"))

	if path := folder.Path("c.json"); strings.Contains(path, "\x1b") || !strings.HasSuffix(path, "c.json") {
		t.Errorf("%q", path)
	}
}
