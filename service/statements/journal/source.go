package journal

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tarmac/service/statements/bank"
)

// source is a journal that a tool can open by its path or read from standard input.
type source struct {
	path string // "" if the journal has no path, so that a tool must read it from standard input
	file io.ReadSeeker
	temp string // temporary directory to remove; "" if there is none
}

// namedFile is a file that has a path, such as *os.File.
type namedFile interface {
	Name() string
	Stat() (fs.FileInfo, error)
}

// openSource returns the source for a journal. It uses the path of the file if there is one, so
// that tools find included files next to it.
func openSource(file io.ReadSeeker) (*source, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	s := &source{file: file}
	named, ok := file.(namedFile)
	if !ok {
		return s, nil
	}
	opened, err := named.Stat()
	if err != nil || !opened.Mode().IsRegular() {
		return s, nil
	}
	path, err := filepath.Abs(named.Name())
	if err != nil {
		return s, nil
	}
	if there, err := os.Stat(path); err == nil && os.SameFile(opened, there) {
		s.path = path
	}
	return s, nil
}

// maxCopy is the largest size in bytes of a journal that has no path.
const maxCopy = 256 << 20

// save writes a journal without a path to a temporary file that only the user can read. Beancount's
// tools cannot read standard input.
func (s *source) save() error {
	if s.path != "" {
		return nil
	}
	directory, err := os.MkdirTemp("", "tarmac-journal-")
	if err != nil {
		return err
	}
	s.temp = directory
	path := filepath.Join(directory, "journal.beancount")
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	size, err := io.Copy(out, io.LimitReader(s.file, maxCopy+1))
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil && size > maxCopy {
		err = bank.Errorf(0, "is a journal of more than 256 MB")
	}
	s.path = path
	return err
}

func (s *source) close() {
	if s.temp != "" {
		os.RemoveAll(s.temp)
	}
}
