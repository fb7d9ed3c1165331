//go:build unix

package store_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/service/store"
)

// planted is a file that an attacker put where a database, or a file that SQLite uses beside it,
// will be.
type planted struct {
	name string
	put  func(path string) error
	says string
}

func TestAFileOfSomebodyElsesIsNoDatabase(t *testing.T) {
	open := func(path string) error {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return err
		}
		return os.Chmod(path, 0o666)
	}
	link := func(path string) error {
		target := filepath.Join(filepath.Dir(path), "precious")
		if err := os.WriteFile(target, nil, 0o600); err != nil {
			return err
		}
		return os.Symlink(target, path)
	}
	theirs := func(path string) error {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return err
		}
		return os.Chown(path, 12345, 12345)
	}
	attacks := []planted{{"", open, "others can read"}}
	for _, ending := range []string{"-wal", "-shm", "-journal"} {
		attacks = append(attacks, planted{ending, open, "others can read"}, planted{ending, link, "is not a regular file"})
	}
	if os.Geteuid() == 0 { // who alone can give files away
		for _, ending := range []string{"", "-wal", "-shm", "-journal"} {
			attacks = append(attacks, planted{ending, theirs, "belongs to another user"})
		}
	}
	for _, attack := range attacks {
		path := filepath.Join(t.TempDir(), "tarmac.db")
		put := path + attack.name
		if err := attack.put(put); err != nil {
			t.Fatal(err)
		}
		st, err := store.Open(context.Background(), path, store.Options{})
		if err == nil {
			_ = st.Close()
		}
		if err == nil || !strings.Contains(err.Error(), put+" "+attack.says) &&
			!strings.Contains(err.Error(), attack.says+" "+put) {
			t.Errorf("%q, %s: %v", attack.name, attack.says, err)
		}
		if info, err := os.Stat(put); err != nil || info.Size() > 0 {
			t.Errorf("%q, %s: written to: %v", attack.name, attack.says, err)
		}
	}
}
