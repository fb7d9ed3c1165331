package export

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"tarmac/client/download"
)

// PromptLabel and WritingLabel precede the file name on the screen: the first while the user types
// it, the second while the file is written.
const PromptLabel, WritingLabel = "Export   ", "Writing  "

// Directories are the directories that file names are relative to. The program looks them up once
// at its start, so that the methods need no disk access.
type Directories struct {
	Documents     string // directory of suggested paths; "" means Current
	Current, Home string
}

// SuggestPath returns a file name made of words.
func (p Directories) SuggestPath(words ...string) string {
	name := strings.ReplaceAll(strings.Join(words, "-"), "..", "-") // from a range of days
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	return filepath.Join(cmp.Or(p.Documents, p.Current), download.Name(name, words[0], ".csv"))
}

// Path returns the path of a typed file name, or an error if its extension is not a format.
// It does not check whether the file exists; Create and Write do.
func (p Directories) Path(typed string) (string, error) {
	path := p.Absolute(typed)
	_, err := FormatOf(path)
	return path, err
}

// Absolute returns the absolute path of a typed file name. It replaces a leading ~ with Home.
func (p Directories) Absolute(typed string) string {
	path := filepath.FromSlash(typed)
	const separator = string(filepath.Separator)
	rest, home := strings.CutPrefix(path, "~"+separator)
	switch {
	case home && p.Home != "":
		return filepath.Join(p.Home, rest)
	case filepath.VolumeName(path) != "" || filepath.IsAbs(path):
		return filepath.Clean(path)
	case strings.HasPrefix(path, separator): // on Windows a path of the current drive
		return filepath.Clean(filepath.VolumeName(p.Current) + path)
	}
	return filepath.Join(p.Current, path)
}

// Reason returns why a file was not written, and what to do if its name is taken.
func Reason(err error) string {
	var at *fs.PathError
	switch {
	case !errors.As(err, &at):
		return "not exported: " + err.Error()
	case errors.Is(err, fs.ErrExist):
		return filepath.Base(at.Path) + " already exists: choose another name"
	}
	return "not exported: " + at.Path + ": " + at.Err.Error()
}
