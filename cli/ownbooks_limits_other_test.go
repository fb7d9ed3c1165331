//go:build !linux

package cli_test

import "os/exec"

// runMeasured runs a command. It returns 0 for its memory, because only Linux is measured.
func runMeasured(cmd *exec.Cmd) (peak int64, err error) { return 0, cmd.Run() }
