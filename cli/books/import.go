package books

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// importFlags holds the values of the flags of `tarmac import`.
type importFlags struct {
	dryRun, yes, json, acceptResidual                  bool
	name, account, currency, covers, asOf, dates, mark string
	sign, amount, balance, same, reportIn              string

	shown bool // the user has seen the report of the preview on the terminal
}

func newImport(env command.Env, open Opener) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Import files of banks and accounting programs into your own books",
		Long: "import reads bank statements, lists of open invoices and exchange rates, says what is in them, asks, and " +
			"imports them. The books are created by the first import.\n" +
			"Formats are recognized by content; docs/import.md lists them. Files that overlap or are imported again add " +
			"nothing twice. A damaged file stops the import, and nothing is imported then.\n" +
			"`-` reads standard input.",
		Example: open.Example("import ~/Downloads/*.csv ~/Downloads/*.qfx") + "\n" +
			open.Example("import --dry-run statement.sta"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usagef("%s needs the files to import", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), env, open, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "only say what is in the files")
	flags.BoolVar(&f.yes, "yes", false, "import without asking")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.BoolVar(&f.acceptResidual, "accept-residual", false, "import statements whose lines contradict their balances")
	flags.StringVar(&f.name, "name", "", "the company's name, for new books")
	flags.StringVar(&f.account, "account", "", "account of files that do not name one")
	flags.StringVar(&f.currency, "currency", "", "currency of files that do not say, such as USD")
	flags.StringVar(&f.reportIn, "report-in", "", "currency of the figures of new books, such as EUR")
	flags.StringVar(&f.covers, "covers", "", "days that files without a period cover, such as 2026-01-01..2026-03-31")
	flags.StringVar(&f.balance, "balance", "", "balance that no file says, with its day: 1,234.56@2026-09-30")
	flags.StringVar(&f.asOf, "as-of", "", "date of lists of open invoices that do not say")
	flags.StringVar(&f.dates, "date-format", "", "order of ambiguous dates: dmy, mdy or ymd")
	flags.StringVar(&f.mark, "decimal", "", "decimal mark of ambiguous amounts: point or comma")
	flags.StringVar(&f.sign, "sign", "", "how money out is written, where the file cannot say: "+
		"out-negative, out-positive, debit-out or debit-in")
	flags.StringVar(&f.amount, "amount", "", "heading of the column of amounts, where several may be it")
	flags.StringVar(&f.same, "same-account", "",
		"whether a file with the lines of another account is of that account: yes or no")
	command.Choices(cmd, "same-account", bookkeeping.SameAccount, bookkeeping.OtherAccount)
	command.Choices(cmd, "date-format", bank.DayFirst, bank.MonthFirst, bank.YearFirst)
	command.Choices(cmd, "decimal", "point", "comma")
	command.Choices(cmd, "sign", bank.OutNegative, bank.OutPositive, bank.DebitOut, bank.DebitIn)
	open.Flags(cmd)
	return cmd
}

// options returns the import options that the flags select. It returns a usage error for flags that
// are not valid.
func (f *importFlags) options(today civil.Date) (o bookkeeping.Options, err error) {
	o.AcceptResidual = f.acceptResidual
	o.Read.Account, o.Read.Amount = f.account, f.amount
	if o.Read.Currency = strings.ToUpper(f.currency); f.currency != "" && !bank.IsCurrency(o.Read.Currency) {
		return o, command.Usagef("--currency must be a currency such as USD, not %s", command.Quoted(f.currency))
	}
	if o.ReportIn, err = reportingOf(f.reportIn); err != nil {
		return o, err
	}
	switch o.Read.DateOrder = bank.DateOrder(f.dates); o.Read.DateOrder {
	case "", bank.DayFirst, bank.MonthFirst, bank.YearFirst:
	default:
		return o, command.Usagef("--date-format must be dmy, mdy or ymd, not %s", command.Quoted(f.dates))
	}
	switch f.mark {
	case "":
	case "point":
		o.Read.Decimal = '.'
	case "comma":
		o.Read.Decimal = ','
	default:
		return o, command.Usagef("--decimal must be point or comma, not %s", command.Quoted(f.mark))
	}
	switch o.Read.Sign = bank.Sign(f.sign); o.Read.Sign {
	case "", bank.OutNegative, bank.OutPositive, bank.DebitOut, bank.DebitIn:
	default:
		return o, command.Usagef("--sign must be out-negative, out-positive, debit-out or debit-in, not %s",
			command.Quoted(f.sign))
	}
	switch o.SameAccount = f.same; o.SameAccount {
	case "", bookkeeping.SameAccount, bookkeeping.OtherAccount:
	default:
		return o, command.Usagef("--same-account must be yes or no, not %s", command.Quoted(f.same))
	}
	if f.asOf != "" {
		if o.Read.AsOf, err = civil.Parse(f.asOf); err != nil {
			return o, command.Usagef("--as-of: %w", err)
		}
	}
	if f.balance != "" {
		o.Balances = []bookkeeping.StatedBalance{{Account: f.account, Text: f.balance}}
	}
	if f.covers == "" {
		return o, nil
	}
	period, err := civil.ParsePeriod(f.covers, today)
	if err != nil || period.From.IsZero() || period.To.IsZero() {
		return o, command.Usagef("--covers must be a period such as 2026-01-01..2026-03-31, not %s", command.Quoted(f.covers))
	}
	o.Covers = bookrules.Span{First: bookrules.DayOf(period.From), Last: bookrules.DayOf(period.To)}
	return o, nil
}

