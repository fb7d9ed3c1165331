// Package privatefile reads and writes files that only their owner can read: tokens, settings,
// drafts, documents. A file that it writes appears complete or not at all, except with Append.
//
// Its errors contain the name of the file, cleaned for a terminal, and say what to do. They never
// contain the content of the file.
package privatefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"tarmac/internal/termtext"
)

// ErrExposed matches errors about files that other users can read or own. ErrInvalid matches errors
// about directories, devices and files that are too large.
var (
	ErrExposed = errors.New("the file is not its reader's alone")
	ErrInvalid = errors.New("not a regular file of the expected size")
)

// ErrLocked means that another program holds a lock.
var ErrLocked = errors.New("another program holds the lock")

// refusal is an error about a file that exists but is not read. It matches kind.
type refusal struct {
	text string
	kind error
}

func (e refusal) Error() string        { return e.text }
func (e refusal) Is(target error) bool { return target == e.kind }

func exposed(format string, args ...any) error {
	return refusal{fmt.Sprintf(format, args...), ErrExposed}
}

func invalid(format string, args ...any) error {
	return refusal{fmt.Sprintf(format, args...), ErrInvalid}
}

// Read returns the content of a regular file of at most limit bytes. The file must belong to the
// current user, and nobody else may have access to it, or systemd must have given it to this
// service as a credential. Read follows symbolic links and checks their target. If the file is
// missing, the error is fs.ErrNotExist.
func Read(path string, limit int) ([]byte, error) {
	// The check before opening avoids opening a device. The check after it detects that the file
	// has been replaced in the meantime. O_NONBLOCK keeps the opening of a pipe from blocking until
	// somebody writes to it.
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

// check returns an error for a file larger than limit bytes, and otherwise the result of checkFile.
func check(path string, info fs.FileInfo, limit int) error {
	if info.Mode().IsRegular() && info.Size() > int64(limit) {
		return tooLarge(path, limit)
	}
	return checkFile(path, info)
}

// checkFile returns an error unless info describes a regular file that belongs to the current user
// and to which nobody else has access, or a credential.
func checkFile(path string, info fs.FileInfo) error {
	name := termtext.Line(path)
	if !info.Mode().IsRegular() {
		return invalid("%s is not a regular file", name)
	}
	if IsCredential(path, info) {
		return nil
	}
	if owner, known := ownerOf(info); known && owner != os.Geteuid() {
		return exposed("%s belongs to another user (%d): copy it, or chown %d %s", name, owner, os.Geteuid(),
			ShellWord(name))
	}
	// On Windows, the mode does not show who has access.
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return exposed("others can read %s (mode %04o): chmod 600 %s", name, info.Mode().Perm(), ShellWord(name))
	}
	return nil
}

// CheckDirectory returns an error if users other than root could replace a file in the directory. A
// missing directory is not an error.
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
		return exposed("%s belongs to another user (%d): use a directory of your own", name, owner)
	}
	// In a sticky directory such as /tmp, other users can neither replace nor remove the file.
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return exposed("others can write to %s (mode %04o): chmod 700 %s", name, info.Mode().Perm(), ShellWord(name))
	}
	return nil
}

// MakeDirectory creates a directory with mode 0700, and its parents, if it does not exist. It
// returns an error if users other than root could replace a file in the directory or, where it
// creates the directory, if the first parent that exists belongs to another user or can be written
// by everybody. Nothing is written then.
func MakeDirectory(path string) error {
	if err := CheckDirectory(path); err != nil {
		return err
	}
	for parent := filepath.Dir(path); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if errors.Is(err, fs.ErrNotExist) && parent != filepath.Dir(parent) {
			continue
		}
		if err != nil {
			return unreadable(parent, err)
		}
		if err := checkParent(parent, info); err != nil {
			return err
		}
		break
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return unwritable(path, err)
	}
	return CheckDirectory(path)
}

// checkParent checks the directory in which MakeDirectory creates one. Unlike checkDirectory, it
// allows a group to write to it: where each user has a group, that is the usual mode.
func checkParent(path string, info fs.FileInfo) error {
	if info.IsDir() && runtime.GOOS != "windows" && IsOwn(info) && info.Mode().Perm()&0o002 == 0 {
		return nil
	}
	return checkDirectory(path, info)
}

// IsOwn reports whether a file or directory belongs to the current user. On systems without owners
// it returns true.
func IsOwn(info fs.FileInfo) bool {
	owner, known := ownerOf(info)
	return !known || owner == os.Geteuid()
}

func tooLarge(path string, limit int) error {
	return invalid("%s is larger than %d KiB, which none of its kind is", termtext.Line(path), limit>>10)
}

// unreadable returns an error with the cleaned path. The error of the system contains the path as
// it is.
func unreadable(path string, err error) error {
	return fmt.Errorf("%s cannot be read: %w", termtext.Line(path), Reason(err))
}

// Reason returns the cause of an error of the operating system, without the path. A path may
// contain control characters that affect a terminal.
func Reason(err error) error {
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

// ShellWord returns s, quoted if a shell would split or expand it.
func ShellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@%+=:,"
	if strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
