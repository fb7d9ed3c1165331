// Package page runs the pages of the dashboard that show lists of records.
//
// A page declares what it has: the Data that it fetches, the lists it shows (Listing), its keys,
// its filters (Chip) and the lines above the list. Page does the rest: it fetches and retries,
// passes messages, keys and clicks to where they belong, fills the lists, closes what is open, and
// draws. The example is a complete page.
//
// Whenever a message has changed something, a page does this:
//
//  1. Lists whose records or filters have changed are filled.
//  2. Spec.Sync is called.
//  3. The lines of Spec.Head are drawn, and the body gets its size.
//  4. Data that is missing, outdated or too old is fetched.
//
// View then draws the page and keeps the result until the next message. Once a second, a visible
// page gets a views.Tick. It redraws the head, the body and the rows of lists with Ticks. A change
// that reaches the page without a message shows then, too.
package page

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/saveas"
)

// Spec declares a page. Title, Keys and Lists or Body are required. Other functions may be nil.
type Spec struct {
	Title string
	Keys  func() views.Actions // the keys that have an effect now
	Data  []Source             // what the page fetches, the most important first
	Lists []Lister             // lists with a text filter; the first is the body if Body is nil
	Body  Body
	Chips []Chip        // the filters, in the order of their chips
	Head  func() []Line // the lines above the body

	Layers  views.Layers // what opens above the page, other than Question, File and the filter prompts
	Dialogs views.Layers // layers that are drawn instead of the page

	On      func(tea.Msg) (cmd tea.Cmd, known bool)    // handles a message
	Show    func(target any) (cmd tea.Cmd, known bool) // shows a target
	Moved   func() tea.Cmd                             // called after the user has moved a cursor
	Sync    func()                                     // called after every change, before the page is laid out
	Themed  func()                                     // called when the colours and styles have changed
	Due     func() tea.Cmd                             // fetches what is due, other than Data
	Refresh func() tea.Cmd                             // fetches what is shown again, other than Data
	Back    func() bool                                // closes what was opened last, except layers; nil means Body.Back
	Before  func(tea.KeyPressMsg) (tea.Cmd, bool)      // handles a key before Keys; false passes it on
	Help    func() []views.HelpGroup                   // replaces the help made from Keys and Body

	Kept    func() views.Kept
	Restore func(views.Kept)
	State   func(*views.State) // adds what only the page knows
	Records func() []views.Record

	// FetchHidden fetches Data and calls Due while the page is hidden, too, if it was opened
	// before.
	FetchHidden bool
}

// Body is the part of a page below its head. A body of its own type should have its screen in a
// field with a name: if it embeds the screen, these methods hide Page's.
type Body interface {
	Arrange(width, height int)
	Lines(width, height int) []string
	Click(x, y int) tea.Cmd
	Move(press tea.KeyPressMsg) (moved bool) // handles a key that isn't one of Spec.Keys
	Help() []views.HelpGroup                 // the keys that move
	Back() bool
	SetTheme(t theme.Theme)
}

// Lister is a List of any type.
type Lister interface {
	Body
	Invalidate()
	tick()
	prompt() views.Layer
	places() []views.Place
	refill() tea.Cmd
	check(c *checklist)
}

// Page runs a declared page. It implements views.Screen.
type Page struct {
	views.Env // its Theme is the current one

	Width, Height int
	Nav           views.Navigation
	Visible       bool
	Today         civil.Date // the day of the last change
	Question      *masked.Question
	File          *saveas.Line // asks for the file of an export

	spec    Spec
	lists   []Lister // all lists made by NewList
	layers  views.Layers
	labels  []string // of the chips
	chips   uint64   // how often labels have changed
	head    []Line
	lines   []string // memory for drawing
	drawn   panel.Cache
	opened  bool   // false until the page is first opened
	hidden  bool   // another page has been brought to the front
	checked uint64 // value of Feed.TotalReceived when events were last looked at
}

// New returns a page. Call Declare before anything else.
func New(env views.Env) *Page {
	return &Page{
		Env: env, Nav: views.NewNavigation(), Question: masked.NewQuestion(), File: saveas.New(env.Places),
	}
}

// Declare completes the page. It panics if the declaration lacks something, so that every test of
// the page finds out.
func (p *Page) Declare(spec Spec) {
	p.spec = spec
	p.check()
	p.layers = append(slices.Concat(spec.Dialogs), p.Question, p.File)
	for _, l := range spec.Lists {
		p.layers = append(p.layers, l.prompt())
	}
	p.layers = append(p.layers, spec.Layers...)
	if spec.Body == nil {
		p.spec.Body = spec.Lists[0]
	}
	if spec.Back == nil {
		p.spec.Back = p.spec.Body.Back
	}
	p.labels = make([]string, len(spec.Chips))
	for _, d := range spec.Data {
		d.join(p.Env)
	}
	p.SetTheme(p.Theme)
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

// Top returns the uppermost open layer, or nil.
func (p *Page) Top() views.Layer { return p.layers.Top() }

// Typing reports whether a layer is open and takes the keys.
func (p *Page) Typing() bool { return p.layers.Open() }

// Help returns the keys of the open layer, or else the page's keys.
func (p *Page) Help() []views.HelpGroup {
	if keys, open := p.layers.Help(); open {
		return keys
	}
	if p.spec.Help != nil {
		return p.spec.Help()
	}
	return append([]views.HelpGroup{p.spec.Keys().Help(p.spec.Title)}, p.spec.Body.Help()...)
}
