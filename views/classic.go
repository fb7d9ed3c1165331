package views

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/client/filters"
	"tarmac/client/resource"
	"tarmac/client/state"
	"tarmac/theme"
)

// Classic is a screen that package page does not declare yet.
// Bubble Tea calls its methods one at a time, so screens need
// no locks. Update and View must not block. A screen embeds Base and implements only the methods it
// needs.
type Classic interface {
	// Init returns the command that fetches the screen's own data. It is called once, when the
	// screen first opens.
	Init() tea.Cmd
	// Update handles a message: the result of one of the screen's commands, a snapshot.Result, an
	// InvoiceCreated, a tea.FocusMsg or a tea.BlurMsg. A visible screen also receives key presses,
	// pasted text and one Tick per second.
	Update(msg tea.Msg) tea.Cmd
	// View draws the screen in its size: exactly as many lines as its height, none wider than its
	// width.
	View() string
	SetSize(width, height int)
	SetTheme(t theme.Theme)
	// SetVisible tells the screen whether it is visible. A hidden screen receives no ticks, so ages
	// and countdowns on it may be out of date when it becomes visible.
	SetVisible(visible bool)
	// Show opens a target such as an InvoiceTarget. A screen ignores nil and targets meant for
	// other screens.
	Show(target any) tea.Cmd
	// Click handles a mouse click at column x and line y of the screen, counted from its top left.
	// A click on a row or panel selects it; a click on the selected one opens it. Clicks are
	// ignored while a prompt or a question is open.
	Click(x, y int) tea.Cmd
	// Refresh returns the command that fetches the screen's own data again.
	Refresh() tea.Cmd
	// Fetched returns the fetch states of the data that Refresh fetches, most important first.
	Fetched() []resource.State
	// Help returns the key bindings for the footer and the help page, in groups. Disabled bindings
	// are not shown.
	Help() []HelpGroup
	// Typing reports whether letters are input for the screen, so that they must not act as
	// commands of the dashboard.
	Typing() bool
	// Filtered reports whether the user has set a filter.
	Filtered() bool
	// SavedFilter returns the filter to restore in the next session. It leaves out a filter with
	// which another page has opened the screen.
	SavedFilter() filters.Filter
	// RestoreFilter sets a filter that an earlier session saved. It ignores texts that a user could
	// not have typed.
	RestoreFilter(f filters.Filter) tea.Cmd
	// Back closes the innermost open part of the screen, such as a prompt or a detail pane. It
	// returns false if nothing was open.
	Back() bool
	// Records returns what the screen has in memory and the finder lists, the newest first.
	Records() []Record
	// Places returns where else the row under the cursor is, for the key ".".
	Places() []Place
	// Shown returns which of its parts the screen shows and in which order, for the next session.
	// It is zero for the defaults.
	Shown() state.Shown
	// Restore shows what an earlier session left. It ignores names that it does not know.
	Restore(shown state.Shown)
	// Unfinished describes work that would be lost if the session ended now, such as "an export is
	// running". It returns "" if there is none.
	Unfinished() string
	// Work describes what the user has made on the screen in this session, such as "2 proposed
	// invoices". It is lost if the session's server is temporary.
	Work() []string
	// Flush saves unsaved input. When it returns, the input is on disk or the error says why not.
	Flush() error
	// Release unlocks the screen's draft for other sessions. The screen must not be used after
	// that.
	Release() error
}

// Base implements the optional methods of Classic. They do nothing and return the zero value.
type Base struct{}

func (Base) Init() tea.Cmd                        { return nil }
func (Base) SetVisible(bool)                      {}
func (Base) Show(any) tea.Cmd                     { return nil }
func (Base) Click(_, _ int) tea.Cmd               { return nil }
func (Base) Refresh() tea.Cmd                     { return nil }
func (Base) Fetched() []resource.State            { return nil }
func (Base) Typing() bool                         { return false }
func (Base) Filtered() bool                       { return false }
func (Base) SavedFilter() (none filters.Filter)   { return none }
func (Base) RestoreFilter(filters.Filter) tea.Cmd { return nil }
func (Base) Back() bool                           { return false }
func (Base) Records() []Record                    { return nil }
func (Base) Places() []Place                      { return nil }
func (Base) Shown() (none state.Shown)            { return none }
func (Base) Restore(state.Shown)                  {}
func (Base) Unfinished() string                   { return "" }
func (Base) Work() []string                       { return nil }
func (Base) Flush() error                         { return nil }
func (Base) Release() error                       { return nil }

// Adapt returns a Classic as a Screen.
func Adapt(c Classic) Screen { return &classic{c} }

type classic struct{ Classic }

func (c *classic) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case Click:
		return c.Click(msg.X, msg.Y)
	case Refresh:
		return c.Refresh()
	case Visible:
		c.SetVisible(bool(msg))
		return nil
	case Restore:
		if msg.Shown != (state.Shown{}) {
			c.Restore(msg.Shown)
		}
		if msg.Filter != (filters.Filter{}) {
			return c.RestoreFilter(msg.Filter)
		}
		return nil
	}
	return c.Classic.Update(msg)
}

func (c *classic) State() State {
	return State{
		Typing: c.Typing(), Filtered: c.Filtered(), Fetched: c.Fetched(), Kept: Kept{c.SavedFilter(), c.Shown()},
		Records: c.Records, Places: c.Places, Unfinished: c.Unfinished(), Work: c.Work(),
	}
}
