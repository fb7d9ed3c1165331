//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package privatefile

import (
	"errors"
	"io"
)

// Lock returns errors.ErrUnsupported, because there is no known way to lock files on these systems.
func Lock(string) (io.Closer, error) { return nil, errors.ErrUnsupported }
