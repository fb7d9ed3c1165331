package einvoice

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Values of a PDF are dict, []any, name, text, reference, int or nil, which stands for all others.
type (
	dict      map[string]any
	name      string
	text      string
	reference int // number of an object
)

// parser parses the values of a PDF.
type parser struct {
	text []byte
	left int // values that may still be parsed
}

const (
	blanks     = "\x00\t\n\f\r "
	delimiters = "()<>[]{}/%"
	deepest    = 50      // values inside each other
	longest    = 8 << 10 // bytes of names and texts; longer ones are cut
)

// blanks skips blanks and comments.
func (p *parser) blanks() {
	for {
		p.text = bytes.TrimLeft(p.text, blanks)
		if len(p.text) == 0 || p.text[0] != '%' {
			return
		}
		end := bytes.IndexAny(p.text, "\r\n")
		if end < 0 {
			end = len(p.text)
		}
		p.text = p.text[end:]
	}
}

func (p *parser) skip(prefix string) bool {
	rest, ok := bytes.CutPrefix(p.text, []byte(prefix))
	p.text = rest
	return ok
}

// word returns the text up to the next blank or delimiter.
func (p *parser) word() []byte {
	end := bytes.IndexAny(p.text, blanks+delimiters)
	if end < 0 {
		end = len(p.text)
	}
	word := p.text[:end]
	p.text = p.text[end:]
	return word
}

// value parses a value, which is depth values deep. At the end of the text, and after the last
// value that may be parsed, it returns nil.
func (p *parser) value(depth int) any {
	p.blanks()
	if p.left == 0 || depth > deepest {
		p.text, p.left = nil, 0
	}
	if len(p.text) == 0 {
		return nil
	}
	p.left--
	switch {
	case p.skip("<<"):
		return p.dict(depth)
	case p.skip("["):
		return p.array(depth)
	case p.skip("/"):
		word := p.word()
		return name(word[:min(len(word), longest)])
	case p.skip("("):
		return p.literal()
	case p.skip("<"):
		digits, rest, _ := bytes.Cut(p.text, []byte(">"))
		p.text = rest
		digits = digits[:min(len(digits), longest)]
		decoded, _ := hex.DecodeString(string(bytes.Join(bytes.Fields(digits), nil)))
		return textOf(decoded)
	}
	return p.number()
}

// number parses a number or a reference such as 7 0 R. It skips other words.
func (p *parser) number() any {
	word := p.word()
	if len(word) == 0 {
		p.text = p.text[1:] // a delimiter out of place
		return nil
	}
	number, err := strconv.Atoi(string(word))
	if err != nil {
		return nil
	}
	after := *p
	after.blanks()
	if generation := after.word(); len(generation) == 0 || strings.Trim(string(generation), "0123456789") != "" {
		return number
	}
	after.blanks()
	if string(after.word()) != "R" {
		return number
	}
	p.text = after.text
	return reference(number)
}

func (p *parser) dict(depth int) dict {
	of := dict{}
	for {
		if p.blanks(); len(p.text) == 0 || p.skip(">>") {
			return of
		}
		key, ok := p.value(depth + 1).(name)
		if ok {
			of[string(key)] = p.value(depth + 1)
		}
	}
}

func (p *parser) array(depth int) []any {
	all := []any{}
	for {
		if p.blanks(); len(p.text) == 0 || p.skip("]") {
			return all
		}
		all = append(all, p.value(depth+1))
	}
}

// literal parses the rest of a text in parentheses, which may contain others.
func (p *parser) literal() text {
	var all []byte
	for open := 1; len(p.text) > 0; {
		c := p.text[0]
		p.text = p.text[1:]
		switch {
		case c == '(':
			open++
		case c == ')':
			if open--; open == 0 {
				return textOf(all)
			}
		case c == '\\' && len(p.text) > 0:
			c = p.escaped()
		}
		if len(all) < longest {
			all = append(all, c)
		}
	}
	return ""
}

// escaped returns the character after a backslash: a number of up to three octal digits, or itself.
func (p *parser) escaped() byte {
	c, digits := byte(0), 0
	for digits < 3 && digits < len(p.text) && p.text[digits] >= '0' && p.text[digits] <= '7' {
		c = c<<3 | p.text[digits] - '0'
		digits++
	}
	if digits == 0 {
		c, digits = p.text[0], 1
	}
	p.text = p.text[digits:]
	return c
}

// textOf returns a text in UTF-8. It may be in UTF-16, which a byte order mark says.
func textOf(raw []byte) text {
	if !bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return text(raw)
	}
	var units []uint16
	for i := 2; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
	}
	return text(utf16.Decode(units))
}
