package books

import (
	"context"
	"os"
	"time"

	"tarmac/client/importing"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/payables"
	"tarmac/service/statements"
)

// forScreens adapts the books of the service to the dashboard and the line mode.
type forScreens struct {
	open   func(context.Context) (*bookkeeping.Books, error)
	now    func() time.Time
	rename func(ctx context.Context, name string) error
}

// ForScreens returns books for the dashboard and the line mode. They call open for each operation.
// rename gives the company of new books its name, which the first import asks; nil if it has one.
func ForScreens(open func(context.Context) (*bookkeeping.Books, error), now func() time.Time,
	rename func(ctx context.Context, name string) error,
) importing.Books {
	return forScreens{open, now, rename}
}

// inBooks opens the books and calls do with them.
func inBooks[T any](ctx context.Context, s forScreens, do func(*bookkeeping.Books) (T, error)) (T, error) {
	b, err := s.open(ctx)
	if err != nil {
		return *new(T), err
	}
	return do(b)
}

// List returns the accounts and imports.
func (s forScreens) List(ctx context.Context) (ownbooks.Contents, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) (c ownbooks.Contents, err error) {
		c.Formats = statements.Titles()
		if c.Accounts, c.Imports, err = b.Overview(ctx); err != nil {
			return c, err
		}
		if c.Questions, err = b.CountQuestions(ctx); err != nil {
			return c, err
		}
		c.Currency, err = b.CurrencyCode(ctx)
		return c, err
	})
}

// Preview reads the files of a batch and rolls back what they change.
func (s forScreens) Preview(ctx context.Context, batch ownbooks.Batch, p *importing.Progress) (ownbooks.Report, error) {
	return s.run(ctx, batch, p, true)
}

// Import imports the files of a batch.
func (s forScreens) Import(ctx context.Context, batch ownbooks.Batch, p *importing.Progress) (ownbooks.Report, error) {
	return s.run(ctx, batch, p, false)
}

func (s forScreens) run(ctx context.Context, batch ownbooks.Batch, progress *importing.Progress,
	preview bool,
) (report ownbooks.Report, err error) {
	b, err := s.open(ctx)
	if err != nil {
		return report, err
	}
	sources, closeAll := openSources(batch.Files, OpenFile)
	defer closeAll()
	options := bookkeeping.Options{
		Preview: preview, AcceptResidual: batch.AcceptResidual, Progress: progress.SetFile, NameAccounts: true,
	}
	if err := answerFiles(&batch, sources, &options); err != nil {
		return report, err
	}
	if name := batch.Of(ownbooks.NameFlag); name != "" && !preview && s.rename != nil {
		if err := s.rename(ctx, name); err != nil {
			return report, err
		}
	}
	b.Company = batch.Of(ownbooks.NameFlag)
	done, err := b.Import(ctx, sources, options)
	if err != nil {
		return report, err
	}
	if preview && s.rename != nil {
		empty, err := b.Empty(ctx)
		if err != nil {
			return report, err
		}
		if empty {
			done.General = append([]ownbooks.Question{ownbooks.NameQuestion(done.Company)}, done.General...)
		}
	}
	return *done, nil
}

// CheckAnswer checks an answer by the same rules as the command import.
func (s forScreens) CheckAnswer(q ownbooks.Question, text string) error {
	return checkAnswer(&q, text, civil.Of(s.now()))
}

// Questions returns the open questions.
func (s forScreens) Questions(ctx context.Context) ([]ownbooks.OpenQuestion, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) ([]ownbooks.OpenQuestion, error) { return b.Questions(ctx) })
}

// GivenAnswers returns the answered questions.
func (s forScreens) GivenAnswers(ctx context.Context) ([]ownbooks.OpenQuestion, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) ([]ownbooks.OpenQuestion, error) { return b.GivenAnswers(ctx) })
}

// Answer stores an answer.
func (s forScreens) Answer(ctx context.Context, id, answer string) (ownbooks.Answered, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) (ownbooks.Answered, error) { return b.Answer(ctx, id, answer) })
}

// MarkBill marks a bill as the command `tarmac bills mark` does.
func (s forScreens) MarkBill(ctx context.Context, text, state string) (ownbooks.MarkedBill, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) (ownbooks.MarkedBill, error) {
		return b.MarkBill(ctx, text, payables.State(state))
	})
}

// PreviewCurrency returns what a change of the currency would do.
func (s forScreens) PreviewCurrency(ctx context.Context, currency string) (ownbooks.CurrencyChange, error) {
	return s.changeCurrency(ctx, currency, (*bookkeeping.Books).PreviewCurrency)
}

// SetCurrency changes the currency in which the books report.
func (s forScreens) SetCurrency(ctx context.Context, currency string) (ownbooks.CurrencyChange, error) {
	return s.changeCurrency(ctx, currency, (*bookkeeping.Books).SetCurrency)
}

func (s forScreens) changeCurrency(ctx context.Context, currency string,
	change func(*bookkeeping.Books, context.Context, string) (bookkeeping.CurrencyChange, error),
) (ownbooks.CurrencyChange, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) (ownbooks.CurrencyChange, error) {
		done, err := change(b, ctx, currency)
		if err != nil {
			return ownbooks.CurrencyChange{}, err
		}
		return ownbooks.CurrencyChange{
			Before: done.Before, Currency: done.Currency, Changes: done.Changes(), Rates: rowsText(&done.CurrencyState),
			Undo: done.Undo(),
		}, nil
	})
}

// PreviewUndo returns what undoing an import would remove.
func (s forScreens) PreviewUndo(ctx context.Context, id string) (ownbooks.Undone, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) (ownbooks.Undone, error) { return b.PreviewUndo(ctx, id) })
}

// Undo undoes an import.
func (s forScreens) Undo(ctx context.Context, id string) (ownbooks.Undone, error) {
	return inBooks(ctx, s, func(b *bookkeeping.Books) (ownbooks.Undone, error) { return b.Undo(ctx, id) })
}

// openSources opens the named files with open.
func openSources(names []string, open func(name string) (*os.File, error)) (sources []bookkeeping.Source,
	closeAll func(),
) {
	var opened []*os.File
	for _, name := range names {
		source := bookkeeping.Source{Name: name}
		file, err := open(name)
		if err != nil {
			source.Err = err
		} else {
			source.Content = file
			if info, err := file.Stat(); err == nil && name != "-" {
				source.Made = info.ModTime()
			}
			opened = append(opened, file)
		}
		sources = append(sources, source)
	}
	return sources, func() {
		for _, file := range opened {
			_ = file.Close()
		}
	}
}
