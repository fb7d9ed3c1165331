package sealing_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"tarmac/service/sealing"
)

func TestAKeyFileIsCreatedOnceAndThenLoaded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tarmac.db.key")
	if _, err := sealing.Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("before it is made: %v", err)
	}
	made, err := sealing.LoadOrCreate(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(content) != 65 || strings.Trim(string(content), "0123456789abcdef") != "\n" {
		t.Errorf("the file has %d bytes", len(content))
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	sealed, err := made.Seal(rand.Reader, "svc_whsec_x", "wh_1")
	if err != nil {
		t.Fatal(err)
	}
	// Loading needs no entropy.
	again, err := sealing.LoadOrCreate(path, iotest.ErrReader(io.ErrUnexpectedEOF))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Open(sealed, "wh_1"); err != nil || got != "svc_whsec_x" ||
		!bytes.Equal(again.Fingerprint(), made.Fingerprint()) {
		t.Errorf("after reading it again: %q, %v", got, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
		t.Errorf("the file was written again, or %v", err)
	}
	onlyFile(t, dir, "tarmac.db.key")
}

// onlyFile fails the test unless the directory holds only that file.
func onlyFile(t testing.TB, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestConcurrentCallsCreateOneKey(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	var fingerprints [32][]byte
	var calls sync.WaitGroup
	for i := range fingerprints {
		calls.Go(func() {
			key, err := sealing.LoadOrCreate(path, rand.Reader)
			if err != nil {
				t.Error(err)
			}
			fingerprints[i] = key.Fingerprint()
		})
	}
	calls.Wait()
	for i := range fingerprints {
		if !bytes.Equal(fingerprints[i], fingerprints[0]) {
			t.Fatalf("number %d has another key", i)
		}
	}
	onlyFile(t, dir, "key")
}

func TestCreateReplacesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := sealing.Create(path, rand.Reader); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	err = sealing.Create(path, rand.Reader)

	if after, readErr := os.ReadFile(path); !errors.Is(err, fs.ErrExist) || readErr != nil || !bytes.Equal(after, made) {
		t.Errorf("created again: %v; the file was replaced: %v (%v)", err, !bytes.Equal(after, made), readErr)
	}
}

// systemd gives a key to a service in a file of root, which the service's user can read by an
// access control list.
func TestAKeyThatSystemdHandedOverIsLoaded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	made, err := sealing.LoadOrCreate(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o440); err != nil {
		t.Fatal(err)
	}
	if _, err := sealing.Load(path); err == nil && runtime.GOOS != "windows" {
		t.Error("a file that a group can read was loaded")
	}

	t.Setenv("CREDENTIALS_DIRECTORY", filepath.Dir(path))
	key, err := sealing.Load(path)

	if err != nil || !bytes.Equal(key.Fingerprint(), made.Fingerprint()) {
		t.Errorf("as a credential: %v", err)
	}
}

func TestAnInvalidKeyFileIsRefusedAndNotReplaced(t *testing.T) {
	const digits = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeefe"
	const notOneLine = "does not hold one line of 64 hexadecimal digits; restore it from its backup"
	for name, c := range map[string]struct {
		content string
		mode    fs.FileMode
		want    string
	}{
		"as it is made":              {digits + "\n", 0o600, ""},
		"without the end of line":    {digits, 0o400, ""},
		"written on Windows":         {strings.ToUpper(digits) + "\r\n", 0o600, ""},
		"empty":                      {"", 0o600, notOneLine},
		"cut short":                  {digits[:62] + "\n", 0o600, notOneLine},
		"too long":                   {digits + "00\n", 0o600, notOneLine},
		"much too long":              {strings.Repeat(digits, 99), 0o600, notOneLine},
		"two lines":                  {digits + "\n" + digits, 0o600, notOneLine},
		"no digits":                  {strings.Repeat("z", 64), 0o600, notOneLine},
		"a blank before":             {" " + digits, 0o600, notOneLine},
		"the group can read it":      {digits, 0o640, "others can read it (mode 0640): chmod 600 "},
		"others can read it":         {digits, 0o604, "others can read it (mode 0604): chmod 600 "},
		"others can write it":        {digits, 0o602, "others can read it (mode 0602): chmod 600 "},
		"open to all and no key too": {"", 0o666, "others can read it (mode 0666): chmod 600 "},
	} {
		if c.mode&0o077 != 0 && runtime.GOOS == "windows" {
			continue
		}
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		_, err := sealing.LoadOrCreate(path, rand.Reader)
		if (err == nil) != (c.want == "") ||
			err != nil && (!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), digits[:8]) || strings.Contains(err.Error(), "'z'")) {
			t.Errorf("%s: %v repeats the key", name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != c.content {
			t.Errorf("%s: the file was replaced, or %v", name, err)
		}
	}
}

func TestTheErrorOfAKeyFileThatCannotBeCreatedNamesIt(t *testing.T) {
	dir := t.TempDir()
	if _, err := sealing.LoadOrCreate(dir, rand.Reader); err == nil ||
		!strings.Contains(err.Error(), "it is not a regular file") {
		t.Errorf("a directory: %v", err)
	}
	missing := filepath.Join(dir, "none", "key")
	if _, err := sealing.LoadOrCreate(missing, rand.Reader); err == nil ||
		!strings.HasPrefix(err.Error(), "the key file "+missing+" cannot be created: ") {
		t.Errorf("a directory that is not there: %v", err)
	}
	path := filepath.Join(dir, "key")
	if _, err := sealing.LoadOrCreate(path, iotest.ErrReader(io.ErrUnexpectedEOF)); err == nil {
		t.Error("a key of no entropy")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// Secrets that are mounted into a container are links.
func TestALinkToAKeyFileIsFollowed(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "key"), filepath.Join(dir, "link")
	made, err := sealing.LoadOrCreate(path, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here")
	}
	if key, err := sealing.LoadOrCreate(link, rand.Reader); err != nil ||
		!bytes.Equal(key.Fingerprint(), made.Fingerprint()) {
		t.Errorf("through a link: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := sealing.LoadOrCreate(link, rand.Reader); err == nil || !strings.Contains(err.Error(), "broken link") {
		t.Errorf("through a link to nothing: %v", err)
	}
	onlyFile(t, dir, "link")
}

func TestAKeyFileOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away, and read them afterwards")
	}
	path := filepath.Join(t.TempDir(), "tarmac.db.key")
	if _, err := sealing.LoadOrCreate(path, rand.Reader); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if _, err := sealing.LoadOrCreate(path, rand.Reader); err == nil ||
		!strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("LoadOrCreate = %v", err)
	}
}
