// Package termtext makes text from elsewhere safe to draw on a terminal.
//
// Names, memos, messages and identifiers come from a server, from a bank behind
// it, and in the end from whoever sent the money. Drawn as they are, they can
// move the cursor, write the clipboard, retitle the window, turn the reading
// direction of an amount around or hide behind characters nobody sees. Text is
// cleaned once, where it enters the program.
//
// Cleaning is idempotent: cleaning clean text changes nothing.
package termtext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLine and MaxBlock are how many runes of a line and of a block are kept;
// what is longer ends in "…" after them.
const (
	MaxLine  = 1_000
	MaxBlock = 65_536
)

// maxMarks is how many combining marks may stand on one character: enough for
// the scripts that stack them, too few to paint over the neighbouring lines.
const maxMarks = 3

const ellipsis = "…"

// Line returns s as one line that is safe in a table cell.
//
// Control characters and whole terminal sequences are gone; of a sequence that
// is never closed only the introducer is, so that it cannot hide what follows.
// Also gone are bidirectional controls, joiners, variation selectors, tags and
// every other character that draws nothing. Tabs and line ends become one
// space; invalid UTF-8, private use, unassigned characters and the few that join
// the character after them become U+FFFD. At most MaxLine runes are kept.
func Line(s string) string {
	if plain(s, MaxLine, false) {
		return s
	}
	return clean(s, MaxLine, false)
}

// Block is Line for text of several lines: line ends stay, as "\n", and at most
// MaxBlock runes are kept.
func Block(s string) string {
	if plain(s, MaxBlock, true) {
		return s
	}
	return clean(s, MaxBlock, true)
}

// plain reports whether s is short printable ASCII, which needs no cleaning.
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

// decode is utf8.DecodeRuneInString, except that a byte of the C1 range outside
// valid UTF-8 is that control character: terminals in an 8-bit mode obey it.
func decode(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && s[0] >= 0x80 && s[0] <= 0x9f {
		return rune(s[0]), 1
	}
	return r, size
}

// writer builds the clean text.
type writer struct {
	text  strings.Builder
	limit int
	lines bool
	full  bool // the limit is reached and said so
	count int
	marks int  // combining marks on the last character
	based bool // the current line has a character for marks to stand on
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
		// Without a character of its own a mark would land on whatever is drawn
		// before the text.
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

// gap writes one space for a run of separators, and none before the text.
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

// Marks says of the characters of a text, one after the other, which may be written
// as they are where nothing may be left out: Line would keep them. The others have to
// be escaped.
type Marks struct{ count int }

// Shown reports whether the next character may be written as it is.
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

// What a character is to a terminal.
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
	case r == 0x2800, // the empty Braille pattern draws nothing
		// Skin tones change the width of the emoji before them on some terminals.
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

// prepended reports whether r joins the character after it into one: at the end
// of a cell that is the cell's border. What is left of the property
// Grapheme_Cluster_Break=Prepend (Unicode 16) when format characters are gone.
func prepended(r rune) bool {
	switch r {
	case 0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}
