//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cli

import "os"

// onReaderGone does nothing: the next write fails.
func onReaderGone(*os.File, func()) {}
