package doctor

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"tarmac/cli/command"
	"tarmac/ui/terminal"
)

// On terminals smaller than wantedColumns × wantedRows, screens leave out details. On terminals
// smaller than leastColumns × leastRows, they show little more than cash and runway.
const (
	wantedColumns, wantedRows = 80, 24
	leastColumns, leastRows   = 40, 12
)

// examineTerminal checks the terminal. If standard output is not a terminal, it reports notes
// instead of problems, because the dashboard will then run in another terminal.
func (d *doctor) examineTerminal(ctx context.Context) {
	on := command.IsTerminal(d.Stdout)
	switch name := d.Getenv("TERM"); {
	case !on:
		d.note("terminal", "output is not a terminal", "run doctor in the terminal where you use the dashboard")
	case name == "" && runtime.GOOS != "windows":
		d.problem("terminal", "TERM is not set", "set it to what the terminal is, such as xterm-256color")
	case name == "dumb":
		d.problem("terminal", "TERM is dumb: a terminal that cannot move its cursor",
			"set it to what the terminal is, such as xterm-256color")
	default:
		d.ok("terminal", strings.TrimSpace("TERM is "+name))
	}
	d.examineSize(on)
	d.examineColours(on)
	d.examineLocale()
	if d.Getenv("TMUX") != "" {
		d.examineTmux(ctx)
	}
	if d.Getenv("SSH_CONNECTION") != "" || d.Getenv("SSH_TTY") != "" {
		d.note("SSH", "this is a session over SSH", "copying goes through the terminal (OSC 52), which must allow it")
	}
}

// tmuxTimeout is the time limit of a query to tmux.
const tmuxTimeout = 2 * time.Second

// examineTmux checks whether tmux lets programs set the clipboard. With its default setting,
// "external", it does not.
func (d *doctor) examineTmux(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, tmuxTimeout)
	defer cancel()
	const advice = "for copying: set -g set-clipboard on; for a quick esc: set -sg escape-time 10"
	answer, err := exec.CommandContext(ctx, "tmux", "show-options", "-gsv", "set-clipboard").Output()
	switch set := strings.TrimSpace(string(answer)); {
	case err != nil || set == "":
		d.note("tmux", "the dashboard runs inside tmux", advice)
	case set == "on":
		d.ok("tmux", "set-clipboard is on: copying reaches the terminal's clipboard")
	default:
		d.note("tmux", "set-clipboard is "+set+": what is copied may stay in tmux", advice)
	}
}

func (d *doctor) examineSize(on bool) {
	columns, rows := command.TerminalSize(d.Stdout)
	if !on || columns == 0 {
		return
	}
	found := fmt.Sprintf("%dx%d", columns, rows)
	if columns < leastColumns || rows < leastRows {
		d.problem("size", found+" is too small to work in",
			fmt.Sprintf("make the terminal %dx%d or larger; every screen is complete from %dx%d", leastColumns,
				leastRows, wantedColumns, wantedRows))
		return
	}
	if columns < wantedColumns || rows < wantedRows {
		d.note("size", found, fmt.Sprintf("every screen is complete from %dx%d", wantedColumns, wantedRows))
		return
	}
	d.ok("size", found)
}

func (d *doctor) examineColours(on bool) {
	switch {
	case d.flags.NoColor || d.Getenv("NO_COLOR") != "":
		d.note("colours", "disabled by NO_COLOR or --no-color", "")
	case on && terminal.Monochrome(d.Getenv("TERM")):
		d.note("colours", "none: terminals of the type "+d.Getenv("TERM")+" show none", "")
	case on:
		d.ok("colours", strings.ToLower(colorprofile.Detect(d.Stdout, d.Environ).String()))
	}
}

// examineLocale checks whether the terminal can show UTF-8.
func (d *doctor) examineLocale() {
	if runtime.GOOS == "windows" {
		return
	}
	switch locale := terminal.Locale(d.Getenv); {
	case terminal.IsUTF8(locale):
		d.ok("locale", locale)
	case terminal.ASCIIOnly(runtime.GOOS, d.Getenv):
		d.note("locale", locale+" is not UTF-8: the terminal is sent ASCII only",
			"for names, frames and charts as they are: export LANG=C.UTF-8")
	default:
		d.note("locale", cmp.Or(locale, "none")+" is not UTF-8", "if lines and dashes look broken: export LANG=C.UTF-8")
	}
}
