package invoicepdf_test

import (
	"bytes"
	"compress/zlib"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// written is one piece of text on a page, in points from the bottom left.
type written struct {
	x, y float64
	text string
}

// page is the content of a page.
type page struct {
	content string // its operators
	texts   []written
}

// all returns the page's text, one line for each piece.
func (p page) all() string {
	var b strings.Builder
	for _, w := range p.texts {
		b.WriteString(w.text + "\n")
	}
	return b.String()
}

// has reports whether one piece of the page equals text.
func (p page) has(text string) bool {
	for _, w := range p.texts {
		if w.text == text {
			return true
		}
	}
	return false
}

// readPages parses a document by its cross-reference table. It supports only what this package
// writes.
func readPages(t testing.TB, pdf []byte) []page {
	t.Helper()
	if !bytes.HasPrefix(pdf, []byte("%PDF-1.")) || !bytes.HasSuffix(pdf, []byte("%%EOF\n")) {
		t.Fatalf("%d bytes do not begin and end as a PDF does", len(pdf))
	}
	objects := readObjects(t, pdf)
	var pages []page
	for _, kid := range references(t, objects[1], `/Kids \[([^]]*)\]`) {
		contents := references(t, objects[kid], `/Contents (\d+ 0 R)`)
		content := stream(t, objects[contents[0]])
		pages = append(pages, page{content: content, texts: readTexts(t, content)})
	}
	if want := references(t, objects[1], `/Count (\d+)`)[0]; want != len(pages) || want == 0 {
		t.Fatalf("the document counts %d pages and lists %d", want, len(pages))
	}
	return pages
}

// readObjects returns the objects of the cross-reference table by their numbers.
func readObjects(t testing.TB, pdf []byte) map[int][]byte {
	t.Helper()
	tail := pdf[bytes.LastIndex(pdf, []byte("startxref\n"))+len("startxref\n"):]
	at, err := strconv.Atoi(string(tail[:bytes.IndexByte(tail, '\n')]))
	if err != nil || at >= len(pdf) || !bytes.HasPrefix(pdf[at:], []byte("xref\n")) {
		t.Fatalf("the cross-reference table is not where %q says", tail)
	}
	lines := strings.Split(string(pdf[at:]), "\n")
	objects := map[int][]byte{}
	for n := 1; strings.HasSuffix(lines[2+n], " n "); n++ {
		offset, err := strconv.Atoi(lines[2+n][:10])
		head := strconv.Itoa(n) + " 0 obj\n"
		if err != nil || !bytes.HasPrefix(pdf[offset:], []byte(head)) {
			t.Fatalf("object %d is not at %q", n, lines[2+n])
		}
		objects[n] = pdf[offset+len(head):]
	}
	return objects
}

// references returns the object numbers ("n 0 R"), or the plain number, in the pattern's group.
func references(t testing.TB, object []byte, pattern string) []int {
	t.Helper()
	found := regexp.MustCompile(pattern).FindSubmatch(object)
	if found == nil {
		t.Fatalf("no %s in %.80q", pattern, object)
	}
	var all []int
	for _, field := range strings.Split(strings.ReplaceAll(string(found[1]), "0 R", ","), ",") {
		if field = strings.TrimSpace(field); field != "" {
			n, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
	}
	return all
}

// stream returns the decompressed stream of an object.
func stream(t testing.TB, object []byte) string {
	t.Helper()
	size := references(t, object, `/Length (\d+)`)[0]
	_, data, ok := bytes.Cut(object, []byte("\nstream\n"))
	if !ok || size > len(data) || !bytes.HasPrefix(data[size:], []byte("\nendstream")) {
		t.Fatalf("the stream of %.80q does not end after %d bytes", object, size)
	}
	r, err := zlib.NewReader(bytes.NewReader(data[:size]))
	if err != nil {
		t.Fatal(err)
	}
	inflated, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(inflated)
}

var show = regexp.MustCompile(`BT ([-\d.]+) ([-\d.]+) Td \(`)

func readTexts(t testing.TB, content string) []written {
	t.Helper()
	var all []written
	for rest := content; ; {
		at := show.FindStringSubmatchIndex(rest)
		if at == nil {
			return all
		}
		x, errX := strconv.ParseFloat(rest[at[2]:at[3]], 64)
		y, errY := strconv.ParseFloat(rest[at[4]:at[5]], 64)
		text, size := literal(rest[at[1]:])
		if errX != nil || errY != nil || len(text)%2 != 0 || !strings.HasPrefix(rest[at[1]+size:], " Tj ET") {
			t.Fatalf("text that cannot be read: %.60q", rest[at[0]:])
		}
		units := make([]uint16, len(text)/2)
		for i := range units {
			units[i] = uint16(text[2*i])<<8 | uint16(text[2*i+1])
		}
		all = append(all, written{x, y, string(utf16.Decode(units))})
		rest = rest[at[1]+size:]
	}
}

// literal decodes a literal string after its opening bracket. size includes the closing one.
func literal(s string) (text []byte, size int) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ')':
			return text, i + 1
		case '\\':
			i++
			if s[i] == 'r' {
				text = append(text, '\r')
				continue
			}
		}
		text = append(text, s[i])
	}
	return text, len(s)
}

// squeezed returns text with single blanks, independent of wrapping.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }
