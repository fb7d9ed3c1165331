package export

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"tarmac/client/download"
)

// PromptLabel and WritingLabel are shown before the file name: PromptLabel while the user types the
// name, WritingLabel while the file is written.
const PromptLabel, WritingLabel = "Export   ", "Writing  "

// Directories are the directories to which file names are relative. The program determines them
// once, when it starts, so that the methods need no disk access.
type Directories struct {
	Documents     string // directory of suggested paths; if "", Current is used
	Current, Home string
	// Remote is true if the person sits at another machine and the directories are therefore not
	// theirs. Nothing may then be saved or read here.
	Remote bool
}

// SuggestPath returns a path in Documents. The file name consists of the words, joined with dashes,
// and the extension .csv.
func (p Directories) SuggestPath(words ...string) string {
	name := strings.ReplaceAll(strings.Join(words, "-"), "..", "-") // a range of days contains ".."
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	return filepath.Join(cmp.Or(p.Documents, p.Current), download.Name(name, words[0], ".csv"))
}

// Path returns the path for a file name that the user typed. It returns an error if the extension
// stands for no format. It does not check whether the file exists; Create and Write do.
func (p Directories) Path(typed string) (string, error) {
	path := p.Absolute(typed)
	_, err := FormatOf(path)
	return path, err
}

// Absolute returns the absolute path for a file name that the user typed. A leading ~ stands for
// Home.
func (p Directories) Absolute(typed string) string {
	path := filepath.FromSlash(typed)
	const separator = string(filepath.Separator)
	rest, home := strings.CutPrefix(path, "~"+separator)
	switch {
	case home && p.Home != "":
		return filepath.Join(p.Home, rest)
	case filepath.VolumeName(path) != "" || filepath.IsAbs(path):
		return filepath.Clean(path)
	case strings.HasPrefix(path, separator): // on Windows, a path on the current drive
		return filepath.Clean(filepath.VolumeName(p.Current) + path)
	}
	return filepath.Join(p.Current, path)
}

// Reason says why a file was not written and, if its name is taken, what to do.
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
