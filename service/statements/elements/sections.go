package elements

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"tarmac/service/statements/bank"
)

// readText reads up to and including the < of the next tag. It drops comments and processing
// instructions.
func (r *Reader) readText() error {
	r.text = r.text[:0]
	for {
		chunk, err := r.in.ReadSlice('<')
		if over := r.consumed(chunk); over != nil {
			return over
		}
		r.text = append(r.text, bytes.TrimSuffix(chunk, []byte("<"))...)
		if r.most > 0 {
			r.text = r.text[:min(len(r.text), r.most)]
		}
		switch {
		case len(r.text) > maxValue:
			return bank.Errorf(r.line, "a value is longer than 1 MB")
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return err
		}
		if tag, err := r.afterBracket(); tag || err != nil {
			return err
		}
	}
}

// afterBracket handles what follows a <. It returns true for a tag. It reads comments, CDATA
// sections and processing instructions to their end and returns false.
func (r *Reader) afterBracket() (tag bool, err error) {
	if next, err := r.in.Peek(1); err == nil && next[0] != '!' && next[0] != '?' {
		return true, nil
	}
	next, err := r.in.Peek(len("![CDATA["))
	if err != nil && err != io.EOF {
		return false, err
	}
	switch {
	case bytes.HasPrefix(next, []byte("!--")):
		return false, r.skip("!--", "-->")
	case bytes.HasPrefix(next, []byte("![CDATA[")):
		return false, r.readCDATA()
	case bytes.HasPrefix(next, []byte("?")):
		return false, r.skip("?", "?>")
	case bytes.HasPrefix(next, []byte("!")):
		return false, bank.Errorf(r.line, "a document type or entity is declared: such files are not read")
	}
	return true, nil
}

// skip drops a section up to and including its end marker.
func (r *Reader) skip(start, end string) error {
	before := len(r.text)
	err := r.readSection(start, end)
	r.text = r.text[:before]
	return err
}

// readCDATA appends the text of a CDATA section. It escapes ampersands, because they begin no
// entities there.
func (r *Reader) readCDATA() error {
	before := len(r.text)
	if err := r.readSection("![CDATA[", "]]>"); err != nil {
		return err
	}
	literal := bytes.ReplaceAll(bytes.TrimSuffix(r.text[before:], []byte("]]>")), []byte("&"), []byte("&amp;"))
	r.text = append(r.text[:before], literal...)
	return nil
}

// readSection appends a section without its start marker but with its end marker.
func (r *Reader) readSection(start, end string) error {
	line, before := r.line, len(r.text)
	marker := make([]byte, len(start))
	n, _ := io.ReadFull(r.in, marker)
	if err := r.consumed(marker[:n]); err != nil {
		return err
	}
	for {
		chunk, err := r.in.ReadSlice('>')
		if over := r.consumed(chunk); over != nil {
			return over
		}
		r.text = append(r.text, chunk...)
		switch {
		case len(r.text)-before > maxValue:
			return bank.Errorf(line, "a value is longer than 1 MB")
		case err == io.EOF:
			return bank.Errorf(line, "the file ends within a comment, instruction or CDATA section")
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		case bytes.HasSuffix(r.text[before:], []byte(end)):
			return nil
		}
	}
}
