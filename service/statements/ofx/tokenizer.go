package ofx

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// maxValue is the most bytes that a value, tag or comment may have.
const maxValue = 1 << 20

// token is a tag with the text that follows it.
type token struct {
	name   string // in capitals, without a prefix; "" for tags that the reader has no use for
	end    bool   // an end tag
	closed bool   // a tag that ends itself, as in <MEMO/>
	value  []byte // text up to the next tag, valid until the next token
	line   int    // number of the line where the tag is
}

// tokenizer splits SGML and XML into tags. It knows nothing of their nesting: end tags are
// optional in SGML, and banks forget more of them than the standard allows.
type tokenizer struct {
	in   *bufio.Reader
	text []byte // text after the last tag

	// Line ends read so far. Files have LF, CRLF or CR alone.
	lf, cr int

	// The bytes of transactions: of the one being read, and of the last that ended.
	recording    bool
	record, last []byte
}

func newTokenizer(in io.Reader) *tokenizer {
	return &tokenizer{in: bufio.NewReaderSize(in, 64<<10)}
}

// start reads the text before the first tag.
func (t *tokenizer) start() error { return t.readText() }

// next returns the next tag, or io.EOF.
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

// line returns the number of the line that is being read.
func (t *tokenizer) line() int { return max(t.lf, t.cr) + 1 }

// consumed counts and records bytes that were read.
func (t *tokenizer) consumed(b []byte) {
	t.lf += bytes.Count(b, []byte("\n"))
	t.cr += bytes.Count(b, []byte("\r"))
	if t.recording && len(t.record) < bank.MaxRaw {
		t.record = append(t.record, b...)
	}
}

// delimit starts the record of a transaction at its tag and completes it at its end tag, or
// at the next transaction if it has none.
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

// takeRecord returns the bytes of the transaction that ended last, or of the one that was
// begun, if it has no end tag. They are valid until the next token.
func (t *tokenizer) takeRecord() []byte {
	record := t.last
	if len(record) == 0 {
		record, t.recording = t.record, false
	}
	t.last = t.last[:0]
	return record[:min(len(record), bank.MaxRaw)]
}

// readTag reads up to the end of a tag whose < was read.
func (t *tokenizer) readTag() ([]byte, error) {
	tag, err := t.in.ReadSlice('>')
	if err == bufio.ErrBufferFull {
		return nil, bank.Errorf(t.line(), "a tag is longer than %d bytes", len(tag))
	}
	t.consumed(tag)
	if err == io.EOF && len(tag) > 0 {
		return nil, bank.Errorf(t.line(), "the file ends within a tag")
	}
	return tag, err
}

// parseTag reads what stands between < and >, with the >.
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

// readText reads up to the < of the next tag, resolves comments and CDATA sections, and leaves
// entities as they are. It returns io.EOF at the end of the file.
func (t *tokenizer) readText() error {
	t.text = t.text[:0]
	for {
		chunk, err := t.in.ReadSlice('<')
		t.consumed(chunk)
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

// add appends text without NUL bytes and blanks at the start.
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

// afterBracket handles what a < begins and reports whether it is a tag.
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

// isDeclaration reports whether text after a < declares a document type or an entity.
func isDeclaration(text []byte) bool {
	for _, keyword := range []string{"!DOCTYPE", "!ENTITY", "!ELEMENT", "!ATTLIST", "!NOTATION"} {
		if len(text) >= len(keyword) && strings.EqualFold(string(text[:len(keyword)]), keyword) {
			return true
		}
	}
	return false
}

// longestName is how far a tag's > is looked for before text with a < is taken as a tag.
const longestName = 128

// startsTag reports whether text after a < is a tag: a name, then a > before another <.
func startsTag(text []byte) bool {
	name := bytes.TrimPrefix(text, []byte("/"))
	if len(name) == 0 || name[0]|0x20 < 'a' || name[0]|0x20 > 'z' {
		return false
	}
	at := bytes.IndexAny(text, "<>")
	return at < 0 || text[at] == '>'
}

// skip drops a section from its start up to and with its end.
func (t *tokenizer) skip(start, end string) error {
	before := len(t.text)
	err := t.readSection(start, end)
	t.text = t.text[:before]
	return err
}

// readCDATA appends the text of a CDATA section. Its ampersands are no entities.
func (t *tokenizer) readCDATA() error {
	before := len(t.text)
	if err := t.readSection("![CDATA[", "]]>"); err != nil {
		return err
	}
	literal := bytes.ReplaceAll(bytes.TrimSuffix(t.text[before:], []byte("]]>")), []byte("&"), []byte("&amp;"))
	t.text = append(t.text[:before], literal...)
	return nil
}

// readSection appends a section without its start, but with its end.
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
		t.consumed(chunk)
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
