//go:build unix

package privatefile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/privatefile"
)

// New files belong only to their owner, whatever the program's umask.
func TestTheMaskDoesNotMatter(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077} {
		before := syscall.Umask(mask)
		dir := filepath.Join(t.TempDir(), "a", "b")
		file, grown := filepath.Join(dir, "file"), filepath.Join(dir, "log")
		err := privatefile.Write(file, []byte("x"))
		log, err2 := privatefile.Append(grown)
		syscall.Umask(before)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		_ = log.Close()
		for path, want := range map[string]fs.FileMode{file: 0o600, grown: 0o600, dir: 0o700, filepath.Dir(dir): 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("mask %03o: %s has %v (%v)", mask, path, info.Mode(), err)
			}
		}
	}
}

func TestWhatGrowsIsAppendedToAFileOfOnesOwnOnly(t *testing.T) {
	dir := t.TempDir()
	own, link, pipe, open := filepath.Join(dir, "own"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe"),
		filepath.Join(dir, "open")
	for range 2 {
		f, err := privatefile.Append(own)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("line\n")
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(own); err != nil || string(got) != "line\nline\n" {
		t.Errorf("%q, %v", got, err)
	}
	err := errors.Join(os.Symlink(filepath.Join(dir, "none"), link), syscall.Mkfifo(pipe, 0o600),
		os.WriteFile(open, nil, 0o644), os.Chmod(open, 0o644))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{link: "is a symbolic link: name the file", pipe: "cannot be written",
		open: "chmod 600 " + open, dir: "cannot be written"} {
		if f, err := privatefile.Append(path); err == nil || !strings.Contains(err.Error(), want) {
			_ = f.Close()
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was made behind the link (%v)", err)
	}
	if err := os.Chown(own, 12345, 12345); err != nil {
		t.Skip("only root can give a file away")
	}
	if _, err := privatefile.Append(own); !errors.Is(err, privatefile.ErrExposed) {
		t.Errorf("somebody else's: %v", err)
	}
}

// A hard link to a replaced file keeps the old content. A hard link to another user's file
// is that file, and is refused.
func TestHardLinksLeadNowhere(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "token"), filepath.Join(dir, "other")
	if err := errors.Join(privatefile.Write(path, []byte("old")), os.Link(path, other),
		privatefile.Write(path, []byte("new"))); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(other); err != nil || string(got) != "old" {
		t.Errorf("the other name holds %q (%v)", got, err)
	}
}

// An owner of the parent directory keeps swapping ours. A write ends in a directory that
// passed the check, or fails.
func TestADirectoryThatIsExchangedGetsNothing(t *testing.T) {
	parent := t.TempDir()
	ours, theirs, aside := filepath.Join(parent, "tarmac"), filepath.Join(parent, "theirs"), filepath.Join(parent, "aside")
	if err := errors.Join(os.Mkdir(ours, 0o700), os.Mkdir(theirs, 0o700), os.Chmod(theirs, 0o777)); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	var exchanging sync.WaitGroup
	exchanging.Go(func() {
		for !stop.Load() {
			_ = os.RemoveAll(aside) // still there if ours was created again meanwhile
			_ = os.Rename(ours, aside)
			_ = os.Symlink(theirs, ours)
			_ = os.Remove(ours)
			_ = os.Rename(aside, ours)
		}
	})
	written, refused := 0, 0
	// A collision may take a while.
	deadline := time.Now().Add(time.Minute)
	for i := 0; i < 300 || (written == 0 || refused == 0) && time.Now().Before(deadline); i++ {
		if err := privatefile.Write(filepath.Join(ours, "token"), fmt.Appendf(nil, "secret %d", i)); err == nil {
			written++
		} else {
			refused++
		}
	}
	stop.Store(true)
	exchanging.Wait()
	entries, err := os.ReadDir(theirs)
	if err != nil || len(entries) > 0 {
		t.Errorf("theirs holds %v (%v)", entries, err)
	}
	if written == 0 || refused == 0 {
		t.Errorf("%d written, %d refused: nothing was tried", written, refused)
	}
}

// Files in a directory like /tmp are private too, and those of other users stay theirs.
func TestADirectoryThatIsSharedLikeTmpTakesPrivateFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.pdf")
	if err := privatefile.Create(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := privatefile.Create(path, []byte("y")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("once more: %v", err)
	}
	if os.Geteuid() != 0 {
		return // only root can give a directory away
	}
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	err := privatefile.Create(filepath.Join(dir, "b.pdf"), []byte("x"))
	if !errors.Is(err, privatefile.ErrExposed) ||
		!strings.HasSuffix(err.Error(), "belongs to another user (12345): use a directory of your own") {
		t.Errorf("in somebody else's: %v", err)
	}
}
