// Package saveas provides the prompt that asks for a file name and exports records to that file.
package saveas

import (
	"context"

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

// Table is what gets exported: the records, a sample record whose fields become the columns, and a
// description for the notice, such as "12 invoices".
type Table struct {
	Sample  record.Object
	Records []record.Object
	What    string
}

// List returns a Table of all records that could be decoded. It calls describe for each record that
// is exported. The noun names one record, such as "invoice".
func List[T apiclient.Record](records []T, describe func(T) record.Object, noun string) Table {
	var none T
	readable := apiclient.Readable(records)
	return Table{
		Sample: describe(none), Records: record.DescribeAll(readable, describe),
		What: plural.Count(len(readable), noun) + problem.LeftOut(len(records)-len(readable)),
	}
}

// Line is the prompt for the file name of an export. It stays open until the file is written. If
// amounts are hidden, it first asks for confirmation.
type Line struct {
	places       export.Directories
	looks        theme.Theme
	prompt       listdetail.Prompt
	question     *masked.Question
	table        func() Table
	number       uint64             // number of the latest export; late outcomes of earlier exports have lower numbers
	cancelExport context.CancelFunc // cancels the running export; nil if none is running
	actions      views.Actions
}

// Written is the message that an export has ended, with its outcome. Pass it to Line.Take.
type Written struct {
	number uint64
	what   string
	path   string
	err    error
}

// New returns a closed prompt. Relative file names refer to a directory of places; see
// export.Directories.Path.
func New(places export.Directories) *Line {
	l := &Line{places: places, question: masked.NewQuestion()}
	l.actions = views.PromptActions("export; .csv or .json in the name sets the format", l.export, l.Cancel)
	l.actions[0].When = func() bool { return l.cancelExport == nil }
	return l
}

// SetTheme sets the colours and styles.
func (l *Line) SetTheme(t theme.Theme) {
	l.looks = t
	l.prompt.SetTheme(t)
	l.question.SetTheme(t)
}

// SetWidth sets the width in cells.
func (l *Line) SetWidth(width int) { l.prompt.SetWidth(width) }

// Ask opens the prompt with a suggested file name that consists of the given words. When the user
// confirms the name, it calls table for the records to export. If the person has connected over
// SSH, it instead returns a warning that names the command that prints the records.
func (l *Line) Ask(table func() Table, command string, words ...string) tea.Cmd {
	if l.places.Remote {
		return views.NotOverSSH(command + " --csv")
	}
	return l.question.Ask(l.looks, "Export", "the file", func() tea.Cmd {
		l.table = table
		l.prompt.Open(export.PromptLabel, "a name that ends in .csv or .json", 4096, l.places.SuggestPath(words...))
		return nil
	})
}

// Open reports whether the prompt is open, so that all key presses must go to Press.
func (l *Line) Open() bool { return l.question.Open() || l.prompt.Typing() }

// Cancel closes the prompt and cancels a running export.
func (l *Line) Cancel() {
	l.question.Cancel()
	l.prompt.Close()
	l.table = nil
	l.endExport()
}

// endExport cancels the running export, if any, and makes the file name editable again.
func (l *Line) endExport() {
	l.number++
	if l.cancelExport != nil {
		l.cancelExport()
		l.cancelExport = nil
	}
	l.prompt.Relabel(export.PromptLabel)
}

// Press handles a key press. Enter returns the command that exports the file, or one that warns of
// an invalid name. While an export runs, all keys but esc are ignored.
func (l *Line) Press(press tea.KeyPressMsg) tea.Cmd {
	if l.question.Open() {
		return l.question.Press(press)
	}
	cmd, taken := l.actions.Press(press)
	if !taken && l.cancelExport == nil {
		l.prompt.Press(press)
	}
	return cmd
}

func (l *Line) export() tea.Cmd {
	path, err := l.places.Path(l.prompt.Text())
	if err != nil {
		return views.Warn(termtext.Line(err.Error()))
	}
	return l.write(path, l.table())
}

func (l *Line) write(path string, t Table) tea.Cmd {
	var ctx context.Context
	ctx, l.cancelExport = context.WithCancel(context.Background())
	l.number++
	l.prompt.Relabel(export.WritingLabel)
	msg := Written{number: l.number, what: t.What}
	return func() tea.Msg {
		msg.path, msg.err = export.Write(ctx, path, t.Sample, t.Records)
		return msg
	}
}

// Take handles the outcome of an export and returns the command that shows a notice. After a
// success it closes the prompt; after a failure the prompt stays open. If the prompt was closed
// meanwhile, only a success is reported.
func (l *Line) Take(msg Written) tea.Cmd {
	late := msg.number != l.number
	switch {
	case late && msg.err != nil:
		return nil
	case msg.err != nil:
		l.endExport()
		return views.Warn(termtext.Line(export.Reason(msg.err)))
	case !late:
		l.Cancel()
	}
	return views.Tell(termtext.Line("exported " + msg.what + " to " + msg.path))
}

// Paste inserts pasted text into the name, unless an export is running.
func (l *Line) Paste(msg tea.PasteMsg) {
	if l.prompt.Typing() && l.cancelExport == nil {
		l.prompt.Paste(msg)
	}
}

// Draw draws the prompt in one line.
func (l *Line) Draw() string {
	if l.question.Open() {
		return l.question.Draw()
	}
	return l.prompt.Line()
}

// Help returns the keys that work in the open prompt.
func (l *Line) Help() []views.HelpGroup {
	if l.question.Open() {
		return l.question.Help()
	}
	if l.cancelExport != nil {
		return []views.HelpGroup{l.actions[1:].Help("Export")}
	}
	return []views.HelpGroup{l.actions.Help("Export")}
}
