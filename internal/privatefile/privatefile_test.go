package privatefile_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/privatefile"
)

func TestWhatIsWrittenIsPrivateAndWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made", "for it", "file")
	for _, content := range []string{"first", "", strings.Repeat("second", 1000)} {
		if err := privatefile.Write(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		got, err := privatefile.Read(path, 1<<20)
		if err != nil || string(got) != content {
			t.Errorf("read %d bytes of %d: %v", len(got), len(content), err)
		}
	}
	for _, made := range []struct {
		path string
		mode fs.FileMode
	}{{path, 0o600}, {filepath.Dir(path), 0o700}, {filepath.Dir(filepath.Dir(path)), 0o700}} {
		if info, err := os.Stat(made.path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != made.mode {
			t.Errorf("%s: mode %v, want %v (%v)", made.path, info.Mode(), made.mode, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

// A planted link must not redirect a token elsewhere.
func TestALinkIsReplacedAndNotFollowed(t *testing.T) {
	dir := t.TempDir()
	elsewhere, link := filepath.Join(dir, "elsewhere"), filepath.Join(dir, "link")
	if err := os.WriteFile(elsewhere, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Skip("no symbolic links here")
	}
	if got := privatefile.Target(link); filepath.Base(got) != "elsewhere" {
		t.Errorf("the target is %s", got)
	}
	if err := privatefile.Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link is %v (%v)", info.Mode(), err)
	}
	if got, err := os.ReadFile(elsewhere); err != nil || string(got) != "kept" {
		t.Errorf("elsewhere is %q (%v)", got, err)
	}
	if got := privatefile.Target(link); got != link {
		t.Errorf("the target of a file is %s", got)
	}
	dangling := filepath.Join(dir, "dangling")
	if err := os.Symlink(filepath.Join(dir, "none"), dangling); err != nil {
		t.Fatal(err)
	}
	if err := privatefile.Create(dangling, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating through a link to nothing: %v", err)
	}
}

func TestCreateReplacesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := privatefile.Create(path, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := privatefile.Create(path, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: %v", err)
	}
	if got, err := privatefile.Read(path, 10); err != nil || !bytes.Equal(got, []byte("first")) {
		t.Errorf("%q, %v", got, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

// Sweep removes only old partial files of its own.
func TestWhatAKilledProgramLeftIsSweptAnHourLater(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "token[1]")
	hour, minute := time.Now().Add(-61*time.Minute), time.Now().Add(-time.Minute)
	for name, age := range map[string]time.Time{
		".token[1]-123": hour, ".token[1]-124": minute, ".token[1]-": hour, ".token[1]-old": hour, ".token1-123": hour,
		"token[1]-123": hour, ".other-123": hour,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), age, age); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".token[1]-125"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, ".token[1]-125"), hour, hour); err != nil {
		t.Fatal(err)
	}
	if err := privatefile.Write(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{".other-123", ".token1-123", ".token[1]-", ".token[1]-124", ".token[1]-125", ".token[1]-old",
		"token[1]", "token[1]-123"}
	if !slices.Equal(left, want) {
		t.Errorf("there are %q, want %q", left, want)
	}
}

func TestExposedFilesAreRefusedWithWhatMendsThem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes there")
	}
	for _, mode := range []fs.FileMode{0o604, 0o640, 0o620, 0o601, 0o777} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := privatefile.Read(path, 10)
		if !errors.Is(err, privatefile.ErrExposed) || !strings.HasSuffix(err.Error(), ": chmod 600 "+path) {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o770); err != nil {
		t.Fatal(err)
	}
	if err := privatefile.CheckDirectory(dir); !errors.Is(err, privatefile.ErrExposed) ||
		!strings.HasSuffix(err.Error(), ": chmod 700 "+dir) {
		t.Errorf("the directory: %v", err)
	}
	if err := privatefile.Write(filepath.Join(dir, "file"), nil); err == nil ||
		!strings.Contains(err.Error(), "chmod 700 "+dir) {
		t.Errorf("writing into it: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

func TestSomebodyElsesFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 12345, 12345); err != nil {
		t.Skip("only root can give a file away")
	}
	if _, err := privatefile.Read(path, 10); !errors.Is(err, privatefile.ErrExposed) ||
		!strings.Contains(err.Error(), "belongs to another user (12345)") {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, make([]byte, 1025), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, want string }{
		"a directory": {dir, "is not a regular file"},
		"too large":   {large, "is larger than 1 KiB"},
		"not there":   {filepath.Join(dir, "\x1b[31mnone"), "none cannot be read: "},
	} {
		if _, err := privatefile.Read(c.path, 1024); err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := privatefile.Read(filepath.Join(dir, "none"), 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestAStreamIsWholeOrAbsent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string, failure error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, failure)
		}
	}
	failure := errors.New("no more")

	if err := privatefile.Stream(path, true, write("first", failure)); !errors.Is(err, failure) {
		t.Errorf("a stream that fails: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a part of it is there: %v", err)
	}
	if err := privatefile.Stream(path, false, write("second", nil)); err != nil {
		t.Error(err)
	}
	if err := privatefile.Stream(path, false, write("third", nil)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there: %v", err)
	}
	if err := privatefile.Stream(path, true, write("fourth", nil)); err != nil {
		t.Error(err)
	}
	got, err := privatefile.Read(path, 1<<20)
	if err != nil || string(got) != "fourth" {
		t.Errorf("the file has %q, %v", got, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}
