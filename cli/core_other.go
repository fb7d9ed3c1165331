//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package cli

// disableCoreDumps does nothing: these systems write no core files by default.
func disableCoreDumps() {}
