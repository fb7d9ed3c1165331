package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"time"
)

// file is an entry of an archive.
type file struct {
	name    string // path in the archive, with forward slashes
	program bool   // true for an executable file
	content []byte
}

// pack returns an archive that contains one directory with the given files. It is a zip file for
// Windows and a tar.gz file for other systems. The same files and date give the same bytes: entries
// are sorted by name, have no owner, and have modes that ignore the umask.
func pack(p platform, directory string, files []file, date time.Time) ([]byte, error) {
	files = slices.SortedFunc(slices.Values(files), func(a, b file) int { return cmp.Compare(a.name, b.name) })
	var b bytes.Buffer
	write := tarball
	if p.system == "windows" {
		write = zipped
	}
	if err := write(&b, directory, files, date); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (f file) mode() int64 {
	if f.program {
		return 0o755
	}
	return 0o644
}

func tarball(w io.Writer, directory string, files []file, date time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		header := tar.Header{
			Typeflag: tar.TypeReg, Name: directory + "/" + f.name, Size: int64(len(f.content)), Mode: f.mode(),
			ModTime: date, Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(&header); err != nil {
			return err
		}
		if _, err := archive.Write(f.content); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

func zipped(w io.Writer, directory string, files []file, date time.Time) error {
	archive := zip.NewWriter(w)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, f := range files {
		header := zip.FileHeader{Name: directory + "/" + f.name, Method: zip.Deflate, Modified: date.UTC()}
		header.SetMode(fs.FileMode(f.mode()))
		entry, err := archive.CreateHeader(&header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.content); err != nil {
			return err
		}
	}
	return archive.Close()
}
