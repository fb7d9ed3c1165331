//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package draft

import "io"

// lock does nothing on systems without a known way to lock files.
func lock(string) (io.Closer, error) { return nil, nil }
