// Package hostile provides attacks for tests: texts that strangers could write into names, or that
// a broken server could send.
package hostile

import "strings"

// Word is a readable part of each attack. Tests search for it to find the attack on a screen.
const Word = "pwnd"

// Text is an attack: a text that might affect a terminal, a spreadsheet or a reader.
type Text struct{ Name, Value string }

// Texts returns one text of each kind of attack, the longest last. Each contains Word, outside of
// any escape sequence.
func Texts() []Text {
	return []Text{
		{"CSI erase and home", "pwnd\x1b[3J\x1b[2J\x1b[H$0.00"},
		{"CSI conceal, never taken back", "pwnd\x1b[8mhidden"},
		{"CSI without an end", "pwnd\x1b[31;4;"},
		{"CSI scroll region and origin", "pwnd\x1b[1;2r\x1b[?6h"},
		{"CSI title report, answered as if typed", "pwnd\x1b]2;rm -rf ~\x07\x1b[21t"},
		{"CSI device status, answered as if typed", "pwnd\x1b[6n\x1b[c\x1b[>q"},
		{"CSI out of the alternate screen", "pwnd\x1b[?1049l\x1b[?47l\x1b[?2004l\x1b[?25h"},
		{"CSI soft reset and full reset", "pwnd\x1b[!p\x1bc"},
		{"8-bit CSI, raw", "pwnd\x9b31m\x9b2J"},
		{"8-bit CSI, as UTF-8", "pwnd\u009b31m\u009b2J"},
		{"OSC title", "\x1b]0;pwnd-title\x07pwnd"},
		{"OSC title, closed by 8-bit ST", "\x1b]2;pwnd-title\u009cpwnd"},
		{"OSC without an end", "\x1b]0;pwnd keeps the rest of the screen"},
		{"OSC 52 clipboard", "pwnd\x1b]52;c;cHduZA==\x07"},
		{"OSC 52 clipboard, 8-bit", "pwnd\u009d52;c;cHduZA==\u009c"},
		{"OSC 8 link", "\x1b]8;;https://evil.example/pwnd\x1b\\pwnd\x1b]8;;\x1b\\"},
		{
			"OSC 7 directory, 9 notice, 777, 1337 file",
			"pwnd\x1b]7;file:///\x07\x1b]9;x\x07\x1b]777;notify;a;b\x07\x1b]1337;File=name=eA==:eA==\x07",
		},
		{"OSC 4, 10, 11 colours", "pwnd\x1b]4;1;?\x07\x1b]10;#000000\x07\x1b]11;#000000\x07"},
		{"OSC 133 and 633 shell marks", "pwnd\x1b]133;A\x07\x1b]633;E;rm\x07"},
		{"DCS without an end", "\x1bPpwnd q"},
		{"DCS macro, DECRQSS, XTGETTCAP", "pwnd\x1bP0;0;0!zx\x1b\\\x1bP$q\"p\x1b\\\x1bP+q544e\x1b\\"},
		{"DCS through tmux", "pwnd\x1bPtmux;\x1b\x1b]52;c;cHduZA==\x07\x1b\\"},
		{"sixel and kitty pictures", "pwnd\x1bPq#0;2;0;0;0~\x1b\\\x1b_Ga=T;AAAA\x1b\\"},
		{"APC, PM, SOS", "pwnd\x1b_x\x1b\\\x1b^y\x1b\\\x1bXz\x1b\\"},
		{"character sets and shifts", "pwnd\x1b(0\x0e\x0f\x1bn"},
		{"ESC at the end", "pwnd\x1b"},
		{"ESC before what follows", "pwnd\x1b["},
		{"nested introducers", "pwnd\x1b\x1b[\x1b]\x9d\x1bP"},
		{"cancelled in the middle", "pwnd\x1b]0;a\x18b\x1a\x1b[31m"},
		{"backspaces over an amount", "pwnd 1.00\b\b\b\b9"},
		{"NUL, bell, delete", "pw\x00\x07\x7fnd\x00pwnd"},
		{"tabs and line ends", "pwnd\t\tx\r\ny\vz\fq\u0085r"},
		{"line and paragraph separators", "pwnd\u2028a\u2029b"},
		{"a carriage return over the line", "pwnd\rTOTAL PAID"},
		{"bidi override", "pwnd \u202e00.001$\u202c"},
		{"bidi isolates, never closed", "pwnd\u2066a\u2067b\u2068c"},
		{"bidi marks", "pwnd\u200e\u200f\u061c"},
		{"zero width", "p\u200bw\u200bn\u200bd pwnd\ufeff\u2060"},
		{"joiners", "pwnd👩\u200d💻\u200c\u034f"},
		{"variation selectors", "pwnd❤\ufe0f✈\ufe0e\U000e0101"},
		{"tag characters", "pwnd\U0001f3f4\U000e0067\U000e0062\U000e007f"},
		{"invisible letters", "pwnd\u3164\u115f\u1160\uffa0\u2800\u00ad"},
		{"invalid UTF-8", "pwnd\xff\xfe\xc0\x80\xed\xa0\xbd\xf8"},
		{"half a character", "pwnd\xe2\x82"},
		{"private use and unassigned", "pwnd\ue000\U0010fffd\u0378\U000113d1"},
		{"wide characters", "pwnd株式会社株式会社"},
		{"letters that combine when they meet", "pwnd\u1100\u1161\u11a8กำ"},
		{"flags and keycaps", "pwnd🇺🇸🇺1\ufe0f\u20e3"},
		{"a flood of marks", "pw" + strings.Repeat("\u0301\u0489", 200) + "ndpwnd"},
		{"a mark on what stands before", "\u0336\u0336pwnd"},
		{"a formula", "=cmd|' /C calc'!A0 pwnd"},
		{"quotes, commas and lines for CSV", "pwnd\",\"x\r\n=1+1"},
		{"a format", "pwnd%s%n%!d(MISSING)%[1]*d"},
		{"a path", "../../../pwnd\x00.pdf"},
		{"ten thousand characters", strings.Repeat("pwnd ", 2000)},
		{"ten thousand introducers", strings.Repeat("\x1b]", 5000) + "pwnd"},
	}
}