// run prints what the bank files contain and imports them.
func (f *importFlags) run(ctx context.Context, env command.Env, open Opener, names []string) error {
	options, err := f.options(civil.Of(env.Now()))
	if err != nil {
		return err
	}
	sources, closeAll := openFiles(ctx, env, names)
	defer closeAll()

	if f.dryRun || !f.yes {
		report, err := f.preview(ctx, env, open, sources, &options)
		if err != nil || f.dryRun || report.Failed() {
			return f.finish(env, report, err)
		}
		if err := f.confirm(ctx, env, report); err != nil {
			return err
		}
	}
	create := func(ctx context.Context, do func(*bookkeeping.Books) error) error {
		return open.Create(ctx, f.name, do)
	}
	report, err := f.report(ctx, create, sources, options)
	if err := f.finish(env, report, err); err != nil || f.yes || f.json || len(report.Questions) == 0 {
		return err
	}
	return open.Open(ctx, func(b *bookkeeping.Books) error { return askQuestions(ctx, env, b, report.Questions) })
}

// report imports the sources into the books and returns the report. The function openBooks is a
// method of Opener.
func (f *importFlags) report(ctx context.Context, openBooks func(context.Context, func(*bookkeeping.Books) error) error,
	sources []bookkeeping.Source, options bookkeeping.Options,
) (report *ownbooks.Report, err error) {
	err = openBooks(ctx, func(b *bookkeeping.Books) (err error) {
		b.Company = f.name
		report, err = b.Import(ctx, sources, options)
		if wrong := new(bookkeeping.BalanceError); errors.As(err, &wrong) {
			return command.Usagef("--balance: %w", err)
		}
		if late := new(bookkeeping.ReportingError); errors.As(err, &late) {
			return command.Usagef("--report-in: %w", err)
		}
		return err
	})
	return report, err
}

// confirm prints the report of a preview and asks the user whether to import the files.
func (f *importFlags) confirm(ctx context.Context, env command.Env, report *ownbooks.Report) error {
	if !command.IsTerminal(env.Stdin) {
		return command.Usagef("nobody can be asked here: look with --dry-run, then import with --yes")
	}
	if err := printReport(env.Stderr, report); err != nil {
		return err
	}
	f.shown = command.IsTerminal(env.Stdout)
	answer, err := command.PromptLine(ctx, env, "Import? [y/N]")
	if err != nil {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was imported")
	}
	return nil
}

// DefaultCompany is the name of the company of new books if the user gives none.
const DefaultCompany = "My company"

// finish prints the report, or its totals if the user has just seen the report. It returns the
// error of the first file that could not be read.
func (f *importFlags) finish(env command.Env, report *ownbooks.Report, err error) error {
	if err != nil {
		return err
	}
	switch {
	case f.json:
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		err = enc.Encode(report)
	case f.shown && report.Import != "":
		done := append([]string{report.Done("`tarmac books questions`")}, ownbooks.PaidSentences(report.PaidInvoices)...)
		err = printLines(env.Stdout, done)
	default:
		err = printReport(env.Stdout, report)
	}
	if err != nil {
		return err
	}
	for _, file := range report.Files {
		if file.Error != "" {
			return fmt.Errorf("%s: %s; nothing was imported", file.Name, file.Error)
		}
	}
	return nil
}

// printReport prints the accounts, figures and problems of each file in the report.
func printReport(w io.Writer, report *ownbooks.Report) error {
	var lines []string
	for i := range report.Files {
		lines = append(lines, report.Files[i].Text()...)
	}
	if report.Import != "" {
		lines = append(lines, report.Imported())
		lines = append(lines, ownbooks.PaidSentences(report.PaidInvoices)...)
	}
	return printLines(w, lines)
}

// openFiles opens the named files. The name "-" is standard input, which is copied to a temporary
// file, because readers of bank files may read a file twice.
func openFiles(ctx context.Context, env command.Env, names []string) (sources []bookkeeping.Source, closeAll func()) {
	return openSources(names, func(name string) (*os.File, error) {
		if name == "-" {
			return spool(ctx, env.Stdin, bank.MaxFile)
		}
		return openStatement(name)
	})
}

// openStatement opens a regular file that isn't empty. Files of the kernel are empty too, and
// reading them may never end.
func openStatement(name string) (*os.File, error) {
	file, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() == 0 {
		err = errors.New("is empty")
	}
	if err != nil {
		file.Close()
		return nil, pathReason(err)
	}
	return file, nil
}

// OpenFile opens a regular file. Its error does not repeat the name.
func OpenFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, pathReason(err)
	}
	if info.IsDir() {
		return nil, bookkeeping.ErrFolder
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	file, err := os.Open(name)
	return file, pathReason(err)
}

// pathReason removes the operation and the file name from an *os.PathError and returns the cause.
// It returns other errors unchanged.
func pathReason(err error) error {
	if path := new(os.PathError); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// spool copies standard input, of at most the given bytes, to a temporary file. It deletes the name
// of that file at once, so that the system frees the file when it is closed. When ctx is done it
// doesn't wait for input.
func spool(ctx context.Context, r io.Reader, most int64) (*os.File, error) {
	file, err := os.CreateTemp("", "tarmac-import-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	copied := make(chan error, 1)
	go func() {
		n, err := io.Copy(file, io.LimitReader(r, most+1))
		if err == nil && n > most {
			err = errors.New("is larger than 1 GB: split it")
		}
		copied <- err
	}()
	select {
	case err = <-copied:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
