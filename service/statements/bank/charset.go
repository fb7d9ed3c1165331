package bank

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Decode returns the text of the file r as UTF-8. The parameter head is the start of the file, and
// declared is the charset that the file names, or "". A byte order mark decides the charset.
// Without a mark, the charset is UTF-16 if head looks like it, and otherwise the declared one. If
// the declared charset is "", UTF-8 or ASCII, bytes that are not valid UTF-8 are read as
// Windows-1252. Bytes that the charset does not define become U+FFFD.
func Decode(r io.Reader, head []byte, declared string) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(charset(head, declared)))
}

// charset returns the decoder for a file that has no byte order mark.
func charset(head []byte, declared string) transform.Transformer {
	if name, ok := UTF16(head); ok && name != "" {
		declared = name
	}
	if found, err := htmlindex.Get(declared); err == nil && found != unicode.UTF8 {
		return found.NewDecoder()
	}
	return mixed{}
}

// UTF16 reports whether a file that starts with head is UTF-16. charset is the name of its byte
// order, or "" if the file has a byte order mark.
func UTF16(head []byte) (charset string, ok bool) {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "", true
	case len(head) < 4:
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return "utf-16be", true
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return "utf-16le", true
	}
	return "", false
}

// mixed decodes UTF-8, and bytes that are not valid UTF-8 as Windows-1252. Banks append text in one
// of these charsets to files in the other.
type mixed struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (mixed) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		plain := min(asciiLength(src[nSrc:]), len(dst)-nDst)
		nDst += copy(dst[nDst:], src[nSrc:nSrc+plain])
		if nSrc += plain; nSrc == len(src) {
			break
		}
		if src[nSrc] < utf8.RuneSelf {
			return nDst, nSrc, transform.ErrShortDst
		}
		r, size := utf8.DecodeRune(src[nSrc:])
		if r == utf8.RuneError && size == 1 {
			if !atEOF && !utf8.FullRune(src[nSrc:]) {
				return nDst, nSrc, transform.ErrShortSrc
			}
			r = charmap.Windows1252.DecodeByte(src[nSrc])
		}
		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// asciiLength returns the number of ASCII bytes at the start of text.
func asciiLength(text []byte) int {
	for i, c := range text {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// NotText returns what a file that starts with head is if it cannot be a statement, such as "a
// PDF", and what a person can do if there is a way. Otherwise it returns "".
func NotText(head []byte) string {
	for _, kind := range []struct{ magic, name string }{
		{"%PDF-", "a PDF, whose lines cannot be read reliably: download the statement as CSV, OFX, CAMT or MT940"},
		{"\x89PNG", "a picture"}, {"\xff\xd8\xff", "a picture"}, {"GIF8", "a picture"},
		{"\x1f\x8b", "a gzip archive: unpack it, and import the files in it"}, {"\x7fELF", "a program"},
		{"MZ\x90", "a program"}, {"SQLite format 3\x00", "a database"},
		{"\xd0\xcf\x11\xe0", "an old Excel or Word file, or one with a password: save it as CSV, and import that"},
	} {
		if bytes.HasPrefix(head, []byte(kind.magic)) {
			return kind.name
		}
	}
	start := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))))
	if bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html")) {
		return "a web page"
	}
	return ""
}

// Archived returns what a ZIP archive that starts with head is, and what a person can do, such as
// "a ZIP archive: unpack it, and import the files in it". For other files it returns "".
func Archived(head []byte) string {
	switch {
	case !bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return ""
	case bytes.Contains(head, []byte("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")):
		return "a spreadsheet of LibreOffice: save it as CSV, and import that"
	case IsWorkbook(head):
		return "an Excel or Word file, which cannot be read: save it as CSV, and import that"
	}
	return "a ZIP archive: unpack it, and import the files in it"
}

// IsWorkbook reports whether a file that starts with head may be an Excel workbook (.xlsx).
func IsWorkbook(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) &&
		(bytes.Contains(head, []byte("xl/")) || bytes.Contains(head, []byte("[Content_Types].xml")))
}
