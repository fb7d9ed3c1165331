// Package elements reads the elements of XML in one pass and in bounded memory. It knows no schema,
// and no entities but the predefined ones: a document type is an error.
package elements

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// Limits of a document. The schemas of ISO 20022, EN 16931 and Excel need a depth of about 20 and
// names of 50 bytes.
const (
	maxValue = 1 << 20 // bytes of a value, comment or other section
	maxTag   = 64 << 10
	maxName  = 256
	maxDepth = 64
)

// Tag is a start or end tag. An empty element such as <Nm/> has both.
type Tag struct {
	Name       []byte // name without namespace prefix, valid until the next tag
	End        bool
	Leaf       bool // true for the end tag of an element without elements in it
	Line       int
	attributes []byte
}

// Reader reads tags and the values between them.
type Reader struct {
	budget *bank.Budget
	in     *bufio.Reader
	text   []byte // text before the current tag, with unresolved entities
	most   int    // bytes of text that are kept; 0 if a longer text is an error
	tag    []byte
	line   int
	// path has the names of the open elements, each after a slash. starts has the index in path at
	// which each of them begins.
	path   []byte
	starts []int
	leaf   bool // the innermost element has no element in it so far
	empty  bool // the last tag was of an empty element, whose end follows
	ended  bool // the last tag was an end tag, whose element is still in path
	// While recording is true, the bytes that are read are appended to record.
	recording bool
	record    []byte
}

// NewReader returns a reader of UTF-8 text.
func NewReader(b *bank.Budget, in io.Reader) *Reader {
	return &Reader{budget: b, in: bufio.NewReaderSize(in, maxTag), line: 1}
}

// CutValues makes the reader drop what a value has beyond most bytes. Otherwise a value of more
// than 1 MB is an error.
func (r *Reader) CutValues(most int) { r.most = most }

// Next returns the next tag. It returns io.EOF at the end, and an error if elements are still open.
func (r *Reader) Next() (Tag, error) {
	if r.ended {
		last := len(r.starts) - 1
		r.path, r.starts = r.path[:r.starts[last]], r.starts[:last]
		r.ended, r.leaf = false, false
	}
	if r.empty {
		r.empty, r.ended, r.text = false, true, r.text[:0]
		return Tag{Name: r.name(len(r.starts) - 1), End: true, Leaf: true, Line: r.line}, nil
	}
	if err := r.readText(); err != nil {
		if err == io.EOF && len(r.starts) > 0 {
			err = bank.Errorf(r.line, "the file ends within <%s>: it is cut short", r.name(len(r.starts)-1))
		}
		return Tag{}, err
	}
	next := Tag{Line: r.line}
	tag, err := r.readTag()
	if err != nil {
		return Tag{}, err
	}
	tag, next.End = bytes.CutPrefix(tag[:len(tag)-1], []byte("/"))
	if !next.End {
		tag, r.empty = bytes.CutSuffix(tag, []byte("/"))
	}
	if next.Name, next.attributes, err = splitTag(tag, next.Line); err != nil {
		return Tag{}, err
	}
	if next.End {
		next.Leaf = r.leaf
		err := r.checkEnd(next)
		r.ended = err == nil
		return next, err
	}
	if len(r.starts) == maxDepth {
		return Tag{}, bank.Errorf(next.Line, "elements are nested deeper than %d", maxDepth)
	}
	r.starts = append(r.starts, len(r.path))
	r.path = append(append(r.path, '/'), next.Name...)
	r.leaf = true
	return next, nil
}

// checkEnd returns an error unless an end tag ends the innermost element.
func (r *Reader) checkEnd(tag Tag) error {
	innermost := r.name(len(r.starts) - 1)
	switch {
	case innermost == nil:
		return bank.Errorf(tag.Line, "</%s> ends what was not begun", tag.Name)
	case !bytes.Equal(innermost, tag.Name):
		return bank.Errorf(tag.Line, "</%s> ends <%s>", tag.Name, innermost)
	}
	return nil
}

// Depth returns the number of open elements, with the one of the last tag.
func (r *Reader) Depth() int { return len(r.starts) }

// Line returns the number of the current line, from 1.
func (r *Reader) Line() int { return r.line }

// Path returns the names of the open elements below the outermost ones, which are left out, each
// after a slash. It is valid until the next tag.
func (r *Reader) Path(outermost int) []byte {
	if len(r.starts) <= outermost {
		return nil
	}
	return r.path[r.starts[outermost]:]
}

// Parent returns the name of the element around that of the last tag, or nil.
func (r *Reader) Parent() []byte { return r.name(len(r.starts) - 2) }

