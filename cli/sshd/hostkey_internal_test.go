package sshd

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarmac/internal/testsupport/openssh"
)

func TestAHostKeyIsCreatedOnceForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "host_key")
	logger := slog.New(slog.DiscardHandler)

	created, err := loadHostKey(path, logger)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := loadHostKey(path, logger)
	if err != nil {
		t.Fatal(err)
	}

	if !bytes.Equal(created.PublicKey().Marshal(), loaded.PublicKey().Marshal()) {
		t.Error("the second start has another key")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("the file has mode %s", info.Mode())
	}
}

func TestUnusableHostKeysAreRefusedWithTheReason(t *testing.T) {
	openssh.Require(t)
	exposed := openssh.NewKey(t, "-t", "ed25519")
	if err := os.Chmod(exposed, 0o640); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(t.TempDir(), "key")
	openssh.Keygen(t, "-q", "-t", "ed25519", "-N", "a passphrase", "-f", locked)
	for name, c := range map[string]struct{ path, says string }{
		"a file that others can read": {exposed, "chmod 600"},
		"a key with a passphrase":     {locked, "has a passphrase"},
		"a public key":                {private(t, exposed+".pub"), "holds no private key"},
	} {
		_, err := loadHostKey(c.path, slog.New(slog.DiscardHandler))

		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// private makes a file readable by its owner alone.
func private(t *testing.T, path string) string {
	t.Helper()
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
