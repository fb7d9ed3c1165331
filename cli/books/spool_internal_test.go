package books

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestStandardInputIsLimitedAndCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	blocked, input := io.Pipe()
	defer input.Close()
	cancel()

	if _, err := spool(ctx, blocked, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	file, err := spool(t.Context(), strings.NewReader(strings.Repeat("x", 100)), 100)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := spool(t.Context(), strings.NewReader(strings.Repeat("x", 101)), 100); err == nil ||
		err.Error() != "is larger than 1 GB: split it" {
		t.Errorf("large: %v", err)
	}
}

func TestAFileWithoutASizeIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, "/proc/self/status"} {
		if _, err := os.Stat(name); err != nil {
			continue // not Linux
		}
		if _, err := openStatement(name); err == nil || err.Error() != "is empty" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
