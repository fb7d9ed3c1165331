// Package backupfile reads and writes backup files of own books: a tar archive that begins with a
// list of its contents. It may be sealed with a passphrase, as a file of age
// (https://age-encryption.org/v1). The program age opens it, too.
package backupfile

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tarmac/internal/termtext"
)

// The names of files in a backup. Those of StateFolder are drafts, filters, and
// categories and notes of transactions.
const (
	Books       = "books.db"
	Key         = "books.db.key"
	Rules       = "rules.toml"
	Settings    = "config.toml"
	Plan        = "own-books.plan"
	StateFolder = "state/"
)

const (
	manifestName = "tarmac-backup.json"
	format       = "tarmac books"
	version      = 3 // 2 has the plan, 3 categories and notes
	// maxManifest, maxSmall and maxFiles bound what is read of a backup besides the books: the
	// size of the list, of each other file, and their number. The books need no bound: the archive
	// is not compressed, so that they take no more room than the backup itself.
	maxManifest, maxSmall, maxFiles = 1 << 20, 1 << 20, 1000
)

// Manifest is the list at the beginning of a backup.
type Manifest struct {
	Format       string    `json:"format"`
	Version      int       `json:"version"`
	Program      string    `json:"program"` // version of tarmac that made the backup
	MadeAt       time.Time `json:"made_at"`
	Company      string    `json:"company"`
	Organization string    `json:"organization"` // id of the company in the books
	Files        []File    `json:"files"`
}

// File is a file in a backup.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Has reports whether the backup has a file with the given name.
func (m *Manifest) Has(name string) bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return f.Name == name })
}

// State returns the names of the files of StateFolder, without the folder.
func (m *Manifest) State() (names []string) {
	for _, f := range m.Files {
		if name, found := strings.CutPrefix(f.Name, StateFolder); found {
			names = append(names, name)
		}
	}
	return names
}

