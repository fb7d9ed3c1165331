package ofx

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// maxValue is the largest length of a value, tag or comment in bytes.
const maxValue = 1 << 20

// token is a start or end tag, with the text after it.
type token struct {
	name   string // name in capitals, without a prefix; "" for tags that are not used
	end    bool   // true for an end tag
	closed bool   // true for an empty element such as <MEMO/>
	value  []byte // text up to the next tag, valid until the next token
	line   int    // line number of the tag
}

// tokenizer splits SGML and XML into tags. It does not check their nesting, because end tags are
// optional in SGML, and many banks leave out more of them than the standard allows.
type tokenizer struct {
	budget *bank.Budget
	in     *bufio.Reader
	text   []byte // text after the current tag

	// Numbers of LF and CR bytes read so far. A line may end with LF, CRLF or CR.
	lf, cr int

	// While recording is true, the bytes of a transaction are appended to record. The bytes of the
	// previous transaction are in last.
	recording    bool
	record, last []byte
}

func newTokenizer(b *bank.Budget, in io.Reader) *tokenizer {
	return &tokenizer{budget: b, in: bufio.NewReaderSize(in, 64<<10)}
}

// start reads the text before the first tag.
func (t *tokenizer) start() error { return t.readText() }

// next returns the next tag, or io.EOF at the end.
func (t *tokenizer) next() (token, error) {
	line := t.line()
	tag, err := t.readTag()
	if err != nil {
		return token{}, err
	}
	next := parseTag(tag)
	next.line = line
	if next.name == "STMTTRN" || next.name == "STMTTRNP" {
		t.delimit(next, tag)
	}
	if err := t.readText(); err != nil && err != io.EOF {
		return token{}, err
	}
	next.value = bytes.TrimSpace(t.text)
	return next, nil
}

// line returns the number of the current line, from 1.
func (t *tokenizer) line() int { return max(t.lf, t.cr) + 1 }

// consumed must be called with all bytes that are read. It counts steps and line ends, and appends
// the bytes to the record.
func (t *tokenizer) consumed(b []byte) error {
	t.lf += bytes.Count(b, []byte("\n"))
	t.cr += bytes.Count(b, []byte("\r"))
	if t.recording && len(t.record) < bank.MaxRaw {
		t.record = append(t.record, b...)
	}
	return t.budget.Step(len(b))
}

// delimit handles a tag of a transaction. It starts the record at a start tag. It completes the
// record at the end tag or, if that is missing, at the next start tag.
func (t *tokenizer) delimit(tag token, text []byte) {
	if t.recording {
		t.record, t.last = t.last[:0], t.record
		if !tag.end {
			t.last = bytes.TrimSuffix(t.last, append([]byte("<"), text...))
		}
	}
	if t.recording = !tag.end; t.recording {
		t.record = append(append(t.record[:0], '<'), text...)
	}
}

// takeRecord returns the bytes of the last complete transaction, or of the current one if it has no
// end tag. They are valid until the next token.
func (t *tokenizer) takeRecord() []byte {
	record := t.last
	if len(record) == 0 {
		record, t.recording = t.record, false
	}
	t.last = t.last[:0]
	return record[:min(len(record), bank.MaxRaw)]
}

// readTag reads the rest of a tag, after <, up to and including >.
func (t *tokenizer) readTag() ([]byte, error) {
	tag, err := t.in.ReadSlice('>')
	if err == bufio.ErrBufferFull {
		return nil, bank.Errorf(t.line(), "a tag is longer than %d bytes", len(tag))
	}
	if over := t.consumed(tag); over != nil {
		return nil, over
	}
	if err == io.EOF && len(tag) > 0 {
		return nil, bank.Errorf(t.line(), "the file ends within a tag")
	}
	return tag, err
}

