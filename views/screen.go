// Package views defines what all screens of the dashboard share. Each screen has a package
// below this one. The packages under parts draw what several screens use: tables, charts and
// panels.
package views

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/theme"
)

// Screen is one page of the dashboard. Only the program's event loop calls a screen, so screens
// need no locks; Update and View never block. A screen embeds Base and implements only the
// methods it needs.
type Screen interface {
	// Init returns the command that fetches the screen's own data. It is called once, when the
	// screen first opens.
	Init() tea.Cmd
	// Update handles a message: the result of one of the screen's commands, a snapshot.Result,
	// an InvoiceCreated, a tea.FocusMsg or a tea.BlurMsg. A visible screen also receives keys,
	// pasted text and one Tick per second.
	Update(msg tea.Msg) tea.Cmd
	// View draws the screen within its size: as many lines as its height, none wider than its
	// width.
	View() string
	SetSize(width, height int)
	SetTheme(t theme.Theme)
	// SetVisible tells the screen whether it is in front. A screen that becomes visible may
	// have missed ticks.
	SetVisible(visible bool)
	// Show opens a target, one of the target types in this package. A screen ignores targets of
	// other screens.
	Show(target any) tea.Cmd
	// Click handles a mouse click at a cell; 0, 0 is the top left. The first click on a row or
	// panel selects it, a second click opens it. Clicks are ignored while a prompt or a
	// question is open.
	Click(x, y int) tea.Cmd
	// Refresh returns the command that fetches the screen's own data again.
	Refresh() tea.Cmd
	// Fetched returns the states of the data that Refresh fetches, the most important first.
	Fetched() []resource.State
	// Help returns the keys that work now, in groups. The footer and the help page show them;
	// disabled bindings are omitted.
	Help() []HelpGroup
	// Typing reports whether the screen takes letters as text, so that they are not commands.
	Typing() bool
	// Filtered reports whether a filter hides any items.
	Filtered() bool
	// Back closes the innermost open part, such as a detail or a prompt, and reports whether
	// one was open.
	Back() bool
	// Unfinished describes what would be lost if the session ended now, as part of a sentence.
	// It is empty if nothing would be lost.
	Unfinished() string
	// Flush saves text typed since the last save and returns once it is on disk.
	Flush() error
	// Release unlocks the screen's draft for the next session. The screen must not be used
	// afterwards.
	Release() error
}

// Base implements the optional methods of Screen. Each of them does nothing.
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

// Fetch turns a snapshot request into a command. It returns nil for a nil request.
func Fetch(request snapshot.Request) tea.Cmd {
	if request == nil {
		return nil
	}
	return func() tea.Msg { return request() }
}

// HelpGroup is a titled set of key bindings. The footer shows the first group first.
type HelpGroup struct {
	Title    string
	Bindings []key.Binding
}

// Tick arrives once per second at the visible screen and at Background pages. It updates
// countdowns and the ages of stale data.
type Tick struct{ Now time.Time }
