//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cli

import "os"

// onReaderGone does nothing on these systems: the next write fails instead.
func onReaderGone(*os.File, func()) {}
