//go:build !linux

package cli_test

import "os"

// peakMemory returns 0, because only Linux is measured.
func peakMemory(*os.ProcessState) int64 { return 0 }
