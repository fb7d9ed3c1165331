package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/export"
	"tarmac/client/history"
	"tarmac/client/problem"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// answerCommand completes cmd, a command that prints the answer to a question in its format.
func answerCommand(
	env command.Env, cmd *cobra.Command, ask func(context.Context, *call) (*answer.Doc, error),
) *cobra.Command {
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		d, err := ask(ctx, a)
		return a.showAnswer(d, inFlags(err))
	})
}

// inFlags returns err, as a usage error with the name of a flag if a parameter was wrong.
func inFlags(err error) error {
	if input := new(answer.InputError); errors.As(err, &input) && input.Name != "" {
		return command.Usagef("--%s %s", input.Name, input.Text)
	}
	return err
}

// parameter adds a flag for a parameter of a question. The first of the choices is the default.
func parameter[T ~string](cmd *cobra.Command, name, usage string, choices ...T) {
	cmd.Flags().String(name, string(choices[0]), usage)
	command.Choices(cmd, name, choices...)
}

// setParameters sets the parameters of a question to the values of the flags with their names.
func setParameters(cmd *cobra.Command, set func(name, text string) error, names ...string) error {
	for _, name := range names {
		if err := set(name, cmd.Flags().Lookup(name).Value.String()); err != nil {
			return err
		}
	}
	return nil
}

// source returns where the answers of commands come from.
func (a *call) source() answer.Source {
	return answer.Source{Client: a.client, History: a.readHistory, Now: a.Now()}
}

// historyGCPercent is the GOGC value of commands that read a history. With it, 50,000 rows stay
// below 60 MiB, for about half as much processor time again as with the default of 100 (see
// docs/performance.md).
const historyGCPercent = 35

// readHistory reads the transactions of the given number of months, including the current one. It
// shows its progress on standard error.
func (a *call) readHistory(ctx context.Context, months int) (*answer.Past, error) {
	if a.OwnProcess {
		debug.SetGCPercent(historyGCPercent)
	}
	progress := a.progress()
	defer progress.end()
	reading := answer.Reading{
		Large: func(history.Question) (bool, error) { return true, nil },
		Progress: func(p history.Progress) {
			progress.say(money.Count(p.Rows) + " of " + money.Count(p.AllRows) + " transactions")
		},
	}
	return reading.Read(ctx, pausingSource{a.client, a}, civil.Of(a.Now()), months)
}

// pausingSource fetches transactions. If the server's rate limit is reached, it waits and fetches
// again.
type pausingSource struct {
	answer.Client
	call *call
}

// TransactionPage returns a page of transactions.
func (s pausingSource) TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (
	page *apiclient.TransactionPage, err error,
) {
	err = s.call.fetchWithPauses(ctx, func() (err error) {
		page, err = s.Client.TransactionPage(ctx, q)
		return err
	})
	return page, err
}

// CashPosition returns the cash position.
func (s pausingSource) CashPosition(ctx context.Context) (c *apiclient.CashPosition, err error) {
	err = s.call.fetchWithPauses(ctx, func() (err error) {
		c, err = s.Client.CashPosition(ctx)
		return err
	})
	return c, err
}

// showAnswer prints an answer that was returned together with err. d is nil if the question failed.
func (a *call) showAnswer(d *answer.Doc, err error) error {
	if d == nil {
		return err
	}
	switch {
	case a.format() == asText:
		err = errors.Join(a.showParts(d), err)
	case a.format() == asJSON && d.Table == nil && d.Object == nil:
		return err
	case a.format() == asJSON && d.Object != nil:
		err = errors.Join(d.Object.WriteJSON(a.out), err)
	case d.Table == nil:
		err = errors.Join(export.WriteCSV(a.out, d.Object), err)
	default:
		err = errors.Join(a.showRows(d.Table.Columns, d.Table.Objects()), err)
	}
	if a.format() == asCSV {
		a.noteAll(d.CSVNotes)
	}
	for _, text := range d.Notes {
		if a.format() != asText || !d.IsEmpty() || !strings.Contains(d.Table.Empty, text) {
			a.note("%s", text)
		}
	}
	return errors.Join(err, d.Unreadable)
}

func (a *call) noteAll(sentences []string) {
	for _, s := range sentences {
		a.note("%s", s)
	}
}

// showParts prints an answer as text, with a blank line between its parts. If the answer is a list,
// its summary is on standard error, so that standard output consists of rows.
func (a *call) showParts(d *answer.Doc) error {
	if d.IsEmpty() && d.Table.Empty != "" {
		a.note("%s", d.Table.Empty)
		for i := range d.Sections {
			a.noteAll(d.Sections[i].Revealing)
		}
		return nil
	}
	between := ""
	for i := range d.Sections {
		part := &d.Sections[i]
		if isBlank(part) {
			continue
		}
		if _, err := io.WriteString(a.out, between); err != nil {
			return err
		}
		between = "\n"
		if err := a.showPart(part, d.Table); err != nil {
			return err
		}
	}
	a.noteAll(d.Summary)
	return nil
}

// isBlank reports whether a section is empty.
func isBlank(p *answer.Section) bool {
	isEmpty := p.Table == nil || len(p.Table.Rows) == 0 && (p.Title == "" || p.Table.Empty == "")
	return isEmpty && p.Err == nil && len(p.Figures)+len(p.Reasons)+len(p.Revealing)+len(p.Text) == 0
}

func (a *call) showPart(p *answer.Section, rows *answer.Table) (err error) {
	var lines []string
	if p.Title != "" {
		if _, err := fmt.Fprintln(a.out, p.Title); err != nil {
			return err
		}
	}
	if p.Figures != nil {
		err = writeLabels(a.out, p.Figures, a.columns())
	}
	switch t := p.Table; {
	case t == nil, t == rows && len(t.Rows) == 0:
	case t == rows:
		err = a.showRows(t.Columns, t.Objects())
	case len(t.Rows) == 0:
		lines = append(lines, t.Empty)
	default:
		if err = writeTable(a.out, a.columns(), t.Objects()); err == nil && t.Excluded != "" {
			lines = append(lines, t.Excluded)
		}
	}
	if p.Err != nil {
		lines = append(lines, partProblem(p.Err))
	}
	for _, s := range p.Reasons {
		lines = append(lines, s.Text)
	}
	for _, text := range slices.Concat(p.Revealing, p.Text) {
		lines = append(lines, wrapped(text, pageWidth(a.Stdout))...)
	}
	if err != nil || len(lines) == 0 {
		return err
	}
	if p.Table != nil && len(p.Revealing)+len(p.Text) > 0 {
		lines[0] = "\n" + lines[0]
	}
	_, err = io.WriteString(a.out, strings.Join(lines, "\n")+"\n")
	return err
}

// partProblem returns the text that replaces a part that could not be read.
func partProblem(err error) string {
	if errors.Is(err, apiclient.ErrForbidden) {
		return problem.Of(err).Detail
	}
	return "not available: " + problem.Line(err)
}
