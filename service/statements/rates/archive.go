package rates

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// Limits for ZIP archives. That of the European Central Bank has 0.6 MB, and its file 2 MB.
const (
	maxArchive  = 4 << 20
	maxUnpacked = 64 << 20
)

const archiveMark = "PK\x03\x04"

func isArchive(head []byte) bool { return bytes.HasPrefix(head, []byte(archiveMark)) }

// firstFile returns the start of the first file in a ZIP archive that begins with head. It returns
// nil if it cannot be unpacked.
func firstFile(head []byte) []byte {
	const fixed = 30
	if len(head) < fixed {
		return nil
	}
	flags, method := binary.LittleEndian.Uint16(head[6:]), binary.LittleEndian.Uint16(head[8:])
	start := fixed + int(binary.LittleEndian.Uint16(head[26:])) + int(binary.LittleEndian.Uint16(head[28:]))
	if flags&1 != 0 || start > len(head) {
		return nil
	}
	in := io.Reader(bytes.NewReader(head[start:]))
	if method == zip.Deflate {
		in = flate.NewReader(in)
	}
	text := make([]byte, 4096)
	// The error is ignored: head is only the start of the archive.
	n, _ := io.ReadFull(in, text)
	return text[:n]
}

// openArchive opens the file in a ZIP archive, which must have exactly one.
func openArchive(b *bank.Budget, file io.ReadSeeker) (*unpacked, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if size > maxArchive {
		return nil, bank.Errorf(0, "is a ZIP archive of more than 4 MB")
	}
	in := &positioned{in: file}
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return nil, in.explain(err)
	}
	var entry *zip.File
	for _, candidate := range archive.File {
		if candidate.FileInfo().IsDir() || strings.HasPrefix(candidate.Name, "__MACOSX/") {
			continue
		}
		if entry != nil {
			return nil, bank.Errorf(0, "is a ZIP archive of several files; unpack it first")
		}
		entry = candidate
	}
	if entry == nil {
		return nil, bank.Errorf(0, "is an empty ZIP archive")
	}
	if entry.UncompressedSize64 > maxUnpacked {
		return nil, bank.Errorf(0, "is a ZIP archive of more than 64 MB when unpacked")
	}
	opened, err := entry.Open()
	if err != nil {
		return nil, in.explain(err)
	}
	return &unpacked{Reader: b.Unpacked(opened), Closer: opened, archive: in}, nil
}

// unpacked is a file in a ZIP archive. Reading more bytes than the archive declares is an error.
type unpacked struct {
	io.Reader
	io.Closer
	archive *positioned
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if refused := (*bank.Error)(nil); err != nil && err != io.EOF && !errors.As(err, &refused) {
		err = u.archive.explain(err)
	}
	return n, err
}

// positioned is an io.ReaderAt for an io.ReadSeeker. No other code may use the io.ReadSeeker at the
// same time.
type positioned struct {
	in     io.ReadSeeker
	failed error
}

func (p *positioned) ReadAt(to []byte, offset int64) (int, error) {
	if offset < 0 { // happens with damaged archives
		return 0, io.EOF
	}
	_, err := p.in.Seek(offset, io.SeekStart)
	n := 0
	if err == nil {
		n, err = io.ReadFull(p.in, to)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	if err != nil && err != io.EOF {
		p.failed = err
	}
	return n, err
}

// explain returns the error of reading the file, if there was one. Otherwise it describes err as an
// error of the archive's content.
func (p *positioned) explain(err error) error {
	if p.failed != nil {
		return p.failed
	}
	return bank.Errorf(0, "is a damaged ZIP archive (%v)", err)
}
