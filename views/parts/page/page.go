// Package page is what pages of lists have in common. A page declares its data, lists, filters,
// keys and lines; this package fetches, passes on messages, keys and clicks, closes what is open,
// and draws the page.
package page

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/saveas"
)

// Spec declares a page. Nil functions do nothing.
type Spec struct {
	Title string
	Keys  func() views.Actions // the keys that act now
	Data  []Source             // what the page fetches, the most important first
	Lists []Lister             // the first is the body of the page, unless there is another
	Body  Body
	Chips []Chip        // the filters in the order of their chips
	Head  func() []Line // the lines above the body

	Layers  views.Layers // what opens above the page, besides its questions and prompts
	Dialogs views.Layers // layers that are drawn in place of the page

	On     func(tea.Msg) (cmd tea.Cmd, known bool)    // handles a message
	Show   func(target any) (cmd tea.Cmd, known bool) // shows a target
	Moved  func() tea.Cmd                             // called after the user has moved a cursor
	Sync   func()                                     // called after every change, before the page is laid out
	Themed func()                                     // called when colours and styles have changed
	Due    func() tea.Cmd                             // fetches what is due besides Data
	Back   func() bool                                // closes what was opened last, besides layers
	Before func(tea.KeyPressMsg) (tea.Cmd, bool)      // takes a key before Keys do
	Help   func() []views.HelpGroup                   // the keys in place of Keys and those of Body
	Again  func() tea.Cmd                             // fetches again what is shown, besides Data

	Kept    func() views.Kept
	Restore func(views.Kept)
	State   func(*views.State) // adds what the page alone knows
	Records func() []views.Record
	Hidden  bool // data is fetched while the page is hidden, too
}

// Body is the part of a page below its head.
type Body interface {
	Arrange(width, height int)
	Lines(width, height int) []string
	Click(x, y int) tea.Cmd
	Move(press tea.KeyPressMsg) (moved bool) // handles a key that is none of the page's actions
	Help() []views.HelpGroup                 // the keys that move
	Back() bool
	SetTheme(t theme.Theme)
}

// Lister is a List of any type.
type Lister interface {
	Body
	prompt() views.Layer
	places() []views.Place
}

// Page is the mechanics of a page. It implements views.Screen.
type Page struct {
	views.Env

	Theme         theme.Theme
	Width, Height int
	Nav           views.Navigation
	Visible       bool
	Today         civil.Date
	Question      *masked.Question
	File          *saveas.Line

	spec    Spec
	layers  views.Layers
	head    []Line
	drawn   panel.Cache
	opened  bool   // false until the page is first opened
	hidden  bool   // another page has been brought to the front
	checked uint64 // value of Feed.TotalReceived when events were last looked at
}

// New returns a page without a declaration. Call Declare before anything else.
func New(env views.Env) *Page {
	return &Page{
		Env: env, Theme: env.Theme, Nav: views.NewNavigation(), Question: masked.NewQuestion(), File: saveas.New(env.Places),
	}
}

// Declare completes the page.
func (p *Page) Declare(spec Spec) {
	p.layers = append(slices.Concat(spec.Dialogs), p.Question, p.File)
	for _, l := range spec.Lists {
		p.layers = append(p.layers, l.prompt())
	}
	p.layers = append(p.layers, spec.Layers...)
	if spec.Body == nil {
		spec.Body = spec.Lists[0]
	}
	if spec.Back == nil {
		spec.Back = spec.Body.Back
	}
	p.spec = spec
	for _, d := range spec.Data {
		d.join(p.Env)
	}
	p.SetTheme(p.Env.Theme)
}

// Init returns the command that fetches the page's data.
func (p *Page) Init() tea.Cmd {
	p.opened = true
	return p.fetch()
}

// Update handles a message.
func (p *Page) Update(msg tea.Msg) (cmd tea.Cmd) {
	taken := true
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = p.press(msg)
	case tea.PasteMsg:
		p.layers.Paste(msg)
	case views.Click:
		cmd = p.Click(msg.X, msg.Y)
	case views.Refresh:
		cmd = p.Refresh()
	case views.Restore:
		if p.spec.Restore != nil {
			p.spec.Restore(views.Kept(msg))
		}
	case views.Visible:
		p.Visible, p.hidden, p.opened = bool(msg), !bool(msg), p.opened || bool(msg)
	case Answer:
		cmd = msg.store()
	case saveas.Written:
		cmd = p.File.Take(msg)
	case snapshot.Result:
		p.follow(msg)
	case views.Tick:
		for _, d := range p.spec.Data {
			d.tick()
		}
	default:
		taken = false
	}
	if p.spec.On != nil {
		more, known := p.spec.On(msg)
		cmd, taken = batch(cmd, more), taken || known
	}
	if !taken {
		return nil
	}
	p.arrange()
	if _, turned := msg.(views.Visible); turned {
		return nil // a hidden page must not ask, and a visible one gets a tick
	}
	return batch(cmd, p.due())
}

// batch is tea.Batch for two commands of which usually none is there.
func batch(a, b tea.Cmd) tea.Cmd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return tea.Batch(a, b)
}

func (p *Page) press(press tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := p.layers.Press(press); taken {
		return cmd
	}
	if p.spec.Before != nil {
		if cmd, taken := p.spec.Before(press); taken {
			return cmd
		}
	}
	if cmd, taken := p.spec.Keys().Press(press); taken {
		return cmd
	}
	if p.spec.Body.Move(press) {
		return p.moved()
	}
	return nil
}

func (p *Page) moved() tea.Cmd {
	if p.spec.Moved == nil {
		return nil
	}
	return p.spec.Moved()
}