// name returns the name of the open element with the given index. It returns nil if there is none.
func (r *Reader) name(index int) []byte {
	if index < 0 || index >= len(r.starts) {
		return nil
	}
	end := len(r.path)
	if index+1 < len(r.starts) {
		end = r.starts[index+1]
	}
	return r.path[r.starts[index]+1 : end]
}

// splitTag splits a tag into the name without namespace prefix and the attributes. It returns an
// error for a name with characters that no element of these formats has.
func splitTag(tag []byte, line int) (name, attributes []byte, err error) {
	start, end := 0, len(tag)
	for i, c := range tag {
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			end = i
			break
		}
		switch {
		case i == maxName:
			return nil, nil, bank.Errorf(line, "an element name of more than %d bytes", maxName)
		case c == ':':
			start = i + 1
		case c <= '"' || c >= 0x7f || strings.IndexByte("<>'=&;/", c) >= 0:
			start, end = i, i
		}
		if start == end {
			break
		}
	}
	if end <= start || tag[start] < 'A' {
		return nil, nil, bank.Errorf(line, "%q is not a tag of XML", bank.Short(string(bytes.ToValidUTF8(tag, nil))))
	}
	return tag[start:end], tag[end:], nil
}

// Attribute returns the value of an attribute, whatever its namespace, or "" if the tag does not
// have it.
func (t Tag) Attribute(name string) string {
	const blanks = " \t\r\n"
	for rest := t.attributes; ; {
		key, after, ok := bytes.Cut(rest, []byte("="))
		after = bytes.TrimLeft(after, blanks)
		if !ok || len(after) == 0 || after[0] != '"' && after[0] != '\'' {
			return ""
		}
		value, more, ok := bytes.Cut(after[1:], after[:1])
		if !ok {
			return ""
		}
		key = bytes.Trim(key, blanks)
		if string(key[bytes.LastIndexByte(key, ':')+1:]) == name {
			return resolve(bytes.TrimSpace(value))
		}
		rest = more
	}
}

// Text returns the text before the current tag, with entities resolved.
func (r *Reader) Text() string { return resolve(r.text) }

// Value returns the text before the current tag, cleaned by bank.Text.
func (r *Reader) Value() string { return bank.Text(resolve(bytes.TrimSpace(r.text))) }

func resolve(text []byte) string {
	if bytes.IndexByte(text, '&') >= 0 {
		return html.UnescapeString(string(text))
	}
	return string(text)
}

// StartRecord starts recording with a tag that was already read.
func (r *Reader) StartRecord(tag Tag) {
	r.recording = true
	r.record = append(append(append(r.record[:0], '<'), tag.Name...), tag.attributes...)
	r.record = append(r.record, '>')
}

// EndRecord stops recording and returns the recorded text, at most bank.MaxRaw bytes.
func (r *Reader) EndRecord() string {
	r.recording = false
	text := string(r.record[:min(len(r.record), bank.MaxRaw)])
	return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
}

// consumed must be called with all bytes that are read. It counts steps and lines, and appends the
// bytes to the record.
func (r *Reader) consumed(b []byte) error {
	r.line += bytes.Count(b, []byte("\n"))
	if r.recording && len(r.record) < bank.MaxRaw {
		r.record = append(r.record, b...)
	}
	return r.budget.Step(len(b))
}

// readTag reads the rest of a tag, after <, up to and including >. A > inside quotes does not end
// the tag.
func (r *Reader) readTag() ([]byte, error) {
	r.tag = r.tag[:0]
	quote := byte(0)
	for {
		chunk, err := r.in.ReadSlice('>')
		if over := r.consumed(chunk); over != nil {
			return nil, over
		}
		switch {
		case err == io.EOF:
			return nil, bank.Errorf(r.line, "the file ends within a tag: it is cut short")
		case errors.Is(err, bufio.ErrBufferFull) || len(r.tag)+len(chunk) > maxTag:
			return nil, bank.Errorf(r.line, "a tag is longer than %d bytes", maxTag)
		case err != nil:
			return nil, err
		}
		quote = openQuote(chunk, quote)
		if len(r.tag) == 0 && quote == 0 {
			return chunk, nil
		}
		if r.tag = append(r.tag, chunk...); quote == 0 {
			return r.tag, nil
		}
	}
}

// openQuote returns the quote that is open after a part of a tag, or 0. The parameter quote is the
// one that is open before it.
func openQuote(part []byte, quote byte) byte {
	for {
		at := bytes.IndexByte(part, quote)
		if quote == 0 {
			at = bytes.IndexAny(part, `"'`)
		}
		switch {
		case at < 0:
			return quote
		case quote != 0:
			quote = 0
		default:
			quote = part[at]
		}
		part = part[at+1:]
	}
}
