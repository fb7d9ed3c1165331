package journal

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/written"
)

// maxPlaces is the largest number of digits, and of decimals, in a number.
const maxPlaces = 255

// scaled returns mantissa / 10^places. It returns false if that is not a number or has too many
// digits.
func scaled(mantissa string, places int) (*big.Rat, bool) {
	if len(mantissa) > maxPlaces || places > maxPlaces {
		return nil, false
	}
	digits, ok := new(big.Int).SetString(mantissa, 10)
	if !ok {
		return nil, false
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	return new(big.Rat).SetFrac(digits, power), true
}

// number is a number as written, without its sign.
type number struct {
	text      string // digits, points and commas
	separated bool   // groups of digits are separated by blanks or apostrophes, not by text's marks
}

// cutNumber cuts a number off the start of text.
func cutNumber(text string) (n number, rest string) {
	var b strings.Builder
	for len(text) > 0 {
		c := text[0]
		switch {
		case c >= '0' && c <= '9', c == '.', c == ',':
			b.WriteByte(c)
			text = text[1:]
			continue
		case b.Len() > 0:
			if size := separator(text); size > 0 && isGroup(text[size:]) {
				text, n.separated = text[size:], true
				continue
			}
		}
		break
	}
	n.text = b.String()
	return n, text
}

// separator returns the length of a separator of groups at the start of text, 0 if there is none.
func separator(text string) int {
	switch r, size := utf8.DecodeRuneInString(text); r {
	case ' ', '\'', '’', '\u00a0', '\u202f', '\u2009':
		return size
	}
	return 0
}

// isGroup reports whether text begins with a group of exactly three digits.
func isGroup(text string) bool {
	return len(text) >= 3 && digitsOnly(text[:3]) && (len(text) == 3 || !digitsOnly(text[3:4]))
}

func digitsOnly(text string) bool { return strings.Trim(text, "0123456789") == "" }

// value returns the value of a number whose decimal mark is mark, and its decimals. It returns
// false if the number cannot be read so.
func (n number) value(mark byte) (quantity *big.Rat, places int, ok bool) {
	whole, decimals, _ := strings.Cut(n.text, string(mark))
	whole, ok = ungroup(whole, mark)
	if !ok || !digitsOnly(decimals) || whole+decimals == "" {
		return nil, 0, false
	}
	quantity, ok = scaled("0"+whole+decimals, len(decimals))
	return quantity, len(decimals), ok
}

// ungroup removes the separators of groups from digits. The last group must have three digits, and
// the others three or, as in India, two.
func ungroup(whole string, mark byte) (string, bool) {
	groups := strings.Split(whole, string(other(mark)))
	for i, group := range groups {
		if !digitsOnly(group) || len(groups) > 1 && group == "" ||
			i > 0 && len(group) != 3 && (len(group) != 2 || i == len(groups)-1) {
			return "", false
		}
	}
	if len(groups) > 1 && len(groups[0]) > 3 {
		return "", false
	}
	return strings.Join(groups, ""), true
}

func other(mark byte) byte {
	if mark == '.' {
		return ','
	}
	return '.'
}

// mark returns the decimal mark that the number itself proves, and 0 if the one separator that it
// has may be a decimal mark or separate thousands.
func (n number) mark() byte {
	if at := strings.IndexAny(n.text, ".,"); at >= 0 && n.separated && written.IsOpen(n.text) {
		return n.text[at]
	}
	if written.IsOpen(n.text) {
		return 0
	}
	return written.MarksOf(n.text).Byte()
}

// question asks which decimal mark a number has.
func (n number) question(line int) error {
	plain := strings.NewReplacer(".", "", ",", "").Replace(n.text)
	return &bank.Question{
		Place: line, Flag: "--decimal", Choices: []string{"point", "comma"},
		Reason: strconv.Quote(n.text) + " may be " + plain + " or " + strings.Replace(n.text, ",", ".", 1),
	}
}
