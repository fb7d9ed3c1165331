package runway

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/scenario"
	"tarmac/internal/civil"
	"tarmac/views"
)

// editor is the page of the form, a views.Layer. After it is closed, the form of a new scenario
// keeps its text until that is opened again.
type editor struct {
	views.BaseLayer
	form
	screen  *Screen
	open    bool
	actions views.Actions
}

func newEditor(s *Screen) *editor {
	e := &editor{screen: s}
	last := func() bool { return e.at == lastField }
	step := func(by scenario.Field) func() tea.Cmd {
		return views.Do(func() { e.leave(e.at+by, e.today(), e.screen.data.Currency()) })
	}
	e.actions = views.Actions{
		{Key: "ctrl+s", Help: "compare", Do: e.compare},
		{Key: "enter", Help: "compare", When: last, Do: e.compare},
		{Key: "enter", Help: "next", When: func() bool { return !last() }, Do: step(1)},
		{Key: "space", Help: "toggle", When: func() bool { return e.at == scenario.OverdueField }, Do: views.Do(func() {
			e.overdue, e.problems.Whole = !e.overdue, ""
		})},
		{Key: "esc", Help: "cancel", Do: views.Do(e.Cancel)},
		{Key: "down", Also: []string{"tab"}, Shown: "↓", Help: "down", Do: step(1)},
		{Key: "up", Also: []string{"shift+tab"}, Shown: "↑", Help: "up", Do: step(-1)},
		{Key: "ctrl+x", Help: "clear the form", Do: views.Do(func() {
			e.form = newForm(e.slot, e.isNew)
			e.focus(scenario.NameField)
		})},
	}
	return e
}

func (e *editor) today() civil.Date { return civil.Of(e.screen.env.Now()) }

// show opens the form for the scenario in a slot. For an empty slot, it restores what the user
// typed before cancelling the form of a new scenario.
func (e *editor) show(slot int) {
	one := e.screen.scenarios.Slots[slot]
	switch {
	case one != nil:
		e.form = newForm(slot, false)
		e.fill(*one, e.screen.data.Currency())
	case !e.isNew:
		e.form = newForm(slot, true)
	}
	e.slot, e.open = slot, true
	e.focus(scenario.NameField)
	e.screen.syncView()
}

func (e *editor) Open() bool { return e.open }
func (e *editor) Cancel()    { e.open = false }

// Press handles a key press: a key of the form, or else a letter of the focused field.
func (e *editor) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := e.actions.Press(press)
	if !taken {
		e.edit(press)
	}
	return cmd
}

func (e *editor) Paste(paste tea.PasteMsg) { e.edit(paste) }

// edit passes a key press or a paste to the focused field and clears the problem shown for that
// field.
func (e *editor) edit(msg tea.Msg) {
	if e.at != scenario.OverdueField && e.texts[e.at].Update(msg) {
		e.problems.Fields[e.at], e.problems.Whole = "", ""
	}
}

func (e *editor) Help() []views.HelpGroup { return []views.HelpGroup{e.actions.Help("What if")} }

func (e *editor) Draw() string {
	return strings.Join(e.screen.formPanel(e.screen.width, e.screen.height-len(e.screen.missing)), "\n")
}

// compare stores the scenario and closes the form, so that the comparison includes it. If the form
// is invalid, it focuses the first invalid field instead.
func (e *editor) compare() tea.Cmd {
	one, ok := e.read(e.today(), e.screen.data.Currency())
	if !ok {
		for at, problem := range e.problems.Fields {
			if problem != "" {
				e.focus(scenario.Field(at))
				break
			}
		}
		return nil
	}
	s := e.screen
	s.scenarios.Put(e.slot, one)
	e.form, e.open = form{}, false
	s.recompute()
	long := "kept until you quit"
	if s.storage.folder != nil {
		long = "saved"
	}
	letter := string(scenario.Letter(s.scenarios.Selected))
	return tea.Batch(views.Tell("scenario "+letter+" (hypothetical) "+long), s.save())
}
