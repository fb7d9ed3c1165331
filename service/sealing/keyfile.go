package sealing

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// maxKeyFile is more than a key file has: 64 digits and the end of the line.
const maxKeyFile = 128

// LoadOrCreate returns the key in the file at path, which it makes when there is
// none: one line of 64 hexadecimal digits that its owner alone can read. A file
// that exists is never replaced, and processes that make it at the same time end
// up with the same key. Errors are those of Load, or say why it cannot be made.
func LoadOrCreate(path string, entropy io.Reader) (Key, error) {
	key, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return Key{}, fmt.Errorf("the key file %s is a link that leads nowhere; mend it, or remove it to have a key made", termtext.Line(path))
	}
	if err := create(path, entropy); err != nil {
		return Key{}, fmt.Errorf("the key file %s cannot be made: %w", termtext.Line(path), bare(err))
	}
	return Load(path)
}

// create makes the key file, unless somebody else was first. It is written whole
// under another name and then linked, which succeeds for one only: nobody ever
// reads half a key.
func create(path string, entropy io.Reader) (err error) {
	master, err := draw(entropy)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	draft, err := os.CreateTemp(dir, filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	_, err = draft.WriteString(hex.EncodeToString(master) + "\n")
	if err == nil {
		err = draft.Sync()
	}
	if err = errors.Join(err, draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDirectory(dir)
}

// syncDirectory makes the file's name outlast a loss of power: what the key seals
// is lost with it. Windows has no such call.
func syncDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	// Some file systems cannot do it for a directory, and there it need not be done.
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Load returns the key in the file at path. The error is fs.ErrNotExist when there
// is no such file; others say that it holds no key, or that others can read it.
func Load(path string) (Key, error) {
	content, err := read(path)
	if err != nil {
		return Key{}, err
	}
	master, err := hex.DecodeString(strings.TrimRight(string(content), "\r\n"))
	// The decoder's error would repeat a character of the key.
	if err != nil || len(master) != keySize {
		return Key{}, fmt.Errorf("the key file %s does not hold one line of %d hexadecimal digits; put it back from its backup",
			termtext.Line(path), 2*keySize)
	}
	return derive(master)
}

// read reads a file that its owner alone can read. Asking before opening keeps
// devices from being touched; asking the open file again keeps it from being
// exchanged in between, whatever links lead to it.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = checkFile(path, info)
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	// Without blocking, so that a pipe which nobody writes to is refused.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = file.Close() }()
	if info, err = file.Stat(); err == nil {
		err = checkFile(path, info)
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxKeyFile+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return content, nil
}

// checkFile refuses what cannot be a key file, one of somebody else's, and one that
// others can read.
func checkFile(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return errors.New("it is not a regular file")
	case !privatefile.IsOwn(info):
		return errors.New("it belongs to another user, who knows the key then: run this as that user, or move the file away if it should not be there")
	// Windows keeps access in lists that the mode does not show.
	case runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
		return fmt.Errorf("others can read it (mode %04o): chmod 600 %s", mode.Perm(), termtext.Line(path))
	}
	return nil
}

func unreadable(path string, err error) error {
	return fmt.Errorf("the key file %s cannot be used: %w", termtext.Line(path), bare(err))
}

// bare takes the path out of a system's error, which would name it uncleaned.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
