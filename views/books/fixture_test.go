package books

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/export"
	"tarmac/client/importing"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// bank implements importing.Books with results that a test sets. calls lists the calls of its
// methods.
type bank struct {
	importing.Books // its other methods are not called

	downloads   []ownbooks.BankFile
	contents    ownbooks.Contents
	report      ownbooks.Report
	question    *ownbooks.Question      // asked until it is answered
	open        []ownbooks.OpenQuestion // about lines, until they are answered
	given       []ownbooks.OpenQuestion // answered ones
	fail        error                   // of every call
	failReading error                   // of Questions
	calls       []string
	batch       ownbooks.Batch
	wait        func(ctx context.Context) // called by Import and Undo before they return
}

func (b *bank) List(context.Context) (ownbooks.Contents, error) {
	b.calls = append(b.calls, "list")
	return ownbooks.Contents{
		Accounts: append([]ownbooks.Account(nil), b.contents.Accounts...),
		Imports:  append([]ownbooks.Import(nil), b.contents.Imports...), Questions: b.contents.Questions,
		Formats: b.contents.Formats,
	}, b.fail
}

func (b *bank) Preview(_ context.Context, batch ownbooks.Batch, _ *importing.Progress) (ownbooks.Report, error) {
	b.calls = append(b.calls, "preview")
	b.batch = batch
	if b.question != nil && !batch.Answered(b.question) {
		asking := b.report
		asking.Files = append([]ownbooks.FileReport(nil), b.report.Files...)
		asking.Files[0].Question, asking.Files[0].Error = b.question, b.question.Reason
		return asking, b.fail
	}
	return b.report, b.fail
}

func (b *bank) Import(ctx context.Context, batch ownbooks.Batch, _ *importing.Progress) (ownbooks.Report, error) {
	b.calls = append(b.calls, "import")
	b.batch = batch
	if b.wait != nil {
		b.wait(ctx)
	}
	report := b.report
	report.Import = "imp_NEW"
	return report, errors.Join(b.fail, ctx.Err())
}

func (b *bank) PreviewCurrency(_ context.Context, currency string) (ownbooks.CurrencyChange, error) {
	b.calls = append(b.calls, "preview currency "+currency)
	return ownbooks.CurrencyChange{
		Before: "USD", Currency: currency, Changes: currency != "USD", Undo: "auto",
		Rates: "1,204 transactions in EUR need no rate; 37 in USD have one, 2 have none.",
	}, b.fail
}

func (b *bank) SetCurrency(ctx context.Context, currency string) (ownbooks.CurrencyChange, error) {
	done, err := b.PreviewCurrency(ctx, currency)
	b.calls[len(b.calls)-1] = "set currency " + currency
	return done, err
}

func (b *bank) PreviewUndo(_ context.Context, id string) (ownbooks.Undone, error) {
	b.calls = append(b.calls, "preview undo "+id)
	return removed(id), b.fail
}

func (b *bank) Undo(ctx context.Context, id string) (ownbooks.Undone, error) {
	b.calls = append(b.calls, "undo "+id)
	if b.wait != nil {
		b.wait(ctx)
	}
	return removed(id), errors.Join(b.fail, ctx.Err())
}

func (b *bank) CheckAnswer(q ownbooks.Question, text string) error {
	if q.IsOptional() || q.IsGeneral() || q.IsAccount() || text == ownbooks.Skip {
		return nil
	}
	for _, choice := range q.Choices {
		if choice == text {
			return nil
		}
	}
	return errors.New("That is none of " + strings.Join(q.Choices, ", ") + ".")
}

func (b *bank) BankFiles(context.Context, string) ([]ownbooks.BankFile, error) {
	return b.downloads, nil
}

func (b *bank) GivenAnswers(context.Context) ([]ownbooks.OpenQuestion, error) {
	b.calls = append(b.calls, "answers")
	return append([]ownbooks.OpenQuestion(nil), b.given...), b.fail
}

func (b *bank) Questions(context.Context) ([]ownbooks.OpenQuestion, error) {
	b.calls = append(b.calls, "questions")
	return append([]ownbooks.OpenQuestion(nil), b.open...), errors.Join(b.fail, b.failReading)
}

