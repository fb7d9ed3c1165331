package database

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

// Parts of the header of a SQLite file: its first bytes, and the position and value of the format
// version, which shows whether recent commits may be in a write-ahead log beside the file.
const (
	magic         = "SQLite format 3\x00"
	headerSize    = 20
	versionOffset = 18
	versionWAL    = 0x0202
)

var errNotADatabase = errors.New("file is not a database")

// checkFiles checks a database's file and its write-ahead log before SQLite opens them. SQLite
// would treat a file shorter than a page as an empty database and overwrite it, and would delete
// the log of an empty file. It also copies any log that it finds into the database, which destroys
// the database if the log belongs to another one. A file made by Backup has no log until it is
// opened, so a log beside it belongs to the database that was there before.
//
// Files that belong to another user or that others can read are refused too: such users could
// change the data or read it.
func checkFiles(file *os.File, path string) error {
	if err := checkOwners(file, path); err != nil {
		return err
	}
	// The log comes first: another process may be creating both, and fills the file before its log.
	log, missing := os.Stat(path + "-wal")
	header := make([]byte, headerSize)
	n, err := file.ReadAt(header, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if n > 0 && (n < headerSize || string(header[:len(magic)]) != magic) {
		return fmt.Errorf("%w; %s", errNotADatabase, otherFile)
	}
	switch {
	case errors.Is(missing, fs.ErrNotExist) || missing == nil && log.Size() == 0:
		return nil
	case missing != nil:
		return missing
	case n == 0:
		return fmt.Errorf("the file is empty and its log %s-wal is not: move both away and restore a backup", path)
	case binary.BigEndian.Uint16(header[versionOffset:]) != versionWAL:
		return fmt.Errorf("the log %s-wal beside it is of another database and would destroy it: "+
			"move the log away, and %s-shm", path, path)
	}
	return nil
}

// checkOwners checks the owner and the mode of the database file and of the files that SQLite
// uses beside it.
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
		return fmt.Errorf("%s belongs to another user: run this as that user, "+
			"or move the file away if it should not be there", path)
	// On Windows, the file mode does not show which users can read a file.
	case runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
		return fmt.Errorf("others can read %s (mode %04o): chmod 600 %s", path, mode.Perm(), path)
	}
	return nil
}
