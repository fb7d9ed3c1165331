package bank

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Decode returns the text of a file as UTF-8. A byte order mark decides; else the name of a
// charset as the file declares it, unless the beginning of the file contradicts a declared
// UTF-8 or ASCII; else valid UTF-8 is taken as such and all other text as Windows-1252. Bytes
// that the charset does not have become U+FFFD.
func Decode(r io.Reader, head []byte, declared string) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(charset(head, declared).NewDecoder()))
}

// charset returns the encoding of a file without a byte order mark.
func charset(head []byte, declared string) encoding.Encoding {
	if found, err := htmlindex.Get(declared); err == nil && found != unicode.UTF8 {
		return found
	}
	if looksUTF8(head) {
		return unicode.UTF8
	}
	return charmap.Windows1252
}

// looksUTF8 reports whether the beginning of a file is UTF-8. The last character may be cut.
func looksUTF8(head []byte) bool {
	for cut := 0; cut < utf8.UTFMax && cut <= len(head); cut++ {
		if utf8.Valid(head[:len(head)-cut]) {
			return cut == 0 || !utf8.FullRune(head[len(head)-cut:])
		}
	}
	return false
}

// NotText returns what a file is that cannot be a statement, such as "a PDF", or "".
func NotText(head []byte) string {
	for _, kind := range []struct{ magic, name string }{
		{"%PDF-", "a PDF"}, {"\x89PNG", "a picture"}, {"\xff\xd8\xff", "a picture"}, {"GIF8", "a picture"},
		{"\x1f\x8b", "a gzip archive"}, {"\x7fELF", "a program"}, {"MZ\x90", "a program"},
		{"SQLite format 3\x00", "a database"}, {"\xd0\xcf\x11\xe0", "an old Excel or Word document"},
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
