package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	demoPrefix = "tarmac-demo-"

	// abandonedAfter is how long a demo's files must have lain still to be taken
	// for those of a program that was killed. A living demo writes every few
	// seconds; a day leaves room for a laptop that slept.
	abandonedAfter = 24 * time.Hour
)

// demoDirectory returns the directory to work in: the one that was named, or a
// private one that goes when the demo ends.
func demoDirectory(named string, now time.Time, closing *closers) (string, error) {
	if named != "" {
		if err := os.MkdirAll(named, 0o700); err != nil {
			return "", fmt.Errorf("cannot make the data directory: %w", err)
		}
		return named, nil
	}
	removeAbandonedDemos(now)
	dir, err := os.MkdirTemp("", demoPrefix)
	if err != nil {
		return "", fmt.Errorf("cannot make a temporary directory: %w", err)
	}
	closing.add(func() { os.RemoveAll(dir) })
	return dir, nil
}

// removeAbandonedDemos removes what demos left behind that had no chance to
// clean up. What cannot be looked into or removed belongs to somebody else.
func removeAbandonedDemos(now time.Time) {
	found, err := filepath.Glob(filepath.Join(os.TempDir(), demoPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range found {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && lastWritten(dir, info.ModTime()).Add(abandonedAfter).Before(now) {
			os.RemoveAll(dir)
		}
	}
}

// lastWritten returns when a directory or a file in it was written last.
func lastWritten(dir string, latest time.Time) time.Time {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return latest
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.ModTime().After(latest) {
			latest = info.ModTime()
		}
	}
	return latest
}
