//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cli

import "os"

// onReaderGone does nothing on these systems. A command notices a closed pipe when its next write
// fails.
func onReaderGone(*os.File, func()) {}
