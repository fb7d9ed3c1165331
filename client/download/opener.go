package download

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Opener returns a function that opens a file with the system's viewer and returns when the
// viewer's launcher does. It returns nil if there is none: over SSH the viewer would open
// on another machine, and without a display nowhere. system is a runtime.GOOS and lookPath
// is exec.LookPath.
func Opener(system string, getenv func(string) string, lookPath func(string) (string, error)) func(path string) error {
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return nil
	}
	name, arguments := "xdg-open", []string(nil)
	switch system {
	case "darwin":
		name = "open"
	case "windows":
		name, arguments = "rundll32.exe", []string{"url.dll,FileProtocolHandler"}
	default:
		if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
			return nil
		}
	}
	program, err := lookPath(name)
	if err != nil {
		return nil
	}
	return func(path string) error {
		// A relative path that begins with "-" would be an option of the viewer's launcher.
		path, err := filepath.Abs(path)
		if err == nil {
			cmd := exec.Command(program, append(arguments[:len(arguments):len(arguments)], path)...)
			// The viewer outlives this program and must not inherit a token.
			cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TARMAC_") })
			err = cmd.Run()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
}
