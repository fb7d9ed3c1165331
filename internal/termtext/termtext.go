// Package termtext makes text from untrusted sources safe to print on a terminal.
//
// Names, memos, messages and identifiers come from a server, a bank or the sender of a payment.
// Such text could move the cursor, write to the clipboard, change the title of the window, reverse
// the reading direction of an amount, or hide invisible characters. It is cleaned once, where it
// enters the program. Cleaning it again changes nothing.
package termtext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLine and MaxBlock are the maximum lengths of a line and of a block, in runes. Longer text is
// cut and ends with "…".
const (
	MaxLine  = 1_000
	MaxBlock = 65_536
)

// maxMarks is the maximum number of combining marks on one character. It is enough for scripts that
// stack marks, but too few to draw over neighbouring lines.
const maxMarks = 3

const ellipsis = "…"

// Line returns s as one line that is safe in a table cell, at most MaxLine runes long.
//
// It removes control characters, terminal sequences and everything invisible, such as
// bidirectional controls, joiners and variation selectors. Of an unterminated sequence it
// removes only the introducer, so that the text after it stays visible. Tabs and line ends
// become one space. Invalid UTF-8, private use and unassigned characters, and those that
// merge with the next character, become U+FFFD.
func Line(s string) string {
	if plain(s, MaxLine, false) {
		return s
	}
	return clean(s, MaxLine, false)
}

// Block does for text of several lines what Line does for one line. It preserves line ends as line
// feeds, and keeps at most MaxBlock runes.
func Block(s string) string {
	if plain(s, MaxBlock, true) {
		return s
	}
	return clean(s, MaxBlock, true)
}

// plain reports whether s is short and printable ASCII, which needs no cleaning.
func plain(s string, limit int, lines bool) bool {
	if len(s) > limit {
		return false
	}
	for i := 0; i < len(s); i++ {
		if (s[i] < ' ' || s[i] > '~') && (!lines || s[i] != '\n') {
			return false
		}
	}
	return true
}

func clean(s string, limit int, lines bool) string {
	w := writer{limit: limit, lines: lines}
	w.text.Grow(min(len(s), 4*limit))
	for i := 0; i < len(s) && !w.full; {
		r, size := decode(s[i:])
		if n := sequence(s[i:]); n > 0 {
			i += n
			continue
		}
		if r == '\r' && strings.HasPrefix(s[i+1:], "\n") {
			i++
			continue
		}
		w.write(r)
		i += size
	}
	return w.text.String()
}

// decode returns the first rune of s like utf8.DecodeRuneInString. It returns single C1 bytes as
// control characters, because 8-bit terminals obey them.
func decode(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && s[0] >= 0x80 && s[0] <= 0x9f {
		return rune(s[0]), 1
	}
	return r, size
}

// writer builds the cleaned text.
type writer struct {
	text  strings.Builder
	limit int
	lines bool
	full  bool // the text has been cut at the limit
	count int  // number of runes written so far
	marks int  // number of combining marks on the last character
	based bool // the current line has a base character for marks
	last  rune
}

func (w *writer) write(r rune) {
	switch class(r) {
	case invisible:
	case lineEnd:
		if w.lines {
			w.put('\n')
			w.based = false
			return
		}
		w.gap()
	case gap:
		w.gap()
	case unprintable:
		w.base(utf8.RuneError)
	case mark:
		// Without a base character, a mark would be drawn on whatever precedes the text.
		if w.based && w.marks < maxMarks {
			w.put(r)
			w.marks++
		}
	case spacingMark:
		if w.based {
			w.put(r)
		}
	default:
		w.base(r)
	}
}

// gap writes one space for consecutive separators, and none at the start of the text.
func (w *writer) gap() {
	if w.count > 0 && w.last != ' ' && w.last != '\n' {
		w.base(' ')
	}
}

func (w *writer) base(r rune) {
	w.put(r)
	w.based, w.marks = true, 0
}

func (w *writer) put(r rune) {
	if w.full {
		return
	}
	if w.count == w.limit {
		w.text.WriteString(ellipsis)
		w.full = true
		return
	}
	w.text.WriteRune(r)
	w.count++
	w.last = r
}

// Marks decides which characters of a text are safe to print. It is meant for formats that must
// preserve the whole text, such as JSON. They escape the characters that Line removes or replaces.
// Marks counts combining marks, because only the first few on a character are safe.
type Marks struct{ count int }

// Shown reports whether r, the next character of the text, can be printed without escaping.
func (m *Marks) Shown(r rune) bool {
	switch class(r) {
	case printable:
		m.count = 0
		return true
	case spacingMark:
		return true
	case mark:
		m.count++
		return m.count <= maxMarks
	}
	return false
}

// Classes of characters by their effect on a terminal.
const (
	printable = iota
	invisible
	lineEnd
	gap
	unprintable
	mark
	spacingMark
)

func class(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return printable
	case r == '\n', r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		return lineEnd
	case r == '\t':
		return gap
	case r < 0xa0:
		return invisible
	case r < 0x300:
		if r == 0xad { // soft hyphen
			return invisible
		}
		return printable
	case r == 0x2800, // the empty Braille pattern is invisible
		// On some terminals, skin tones change the width of the emoji before them.
		r >= 0x1f3fb && r <= 0x1f3ff,
		unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return invisible
	case !unicode.IsGraphic(r), prepended(r):
		return unprintable
	case unicode.In(r, unicode.Mn, unicode.Me):
		return mark
	case unicode.Is(unicode.Mc, r):
		return spacingMark
	}
	return printable
}

// prepended reports whether r merges with the next character. At the end of a table cell, that
// would be the border. These characters have Grapheme_Cluster_Break=Prepend in Unicode 16 and are
// not format characters.
func prepended(r rune) bool {
	switch r {
	case 0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}
