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
	// A temporary demo directory is named with this prefix, digits and this suffix. The pattern
	// excludes directories that the user named with --data.
	demoPrefix, demoSuffix = "tarmac-demo-", ".temporary"

	// abandonedAfter is how long the files of a demo must be unchanged until they count as left
	// behind by a killed program. A running demo writes every few seconds, but a laptop may sleep
	// for a day.
	abandonedAfter = 24 * time.Hour
)

// demoDirectory returns the directory with the given name. If the name is "", it creates a private
// directory that is removed when the demo ends.
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

// removeAbandonedDemos removes demo directories that a killed program has left behind. It removes
// only the user's own, even for root.
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

// lastWritten returns when a directory or one of its files was last modified. If latest is later,
// it returns latest.
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
