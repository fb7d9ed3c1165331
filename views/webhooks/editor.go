package webhooks

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/views"
)

// editor is the page of the form, a views.Layer. A closed form keeps its text until it is opened
// again.
type editor struct {
	views.BaseLayer
	form
	screen  *Screen
	open    bool
	actions views.Actions
}

func newEditor(s *Screen) *editor {
	e := &editor{form: newForm(), screen: s}
	onURL := func() bool { return s.idle() && e.at == 0 }
	onType := func() bool { return s.idle() && e.at > 0 }
	verb := func() string {
		if e.id != "" {
			return "change"
		}
		return "create"
	}
	step := func(by int) func() tea.Cmd {
		return views.Do(func() { e.focus(e.at + by) })
	}
	e.actions = views.Actions{
		{Key: "enter", Help: "next", When: onURL, Do: step(1)},
		{Key: "enter", Says: verb, When: onType, Do: e.submit},
		{Key: "ctrl+s", Says: verb, When: s.idle, Do: e.submit},
		{Key: "esc", Help: "cancel", Do: views.Do(e.Cancel)},
		{Key: "space", Help: "select", When: onType, Do: views.Do(e.toggleType)},
		{Key: "a", Help: "select all or none", When: onType, Do: views.Do(e.toggleAll)},
		{Key: "down", Also: []string{"tab"}, Shown: "↓", Help: "down", When: s.idle, Do: step(1)},
		{Key: "up", Also: []string{"shift+tab"}, Shown: "↑", Help: "up", When: s.idle, Do: step(-1)},
	}
	return e
}

// show opens the form to change the endpoint w. If w is nil, it opens the form for a new endpoint,
// with the text typed before that form was last cancelled.
func (e *editor) show(w *apiclient.Webhook) {
	switch {
	case w != nil:
		e.form = newForm()
		e.fill(*w)
	case e.id != "":
		e.form = newForm()
	}
	e.open = true
	e.focus(0)
}

func (e *editor) Open() bool { return e.open }

func (e *editor) Cancel() {
	e.open = false
	e.url.Blur()
}

// Press handles a key press: a key of the form, or else a letter of the URL. From sending until the
// response, only esc has an effect, so that the form shows what was sent.
func (e *editor) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := e.actions.Press(press)
	if !taken {
		e.edit(press)
	}
	return cmd
}

func (e *editor) Paste(paste tea.PasteMsg) { e.edit(paste) }

func (e *editor) edit(msg tea.Msg) {
	if e.screen.idle() && e.at == 0 {
		e.updateURL(msg)
	}
}

func (e *editor) Help() []views.HelpGroup { return []views.HelpGroup{e.actions.Help("Endpoint")} }

// submit validates the form and returns the command that sends it.
func (e *editor) submit() tea.Cmd {
	if !e.check() {
		return nil
	}
	if e.id == "" {
		return e.screen.create(e.address(), e.types())
	}
	patch, changed := e.patch()
	if !changed {
		e.Cancel()
		return views.Tell("no changes")
	}
	return e.screen.update(endpoint.Change, e.before, patch)
}

func (e *editor) Draw() string {
	title := "New endpoint"
	if e.id != "" {
		title = "Change " + e.screen.nameOf(e.before)
	}
	return e.screen.dialog(title, func(width int) ([]string, int) {
		return e.lines(e.screen.Theme, width, !e.screen.idle())
	})
}
