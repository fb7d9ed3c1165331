// Package privatefile reads and writes files that are their owner's alone: tokens,
// and the settings that say which server they go to.
//
// Errors name the file, cleaned for a terminal, and what mends it; never its
// content.
package privatefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"

	"tarmac/internal/termtext"
)

// ErrExposed is what the error of a file matches that others can read, or that
// belongs to somebody else.
var ErrExposed = errors.New("the file is not its reader's alone")

// exposed is an ErrExposed in words.
type exposed struct{ text string }

func (e exposed) Error() string        { return e.text }
func (e exposed) Is(target error) bool { return target == ErrExposed }

// Read returns the content of a regular file of at most limit bytes that belongs to
// whoever runs the program and that nobody else can read; a symbolic link is
// followed, and what it leads to is looked at. A file that is not there is
// fs.ErrNotExist.
func Read(path string, limit int) ([]byte, error) {
	// Asking before opening keeps devices from being touched; asking the open file
	// again keeps it from being exchanged in between. Without blocking, so that a
	// pipe which nobody writes to is refused instead of waited for.
	if info, err := os.Stat(path); err != nil {
		return nil, unreadable(path, err)
	} else if err := check(path, info, limit); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, unreadable(path, err)
	}
	if err := check(path, info, limit); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case len(content) > limit:
		return nil, tooLarge(path, limit)
	}
	return content, nil
}

// check refuses what is larger than a private file of its kind, and what checkFile
// refuses.
func check(path string, info fs.FileInfo, limit int) error {
	if info.Mode().IsRegular() && info.Size() > int64(limit) {
		return tooLarge(path, limit)
	}
	return checkFile(path, info)
}

// checkFile refuses what cannot be a private file, and one that others can read.
func checkFile(path string, info fs.FileInfo) error {
	name := termtext.Line(path)
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", name)
	}
	if owner, known := ownerOf(info); known && owner != os.Geteuid() {
		return exposed{fmt.Sprintf("%s belongs to another user (%d): copy it, or chown %d %s", name, owner, os.Geteuid(),
			shellWord(name))}
	}
	// Windows keeps access in lists that the mode does not show.
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return exposed{fmt.Sprintf("others can read %s (mode %04o): chmod 600 %s", name, info.Mode().Perm(), shellWord(name))}
	}
	return nil
}

// CheckDirectory refuses a directory in which others than root could exchange a
// private file. One that is not there is fine.
func CheckDirectory(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unreadable(path, err)
	}
	return checkDirectory(path, info)
}

func checkDirectory(path string, info fs.FileInfo) error {
	name := termtext.Line(path)
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", name)
	}
	if owner, known := ownerOf(info); known && owner != os.Geteuid() && owner != 0 {
		return exposed{fmt.Sprintf("%s belongs to another user (%d): use a directory of your own", name, owner)}
	}
	// In one like /tmp others can make files, and neither replace nor remove these.
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return exposed{fmt.Sprintf("others can write to %s (mode %04o): chmod 700 %s", name, info.Mode().Perm(),
			shellWord(name))}
	}
	return nil
}

// IsOwn reports whether a file or directory belongs to whoever runs the program;
// always where owners are not known.
func IsOwn(info fs.FileInfo) bool {
	owner, known := ownerOf(info)
	return !known || owner == os.Geteuid()
}

func tooLarge(path string, limit int) error {
	return fmt.Errorf("%s is larger than %d KiB, which none of its kind is", termtext.Line(path), limit>>10)
}

// unreadable names the file once: the system's error would name it uncleaned.
func unreadable(path string, err error) error {
	return fmt.Errorf("%s cannot be read: %w", termtext.Line(path), reason(err))
}

// reason is a system's error without the path in it.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// shellWord quotes s where a shell would take it apart.
func shellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@%+=:,"
	if strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
