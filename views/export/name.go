package export

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"tarmac/views/download"
)

// Offer returns a name for a file of what the words say, in a directory; "" is the
// one that the program was started in.
func Offer(directory string, words ...string) string {
	if directory == "" {
		directory, _ = os.Getwd()
	}
	name := strings.ReplaceAll(strings.Join(words, "-"), "..", "-") // of days
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	return filepath.Join(directory, download.Name(name, words[0], ".csv"))
}

// Path returns the file that somebody named, ~ being home, or why it cannot be
// written: its ending says no format, or it is there already.
func Path(typed string) (string, error) {
	if home, err := os.UserHomeDir(); err == nil {
		if rest, ok := strings.CutPrefix(typed, "~/"); ok {
			typed = filepath.Join(home, rest)
		}
	}
	path, err := filepath.Abs(typed)
	if err == nil {
		_, err = FormatOf(path)
	}
	if err == nil {
		if _, there := os.Lstat(path); there == nil {
			err = errors.New(filepath.Base(path) + " is there already: choose another name")
		}
	}
	return path, err
}