func (b *bank) Answer(ctx context.Context, id, answer string) (ownbooks.Answered, error) {
	b.calls = append(b.calls, "answer "+id+" "+answer)
	if b.wait != nil {
		b.wait(ctx)
	}
	if err := errors.Join(b.fail, ctx.Err()); err != nil {
		return ownbooks.Answered{}, err
	}
	b.open = slices.DeleteFunc(b.open, func(q ownbooks.OpenQuestion) bool { return q.ID == id })
	b.contents.Questions = len(b.open)
	return ownbooks.Answered{Answer: answer, Effect: "noted", ChangedRows: 1, Open: len(b.open)}, nil
}

func removed(id string) ownbooks.Undone {
	return ownbooks.Undone{Import: id, Files: []string{"b.qfx"}, Lines: 41, Accounts: []string{"…7733"}}
}

func day(text string) civil.Date { return civil.MustParse(text) }

func ptr[T any](v T) *T { return &v }

func period(first, last string) ownbooks.Period {
	return ownbooks.Period{First: day(first), Last: day(last)}
}

// emptyBooks returns the contents of books before their first import.
func emptyBooks() ownbooks.Contents {
	return ownbooks.Contents{Formats: []string{"CAMT", "OFX", "MT940", "CSV", "lists of open invoices"}}
}

// newBank returns books with an account for each thing that can be wrong with one.
func newBank() *bank {
	year := []ownbooks.Period{period("2026-01-01", "2026-11-21")}
	return &bank{
		contents: ownbooks.Contents{
			Accounts: []ownbooks.Account{
				{
					Number: "…4821", Bank: "Harbor & Pine Bank", Name: "Northlight Labs", Role: "operating", Currency: "USD",
					Balance: ptr(int64(93484188)), AsOf: day("2026-11-21"), Lines: 1734, Covered: year, Proven: year,
					Months: []ownbooks.AccountMonth{
						{
							Period: period("2026-11-01", "2026-11-21"), CoveredDays: 21, Lines: 141,
							InMinor: ptr(int64(4207255)), OutMinor: ptr(int64(31240011)), ClosingMinor: ptr(int64(93484188)),
						},
						{
							Period: period("2026-10-01", "2026-10-31"), CoveredDays: 29, Lines: 1204,
							InMinor: ptr(int64(0)), OutMinor: ptr(int64(2999)), ClosingMinor: nil,
						},
						{
							Period: period("2026-09-01", "2026-09-30"), CoveredDays: 30, Lines: 389,
							InMinor: nil, OutMinor: nil, ClosingMinor: ptr(int64(-1)),
						},
					},
				},
				{
					Number: "…0731", Bank: "HRPIDEF0", Role: "savings", Currency: "EUR", Balance: ptr(int64(3402333)),
					AsOf: day("2026-09-30"), Lines: 210, ResidualMinor: -90, Contradiction: true,
					Covered: []ownbooks.Period{
						period("2026-01-01", "2026-03-31"), period("2026-05-01", "2026-06-30"), period("2026-07-15", "2026-09-30"),
					},
					Proven: []ownbooks.Period{period("2026-01-01", "2026-03-31")},
					Differences: []ownbooks.Difference{{
						Period: period("2026-07-15", "2026-09-30"), FromMinor: 3500000, ToMinor: 3402333, ResidualMinor: -90,
					}},
				},
				{
					Number: "…9016", Role: "card", Currency: "JPY", PendingMinor: -79343, Lines: 12,
					Covered: []ownbooks.Period{period("2026-11-01", "2026-11-22")},
				},
			},
			Imports: []ownbooks.Import{
				{
					ID: "imp_01M82C8S4FMQC5MPFGG7360Y4G", At: start.Add(-72 * time.Hour), New: 3376, Files: []ownbooks.ImportedFile{
						{Name: "operating-2026.qfx", Format: "ofx"}, {Name: "euro-2026.xml", Format: "camt"},
					},
				},
				{
					ID: "imp_01M82DMPYAZWJVS9MD174A57DE", At: start.Add(-time.Hour), New: 41,
					Files: []ownbooks.ImportedFile{{Name: "card.csv", Format: "csv"}},
				},
			},
		},
		report: ownbooks.Report{Files: []ownbooks.FileReport{
			{
				Name: "/home/ada/Downloads/statement.qfx", Format: "ofx", Statements: []ownbooks.Statement{{
					Account: "…4821", Currency: "USD", First: day("2026-10-01"), Last: day("2026-10-31"),
					Closing: ptr(int64(93484188)),
					Lines:   54, New: 34, Known: 20, Changed: 3, Pending: 2, InMinor: 73659857, OutMinor: 46693037,
					Read: []ownbooks.ReadLine{
						{Day: day("2026-10-02"), Minor: 1250000, Party: "Osprey Analytics", Text: "INV-000248"},
						{Day: day("2026-10-05"), Minor: -1820, Party: "Beacon Hill Print", Text: "Business cards"},
						{Day: day("2026-10-31"), Minor: -14536, Text: "a charge", Pending: true},
					},
				}},
			},
			{Name: "/home/ada/Downloads/open.csv", Format: "receivables", OpenItems: 39, Problems: []string{"line 7: a draft"}},
		}},
	}
}

