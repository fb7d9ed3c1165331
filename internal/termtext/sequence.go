package termtext

import "unicode/utf8"

// The 8-bit control characters that begin a terminal sequence, and c1ST, which ends one.
const (
	c1DCS = 0x90
	c1SOS = 0x98
	c1CSI = 0x9b
	c1ST  = 0x9c
	c1OSC = 0x9d
	c1PM  = 0x9e
	c1APC = 0x9f
)

const (
	bell = 0x07
	can  = 0x18
	sub  = 0x1a
	esc  = 0x1b
)

// sequence returns the length in bytes of the terminal sequence at the start of s, or 0 if there is
// none. For an unterminated sequence it returns the length of the introducer, so that the
// sequence cannot hide the text after it.
func sequence(s string) int {
	r, size := decode(s)
	if r == esc {
		return escape(s)
	}
	switch r {
	case c1CSI:
		return size + controlEnd(s[size:])
	case c1DCS, c1SOS, c1OSC, c1PM, c1APC:
		return size + stringEnd(s[size:])
	}
	return 0
}

// escape returns the length of a sequence that starts with ESC.
func escape(s string) int {
	if len(s) == 1 {
		return 1
	}
	switch s[1] {
	case '[':
		return 2 + controlEnd(s[2:])
	case ']', 'P', 'X', '^', '_':
		return 2 + stringEnd(s[2:])
	}
	// ESC, intermediate bytes and a final byte select character sets, reset, or save the
	// cursor.
	i := 1
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
		return i + 1
	}
	return 1
}

// controlEnd returns the length of a control sequence's parameters and final byte, or 0 if
// the final byte is missing.
func controlEnd(s string) int {
	i := 0
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x3f {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
		return i + 1
	}
	return 0
}

// stringEnd returns the length of a control string with its terminator, or 0 if the terminator is
// missing. It stops at the introducer of another sequence, as terminals do. Otherwise many
// unterminated strings would take quadratic time.
func stringEnd(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch c {
			case bell:
				return i + 1
			case esc:
				if i+1 < len(s) && s[i+1] == '\\' {
					return i + 2
				}
				return 0
			case can, sub:
				return 0
			}
			i++
			continue
		}
		r, size := decode(s[i:])
		switch {
		case r == c1ST:
			return i + size
		case r >= 0x80 && r <= 0x9f:
			return 0
		}
		i += size
	}
	return 0
}
