package command

import (
	"fmt"
	"runtime"
)

// UserAgent returns how the program with a version names itself to servers.
func UserAgent(version string) string {
	return fmt.Sprintf("tarmac/%s (%s; %s)", version, runtime.GOOS, runtime.GOARCH)
}
