package journal

import (
	"strings"
	"unicode/utf8"

	"tarmac/service/statements/bank"
)

// cursor reads a line from its start.
type cursor struct {
	text string // what has not been read yet
	line int
}

// blanks skips blanks.
func (c *cursor) blanks() { c.text = strings.TrimLeft(c.text, " \t") }

// take skips prefix and the blanks after it. It returns false if the text does not begin so.
func (c *cursor) take(prefix string) bool {
	rest, ok := strings.CutPrefix(c.text, prefix)
	if ok {
		c.text = rest
		c.blanks()
	}
	return ok
}

// word returns the text up to the next blank.
func (c *cursor) word() string {
	word := c.text
	if end := strings.IndexAny(c.text, " \t"); end >= 0 {
		word = c.text[:end]
	}
	c.text = c.text[len(word):]
	c.blanks()
	return word
}

// until returns the text before end, and skips both.
func (c *cursor) until(end string) (string, bool) {
	text, rest, ok := strings.Cut(c.text, end)
	if ok {
		c.text = rest
		c.blanks()
	}
	return text, ok
}

// unread is the error for text that is left over.
func (c *cursor) unread() error {
	return bank.Errorf(c.line, "%q cannot be read", bank.Short(bank.Text(c.text)))
}

// writtenAmount is an amount as it stands in a journal of hledger or ledger.
type writtenAmount struct {
	negative  bool
	number    number
	commodity string
	named     bool // a commodity is written
}

// written reads an amount: 10 USD, -$10, $-10 or "A 1" 10.
func (c *cursor) written() (writtenAmount, error) {
	var w writtenAmount
	negative, signed := c.sign()
	symbol, named, err := c.symbol()
	if err != nil {
		return w, err
	}
	c.blanks()
	if !signed {
		negative, _ = c.sign()
	}
	w.negative, w.commodity, w.named = negative, symbol, named
	if w.number, c.text = cutNumber(c.text); w.number.text == "" {
		if strings.HasPrefix(c.text, "(") || strings.HasPrefix(c.text, "*") {
			return w, bank.Errorf(c.line, "%q is an expression, and tarmac does not compute: write the amount out",
				bank.Short(bank.Text(c.text)))
		}
		return w, c.unread()
	}
	if !named {
		rest := c.text
		c.blanks()
		if w.commodity, w.named, err = c.symbol(); err != nil {
			return w, err
		}
		if !w.named {
			c.text = rest
		}
	}
	c.blanks()
	return w, nil
}

func (c *cursor) sign() (negative, ok bool) {
	negative = strings.HasPrefix(c.text, "-")
	if !negative && !strings.HasPrefix(c.text, "+") {
		return false, false
	}
	c.text = c.text[1:]
	c.blanks()
	return negative, true
}

// maxSymbol is the largest length of a commodity in bytes.
const maxSymbol = 100

// symbol reads a commodity, which is in quotes if it has digits or blanks.
func (c *cursor) symbol() (name string, ok bool, err error) {
	if strings.HasPrefix(c.text, `"`) {
		name, rest, closed := strings.Cut(c.text[1:], `"`)
		if !closed || len(name) > maxSymbol {
			return "", false, c.unread()
		}
		c.text = rest
		return name, true, nil
	}
	end := strings.IndexFunc(c.text, func(r rune) bool {
		return r == utf8.RuneError || strings.ContainsRune(" \t0123456789-+.,;:@*/^&|=<>{}[]()!?\"\u00a0\u202f", r)
	})
	if end < 0 {
		end = len(c.text)
	}
	if end > maxSymbol {
		return "", false, c.unread()
	}
	name, c.text = c.text[:end], c.text[end:]
	return name, end > 0, nil
}
