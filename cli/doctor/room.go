package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// roomWanted is the space in bytes that a database needs beside it for its next writes.
const roomWanted = 4 << 20

// examineRoom checks that the file system of a database has room, by writing a file beside it and
// removing it. Free blocks say less: quotas and limits of a process refuse writes too.
func (d *doctor) examineRoom(database string) {
	directory := filepath.Dir(database)
	if err := writeAndRemove(directory); err != nil {
		reason := err
		if failed, ok := errors.AsType[*fs.PathError](err); ok {
			reason = failed.Err
		}
		d.problem("disk", fmt.Sprintf("nothing can be written in %s: %v", directory, reason),
			"make room, or let this user write there; until then nothing is saved")
	}
}

func writeAndRemove(directory string) (err error) {
	file, err := os.CreateTemp(directory, ".tarmac-doctor-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	block := make([]byte, 64<<10)
	for range roomWanted / len(block) {
		if _, err := file.Write(block); err != nil {
			return err
		}
	}
	return file.Sync()
}
