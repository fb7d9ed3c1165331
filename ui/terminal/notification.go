package terminal

import (
	"strings"

	"tarmac/internal/termtext"
)

// Notification returns the sequence with which a terminal notifies of a text outside of its window:
// OSC 99 of kitty, 777 of foot, Ghostty and WezTerm, 9 of iTerm2. For other terminals, and behind
// tmux or screen, it returns "", or the bell if rings is set.
func Notification(getenv func(string) string, title, text string, rings bool) string {
	title, text = oneLine(title), oneLine(text)
	terminal, program := getenv("TERM"), getenv("TERM_PROGRAM")
	switch {
	case getenv("TMUX") != "" || strings.HasPrefix(terminal, "screen") || strings.HasPrefix(terminal, "tmux"):
	case terminal == "xterm-kitty":
		return "\x1b]99;i=tarmac:d=0;" + title + "\x1b\\\x1b]99;i=tarmac:p=body;" + text + "\x1b\\"
	case strings.HasPrefix(terminal, "foot"), terminal == "xterm-ghostty", program == "ghostty", program == "WezTerm":
		return "\x1b]777;notify;" + title + ";" + text + "\x1b\\"
	case program == "iTerm.app":
		return "\x1b]9;" + title + ": " + text + "\x1b\\"
	}
	if rings {
		return "\a"
	}
	return ""
}

// oneLine returns a text that can stand in an escape sequence: neither a control character nor a
// semicolon ends the sequence or a part of it.
func oneLine(text string) string {
	const longest = 200
	text = termtext.Line(text)
	return strings.ReplaceAll(termtext.Fit(text, min(longest, termtext.Width(text))), ";", ",")
}
