package ui

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/views"
)

// Clipboard is where copied text goes. Without a program of the system it goes
// through the terminal (OSC 52), which works over SSH too.
type Clipboard struct {
	Program string // "" for none
	Copy    func(ctx context.Context, text string) error
	Tmux    bool // the terminal is tmux, which passes on only what it is told to
}

// NewClipboard returns the clipboard of a system (a runtime.GOOS) with that
// environment; lookPath is exec.LookPath. Over SSH no program is used: its clipboard
// would be that of another machine.
func NewClipboard(system string, getenv func(string) string, lookPath func(string) (string, error)) Clipboard {
	c := Clipboard{Tmux: getenv("TMUX") != ""}
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return c
	}
	for _, command := range clipboardPrograms(system, getenv) {
		path, err := lookPath(command[0])
		if err != nil {
			continue
		}
		c.Program = command[0]
		c.Copy = func(ctx context.Context, text string) error { return runWithInput(ctx, path, command[1:], text) }
		return c
	}
	return c
}

func clipboardPrograms(system string, getenv func(string) string) (commands [][]string) {
	switch {
	case system == "darwin":
		return [][]string{{"pbcopy"}}
	case system == "windows", getenv("WSL_DISTRO_NAME") != "":
		return [][]string{{"clip.exe"}}
	}
	if getenv("WAYLAND_DISPLAY") != "" {
		commands = append(commands, []string{"wl-copy"})
	}
	if getenv("DISPLAY") != "" {
		commands = append(commands, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "--clipboard", "--input"})
	}
	return commands
}

// runWithInput runs a program with text on its standard input. clip.exe takes it for the
// system's code page unless it is UTF-16 that says so.
func runWithInput(ctx context.Context, path string, arguments []string, text string) error {
	cmd := exec.CommandContext(ctx, path, arguments...)
	cmd.WaitDelay = time.Second
	// Some of them stay to hand the text out, and a token has no business in them.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TARMAC_") })
	if strings.HasSuffix(path, "clip.exe") {
		var b []byte
		for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
			b = binary.LittleEndian.AppendUint16(b, unit)
		}
		text = string(b)
	}
	cmd.Stdin = strings.NewReader(text)
	return cmd.Run()
}

// timeToCopy is how long the system's program may take.
const timeToCopy = 3 * time.Second

// mostCopied is how much text goes to a clipboard through the terminal; many
// terminals drop what is longer.
const mostCopied = 74_994

// clipboardFailed is text that the system's program did not take.
type clipboardFailed struct{ copy views.Copy }

// copy puts text on the clipboard, by the system's program where there is one.
func (m *Model) copy(c views.Copy) tea.Cmd {
	if m.theme.Masked && !c.Unmasked {
		c.Text = mask.Text(c.Text)
	}
	native := m.options.Clipboard
	if native.Copy == nil {
		return m.copyThroughTerminal(c)
	}
	ctx := m.session.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, timeToCopy)
		defer cancel()
		if err := native.Copy(ctx, c.Text); err != nil {
			return clipboardFailed{c}
		}
		return views.Notice{Text: fmt.Sprintf("copied %s (%s)", c.What, native.Program)}
	}
}

// copyThroughTerminal asks the terminal. None says whether it did.
func (m *Model) copyThroughTerminal(c views.Copy) tea.Cmd {
	if len(c.Text) > mostCopied {
		return views.Warn(c.What + " is too long for the terminal's clipboard")
	}
	by := "through the terminal: OSC 52"
	if m.options.Clipboard.Tmux {
		by = "through tmux: OSC 52, if its set-clipboard is on"
	}
	m.notice.show(views.Notice{Text: "copied " + c.What + " (" + by + ")"}, m.options.Now())
	return tea.SetClipboard(c.Text)
}
