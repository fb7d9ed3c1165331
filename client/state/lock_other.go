//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package state

import "io"

// lock does nothing, because there is no known way to lock files on these systems.
func lock(string) (io.Closer, error) { return nil, nil }
