package export

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"tarmac/client/download"
)

// Asking and Writing stand before the name that is typed: whether it is a question
// still.
const Asking, Writing = "Export   ", "Writing  "

// Places is what names of files are of: where they are offered, the directory that
// the program was started in and the one that ~ stands for. They are found once, when
// it starts; what is made of them here is text, and nothing is looked up.
type Places struct {
	Documents  string // "" is Here
	Here, Home string
}

// Offer returns a name for a file of what the words say.
func (p Places) Offer(words ...string) string {
	name := strings.ReplaceAll(strings.Join(words, "-"), "..", "-") // of days
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	return filepath.Join(cmp.Or(p.Documents, p.Here), download.Name(name, words[0], ".csv"))
}

// Path returns the file that somebody named, or that its ending says no format.
// Whether there is one of the name Create and Write find out.
func (p Places) Path(typed string) (string, error) {
	path := p.absolute(filepath.FromSlash(typed))
	_, err := FormatOf(path)
	return path, err
}

func (p Places) absolute(path string) string {
	const separator = string(filepath.Separator)
	rest, home := strings.CutPrefix(path, "~"+separator)
	switch {
	case home && p.Home != "":
		return filepath.Join(p.Home, rest)
	case filepath.VolumeName(path) != "" || filepath.IsAbs(path):
		return filepath.Clean(path)
	case strings.HasPrefix(path, separator): // of the drive
		return filepath.Clean(filepath.VolumeName(p.Here) + path)
	}
	return filepath.Join(p.Here, path)
}

// Why says why a file was neither begun nor written: its name is taken, or what is
// wrong with which.
func Why(err error) string {
	var at *fs.PathError
	switch {
	case !errors.As(err, &at):
		return "nothing was exported: " + err.Error()
	case errors.Is(err, fs.ErrExist):
		return filepath.Base(at.Path) + " is there already: choose another name"
	}
	return "nothing was exported: " + at.Path + ": " + at.Err.Error()
}
