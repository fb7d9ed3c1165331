// Package annotate lets the user write the category and the note of a transaction.
package annotate

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/internal/fold"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
)

// Editor asks for the category or the note of a transaction. It is a views.Layer.
type Editor struct {
	listdetail.Prompt
	file       *annotations.File
	categories func() []string // categories to complete
	field      *field
	id         string           // transaction of the open prompt
	drafts     map[place]string // texts that were typed and are not saved
	last       *change          // what undo takes back; nil if there is nothing
	actions    views.Actions
}

// field is a text that the user can write.
type field struct {
	name  string
	limit int
	of    func(*annotations.Annotation) *string
}

var (
	category = &field{"category", annotations.MaxCategory, func(a *annotations.Annotation) *string { return &a.Category }}
	note     = &field{"note", annotations.MaxNote, func(a *annotations.Annotation) *string { return &a.Note }}
)

// place is a text of a transaction.
type place struct {
	id    string
	field *field
}

// change is a change that was saved.
type change struct {
	place
	was string
}

// Saved is the message that a text was saved, or why it could not be. Pass it to Editor.Take.
type Saved struct {
	change
	text   string
	undoes bool
	err    error
}

// New returns a closed editor. categories returns those that are completed.
func New(file *annotations.File, categories func() []string) *Editor {
	e := &Editor{file: file, categories: categories, drafts: map[place]string{}}
	e.actions = views.PromptActions("save", e.save, e.Cancel)
	e.actions[1].Help = "leave, the text stays"
	return e
}

// Actions are the keys that change what is written about the transaction that row returns.
func (e *Editor) Actions(row func() (*apiclient.Transaction, bool)) views.Actions {
	can := func() bool {
		t, ok := row()
		return ok && t.Unreadable == nil
	}
	ask := func(f *field) func() tea.Cmd {
		return views.Do(func() {
			if t, ok := row(); ok {
				e.ask(f, t)
			}
		})
	}
	return views.Actions{
		{Key: "c", Help: category.name, When: can, Do: ask(category)},
		{Key: "m", Help: note.name, When: can, Do: ask(note)},
		{Key: "u", Help: "undo", When: func() bool { return e.last != nil }, Do: e.undo,
			Says: func() string { return "undo " + e.last.field.name }},
	}
}

func (e *Editor) ask(f *field, t *apiclient.Transaction) {
	e.field, e.id = f, t.ID
	own := e.file.Set()[t.ID]
	text, isDraft := e.drafts[place{t.ID, f}]
	if !isDraft {
		text = *f.of(&own)
	}
	if f == note {
		e.Prompt.Open("Note     ", "only for you", f.limit, text)
		return
	}
	categories := e.categories()
	hint := strings.Join(categories[:min(len(categories), 4)], ", ")
	switch known := e.file.Of(t); {
	case known.Origin == annotations.Rule:
		hint = "empty keeps " + known.Category + ", set by a rule"
	case hint == "":
		hint = "e.g. travel"
	}
	e.Prompt.Open("Category ", hint, f.limit, text)
	e.CompleteWith(func(typed string) (text, word string, ok bool) {
		text, ok = annotations.Complete(categories, typed)
		return text, text, ok && typed != ""
	})
}

// save saves the typed text. An empty text removes what was written.
func (e *Editor) save() tea.Cmd {
	text, at := e.Text(), place{e.id, e.field}
	if e.field == category {
		for _, known := range e.categories() {
			if fold.String(known) == fold.String(text) {
				text = known // one spelling of each
			}
		}
	}
	e.Close()
	own := e.file.Set()[e.id]
	if text == *e.field.of(&own) {
		delete(e.drafts, at)
		return nil
	}
	e.drafts[at] = text
	return e.write(at, text, false)
}

func (e *Editor) undo() tea.Cmd { return e.write(e.last.place, e.last.was, true) }

func (e *Editor) write(at place, text string, undoes bool) tea.Cmd {
	file := e.file
	return func() tea.Msg {
		saved := Saved{change: change{place: at}, text: text, undoes: undoes}
		was, err := file.Change(at.id, func(a *annotations.Annotation) { *at.field.of(a) = text })
		saved.was, saved.err = *at.field.of(&was), err
		return saved
	}
}

// Take returns the command that tells the user and all pages what was saved.
func (e *Editor) Take(saved Saved) tea.Cmd {
	name := saved.field.name
	if saved.err != nil {
		return views.Warn("the " + name + " was not saved: " + termtext.Line(saved.err.Error()))
	}
	delete(e.drafts, saved.place)
	e.last = &saved.change
	notice := name + " saved"
	switch {
	case saved.undoes:
		e.last = nil
		notice = name + " is as before"
	case saved.text == "":
		notice = name + " removed"
	}
	if !e.file.IsKept() {
		notice += ", until you quit"
	}
	if e.last != nil {
		notice += " · u takes it back"
	}
	return tea.Batch(func() tea.Msg { return views.Annotated{} }, views.Tell(notice))
}

// Open reports whether the prompt is open.
func (e *Editor) Open() bool { return e.Typing() }

// Press handles a key press: enter saves the text, esc leaves it, tab completes a category, any
// other key edits it.
func (e *Editor) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, taken := e.actions.Press(press)
	if !taken {
		e.Prompt.Press(press)
	}
	return cmd
}

// Cancel closes the prompt. The next one for the same transaction begins with its text.
func (e *Editor) Cancel() {
	e.drafts[place{e.id, e.field}] = e.Text()
	e.Close()
}

// Help returns the keys of the prompt.
func (e *Editor) Help() []views.HelpGroup {
	name := e.field.name
	return []views.HelpGroup{e.actions.Help(strings.ToUpper(name[:1]) + name[1:])}
}

// Draw draws the prompt in one line.
func (e *Editor) Draw() string { return e.Line() }
