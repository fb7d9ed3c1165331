//go:build unix

package testterminal

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// Terminal modes that a program may set and reset. Of the numbered modes, only wrapping (7) and
// the cursor (25) are initially on.
var (
	numberedMode = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`)
	keyboardMode = regexp.MustCompile(`\x1b\[([<>=])([0-9;]*)u`)
	otherKeys    = regexp.MustCompile(`\x1b\[>4(?:;([0-9]))?m`)
	title        = regexp.MustCompile(`\x1b\]2;([^\x07\x1b]*)`)
)

// modesLeftOn returns the modes that the output set and did not reset.
func modesLeftOn(output string) (modes []string) {
	on := map[string]bool{}
	for _, m := range numberedMode.FindAllStringSubmatch(output, -1) {
		for number := range strings.SplitSeq(m[1], ";") {
			on["mode "+number] = m[2] == "h" != (number == "7" || number == "25")
		}
	}
	pushed := 0
	for _, m := range keyboardMode.FindAllStringSubmatch(output, -1) {
		switch m[1] {
		case ">":
			pushed++
		case "<":
			pushed = max(0, pushed-1) // popping an empty stack does nothing
		case "=":
			on["the keyboard's flags"] = !strings.HasPrefix(m[2], "0")
		}
	}
	on["the keyboard's pile"] = pushed > 0
	for _, m := range otherKeys.FindAllStringSubmatch(output, -1) {
		on["other keys"] = m[1] != "" && m[1] != "0"
	}
	for _, m := range title.FindAllStringSubmatch(output, -1) {
		on["the title"] = m[1] != ""
	}
	for mode, left := range on {
		if left {
			modes = append(modes, mode)
		}
	}
	slices.Sort(modes)
	return modes
}

// CheckState fails the test unless the terminal is in the state that a shell expects.
func (term *Terminal) CheckState() {
	term.t.Helper()
	if left := modesLeftOn(term.Output()); left != nil {
		term.t.Errorf("left on: %q", left)
	}
	term.CheckSettings()
}

// CheckSettings fails the test unless the terminal has the settings of a new one.
func (t *Terminal) CheckSettings() {
	t.t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	fresh, err := term.GetState(master.Fd())
	if err != nil {
		t.t.Fatal(err)
	}
	if now, err := term.GetState(t.pty.Fd()); err != nil || !reflect.DeepEqual(now, fresh) {
		t.t.Errorf("the terminal's settings are %+v, of a new one %+v (%v)", now, fresh, err)
	}
}

// CheckASCII fails the test if the terminal received other characters.
func (term *Terminal) CheckASCII() {
	term.t.Helper()
	output := term.Output()
	for at := range len(output) {
		if output[at] >= 0x80 {
			term.t.Fatalf("the terminal was sent %q", output[max(0, at-40):min(len(output), at+20)])
		}
	}
}
