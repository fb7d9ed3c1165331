package plan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"tarmac/internal/civil"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// ErrChanged means that a file is not as it was when it was read. It is not overwritten.
var ErrChanged = errors.New("the plan has changed meanwhile; nothing was written")

// FileError says what is wrong with the text of a file.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return termtext.Line(e.Path) + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// File is a text file with a plan. Others may read it, because plans are kept in git, but it must
// be the user's own.
type File struct{ Path string }

// Read implements Store.
func (f File) Read() (p *Plan, text string, err error) {
	if text, err = f.Text(); err != nil {
		return nil, "", err
	}
	return read(f.Path, text)
}

// Place implements Store.
func (f File) Place() string { return termtext.Line(f.Path) }

// IsKept implements Store.
func (File) IsKept() bool { return true }

// Text returns the text of the file, even if it is no valid plan. Of a larger file, it returns the
// first MaxBytes+1 bytes.
func (f File) Text() (string, error) {
	// O_NONBLOCK keeps the opening of a pipe from blocking until another process writes to it.
	file, err := os.OpenFile(f.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", err
	case err != nil:
		return "", f.unreadable(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return "", f.unreadable(err)
	case !info.Mode().IsRegular():
		return "", f.unreadable(errors.New("it is no regular file"))
	case !privatefile.IsOwn(info):
		return "", f.unreadable(errors.New("it belongs to somebody else"))
	}
	text, err := io.ReadAll(io.LimitReader(file, MaxBytes+1))
	if err != nil {
		return "", f.unreadable(err)
	}
	return string(text), nil
}

func (f File) unreadable(err error) error {
	return fmt.Errorf("%s cannot be read: %w", termtext.Line(f.Path), privatefile.Reason(err))
}

// Replace implements Store.
func (f File) Replace(was, text string) error {
	return replace(f.Place(), f.Text, was, text, func() error {
		return privatefile.Write(privatefile.Target(f.Path), []byte(text))
	})
}

// Begin returns the text of a plan without lines, which begins in the month of a day.
func Begin(today civil.Date, currency string) string {
	return fmt.Sprintf("plan from %s in %s\n", today.String()[:7], currency)
}

// Add returns a text of a plan with one more line at its end, and the line.
func Add(text, line string) (string, *Line, error) {
	p, err := Parse(text)
	if err != nil {
		return "", nil, err
	}
	l, err := p.ParseLine(line)
	if err != nil {
		return "", nil, err
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + l.Text(p) + "\n", l, nil
}

// Without returns a text of a plan without the line with a number.
func Without(text string, number int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(append(lines[:number-1:number-1], lines[number:]...), "")
}

// WithLine returns a text of a plan with another line in the place of the one with a number. A
// comment behind the line stays.
func WithLine(text string, number int, line string) string {
	lines := strings.Split(text, "\n")
	old := strings.TrimSuffix(lines[number-1], "\r")
	if s, err := scan(number, old); err == nil && s.end <= len([]rune(old)) {
		line += "  " + string([]rune(old)[s.end-1:])
	}
	lines[number-1] = line
	return strings.Join(lines, "\n")
}
