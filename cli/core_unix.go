//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import "syscall"

// disableCoreDumps asks the system to write no core files of this process and its children, because
// these would contain secrets from memory.
func disableCoreDumps() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
