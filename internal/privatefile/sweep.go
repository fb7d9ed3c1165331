package privatefile

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Sweep removes from a directory what programs left that were killed while they
// wrote: regular files of whoever runs the program, last written more than an hour
// before now, whose names are the prefix, digits as os.CreateTemp has them, and the
// suffix. A younger one may be another program's that is still writing.
func Sweep(dir, prefix, suffix string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, begins := strings.CutPrefix(e.Name(), prefix)
		number, ends := strings.CutSuffix(number, suffix)
		if !begins || !ends || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !IsOwn(info) || now.Sub(info.ModTime()) <= time.Hour {
			continue
		}
		_ = os.Remove(filepath.Join(dir, e.Name()))
	}
}
