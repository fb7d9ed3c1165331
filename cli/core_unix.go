//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import "syscall"

// disableCoreDumps keeps the memory of this process and its children out of core files, where
// the system allows it.
func disableCoreDumps() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
