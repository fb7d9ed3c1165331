package download

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Opener returns the function that shows a file with the system's own program, or
// nil where there is none to do so: over SSH the program would open on another
// machine, and without a display nowhere. The function returns when the system's
// program does. System is a runtime.GOOS; lookPath is exec.LookPath.
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
		// An absolute path cannot be taken for an option.
		path, err := filepath.Abs(path)
		if err == nil {
			cmd := exec.Command(program, append(arguments[:len(arguments):len(arguments)], path)...)
			// What shows a document lives on, and a token has no business in it.
			cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TARMAC_") })
			err = cmd.Run()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
}
