//go:build unix

package privatefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tarmac/internal/privatefile"
)

func TestOnlyFilesThatSystemdHandedOverMayHaveTheModeOfACredential(t *testing.T) {
	for name, c := range map[string]struct {
		file      string
		mode      fs.FileMode
		directory fs.FileMode
		accepted  bool
	}{
		"the mode that an access control list shows": {"key", 0o440, 0o550, true},
		"the mode without a list":                    {"key", 0o400, 0o500, true},
		"a directory that only its owner writes":     {"key", 0o440, 0o755, true},
		"readable for all":                           {"key", 0o444, 0o550, false},
		"writable for the group":                     {"key", 0o460, 0o550, false},
		"writable for its owner":                     {"key", 0o640, 0o550, false},
		"a directory that a group writes":            {"key", 0o440, 0o570, false},
		"a directory that all write":                 {"key", 0o440, 0o777, false},
		"in a directory below":                       {"below/key", 0o440, 0o550, false},
		"in another directory":                       {"../key", 0o440, 0o550, false},
		"not a regular file":                         {"pipe", 0o440, 0o550, false},
	} {
		directory := filepath.Join(t.TempDir(), "credentials")
		path := filepath.Join(directory, c.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(directory, 0o755); err != nil {
			t.Fatal(err)
		}
		if c.file == "pipe" {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := errors.Join(os.Chmod(path, c.mode), os.Chmod(directory, c.directory))
		t.Cleanup(func() { _ = os.Chmod(directory, 0o700) })
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("CREDENTIALS_DIRECTORY", directory+"/")
		content, err := privatefile.Read(path, 10)
		if accepted := err == nil && string(content) == "secret"; accepted != c.accepted {
			t.Errorf("%s: %q, %v; accepted should be %v", name, content, err, c.accepted)
		}
	}
}

func TestALinkAmongCredentialsIsNoCredential(t *testing.T) {
	outside, directory := filepath.Join(t.TempDir(), "file"), t.TempDir()
	link := filepath.Join(directory, "key")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(outside, 0o440), os.Symlink(outside, link)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CREDENTIALS_DIRECTORY", directory)
	if _, err := privatefile.Read(link, 10); !errors.Is(err, privatefile.ErrExposed) {
		t.Errorf("a link: %v", err)
	}
}

func TestACredentialBelongsToRootOrToTheService(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	directory := t.TempDir()
	path := filepath.Join(directory, "key")
	if err := os.WriteFile(path, []byte("secret"), 0o400); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CREDENTIALS_DIRECTORY", directory)
	if err := os.Chown(path, 12345, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := privatefile.Read(path, 10); !errors.Is(err, privatefile.ErrExposed) {
		t.Errorf("a file of another user: %v", err)
	}
	if err := errors.Join(os.Chown(path, 0, 0), os.Chown(directory, 12345, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := privatefile.Read(path, 10); err != nil {
		t.Errorf("a file of one's own, in a directory of another user: %v", err)
	}
	if err := os.Chmod(path, 0o440); err != nil {
		t.Fatal(err)
	}
	if _, err := privatefile.Read(path, 10); !errors.Is(err, privatefile.ErrExposed) {
		t.Errorf("readable for a group, in a directory of another user: %v", err)
	}
}
