// Package views defines what the dashboard expects of its screens, and the messages between them.
// Each screen is a package below this one. The packages in views/parts hold what several screens
// use, such as tables, charts and panels.
package views

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/client/snapshot"
	"tarmac/theme"
)

// Screen is one page of the dashboard. Bubble Tea calls its methods one at a time, so screens need
// no locks. Update and View must not block.
type Screen interface {
	// Init returns the command that fetches the screen's own data. It is called once, when the
	// screen first opens.
	Init() tea.Cmd
	// Update handles a message: the result of one of the screen's commands, a snapshot.Result, a
	// message of this package, a tea.FocusMsg or a tea.BlurMsg. A visible screen also receives key
	// presses, pasted text, clicks and one Tick per second.
	Update(msg tea.Msg) tea.Cmd
	// View draws the screen in its size: exactly as many lines as its height, none wider than its
	// width.
	View() string
	SetSize(width, height int)
	SetTheme(t theme.Theme)
	// Show opens a target such as an InvoiceTarget. A screen ignores nil and targets meant for
	// other screens.
	Show(target any) tea.Cmd
	// Back closes the innermost open part of the screen, such as a prompt or a detail pane. It
	// returns false if nothing was open.
	Back() bool
	// Help returns the key bindings for the footer and the help page, in groups. Disabled bindings
	// are not shown.
	Help() []HelpGroup
	// State returns what the dashboard asks the screen about.
	State() State
}

// Saver is a screen with input that outlives the session.
type Saver interface {
	// Flush saves unsaved input. When it returns, the input is on disk or the error says why not.
	Flush() error
	// Release unlocks the screen's draft for other sessions. The screen must not be used after
	// that.
	Release() error
}

// Fetch returns a command that sends a request of the snapshot, or nil if request is nil.
func Fetch(request snapshot.Request) tea.Cmd {
	if request == nil {
		return nil
	}
	return func() tea.Msg { return request() }
}

// HelpGroup is a set of key bindings under a title.
type HelpGroup struct {
	Title    string
	Bindings []key.Binding
}

// Tick is sent once per second to the visible screen and to Background pages, so that they update
// countdowns and the ages of stale data.
type Tick struct{ Now time.Time }
