package terminal

import "strings"

// OpensLinks reports whether terminals of this type, a value of TERM, can be sent addresses to open
// (OSC 8). Most terminals that cannot open them ignore them; consoles and old types show them as
// text.
func OpensLinks(name string) bool {
	switch name {
	case "", "dumb", "linux", "cons25", "sun", "ansi":
		return false
	}
	return !Monochrome(name) && !strings.HasPrefix(name, "vt")
}

// Monochrome reports whether terminals of this type, a value of TERM, show no colors: those of the
// DEC VT series up to the VT520, and types whose name says so. Bubble Tea sends colors to them.
func Monochrome(name string) bool {
	if model, isVT := strings.CutPrefix(name, "vt"); isVT && model != "" {
		return model[0] >= '0' && model[0] <= '9' && !strings.HasPrefix(model, "525")
	}
	return name == "sun" || strings.HasSuffix(name, "-m") || strings.HasSuffix(name, "-mono")
}
