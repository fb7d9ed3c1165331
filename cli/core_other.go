//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package cli

// disableCoreDumps does nothing on systems that write no core files by default.
func disableCoreDumps() {}