// follow applies what the snapshot has learned to the page's data.
func (p *Page) follow(msg snapshot.Result) {
	var fresh []apiclient.Event
	if msg.Part == snapshot.Events {
		fresh = p.Snapshot.Feed.ReceivedSince(p.checked)
		p.checked = p.Snapshot.Feed.TotalReceived()
	}
	for _, d := range p.spec.Data {
		d.follow(fresh)
	}
}

// due returns the command that fetches what is due, once the page has been opened.
func (p *Page) due() tea.Cmd {
	if !p.opened || !p.spec.Hidden && p.hidden {
		return nil
	}
	return p.fetch()
}

func (p *Page) fetch() (cmd tea.Cmd) {
	for _, d := range p.spec.Data {
		cmd = batch(cmd, d.due())
	}
	if p.spec.Due != nil {
		cmd = batch(cmd, p.spec.Due())
	}
	return cmd
}

// Refresh returns the command that fetches what the page shows.
func (p *Page) Refresh() (cmd tea.Cmd) {
	if p.spec.Again != nil {
		cmd = p.spec.Again()
	}
	for _, d := range p.spec.Data {
		if d.isShown() && !d.isAside() {
			cmd = batch(cmd, d.Refresh())
		}
	}
	return cmd
}

// Outdate says that all that the page fetches has changed.
func (p *Page) Outdate() {
	for _, d := range p.spec.Data {
		d.Outdate()
	}
}

// Show opens a target. It closes what is open above the page.
func (p *Page) Show(target any) (cmd tea.Cmd) {
	p.opened = true
	p.Question.Cancel()
	p.File.Cancel()
	if p.spec.Show != nil {
		var known bool
		if cmd, known = p.spec.Show(target); known {
			p.layers.Cancel()
		}
	}
	p.arrange()
	return batch(cmd, p.fetch())
}

// Back closes what was opened last. It returns false if that was nothing.
func (p *Page) Back() bool {
	closed := p.layers.Cancel() || p.spec.Back()
	p.arrange()
	return closed
}

// Top returns the uppermost open layer, or nil.
func (p *Page) Top() views.Layer { return p.layers.Top() }

// Typing reports whether a layer takes the keys.
func (p *Page) Typing() bool { return p.layers.Open() }

// Help returns the keys of the open layer, or else those of the page.
func (p *Page) Help() []views.HelpGroup {
	if keys, open := p.layers.Help(); open {
		return keys
	}
	if p.spec.Help != nil {
		return p.spec.Help()
	}
	return append([]views.HelpGroup{p.spec.Keys().Help(p.spec.Title)}, p.spec.Body.Help()...)
}

// SetSize sets the size in cells.
func (p *Page) SetSize(width, height int) {
	p.Width, p.Height = max(0, width), max(0, height)
	p.layers.SetWidth(p.Width)
	p.arrange()
}

// SetTheme sets the colours and styles.
func (p *Page) SetTheme(t theme.Theme) {
	p.Theme = t
	if p.spec.Themed != nil {
		p.spec.Themed()
	}
	p.spec.Body.SetTheme(t)
	p.layers.SetTheme(t)
	p.arrange()
}

// arrange lays the page out. It is called after every change.
func (p *Page) arrange() {
	p.Today = civil.Of(p.Now())
	if p.spec.Sync != nil {
		p.spec.Sync()
	}
	p.head = p.head[:0]
	if p.spec.Head != nil {
		p.head = p.spec.Head()
	}
	p.spec.Body.Arrange(p.Width, p.Height-len(p.head))
	p.drawn.Invalidate()
}

// View draws the page.
func (p *Page) View() string { return p.drawn.Text(p.draw) }

func (p *Page) draw() []string {
	if p.Width <= 0 || p.Height <= 0 {
		return make([]string, max(1, p.Height))
	}
	if top := p.spec.Dialogs.Top(); top != nil {
		return []string{top.Draw()}
	}
	lines := make([]string, 0, p.Height)
	for _, l := range p.head {
		lines = append(lines, listdetail.Fit(l.Text, p.Width))
	}
	return append(lines, p.spec.Body.Lines(p.Width, p.Height-len(lines))...)
}

// Click handles a click at column x and line y.
func (p *Page) Click(x, y int) (cmd tea.Cmd) {
	switch {
	case p.Typing() || y < 0:
		return nil
	case y >= len(p.head):
		cmd = p.spec.Body.Click(x, y-len(p.head))
	case p.head[y].Click != nil:
		cmd = p.head[y].Click(x)
	}
	p.arrange()
	return batch(cmd, p.due())
}

// HeadHeight returns the number of lines above the body.
func (p *Page) HeadHeight() int { return len(p.head) }

// Enter presses the enter key, as a click on what is selected does.
func (p *Page) Enter() tea.Cmd { return p.press(views.Enter()) }

// Fetched returns the fetch states of what the page shows.
func (p *Page) Fetched() (states []resource.State) {
	for _, d := range p.spec.Data {
		if d.isShown() && !d.isAside() {
			states = append(states, d.State())
		}
	}
	return states
}

// State returns what the dashboard asks the page about.
func (p *Page) State() views.State {
	s := views.State{
		Typing: p.Typing(), Filtered: p.Filtered(), Fetched: p.Fetched(), Records: p.spec.Records,
	}
	if len(p.spec.Lists) > 0 {
		s.Places = p.spec.Lists[0].places
	}
	if p.spec.Kept != nil {
		s.Kept = p.spec.Kept()
	}
	if p.spec.State != nil {
		p.spec.State(&s)
	}
	return s
}