// parseTag parses a tag. The < before it must have been removed.
func parseTag(tag []byte) token {
	tag = bytes.TrimSpace(bytes.TrimSuffix(tag, []byte(">")))
	rest, end := bytes.CutPrefix(tag, []byte("/"))
	rest, closed := bytes.CutSuffix(rest, []byte("/"))
	rest = bytes.TrimSpace(rest)
	if at := bytes.IndexAny(rest, " \t\r\n"); at >= 0 {
		rest = rest[:at]
	}
	if at := bytes.LastIndexByte(rest, ':'); at >= 0 {
		rest = rest[at+1:]
	}
	name, known := names[string(rest)]
	if !known {
		name = names[string(bytes.ToUpper(rest))]
	}
	return token{name: name, end: end, closed: closed}
}

// readText reads the text up to and including the < of the next tag. It drops comments, inserts
// CDATA sections and leaves entities unresolved. It returns io.EOF at the end of the file.
func (t *tokenizer) readText() error {
	t.text = t.text[:0]
	for {
		chunk, err := t.in.ReadSlice('<')
		if over := t.consumed(chunk); over != nil {
			return over
		}
		more := chunk
		if err == nil {
			more = chunk[:len(chunk)-1]
		}
		if err := t.add(more); err != nil {
			return err
		}
		switch {
		case err == nil:
			if tag, err := t.afterBracket(); tag || err != nil {
				return err
			}
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// add appends text. It drops NUL bytes, and blanks at the start.
func (t *tokenizer) add(text []byte) error {
	if len(t.text) == 0 {
		text = bytes.TrimLeft(text, " \t\r\n\x00")
	}
	if bytes.IndexByte(text, 0) < 0 {
		t.text = append(t.text, text...)
	} else {
		for part := range bytes.SplitSeq(text, []byte{0}) {
			t.text = append(t.text, part...)
		}
	}
	if len(t.text) > maxValue {
		return bank.Errorf(t.line(), "a value is longer than 1 MB")
	}
	return nil
}

// afterBracket handles what follows a <. It returns true for a tag. It reads comments and CDATA
// sections to their end and returns false.
func (t *tokenizer) afterBracket() (tag bool, err error) {
	next, err := t.in.Peek(longestName)
	if err != nil && err != io.EOF {
		return false, err
	}
	switch {
	case startsTag(next):
		return true, nil
	case bytes.HasPrefix(next, []byte("!--")):
		return false, t.skip("!--", "-->")
	case bytes.HasPrefix(next, []byte("![CDATA[")):
		return false, t.readCDATA()
	case isDeclaration(next):
		return false, bank.Errorf(t.line(), "a document type or entity is declared: such files are not read")
	case bytes.HasPrefix(next, []byte("?")):
		return false, t.skip("?", ">")
	}
	return false, t.add([]byte("<"))
}

// isDeclaration reports whether the text after a < is a declaration, such as !DOCTYPE or !ENTITY.
func isDeclaration(text []byte) bool {
	for _, keyword := range []string{"!DOCTYPE", "!ENTITY", "!ELEMENT", "!ATTLIST", "!NOTATION"} {
		if len(text) >= len(keyword) && strings.EqualFold(string(text[:len(keyword)]), keyword) {
			return true
		}
	}
	return false
}

// longestName is the number of bytes after a < among which the > of a tag must be. Otherwise the <
// is part of a text.
const longestName = 128

// startsTag reports whether the text after a < is a tag: a name, and a > that comes before the next
// <.
func startsTag(text []byte) bool {
	name := bytes.TrimPrefix(text, []byte("/"))
	if len(name) == 0 || name[0]|0x20 < 'a' || name[0]|0x20 > 'z' {
		return false
	}
	at := bytes.IndexAny(text, "<>")
	return at < 0 || text[at] == '>'
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
	line := t.line()
	if _, err := t.in.Discard(len(start)); err != nil {
		return err
	}
	if t.recording {
		t.record = append(t.record, start...)
	}
	before := len(t.text)
	for {
		chunk, err := t.in.ReadSlice('>')
		if over := t.consumed(chunk); over != nil {
			return over
		}
		t.text = append(t.text, chunk...)
		switch {
		case len(t.text)-before > maxValue:
			return bank.Errorf(line, "a value is longer than 1 MB")
		case err == io.EOF:
			return bank.Errorf(line, "the file ends within a comment or CDATA section")
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		case bytes.HasSuffix(t.text[before:], []byte(end)):
			return nil
		}
	}
}
