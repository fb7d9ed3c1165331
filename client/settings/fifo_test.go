//go:build unix

package settings_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tarmac/client/settings"
)

// Reading a pipe without a writer would block forever.
func TestPipeIsRefusedWithoutWaiting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	_, err := settings.Defaults().Resolve(settings.Flags{BaseURL: "https://x", TokenFile: path}, environment(nil), nil)
	if err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
}
