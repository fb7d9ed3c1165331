// Package saveas asks for a file name and exports an in-memory table to that file.
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

// Table is the table to export: records, a sample that defines the columns, and a description such
// as "12 invoices".
type Table struct {
	Sample  record.Object
	Records []record.Object
	What    string
}

// List returns the table of a list without its unreadable records. noun names one record.
func List[T apiclient.Record](all []T, of func(T) record.Object, noun string) Table {
	var none T
	readable := apiclient.Readable(all)
	return Table{
		Sample: of(none), Records: record.DescribeAll(readable, of),
		What: plural.Count(len(readable), noun) + problem.LeftOut(len(all)-len(readable)),
	}
}

// Line is the prompt for the file name. If amounts are masked it first asks for confirmation. It
// stays open until the file is written.
type Line struct {
	places        export.Directories
	looks         theme.Theme
	prompt        listdetail.Prompt
	question      masked.Question
	table         func() Table
	turn          uint64             // number of the current export
	giveUp        context.CancelFunc // cancels the export; nil while none runs
	apply, cancel key.Binding
}

// Written is the outcome of an export. Pass it to Line.Take.
type Written struct {
	turn uint64
	what string
	path string
	err  error
}

// New returns a closed prompt.
func New(places export.Directories) Line {
	return Line{
		places: places, prompt: listdetail.NewPrompt(), question: masked.NewQuestion(),
		apply: key.NewBinding(key.WithKeys("enter"),
			key.WithHelp("enter", "export; .csv or .json in the name sets the format")),
		cancel: key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}
}

// SetTheme sets the colours and styles.
func (l *Line) SetTheme(t theme.Theme) {
	l.looks = t
	l.prompt.SetTheme(t)
}

// SetWidth sets the width in cells.
func (l *Line) SetWidth(width int) { l.prompt.SetWidth(width) }

// Ask opens the prompt with a file name made of words. It calls table when the user confirms the
// name.
func (l *Line) Ask(table func() Table, words ...string) {
	l.question.Ask(l.looks, "Export", "the file", func() tea.Cmd {
		l.table = table
		l.prompt.Open(export.PromptLabel, "a name that ends in .csv or .json", 4096, l.places.SuggestPath(words...))
		return nil
	})
}

// Open reports whether the prompt takes the keys.
func (l *Line) Open() bool { return l.question.Open() || l.prompt.Typing() }

// Close closes the prompt and cancels a running export.
func (l *Line) Close() {
	l.question.Close()
	l.prompt.Close()
	l.table = nil
	l.settle()
}

// settle cancels the running export, if any.
func (l *Line) settle() {
	l.turn++
	if l.giveUp != nil {
		l.giveUp()
		l.giveUp = nil
	}
	l.prompt.Relabel(export.PromptLabel)
}

// Press handles a key. On enter it returns the command that exports the file, or a warning if the
// name is invalid. While an export runs it accepts only esc.
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
	l.prompt.Relabel(export.WritingLabel)
	msg := Written{turn: l.turn, what: t.What}
	return func() tea.Msg {
		msg.path, msg.err = export.Write(ctx, path, t.Sample, t.Records)
		return msg
	}
}

// Take handles the outcome of an export. On success it closes the prompt and reports the path; on
// failure it reports the reason and keeps the prompt open. After Close it reports only successful
// exports.
func (l *Line) Take(msg Written) tea.Cmd {
	late := msg.turn != l.turn
	switch {
	case late && msg.err != nil:
		return nil
	case msg.err != nil:
		l.settle()
		return views.Warn(termtext.Line(export.Reason(msg.err)))
	case !late:
		l.Close()
	}
	return views.Tell(termtext.Line("exported " + msg.what + " to " + msg.path))
}

// Paste inserts pasted text.
func (l *Line) Paste(msg tea.PasteMsg) {
	if l.prompt.Typing() && l.giveUp == nil {
		l.prompt.Paste(msg)
	}
}

// Draw draws the prompt.
func (l *Line) Draw() string {
	if l.question.Open() {
		return l.question.Line(l.looks)
	}
	return l.prompt.Line()
}

// Help returns the keys that the prompt takes.
func (l *Line) Help() []views.HelpGroup {
	if l.question.Open() {
		return l.question.Help()
	}
	if l.giveUp != nil {
		return []views.HelpGroup{{Title: "Export", Bindings: []key.Binding{l.cancel}}}
	}
	return []views.HelpGroup{{Title: "Export", Bindings: []key.Binding{l.apply, l.cancel}}}
}
