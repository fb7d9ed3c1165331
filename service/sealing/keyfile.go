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

// maxKeyFile is the largest number of bytes that are read from a key file. A valid one has 64
// digits and a line break.
const maxKeyFile = 128

// LoadOrCreate returns the key in the file at path. If the file does not exist, it creates one with
// a new key: one line of 64 hexadecimal digits that only the owner can read. It never replaces an
// existing file. Processes that create the file at the same time get the same key.
func LoadOrCreate(path string, entropy io.Reader) (Key, error) {
	key, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return Key{}, fmt.Errorf("the key file %s is a broken link; repair it, or remove it to create a new key",
			termtext.Line(path))
	}
	// Another process may have created the file in the meantime.
	if err := Create(path, entropy); err != nil && !errors.Is(err, fs.ErrExist) {
		return Key{}, err
	}
	return Load(path)
}

// Create writes a file with a new key. It never replaces an existing file: then the error is
// fs.ErrExist. The file appears with its whole content, so that no process reads half a key.
func Create(path string, entropy io.Reader) error {
	if err := create(path, entropy); err != nil {
		return fmt.Errorf("the key file %s cannot be created: %w", termtext.Line(path), privatefile.Reason(err))
	}
	return nil
}

func create(path string, entropy io.Reader) error {
	master, err := newMaster(entropy)
	if err != nil {
		return err
	}
	partial, err := privatefile.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-", "")
	if err != nil {
		return err
	}
	defer partial.Discard()
	if _, err := partial.WriteString(hex.EncodeToString(master) + "\n"); err != nil {
		return err
	}
	return partial.Publish(filepath.Base(path))
}

// Load returns the key in the file at path. The error is fs.ErrNotExist if there is no such file.
// Load also fails if the file does not contain a key, belongs to another user or can be read by
// other users. A credential of systemd may belong to root.
func Load(path string) (Key, error) {
	content, err := read(path)
	if err != nil {
		return Key{}, err
	}
	master, err := hex.DecodeString(strings.TrimRight(string(content), "\r\n"))
	// The decoder's error is not included, because it would repeat a character of the key.
	if err != nil || len(master) != keySize {
		return Key{}, fmt.Errorf("the key file %s does not hold one line of %d hexadecimal digits; "+
			"restore it from its backup", termtext.Line(path), 2*keySize)
	}
	return derive(master)
}

// read returns the content of a key file. It checks the file before opening it, so that it never
// opens a device, and again afterwards, in case the file was replaced in between.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = checkFile(path, info)
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	// O_NONBLOCK prevents that opening a named pipe without a writer hangs.
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

// checkFile returns an error unless the file is a regular file that belongs to the user and that no
// other user can read, or a credential of this service.
func checkFile(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return errors.New("it is not a regular file")
	case privatefile.IsCredential(path, info):
		return nil
	case !privatefile.IsOwn(info):
		return errors.New("it belongs to another user, who knows the key: run this as that user, " +
			"or move the file away if it should not be there")
	// On Windows, the file mode does not show which users can read a file.
	case runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
		return fmt.Errorf("others can read it (mode %04o): chmod 600 %s", mode.Perm(), termtext.Line(path))
	}
	return nil
}

func unreadable(path string, err error) error {
	return fmt.Errorf("the key file %s cannot be used: %w", termtext.Line(path), privatefile.Reason(err))
}
