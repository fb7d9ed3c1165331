package camt

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// Limits for a document. The schemas need a depth of about 20.
const (
	maxValue = 1 << 20 // bytes of a value, comment or other section
	maxTag   = 64 << 10
	maxDepth = 64
)

// token is a start or end tag.
type token struct {
	name       []byte // name without namespace prefix, valid until the next token
	attributes []byte
	end        bool // true for an end tag
	closed     bool // true for an empty element such as <Nm/>
	line       int
}

// tokenizer splits XML into tags. It returns an error for document type declarations, so that only
// the predefined entities exist.
type tokenizer struct {
	in   *bufio.Reader
	text []byte // text before the current tag, with unresolved entities
	tag  []byte
	line int

	// While recording is true, the bytes that are read are appended to record.
	recording bool
	record    []byte
}

func newTokenizer(in io.Reader) *tokenizer {
	return &tokenizer{in: bufio.NewReaderSize(in, maxTag), line: 1}
}

// next returns the next tag, or io.EOF at the end.
func (t *tokenizer) next() (token, error) {
	if err := t.readText(); err != nil {
		return token{}, err
	}
	line := t.line
	tag, err := t.readTag()
	if err != nil {
		return token{}, err
	}
	next := token{line: line}
	tag, next.end = bytes.CutPrefix(tag[:len(tag)-1], []byte("/"))
	tag, next.closed = bytes.CutSuffix(tag, []byte("/"))
	var ok bool
	if next.name, next.attributes, ok = splitTag(tag); !ok {
		return token{}, bank.Errorf(line, "%q is not a tag of XML", bank.Short(string(bytes.ToValidUTF8(tag, nil))))
	}
	return next, nil
}

// maxName is the largest length of an element name in bytes. Names of ISO 20022 have up to 30.
const maxName = 128

// splitTag splits a tag into the name without namespace prefix and the attributes. It returns false
// for a name with characters that no element of ISO 20022 has.
func splitTag(tag []byte) (name, attributes []byte, ok bool) {
	start := 0
	for i, c := range tag {
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			return tag[start:i], tag[i:], i > start && tag[start] >= 'A'
		case c == ':':
			start = i + 1
		case c <= '"' || c >= 0x7f || i > maxName || strings.IndexByte("<>'=&;/", c) >= 0:
			return nil, nil, false
		}
	}
	return tag[start:], nil, len(tag) > start && tag[start] >= 'A'
}

// consumed must be called with all bytes that are read. It counts lines and appends the bytes to
// the record.
func (t *tokenizer) consumed(b []byte) {
	t.line += bytes.Count(b, []byte("\n"))
	if t.recording && len(t.record) < bank.MaxRaw {
		t.record = append(t.record, b...)
	}
}

// startRecord starts recording with the given tag, which was already read.
func (t *tokenizer) startRecord(tag token) {
	t.recording = true
	t.record = append(append(append(t.record[:0], '<'), tag.name...), tag.attributes...)
	t.record = append(t.record, '>')
}

// endRecord stops recording and returns the recorded text, at most bank.MaxRaw bytes.
func (t *tokenizer) endRecord() string {
	t.recording = false
	text := string(t.record[:min(len(t.record), bank.MaxRaw)])
	return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
}

// readTag reads the rest of a tag, after <, up to and including >. A > inside quotes does not end
// the tag.
func (t *tokenizer) readTag() ([]byte, error) {
	t.tag = t.tag[:0]
	for {
		chunk, err := t.in.ReadSlice('>')
		t.consumed(chunk)
		switch {
		case err == io.EOF:
			return nil, bank.Errorf(t.line, "the file ends within a tag: it is cut short")
		case errors.Is(err, bufio.ErrBufferFull) || len(t.tag)+len(chunk) > maxTag:
			return nil, bank.Errorf(t.line, "a tag is longer than %d bytes", maxTag)
		case err != nil:
			return nil, err
		}
		if len(t.tag) == 0 && !openQuote(chunk) {
			return chunk, nil
		}
		if t.tag = append(t.tag, chunk...); !openQuote(t.tag) {
			return t.tag, nil
		}
	}
}

