package download

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Opener returns a function that opens a file in the system's viewer. The function returns when the
// program that starts the viewer ends. Opener returns nil if there is no viewer: over SSH, it would
// open on the other machine, and without a display nowhere. system is a value of runtime.GOOS, and
// lookPath is exec.LookPath.
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
		// A relative path that begins with "-" would be read as an option.
		path, err := filepath.Abs(path)
		if err == nil {
			cmd := exec.Command(program, append(arguments[:len(arguments):len(arguments)], path)...)
			// The viewer keeps running after this program and must not inherit a token.
			cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TARMAC_") })
			err = cmd.Run()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
}
