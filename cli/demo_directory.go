package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tarmac/internal/privatefile"
)

const (
	// The names of directories that go with their demo are these, with digits between:
	// no name that somebody gives to --data.
	demoPrefix, demoSuffix = "tarmac-demo-", ".temporary"

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
	dir, err := os.MkdirTemp("", demoPrefix+"*"+demoSuffix)
	if err != nil {
		return "", fmt.Errorf("cannot make a temporary directory: %w", err)
	}
	closing.add(func() { os.RemoveAll(dir) })
	return dir, nil
}

// removeAbandonedDemos removes what demos of the same user left behind that had no
// chance to clean up. That root could remove those of others too is no reason to.
func removeAbandonedDemos(now time.Time) {
	found, err := filepath.Glob(filepath.Join(os.TempDir(), demoPrefix+"*"+demoSuffix))
	if err != nil {
		return
	}
	for _, dir := range found {
		number := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(dir), demoPrefix), demoSuffix)
		info, err := os.Lstat(dir)
		if err != nil || strings.Trim(number, "0123456789") != "" || !info.IsDir() || !privatefile.IsOwn(info) {
			continue
		}
		if lastWritten(dir, info.ModTime()).Add(abandonedAfter).Before(now) {
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
