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

// Clipboard says how text is copied: by a program of the system or, if there is none, by the
// terminal itself (OSC 52), which also works over SSH.
type Clipboard struct {
	Program string // name of the program; "" if there is none
	Copy    func(ctx context.Context, text string) error
	Tmux    bool // the terminal is tmux, which copies only if its set-clipboard option is on
}

// NewClipboard returns the clipboard for system, a value of runtime.GOOS, and an environment.
// lookPath is exec.LookPath. Over SSH it uses no program, because a program would write to the
// clipboard of the remote machine.
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

// runWithInput runs a program with text on its standard input. clip.exe gets UTF-16 with a byte
// order mark, because it would read other input in the system's code page.
func runWithInput(ctx context.Context, path string, arguments []string, text string) error {
	cmd := exec.CommandContext(ctx, path, arguments...)
	cmd.WaitDelay = time.Second
	// Some clipboard programs keep running to provide the text. They must not inherit tokens.
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

// timeToCopy is the time limit of the clipboard program.
const timeToCopy = 3 * time.Second

// mostCopied is the maximum length in bytes of a text copied through the terminal. Many terminals
// ignore longer text.
const mostCopied = 74_994

// clipboardFailed is the message that the clipboard program failed to copy the text.
type clipboardFailed struct{ copy views.Copy }

// copy returns the command that copies text with the clipboard program or, without one, through the
// terminal. While amounts are hidden, it masks those in the text, unless c.Unmasked is set.
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

// copyThroughTerminal returns the command that asks the terminal to copy the text (OSC 52).
// Terminals do not confirm this, so the notice appears immediately.
func (m *Model) copyThroughTerminal(c views.Copy) tea.Cmd {
	if len(c.Text) > mostCopied {
		return views.Warn(c.What + " is too long for the terminal's clipboard")
	}
	by := "OSC 52, if the terminal allows it"
	if m.options.Clipboard.Tmux {
		by = "OSC 52, if tmux has set-clipboard on"
	}
	m.notice.show(views.Notice{Text: "copied " + c.What + " (" + by + ")"}, m.options.Now())
	return tea.SetClipboard(c.Text)
}
