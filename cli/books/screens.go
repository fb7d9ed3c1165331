package books

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"tarmac/client/ownbooks"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
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
) ownbooks.Books {
	return forScreens{open, now, rename}
}

// List returns the accounts and imports.
func (s forScreens) List(ctx context.Context) (contents ownbooks.Contents, err error) {
	b, err := s.open(ctx)
	if err != nil {
		return contents, err
	}
	accounts, imports, err := b.Overview(ctx)
	for _, a := range accounts {
		contents.Accounts = append(contents.Accounts, accountOf(a))
	}
	for _, i := range imports {
		record := ownbooks.Import{ID: i.ID, At: i.At, New: i.New}
		for _, f := range i.Files {
			record.Files = append(record.Files, ownbooks.ImportedFile{
				Name: termtext.Line(f.Name), Format: f.Format, SHA256: f.SHA256,
			})
		}
		contents.Imports = append(contents.Imports, record)
	}
	if err == nil {
		contents.Questions, err = b.CountQuestions(ctx)
	}
	if err == nil {
		contents.Currency, err = b.CurrencyCode(ctx)
	}
	return contents, err
}

// Preview reads the files of a batch and rolls back what they change.
func (s forScreens) Preview(ctx context.Context, batch ownbooks.Batch, p *ownbooks.Progress) (ownbooks.Report, error) {
	return s.run(ctx, batch, p, true)
}

// Import imports the files of a batch.
func (s forScreens) Import(ctx context.Context, batch ownbooks.Batch, p *ownbooks.Progress) (ownbooks.Report, error) {
	return s.run(ctx, batch, p, false)
}

func (s forScreens) run(ctx context.Context, batch ownbooks.Batch, progress *ownbooks.Progress,
	preview bool,
) (report ownbooks.Report, err error) {
	b, err := s.open(ctx)
	if err != nil {
		return report, err
	}
	sources, closeAll := openSources(batch.Files, OpenFile)
	defer closeAll()
	var balances []bookkeeping.StatedBalance
	for _, a := range batch.Answers {
		if a.Question.IsGeneral() {
			continue
		}
		if a.Question.IsOptional() {
			if a.Text != "" {
				account := a.Question.Account + " " + a.Question.Currency
				balances = append(balances, bookkeeping.StatedBalance{Account: account, Text: a.Text})
			}
			continue
		}
		q := bank.Question{Flag: a.Question.Flag, Choices: a.Question.Choices}
		if problem := apply(&q, a.Text, &sources[a.Question.File]); problem != "" {
			return report, errors.New(problem)
		}
	}
	if name := batch.Of(ownbooks.NameFlag); name != "" && !preview && s.rename != nil {
		if err := s.rename(ctx, name); err != nil {
			return report, err
		}
	}
	done, err := b.Import(ctx, sources, bookkeeping.Options{
		Preview: preview, AcceptResidual: batch.AcceptResidual, Progress: progress.Reading, Balances: balances,
		ReportIn: strings.ToUpper(batch.Of(ownbooks.CurrencyFlag)),
	})
	if err != nil {
		return report, err
	}
	report = reportOf(done)
	if preview {
		report.General, err = s.general(ctx, b, done)
	}
	return report, err
}

// general returns the questions that the first import of new books asks.
func (s forScreens) general(ctx context.Context, b *bookkeeping.Books, report *bookkeeping.Report) (
	asked []ownbooks.Question, err error,
) {
	if s.rename != nil {
		imports, err := b.Imports(ctx)
		if err != nil {
			return nil, err
		}
		if len(imports) == 0 {
			asked = append(asked, ownbooks.NameQuestion())
		}
	}
	var codes, counts []string
	for _, l := range report.Currencies {
		codes = append(codes, l.Currency)
		counts = append(counts, plural.Count(l.Lines, "line")+" in "+l.Currency)
	}
	if len(codes) > 0 {
		asked = append(asked, ownbooks.CurrencyQuestion(codes, strings.Join(counts, ", ")))
	}
	return asked, nil
}

// CheckAnswer checks an answer by the same rules as the command import.
func (s forScreens) CheckAnswer(q ownbooks.Question, text string) error {
	switch q.Flag {
	case ownbooks.NameFlag:
		_, err := service.CheckOrganizationName(text)
		return err
	case ownbooks.CurrencyFlag:
		if !bank.IsCurrency(strings.ToUpper(text)) {
			return errors.New("that is no currency; type a code such as EUR")
		}
		return nil
	}
	if q.IsOptional() {
		_, err := bookkeeping.ParseBalance(text, q.Currency, civil.Of(s.now()))
		return err
	}
	if problem := apply(&bank.Question{Flag: q.Flag, Choices: q.Choices}, text, new(bookkeeping.Source)); problem != "" {
		return errors.New(problem)
	}
	return nil
}

// Questions returns the open questions.
func (s forScreens) Questions(ctx context.Context) ([]ownbooks.OpenQuestion, error) {
	b, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	questions, err := b.Questions(ctx)
	open := make([]ownbooks.OpenQuestion, len(questions))
	for n, q := range questions {
		open[n] = openQuestionOf(q)
	}
	return open, err
}

// Answer stores an answer.
func (s forScreens) Answer(ctx context.Context, id, answer string) (ownbooks.Answered, error) {
	b, err := s.open(ctx)
	if err != nil {
		return ownbooks.Answered{}, err
	}
	done, err := b.Answer(ctx, id, answer)
	if err != nil {
		return ownbooks.Answered{}, err
	}
	return ownbooks.Answered{Text: termtext.Line(strings.TrimSpace(answeredText(done))), Left: done.Open}, nil
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
	b, err := s.open(ctx)
	if err != nil {
		return ownbooks.CurrencyChange{}, err
	}
	done, err := change(b, ctx, currency)
	if err != nil {
		return ownbooks.CurrencyChange{}, err
	}
	return ownbooks.CurrencyChange{
		Before: done.Before, Currency: done.Currency, Changes: done.Changes(), Rates: rowsText(&done.CurrencyState),
		Undo: done.Undo(),
	}, nil
}

