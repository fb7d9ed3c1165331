// Package saveas asks for the name of a file, and writes a table there that is in
// memory.
package saveas

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
	"tarmac/views/parts/masked"
)

// Table is what is written: records with the columns of a sample, and what they are, such as
// "12 invoices".
type Table struct {
	Sample  record.Object
	Records []record.Object
	What    string
}

// List returns the table of a list, without the records that could not be read; noun is what
// one of them is called.
func List[T apiclient.Record](all []T, of func(T) record.Object, noun string) Table {
	var none T
	readable := apiclient.Readable(all)
	return Table{
		Sample: of(none), Records: record.Of(readable, of),
		What: plural.Count(len(readable), noun) + problem.LeftOut(len(all)-len(readable)),
	}
}

// Line is the line in which the name is typed. While amounts are masked it asks
// before that whether they may be in the file. It stays, with what was typed, until
// the file is there.
type Line struct {
	places        export.Places
	looks         theme.Theme
	prompt        listdetail.Prompt
	question      masked.Question
	table         func() Table
	turn          uint64             // of writing
	giveUp        context.CancelFunc // nil while nothing is written
	apply, cancel key.Binding
}

// Written is what became of a file. Whoever has a Line hands it on to Take.
type Written struct {
	turn uint64
	what string
	path string
	err  error
}

// New returns a closed line.
func New(places export.Places) Line {
	return Line{
		places: places, prompt: listdetail.NewPrompt(), question: masked.NewQuestion(),
		apply:  key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "export; .csv or .json in the name sets the format")),
		cancel: key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}
}

// SetTheme sets the looks.
func (l *Line) SetTheme(t theme.Theme) {
	l.looks = t
	l.prompt.SetTheme(t)
}

// SetWidth sets the room.
func (l *Line) SetWidth(width int) { l.prompt.SetWidth(width) }

// Ask opens the line with a name of the words. table is called when the name is
// given.
func (l *Line) Ask(table func() Table, words ...string) {
	l.question.Ask(l.looks, "Export", "the file", func() tea.Cmd {
		l.table = table
		l.prompt.Open(export.Asking, "a name that ends in .csv or .json", 4096, l.places.Offer(words...))
		return nil
	})
}

// Open reports whether keys are the line's.
func (l *Line) Open() bool { return l.question.Open() || l.prompt.Typing() }

// Close leaves it without a file.
func (l *Line) Close() {
	l.question.Close()
	l.prompt.Close()
	l.table = nil
	l.settle()
}

// settle ends the present turn: what it comes to is no answer any more.
func (l *Line) settle() {
	l.turn++
	if l.giveUp != nil {
		l.giveUp()
		l.giveUp = nil
	}
	l.prompt.Relabel(export.Asking)
}

// Press takes a key. The command it returns writes the file and returns a Written, or
// warns of a name that says no format. While a file is written only esc is taken.
func (l *Line) Press(press tea.KeyPressMsg) tea.Cmd {
	switch {
	case l.question.Open():
		return l.question.Answer(press)
	case key.Matches(press, l.cancel):
		l.Close()
	case l.giveUp != nil:
	case key.Matches(press, l.apply):
		path, err := l.places.Path(l.prompt.Text())
		if err != nil {
			return views.Warn(termtext.Line(err.Error()))
		}
		return l.write(path, l.table())
	default:
		l.prompt.Press(press)
	}
	return nil
}

func (l *Line) write(path string, t Table) tea.Cmd {
	var ctx context.Context
	ctx, l.giveUp = context.WithCancel(context.Background())
	l.turn++
	l.prompt.Relabel(export.Writing)
	msg := Written{turn: l.turn, what: t.What}
	return func() tea.Msg {
		msg.path, msg.err = export.Write(ctx, path, t.Sample, t.Records)
		return msg
	}
}

// Take takes what became of a file: it says where the file is, and closes; or why there is
// none, and what was typed can be changed. After the line was closed only a file that was
// whole already is reported.
func (l *Line) Take(msg Written) tea.Cmd {
	late := msg.turn != l.turn
	switch {
	case late && msg.err != nil:
		return nil
	case msg.err != nil:
		l.settle()
		return views.Warn(termtext.Line(export.Why(msg.err)))
	case !late:
		l.Close()
	}
	return views.Tell(termtext.Line("exported " + msg.what + " to " + msg.path))
}

// Paste takes pasted text.
func (l *Line) Paste(msg tea.PasteMsg) {
	if l.prompt.Typing() && l.giveUp == nil {
		l.prompt.Paste(msg)
	}
}

// Draw draws the line.
func (l *Line) Draw() string {
	if l.question.Open() {
		return l.question.Line(l.looks)
	}
	return l.prompt.Line()
}

// Help returns the keys that it takes.
func (l *Line) Help() []views.HelpGroup {
	if l.question.Open() {
		return l.question.Help()
	}
	if l.giveUp != nil {
		return []views.HelpGroup{{Title: "Export", Bindings: []key.Binding{l.cancel}}}
	}
	return []views.HelpGroup{{Title: "Export", Bindings: []key.Binding{l.apply, l.cancel}}}
}