// Write writes a backup of the named files, which are in the directory dir. It sets the fields
// Format, Version and Files of the manifest. The files must not change meanwhile.
func Write(w io.Writer, m Manifest, dir string, names []string) error {
	m.Format, m.Version, m.Files = format, version, nil
	for _, name := range names {
		f, err := describe(dir, name)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
	}
	list, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	archive := tar.NewWriter(w)
	list = append(list, '\n')
	if err := add(archive, m, manifestName, int64(len(list)), bytes.NewReader(list)); err != nil {
		return err
	}
	for _, f := range m.Files {
		content, err := os.Open(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil {
			return err
		}
		if err := errors.Join(add(archive, m, f.Name, f.Bytes, content), content.Close()); err != nil {
			return err
		}
	}
	return archive.Close()
}

func describe(dir, name string) (File, error) {
	content, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		return File{}, err
	}
	defer func() { _ = content.Close() }()
	sum := sha256.New()
	size, err := io.Copy(sum, content)
	return File{Name: name, Bytes: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

func add(archive *tar.Writer, m Manifest, name string, size int64, content io.Reader) error {
	// The format of GNU has no limit of the size, and no headers of several parts.
	err := archive.WriteHeader(&tar.Header{
		Name: name, Size: size, Mode: 0o600, ModTime: m.MadeAt.Truncate(time.Second), Format: tar.FormatGNU,
	})
	if err == nil {
		_, err = io.CopyN(archive, content, size)
	}
	return err
}

// Damaged is the error for a file that is no backup, or no whole one.
type Damaged struct{ text string }

func (d *Damaged) Error() string { return d.text }

func damaged(format string, args ...any) error { return &Damaged{fmt.Sprintf(format, args...)} }

// ErrNewer is the error for a backup in a later format.
var ErrNewer = errors.New("it was made by a newer version of tarmac: restore it with that version or a newer one")

// Read reads a backup and writes its files into the directory dir, which must be empty but for
// files whose names no backup has. The error is a *Damaged unless the backup is whole; the
// directory may then have a part of it.
func Read(r io.Reader, dir string) (m Manifest, err error) {
	archive := tar.NewReader(r)
	list, err := next(archive, manifestName, maxManifest)
	if err != nil {
		return m, err
	}
	text, err := io.ReadAll(list)
	if err != nil {
		return m, cutShort(err)
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Format != format || m.Version < 1 {
		return m, damaged("it is no backup of books")
	}
	if m.Version > version {
		return m, ErrNewer
	}
	if err := m.check(); err != nil {
		return m, err
	}
	for _, f := range m.Files {
		content, err := next(archive, f.Name, f.Bytes)
		if err != nil {
			return m, err
		}
		if err := extract(content, filepath.Join(dir, filepath.FromSlash(f.Name)), f); err != nil {
			return m, err
		}
	}
	switch _, err := archive.Next(); {
	case err == nil:
		return m, damaged("it has more files than its list")
	case !errors.Is(err, io.EOF):
		return m, cutShort(err)
	}
	return m, cutShort(drain(r))
}

// drain reads the rest, which is the padding of the archive: the end of a sealed backup is
// authenticated, and cut off if it is missing.
func drain(r io.Reader) error {
	rest, err := io.Copy(io.Discard, io.LimitReader(r, maxManifest+1))
	if err == nil && rest > maxManifest {
		err = errors.New("something follows the archive")
	}
	return err
}

var stateName = regexp.MustCompile(`^(?:what-if|filters|proposal|annotations)-([A-Za-z0-9_%@.-]+)\.json$`)

// isStateName reports whether a file of the folder of states can have the name. Its length is
// checked apart from the expression, which would take long to compile at each start.
func isStateName(name string) bool {
	const longest = 200 // bytes between the kind and the ending
	found := stateName.FindStringSubmatch(name)
	return found != nil && len(found[1]) <= longest
}

// check returns an error for a list with names that backups do not have, or without books.
func (m *Manifest) check() error {
	seen := map[string]bool{}
	for _, f := range m.Files {
		state, inFolder := strings.CutPrefix(f.Name, StateFolder)
		fixed := []string{Books, Key, Rules, Settings, Plan}
		known := slices.Contains(fixed, f.Name) || inFolder && isStateName(state)
		if !known || seen[f.Name] {
			return damaged("its list has a file that backups do not have: %s", termtext.Line(f.Name))
		}
		if f.Bytes < 0 || f.Name != Books && f.Bytes > maxSmall {
			return damaged("its file %s is too large", f.Name)
		}
		seen[f.Name] = true
	}
	if !seen[Books] || len(seen) > maxFiles {
		return damaged("its list has no books")
	}
	return nil
}

// next returns the next file of the archive. It must be a plain file with the given name and at
// most limit bytes.
func next(archive *tar.Reader, name string, limit int64) (io.Reader, error) {
	header, err := archive.Next()
	switch {
	case errors.Is(err, io.EOF) && name == manifestName:
		return nil, damaged("it is no backup of books")
	case errors.Is(err, io.EOF):
		return nil, damaged("it ends before %s", name)
	case err != nil && name == manifestName && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, damaged("it is no backup of books")
	case err != nil:
		return nil, cutShort(err)
	// Other types and extended headers are those of links, devices and sparse files, which are
	// larger than the archive.
	case header.Typeflag != tar.TypeReg, header.PAXRecords != nil, header.Name != name, header.Size > limit:
		return nil, damaged("it has a file that is not in its list, or of another size")
	}
	return archive, nil
}

func extract(content io.Reader, path string, f File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	from := &source{Reader: content}
	size, err := io.Copy(io.MultiWriter(file, sum), from)
	if from.err != nil {
		err = cutShort(from.err)
	}
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if size != f.Bytes || hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return damaged("its file %s is not the one that was written", f.Name)
	}
	return nil
}

// source keeps the error of reading, which io.Copy does not tell from that of writing.
type source struct {
	io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// cutShort returns the error for a backup whose reading failed with err.
func cutShort(err error) error {
	if err == nil {
		return nil
	}
	return damaged("it was cut short or changed")
}
