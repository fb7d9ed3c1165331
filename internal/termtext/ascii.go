package termtext

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// asciiFor maps characters that take one terminal cell to similar ASCII characters, so that frames
// and charts keep their shape.
var asciiFor = spread(map[string]string{
	"-": "─━┄┅┈┉═—–−‒―‐‑▄▃",
	"|": "│┃║▕",
	":": "┆┇┊┋╎╏⋮▏▎▍",
	"+": "┌┐└┘├┤┬┴┼╭╮╯╰╔╗╚╝╠╣╦╩╬┏┓┗┛±",
	"#": "█▉▊▋▌▐▇▓■",
	"%": "▆▒",
	"=": "▅≡≣",
	"_": "▂▁",
	".": "…·░․‥",
	"*": "●•◉★☆∗°",
	"o": "○◌◦◎",
	"x": "✕✗✘×",
	"v": "✓✔▼▾↓",
	"^": "▲▴↑",
	"/": "÷",
	"E": "€",
	"L": "£",
	"Y": "¥",
	">": "→▶▸►›»≥≻",
	"<": "←◀◂◄‹«≤",
	"~": "≈∼╌╍",
	"'": "‘’‚′",
	`"`: "“”„″",
	"!": "⚠",
	" ": "\u00a0\u2002\u2003\u2007\u2009\u202f",
})

func spread(signs map[string]string) map[rune]byte {
	all := map[rune]byte{}
	for sign, of := range signs {
		for _, r := range of {
			all[r] = sign[0]
		}
	}
	return all
}

// AppendASCII appends text to dst as ASCII of the same width in terminal cells. Characters without
// an ASCII equivalent become question marks. Terminal sequences are preserved. If text ends within
// a UTF-8 sequence, that incomplete sequence is returned; it must precede the text of the next
// call.
func AppendASCII(dst, text []byte) (out, incomplete []byte) {
	for len(text) > 0 {
		at := firstBeyondASCII(text)
		dst = append(dst, text[:at]...)
		rest := text[at:]
		if len(rest) == 0 {
			break
		}
		if !utf8.FullRune(rest) && len(rest) < utf8.UTFMax {
			return dst, rest
		}
		if marks, width := marksOnASCII(text, at); len(marks) > 0 {
			dst = append(dst, strings.Repeat("?", width)...)
			text = rest[len(marks):]
			continue
		}
		cluster, width := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		first, size := utf8.DecodeRune(cluster)
		sign := "?"
		if c, ok := asciiFor[first]; ok && size == len(cluster) {
			sign = string(rune(c))
		} else if first >= brailleFirst && first <= brailleLast && size == len(cluster) {
			sign = string(rune(brailleASCII(first)))
		}
		dst = append(dst, strings.Repeat(sign, width)...)
		text = rest[len(cluster):]
	}
	return dst, nil
}

// marksOnASCII returns what follows the ASCII character before text[at:] within its grapheme
// cluster, such as accents, and by how many cells it widens that character. The last byte of a
// terminal sequence is not a character.
func marksOnASCII(text []byte, at int) (marks []byte, width int) {
	if at == 0 || text[at-1] < ' ' {
		return nil, 0
	}
	if escape := bytes.LastIndexByte(text[:at], ansi.ESC); escape >= 0 {
		if _, _, n, _ := ansi.DecodeSequence(text[escape:at], ansi.NormalState, nil); escape+n == at {
			return nil, 0
		}
	}
	cluster, width := ansi.FirstGraphemeCluster(text[at-1:], ansi.GraphemeWidth)
	return cluster[1:], max(0, width-1)
}

// firstBeyondASCII returns the index of the first byte that is not ASCII. If there is none, it
// returns len(text).
func firstBeyondASCII(text []byte) int {
	for i, c := range text {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}
