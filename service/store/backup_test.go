package store_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

func TestBackupIsACopyThatOnlyItsOwnerReads(t *testing.T) {
	testdb.SQLiteOnly(t)
	s := open(t)
	organization(t, s, "a")
	dir := t.TempDir()
	path := filepath.Join(dir, "a b%20c?.db")
	size, err := s.Backup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() != size || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%d bytes, mode %v; told of %d bytes", info.Size(), info.Mode(), size)
	}
	organization(t, s, "b") // added after the copy was made
	if got := only(t, dir); got != filepath.Base(path) {
		t.Errorf("beside the copy there is %s", got)
	}
	restored, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	if all, err := restored.Organizations(t.Context()); err != nil || len(all) != 1 || all[0].PublicID != "org_a" {
		t.Errorf("the copy holds %+v, %v", all, err)
	}
	organization(t, restored, "c") // the copy can be used and written
}

// only returns the names of the files in a directory, and fails the test unless there is one.
func only(t testing.TB, dir string) (names string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names += e.Name()
	}
	return names
}

func TestBackupOverwritesNothing(t *testing.T) {
	testdb.SQLiteOnly(t)
	s := open(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "kept")
	if err := os.WriteFile(path, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(t.Context(), path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Backup = %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "kept" {
		t.Errorf("the file is now %q, %v", b, err)
	}
	if got := only(t, dir); got != "kept" {
		t.Errorf("there is %s", got)
	}
	dangling := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "nowhere"), dangling); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, err := s.Backup(t.Context(), dangling); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Backup through a link = %v", err)
	}
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	testdb.SQLiteOnly(t)
	s := open(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Backup(ctx, filepath.Join(dir, "copy")); !errors.Is(err, context.Canceled) {
		t.Errorf("Backup = %v", err)
	}
	if got := only(t, dir); got != "" {
		t.Errorf("there is %s", got)
	}
	if _, err := s.Backup(t.Context(), filepath.Join(dir, "none", "copy")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Backup into a directory that there is not = %v", err)
	}
}