type fixture struct {
	*Screen
	t       testing.TB
	bank    *bank
	at      time.Time
	notices []string
	copied  []string
	changes int // number of times that the dashboard was told of changed books
}

func open(t testing.TB, change ...func(*bank)) *fixture { return openAs(t, views.Env{}, change...) }

func openAs(t testing.TB, o views.Env, change ...func(*bank)) *fixture {
	t.Helper()
	d := &fixture{t: t, at: start, bank: newBank()}
	for _, c := range change {
		c(d.bank)
	}
	o.Context, o.Now, o.Timeout, o.Theme = t.Context(), func() time.Time { return d.at }, time.Minute, theme.New(true)
	o.Books, o.Places = d.bank, export.Directories{Home: "/home/ada", Current: files(t)}
	d.Screen = New(o)
	d.SetSize(110, 30)
	d.run(d.Init())
	d.Update(views.Visible(true))
	return d
}

// files returns a directory with files to import.
func files(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"open.csv", "statement.qfx", "statement-2.qfx"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run executes a command and all commands that follow from it.
func (d *fixture) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case views.Notice:
		d.notices = append(d.notices, msg.Text)
	case views.Copy:
		d.copied = append(d.copied, msg.Text)
	case views.LedgerChanged:
		d.changes++
		d.run(d.Update(views.Refresh{}))
	default:
		d.run(d.Update(msg))
	}
}

// press presses keys and draws a frame after each. Esc closes what is open, as in the dashboard.
func (d *fixture) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		if k == "esc" && !d.State().Typing {
			d.Back()
		} else {
			d.run(d.Update(sample.Press(k)))
		}
		d.View()
	}
}

func (d *fixture) write(text string) {
	d.t.Helper()
	for _, r := range text {
		d.run(d.Update(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
	d.View()
}

// named opens the prompt and previews a file.
func (d *fixture) named() {
	d.press("n")
	d.write("statement.qfx open.csv")
	d.press("enter")
}

func (d *fixture) flat() string {
	text := strings.NewReplacer("│", " ", "\n", " ").Replace(ansi.Strip(d.View()))
	return strings.Join(strings.Fields(text), " ")
}

func (d *fixture) shows(wanted ...string) {
	d.t.Helper()
	for _, want := range wanted {
		if !strings.Contains(d.flat(), want) {
			d.t.Errorf("no %q in\n%s", want, ansi.Strip(d.View()))
		}
	}
}

func (d *fixture) hides(unwanted ...string) {
	d.t.Helper()
	for _, not := range unwanted {
		if strings.Contains(d.flat(), not) {
			d.t.Errorf("there is %q in\n%s", not, ansi.Strip(d.View()))
		}
	}
}

// asked returns the calls of the books' methods since the last call of asked.
func (d *fixture) current() string {
	calls := strings.Join(d.bank.calls, ", ")
	d.bank.calls = nil
	return calls
}