// PreviewUndo returns what undoing an import would remove.
func (s forScreens) PreviewUndo(ctx context.Context, id string) (ownbooks.Undone, error) {
	return s.undo(ctx, id, (*bookkeeping.Books).PreviewUndo)
}

// Undo undoes an import.
func (s forScreens) Undo(ctx context.Context, id string) (ownbooks.Undone, error) {
	return s.undo(ctx, id, (*bookkeeping.Books).Undo)
}

func (s forScreens) undo(ctx context.Context, id string,
	undo func(*bookkeeping.Books, context.Context, string) (bookkeeping.Undone, error),
) (ownbooks.Undone, error) {
	b, err := s.open(ctx)
	if err != nil {
		return ownbooks.Undone{}, err
	}
	undone, err := undo(b, ctx, id)
	return ownbooks.Undone{
		Import: undone.Import, Lines: undone.Lines, Files: clean(undone.Files), Accounts: clean(undone.Accounts),
		PaidInvoices: undone.PaidInvoices,
	}, err
}

// accountOf converts an account for the dashboard and the line mode. Its texts are safe to print.
func accountOf(a bookkeeping.AccountState) ownbooks.Account {
	account := ownbooks.Account{
		Number: termtext.Line(a.Account), Bank: termtext.Line(a.Bank), Name: termtext.Line(a.Name),
		Renamed: a.Renamed, Role: string(a.Role), Currency: a.Currency, Balance: a.BalanceMinor, AsOf: date(a.AsOf),
		PendingMinor: a.PendingMinor, Lines: a.Lines,
		Covered: periods(a.Covered), Proof: a.Proof(), Contradiction: a.Contradiction, Proven: periods(a.Proven),
	}
	for _, d := range a.Differences {
		account.Differences = append(account.Differences, ownbooks.Difference{
			Period: period(d.Period), FromMinor: d.FromMinor, ToMinor: d.ToMinor, ResidualMinor: d.ResidualMinor,
		})
	}
	return account
}

// reportOf converts a report for the dashboard and the line mode. Its texts are safe to print.
func reportOf(r *bookkeeping.Report) (report ownbooks.Report) {
	if r.Import != nil {
		report.Import = *r.Import
	}
	report.PaidInvoices, report.Questions = r.PaidInvoices, len(r.Questions)
	for n, f := range r.Files {
		file := ownbooks.FileReport{
			Name: termtext.Line(f.File), Format: f.Format, OpenItems: f.OpenItems, Bills: f.Bills, Rates: f.Rates,
			Problems: clean(f.Problems), Error: termtext.Line(f.Error),
		}
		if f.Question != nil {
			file.Question = questionOf(n, file.Name, f.Question)
		}
		for _, s := range f.Statements {
			statement := ownbooks.Statement{
				Account: termtext.Line(s.Account), Bank: termtext.Line(s.Bank), First: date(s.FirstDate), Last: date(s.LastDate),
				Opening: s.OpeningMinor, Closing: s.ClosingMinor, Lines: s.Transactions, New: s.New, Known: s.Known,
				Changed: s.Changed, Pending: s.Pending, Transfers: s.Transfers, InMinor: s.InflowMinor,
				OutMinor: s.OutflowMinor, ResidualMinor: s.ResidualMinor, Contradiction: s.Contradiction,
			}
			if s.Currency != nil {
				statement.Currency = *s.Currency
			}
			file.Statements = append(file.Statements, statement)
		}
		report.Files = append(report.Files, file)
	}
	for _, unknown := range r.UnknownBalances {
		name := termtext.Line(bookkeeping.ShortNumber(unknown.Account))
		report.Balances = append(report.Balances, ownbooks.BalanceQuestion(unknown.Account, name, unknown.Currency))
	}
	return report
}

// questionOf converts a question about a file. The parameter file is its index in the batch.
func questionOf(file int, name string, q *bank.Question) *ownbooks.Question {
	return &ownbooks.Question{
		File: file, Name: name, Reason: termtext.Line(q.Reason), Flag: q.Flag, Choices: clean(q.Choices),
	}
}

// openQuestionOf converts a question about the lines. Its texts are safe to print.
func openQuestionOf(q bookkeeping.Question) ownbooks.OpenQuestion {
	open := ownbooks.OpenQuestion{
		ID: q.ID, Kind: string(q.Kind), Date: q.Date, Text: termtext.Line(q.Text), Meanwhile: termtext.Line(q.Meanwhile),
	}
	for _, c := range q.Choices {
		open.Choices = append(open.Choices, ownbooks.Choice{
			Answer: termtext.Line(c.Answer), Text: termtext.Line(c.Text), Changes: termtext.Line(c.Changes),
		})
	}
	return open
}

// clean returns texts without control characters.
func clean(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = termtext.Line(text)
	}
	return out
}

func periods(all []bookkeeping.Period) []ownbooks.Period {
	out := make([]ownbooks.Period, len(all))
	for i, p := range all {
		out[i] = period(p)
	}
	return out
}

func period(p bookkeeping.Period) ownbooks.Period {
	return ownbooks.Period{First: date(&p.First), Last: date(&p.Last)}
}

// date returns a date of the books, or the zero date for nil.
func date(text *string) (d civil.Date) {
	if text != nil {
		d, _ = civil.Parse(*text)
	}
	return d
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
