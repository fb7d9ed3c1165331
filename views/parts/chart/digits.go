package chart

// digits are the large forms of the characters of a number, three lines each.
var digits = map[rune][3]string{
	'0': {"█▀█", "█ █", "▀▀▀"},
	'1': {"▀█ ", " █ ", "▀▀▀"},
	'2': {"▀▀█", "█▀▀", "▀▀▀"},
	'3': {"▀▀█", " ▀█", "▀▀▀"},
	'4': {"█ █", "▀▀█", "  ▀"},
	'5': {"█▀▀", "▀▀█", "▀▀▀"},
	'6': {"█▀▀", "█▀█", "▀▀▀"},
	'7': {"▀▀█", "  █", "  ▀"},
	'8': {"█▀█", "█▀█", "▀▀▀"},
	'9': {"█▀█", "▀▀█", "▀▀▀"},
	'.': {" ", " ", "▀"},
	',': {" ", " ", "▀"},
}

// DigitLines is the height of large digits, in lines.
const DigitLines = 3

// Digits draws a number in large digits, without a style. It returns false for text with other
// characters than digits and a decimal sign.
func Digits(number string) (lines [DigitLines]string, ok bool) {
	for i, r := range number {
		large, known := digits[r]
		if !known {
			return lines, false
		}
		for y := range lines {
			if i > 0 {
				lines[y] += " "
			}
			lines[y] += large[y]
		}
	}
	return lines, number != ""
}
