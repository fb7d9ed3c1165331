package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A database says in its header whether what was committed last may be in a log
// beside it.
const (
	headerSize    = 20
	versionOffset = 18
	logged        = 0x0202
)

// checkFiles looks at a database's file and its log before they are used. SQLite
// folds any log that it finds into a database, which destroys one that the log does
// not belong to, and deletes the log of an empty file.
//
// A copy that Backup made has no log until it is opened, so that a log beside it is
// of the database that was there before.
func checkFiles(file *os.File, path string) error {
	log, err := os.Stat(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) || err == nil && log.Size() == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	header := make([]byte, headerSize)
	switch n, err := file.ReadAt(header, 0); {
	case n == 0 && errors.Is(err, io.EOF):
		return fmt.Errorf("the file is empty and its log %s-wal is not: move both away and restore a backup", path)
	case errors.Is(err, io.EOF):
		return nil // no database; SQLite says so
	case err != nil:
		return err
	}
	if string(header[:15]) == "SQLite format 3" && binary.BigEndian.Uint16(header[versionOffset:]) != logged {
		return fmt.Errorf("the log %s-wal beside it is of another database and would destroy it: move the log away, and %s-shm", path, path)
	}
	return nil
}
