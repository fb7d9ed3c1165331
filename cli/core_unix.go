//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import "syscall"

// leaveNoCore has the system write no image of this process's memory, nor of those
// that it starts. Where it refuses, it is as it was.
func leaveNoCore() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
