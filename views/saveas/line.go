// Package saveas asks for the name of a file, and writes a table there that is in
// memory.
package saveas

import (
	"errors"
	"io/fs"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/export"
	"tarmac/views/listdetail"
	"tarmac/views/masked"
)

// Table is what is written: rows, and what they are, such as "12 invoices".
type Table struct {
	Sheet export.Sheet
	What  string
}

// Line is the line in which the name is typed. While amounts are masked it asks
// before that whether they may be in the file.
type Line struct {
	directory     string
	looks         theme.Theme
	prompt        listdetail.Prompt
	question      masked.Question
	table         func() Table
	apply, cancel key.Binding
}

// New returns a closed line. Names are offered in a directory; "" is the one that the
// program was started in.
func New(directory string) Line {
	return Line{
		directory: directory, prompt: listdetail.NewPrompt(), question: masked.NewQuestion(),
		apply:  key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "write it: .csv or .json by its name")),
		cancel: key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "leave it")),
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
		l.prompt.Open("Export   ", "a name that ends in .csv or .json", 4096, export.Offer(l.directory, words...))
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
}

// Press takes a key. The command it returns writes the file and tells where it is, or
// warns of a name that cannot be.
func (l *Line) Press(press tea.KeyPressMsg) tea.Cmd {
	switch {
	case l.question.Open():
		return l.question.Answer(press)
	case key.Matches(press, l.cancel):
		l.Close()
	case key.Matches(press, l.apply):
		path, err := export.Path(l.prompt.Text())
		if err != nil {
			return views.Warn(termtext.Line(err.Error()))
		}
		table := l.table()
		l.Close()
		return write(path, table)
	default:
		l.prompt.Press(press)
	}
	return nil
}

func write(path string, t Table) tea.Cmd {
	return func() tea.Msg {
		at, err := export.Write(path, t.Sheet)
		var where *fs.PathError
		if errors.As(err, &where) {
			err = errors.New(where.Path + ": " + where.Err.Error())
		}
		if err != nil {
			return views.Notice{Text: termtext.Line("nothing was exported: " + err.Error()), Problem: true}
		}
		return views.Notice{Text: termtext.Line("exported " + t.What + " to " + at)}
	}
}

// Paste takes pasted text.
func (l *Line) Paste(msg tea.PasteMsg) {
	if l.prompt.Typing() {
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
	return []views.HelpGroup{{Title: "Export", Bindings: []key.Binding{l.apply, l.cancel}}}
}
