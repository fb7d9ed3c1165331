// Package views holds what every screen of the dashboard has in common. The
// screens themselves are in the packages below it, one each, beside the parts
// that several of them draw with: the ledger table, the charts, the panel that
// knows whether its figures are there, old or refused.
package views

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/theme"
)

// Screen is one page of the dashboard. Screens are used by pointer from the one
// goroutine that runs the program: nothing in them is locked, and neither
// Update nor View waits for anything. A screen embeds Base and writes only the methods
// that do something there.
type Screen interface {
	// Init returns the command that fetches what only this screen shows. It is
	// called once, when the screen is first opened.
	Init() tea.Cmd
	// Update takes a message: the answer to one of the screen's own commands, a
	// snapshot.Answer, an InvoiceCreated, a tea.FocusMsg or tea.BlurMsg of the terminal;
	// while it is in front also keys, pasted text and a Tick each second.
	Update(msg tea.Msg) tea.Cmd
	// View draws the screen: Height lines, none wider than Width.
	View() string
	SetSize(width, height int)
	SetTheme(t theme.Theme)
	// SetVisible tells the screen whether it is seen. One that comes into view has had no
	// Tick while it was hidden.
	SetVisible(visible bool)
	// Show shows a target, which is one of the types in this package; a screen
	// ignores those of others.
	Show(target any) tea.Cmd
	// Click takes a click of the mouse at a column and a line, from 0, 0 at the top left:
	// on a row or a panel it goes there, on the one where the cursor is it opens it.
	// It does nothing while something is typed or asked.
	Click(x, y int) tea.Cmd
	// Refresh returns the command that fetches again what only this screen shows.
	Refresh() tea.Cmd
	// Fetched returns the state of what Refresh fetches, the most important first.
	Fetched() []resource.State
	// Help returns the keys that work here now, in groups. The footer and the
	// help page are made from it; disabled bindings are left out of both.
	Help() []HelpGroup
	// Typing reports whether the screen takes text at the moment, so that letters
	// are letters and not commands.
	Typing() bool
	// Filtered reports whether a filter leaves something out.
	Filtered() bool
	// Back closes the innermost thing that is open (a detail, a filter being
	// typed) and reports whether there was one.
	Back() bool
	// Unfinished says what would be lost if the session ended now, as a part of a
	// sentence; "" is nothing.
	Unfinished() string
	// Flush saves what was typed since it was last saved. It returns when the disk
	// has it.
	Flush() error
	// Release frees the place where typed text is saved, for the next session. The
	// screen is not used after it.
	Release() error
}

// Base has the methods of Screen that many screens do without: each does nothing.
type Base struct{}

func (Base) Init() tea.Cmd             { return nil }
func (Base) SetVisible(bool)           {}
func (Base) Show(any) tea.Cmd          { return nil }
func (Base) Click(_, _ int) tea.Cmd    { return nil }
func (Base) Refresh() tea.Cmd          { return nil }
func (Base) Fetched() []resource.State { return nil }
func (Base) Typing() bool              { return false }
func (Base) Filtered() bool            { return false }
func (Base) Back() bool                { return false }
func (Base) Unfinished() string        { return "" }
func (Base) Flush() error              { return nil }
func (Base) Release() error            { return nil }

// Fetch returns the command that sends a request for a part of the snapshot; nil for
// none.
func Fetch(request snapshot.Request) tea.Cmd {
	if request == nil {
		return nil
	}
	return func() tea.Msg { return request() }
}

// HelpGroup is a titled set of bindings. Those of the first group come first in
// the footer.
type HelpGroup struct {
	Title    string
	Bindings []key.Binding
}

// Tick comes once a second to the screen that is seen and to those of Background pages:
// countdowns and the ages of old figures go by it. A screen whose picture does not
// depend on the time leaves it alone.
type Tick struct{ Now time.Time }
