package runway

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/plan"
	"tarmac/client/resource"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/panel"
)

// removal asks whether to delete a line of the plan, and puts the deleted line back. It is a
// views.Layer.
type removal struct {
	views.BaseLayer
	screen        *Screen
	line          *plan.Line // the line that it asks about; nil if the question is closed
	text          string     // text of that line
	before, after string     // texts of the plan around the last deletion; equal without one
	actions       views.Actions
}

func newRemoval(s *Screen) *removal {
	r := &removal{screen: s}
	r.actions = views.Actions{
		{Key: "y", Help: "yes, delete it", Do: r.yes},
		{Key: "n", Also: []string{"esc"}, Help: "no", Do: views.Do(r.Cancel)},
	}
	return r
}

func (r *removal) show() {
	r.line = r.screen.selectedLine()
	r.text = r.line.Text(r.screen.file.of)
}

// Open reports whether there is a question.
func (r *removal) Open() bool { return r.line != nil }

// Cancel closes the question.
func (r *removal) Cancel() { r.line = nil }

// Press handles an answer.
func (r *removal) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, _ := r.actions.Press(press)
	return cmd
}

// Help returns the answers.
func (r *removal) Help() []views.HelpGroup { return []views.HelpGroup{r.actions.Help("Delete")} }

func (r *removal) yes() tea.Cmd {
	before, number := r.screen.file.text, r.number()
	r.line = nil
	if number == 0 {
		return views.Warn("not deleted: the plan has changed and no longer has this line")
	}
	text := plan.Without(before, number)
	if _, err := plan.Parse(text); err != nil {
		return views.Warn("not deleted: " + err.Error())
	}
	r.before, r.after = before, text
	return r.screen.write(text, "line deleted from the plan, u puts it back")
}

// number returns the number that the line has now, because the plan may have been read again since
// the question was shown. It returns 0 if the line is gone.
func (r *removal) number() int {
	of := r.screen.file.of
	if of == nil {
		return 0
	}
	for _, l := range of.Lines {
		if l == r.line || l.Text(of) == r.text {
			return l.Number
		}
	}
	return 0
}

// canUndo reports whether the plan is as the last deletion left it.
func (r *removal) canUndo() bool { return r.before != r.after && r.screen.file.text == r.after }

func (r *removal) undo() tea.Cmd {
	text := r.before
	r.before, r.after = "", ""
	return r.screen.write(text, "line is back in the plan")
}

// Draw draws the question.
func (r *removal) Draw() string {
	s := r.screen
	body := func(width, height int) []string {
		lines := fact.Wrap(s.Theme, s.lineText(r.line), width)
		return append(append(lines, ""), fact.Wrap(s.Theme, "Delete this line of the plan?", width)...)
	}
	return strings.Join(panel.Draw(s.Theme, panel.Frame{
		Title: "Delete", Width: s.Width, Height: s.Height - len(s.footnotes), Focused: true, Body: body,
	}, resource.State{Status: resource.Ready}, s.Now()), "\n")
}