// openQuote reports whether the last quote in a tag is not closed.
func openQuote(tag []byte) bool {
	if bytes.IndexByte(tag, '"') < 0 && bytes.IndexByte(tag, '\'') < 0 {
		return false
	}
	for len(tag) > 0 {
		start := bytes.IndexAny(tag, `"'`)
		if start < 0 {
			return false
		}
		length := bytes.IndexByte(tag[start+1:], tag[start])
		if length < 0 {
			return true
		}
		tag = tag[start+length+2:]
	}
	return false
}

// readText reads up to and including the < of the next tag. It drops comments and processing
// instructions.
func (t *tokenizer) readText() error {
	t.text = t.text[:0]
	for {
		chunk, err := t.in.ReadSlice('<')
		t.consumed(chunk)
		t.text = append(t.text, bytes.TrimSuffix(chunk, []byte("<"))...)
		switch {
		case len(t.text) > maxValue:
			return bank.Errorf(t.line, "a value is longer than 1 MB")
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return err
		}
		if tag, err := t.afterBracket(); tag || err != nil {
			return err
		}
	}
}

// afterBracket handles what follows a <. It returns true for a tag. It reads comments, CDATA
// sections and processing instructions to their end and returns false.
func (t *tokenizer) afterBracket() (tag bool, err error) {
	if next, err := t.in.Peek(1); err == nil && next[0] != '!' && next[0] != '?' {
		return true, nil
	}
	next, err := t.in.Peek(len("![CDATA["))
	if err != nil && err != io.EOF {
		return false, err
	}
	switch {
	case bytes.HasPrefix(next, []byte("!--")):
		return false, t.skip("!--", "-->")
	case bytes.HasPrefix(next, []byte("![CDATA[")):
		return false, t.readCDATA()
	case bytes.HasPrefix(next, []byte("?")):
		return false, t.skip("?", "?>")
	case bytes.HasPrefix(next, []byte("!")):
		return false, bank.Errorf(t.line, "a document type or entity is declared: such files are not read")
	}
	return true, nil
}

// skip drops a section up to and including its end marker.
func (t *tokenizer) skip(start, end string) error {
	before := len(t.text)
	err := t.readSection(start, end)
	t.text = t.text[:before]
	return err
}

// readCDATA appends the text of a CDATA section. It escapes ampersands, because they begin no
// entities there.
func (t *tokenizer) readCDATA() error {
	before := len(t.text)
	if err := t.readSection("![CDATA[", "]]>"); err != nil {
		return err
	}
	literal := bytes.ReplaceAll(bytes.TrimSuffix(t.text[before:], []byte("]]>")), []byte("&"), []byte("&amp;"))
	t.text = append(t.text[:before], literal...)
	return nil
}

// readSection appends a section without its start marker but with its end marker.
func (t *tokenizer) readSection(start, end string) error {
	line, before := t.line, len(t.text)
	for range start {
		c, err := t.in.ReadByte()
		if err != nil {
			return bank.Errorf(line, "the file ends within a comment, instruction or CDATA section")
		}
		t.consumed([]byte{c})
	}
	for {
		chunk, err := t.in.ReadSlice('>')
		t.consumed(chunk)
		t.text = append(t.text, chunk...)
		switch {
		case len(t.text)-before > maxValue:
			return bank.Errorf(line, "a value is longer than 1 MB")
		case err == io.EOF:
			return bank.Errorf(line, "the file ends within a comment, instruction or CDATA section")
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		case bytes.HasSuffix(t.text[before:], []byte(end)):
			return nil
		}
	}
}

// value returns the text before the current tag, with entities resolved and cleaned by bank.Text.
func (t *tokenizer) value() string {
	text := bytes.TrimSpace(t.text)
	if bytes.IndexByte(text, '&') >= 0 {
		return bank.Text(html.UnescapeString(string(text)))
	}
	return bank.Text(string(text))
}

// attribute returns the value of an attribute of the tag, or "" if the tag does not have it.
func (t token) attribute(name string) string {
	rest := t.attributes
	for {
		at := bytes.Index(rest, []byte(name))
		if at < 0 {
			return ""
		}
		before := at > 0 && strings.IndexByte(" \t\r\n:", rest[at-1]) >= 0
		rest = rest[at+len(name):]
		value, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("="))
		value = bytes.TrimLeft(value, " \t\r\n")
		if !before || !ok || len(value) == 0 || value[0] != '"' && value[0] != '\'' {
			continue
		}
		if end := bytes.IndexByte(value[1:], value[0]); end >= 0 {
			return string(bytes.TrimSpace(value[1 : 1+end]))
		}
	}
}
