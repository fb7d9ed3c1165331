package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"tarmac/internal/privatefile"
)

// A database says in its header whether what was committed last may be in a log
// beside it.
const (
	headerSize    = 20
	versionOffset = 18
	logged        = 0x0202
)

// magic is what every database begins with.
const magic = "SQLite format 3\x00"

// checkFiles looks at a database's file and its log before they are used. SQLite
// takes a file that is shorter than a page for an empty database and writes over
// it, folds any log that it finds into a database, which destroys one that the log
// does not belong to, and deletes the log of an empty file.
//
// A copy that Backup made has no log until it is opened, so that a log beside it is
// of the database that was there before.
//
// What was put there by somebody else, who could read on or change what is read, is
// refused too.
func checkFiles(file *os.File, path string) error {
	if err := checkOwners(file, path); err != nil {
		return err
	}
	header := make([]byte, headerSize)
	n, err := file.ReadAt(header, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if n > 0 && (n < headerSize || string(header[:len(magic)]) != magic) {
		return errors.New("file is not a database; " + otherFile)
	}
	log, err := os.Stat(path + "-wal")
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && log.Size() == 0:
		return nil
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("the file is empty and its log %s-wal is not: move both away and restore a backup", path)
	case binary.BigEndian.Uint16(header[versionOffset:]) != logged:
		return fmt.Errorf("the log %s-wal beside it is of another database and would destroy it: move the log away, and %s-shm", path, path)
	}
	return nil
}

// checkOwners looks at whose the database is and what SQLite would use beside it, and
// who else can read it.
func checkOwners(file *os.File, path string) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := checkOwner(path, info); err != nil {
		return err
	}
	for _, ending := range [...]string{"-wal", "-shm", "-journal"} {
		info, err := os.Lstat(path + ending)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err == nil:
			err = checkOwner(path+ending, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkOwner(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case !privatefile.IsOwn(info):
		return fmt.Errorf("%s belongs to another user: run this as that user, or move the file away if it should not be there", path)
	// Windows keeps access in lists that the mode does not show.
	case runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
		return fmt.Errorf("others can read %s (mode %04o): chmod 600 %s", path, mode.Perm(), path)
	}
	return nil
}
