package table

import (
	"bytes"
	"unicode/utf8"
)

// charsets returns the charsets that a file may have, in the order in which they are tried. With
// the name "", bank.Decode chooses the charset.
func charsets(head []byte) []string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")),
		bytes.HasPrefix(head, []byte("\xef\xbb\xbf")), len(head) < 4:
		return []string{""}
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return []string{"utf-16be"}
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return []string{"utf-16le"}
	case utf8.Valid(head[:len(head)-cutRune(head)]):
		return []string{""}
	}
	if name := eastAsian(head); name != "" {
		return []string{name}
	}
	return []string{"windows-1252", "windows-1250", "windows-1251", "windows-1254", "shift_jis", "big5", "ibm866"}
}

// cutRune returns how many bytes at the end of head are the start of an incomplete UTF-8 character.
func cutRune(head []byte) int {
	for cut := 1; cut < utf8.UTFMax && cut <= len(head); cut++ {
		if tail := head[len(head)-cut:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return cut
			}
			break
		}
	}
	return 0
}

// eastAsian returns the name of a charset with two bytes for each character, or "" if the text has
// another. In such text, bytes from 0xa1 on come in long runs of even length; in other charsets,
// accented letters usually stand alone. Korean syllables use few of the first bytes, and Japanese
// text has kana.
func eastAsian(head []byte) string {
	var runs, pairs, kana, hangul int
	for i := 0; i < len(head); i++ {
		if head[i] < 0xa1 || head[i] == 0xff {
			if head[i] >= 0x80 {
				return ""
			}
			continue
		}
		start := i
		for i < len(head) && head[i] >= 0xa1 && head[i] != 0xff {
			if (i-start)%2 == 0 {
				pairs++
				kana += boolean(head[i] == 0xa4 || head[i] == 0xa5)
				hangul += boolean(head[i] >= 0xb0 && head[i] <= 0xc8)
			}
			i++
		}
		if runs++; (i-start)%2 != 0 && i < len(head) {
			return ""
		}
	}
	switch {
	case pairs < 2*runs || pairs == 0:
		return ""
	case kana > 0:
		return "euc-jp"
	case hangul == pairs:
		return "euc-kr"
	}
	return "gb18030"
}
