package termtext

import "unicode/utf8"

// 8-bit control characters that begin a terminal sequence, and c1ST, which ends one.
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

// sequence returns the length in bytes of the terminal sequence at the start of s. If there is
// none, it returns 0. For a sequence that does not end, it returns only the length of the
// introducer, so that the text after it cannot be hidden.
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

// escape returns the length in bytes of a sequence that begins with ESC.
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
	// Sequences of ESC, intermediate bytes and a final byte select character sets, reset the
	// terminal, or save the cursor.
	i := 1
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
		return i + 1
	}
	return 1
}

// controlEnd returns the length in bytes of the parameters and the final byte of a control
// sequence. If the final byte is missing, it returns 0.
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

// stringEnd returns the length in bytes of a control string including its terminator. If the
// terminator is missing, it returns 0. It stops at the start of another sequence, as terminals do.
// Otherwise, many strings without a terminator would take quadratic time.
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
