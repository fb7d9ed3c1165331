package privatefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/privatefile"
)

const stagingPrefix = ".books-"

// remove lets SweepStaging remove all abandoned directories.
func remove(string) error { return nil }

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAFileIsPublishedFromItsStagingDirectory(t *testing.T) {
	dir := t.TempDir()
	staging, err := privatefile.NewStaging(dir, stagingPrefix)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(staging.Path("books"), []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}

	published, again := staging.Publish("books"), staging.Publish("books")
	staging.Remove()

	if published != nil || !errors.Is(again, fs.ErrExist) {
		t.Errorf("published: %v, again: %v", published, again)
	}
	if names := namesIn(t, dir); !slices.Equal(names, []string{"books"}) {
		t.Errorf("there are %q", names)
	}
}

func TestASweepLeavesTheStagingDirectoryOfALiveProgram(t *testing.T) {
	dir := t.TempDir()
	staging, err := privatefile.NewStaging(dir, stagingPrefix)
	if err != nil {
		t.Fatal(err)
	}
	defer staging.Remove()

	privatefile.SweepStaging(dir, stagingPrefix, time.Now().Add(100*time.Hour), remove)

	if _, err := os.Stat(staging.Path("")); err != nil {
		t.Error(err)
	}
}

func TestASweepRemovesOnlyAbandonedStagingDirectories(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "precious"), []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1", "2", "3x", "", "5/deep"} {
		if err := os.MkdirAll(filepath.Join(dir, stagingPrefix+name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	left := []string{"3x", "", "6"}
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, stagingPrefix+"1", "lock"), nil, 0o600),
		os.Symlink(elsewhere, filepath.Join(dir, stagingPrefix+"6")),
		os.Symlink(elsewhere, filepath.Join(dir, stagingPrefix+"2", "linked")),
	)
	if err != nil {
		t.Skip("no symbolic links here")
	}
	if os.Mkdir(filepath.Join(dir, stagingPrefix+"7"), 0o700) == nil &&
		os.Chown(filepath.Join(dir, stagingPrefix+"7"), 12345, 12345) == nil {
		left = append(left, "7") // another user's
	} else if err := os.Remove(filepath.Join(dir, stagingPrefix+"7")); err != nil {
		t.Fatal(err)
	}

	privatefile.SweepStaging(dir, stagingPrefix, time.Now(), remove)

	want := make([]string, len(left))
	for n, name := range left {
		want[n] = stagingPrefix + name
	}
	slices.Sort(want)
	if names := namesIn(t, dir); !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q", names, want)
	}
	if content, err := os.ReadFile(filepath.Join(elsewhere, "precious")); string(content) != "kept" {
		t.Errorf("behind the links: %q, %v", content, err)
	}
}

func TestADirectoryIsNotMadeInThatOfSomebodyElse(t *testing.T) {
	foreign := filepath.Join(t.TempDir(), "foreign")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Chown(foreign, 12345, 12345) != nil {
		t.Skip("only root can give a directory away")
	}
	if err := os.Chmod(foreign, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{foreign, filepath.Join(foreign, "a"), filepath.Join(foreign, "a", "b")} {
		err := privatefile.MakeDirectory(path)

		if !errors.Is(err, privatefile.ErrExposed) || !strings.Contains(err.Error(), "belongs to another user") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if names := namesIn(t, foreign); len(names) != 0 {
		t.Errorf("there are %q", names)
	}
}
