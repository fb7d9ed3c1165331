//go:build unix

package sealing_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tarmac/service/sealing"
)

// Opening a pipe without a writer would block forever.
func TestAPipeIsRefusedWithoutWaiting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := sealing.Load(path); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
}
