package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/problem"
	"tarmac/client/report"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
)

type reportFlags struct {
	month, company, output string
	text, mask, force      bool
}

func newReport(env command.Env) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Make the report of a month, for the board",
		Long: "report makes a page of HTML with cash, runway, the change against the month before, spend, recurring costs, " +
			"receivables, bills, the next weeks and the plan, if there is one. The page has no script, loads " +
			"nothing and prints on two A4 pages, on three with bills or a plan.\n" +
			"--output names a file that only you can read; it replaces a file only with --force. Without it, the page goes " +
			"to standard output. --text makes a text for mail instead, --json has all figures with the IDs of their " +
			"transactions.\n" +
			"--mask hides amounts, percentages, numbers of months and charts. Without --month, the last full month is " +
			"reported. Runway and receivables are always those of today.",
		Example: "tarmac report -o october.html --month 2026-10 --company 'Northlight Labs'\n" +
			"tarmac report --text | mail -s 'Monthly report' board@example.com",
	}
	cmd.Flags().StringVar(&f.month, "month", "", "month such as 2026-10 or October; default the last full month")
	cmd.Flags().StringVar(&f.company, "company", "",
		"company's name in the title; default the name of own books, else the organization's ID")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "output file; - for standard output")
	cmd.Flags().BoolVar(&f.text, "text", false, "make a text for mail, in lines of at most 78 characters")
	cmd.Flags().BoolVar(&f.mask, "mask", false, "hide amounts, percentages, numbers of months and charts")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace an existing file")
	return apiCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error { return a.report(ctx, f) })
}

func (a *call) report(ctx context.Context, f reportFlags) error {
	month, err := f.check(a)
	if err != nil {
		return err
	}
	toFile := f.output != "" && f.output != "-"
	if toFile && !f.force {
		if _, err := os.Lstat(f.output); err == nil {
			return existsError(f.output)
		}
	}
	r, err := a.readReport(ctx, month, f.company)
	if err != nil {
		return err
	}
	var made bytes.Buffer
	switch {
	case a.json:
		err = r.WriteJSON(&made)
	case f.text:
		err = r.WriteText(&made, f.mask)
	default:
		err = r.WriteHTML(&made, f.mask)
	}
	if err != nil {
		return err
	}
	if !toFile {
		_, err = made.WriteTo(a.out)
		return err
	}
	if err := saveFile(f.output, made.Bytes(), f.force); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, termtext.Line(f.output))
	return err
}

// check returns the first day of the month that is reported. It refuses flags that exclude each
// other, and a page of HTML on a terminal.
func (f reportFlags) check(a *call) (civil.Date, error) {
	switch {
	case a.json && (f.text || f.mask):
		return civil.Date{}, command.Usagef("--json cannot be combined with --text or --mask")
	case f.output == "" && !f.text && !a.json && command.IsTerminal(a.Stdout):
		return civil.Date{}, command.Usagef("refusing to write HTML to the terminal; name a file with --output, or use " +
			"--text")
	}
	return parseReportMonth(f.month, civil.Of(a.Now()))
}

// parseReportMonth parses a month that is in the history, together with the months that are
// compared with it. "" means the last full month.
func parseReportMonth(text string, today civil.Date) (civil.Date, error) {
	this := today.FirstOfMonth()
	if text == "" {
		return this.AddMonths(-1), nil
	}
	oldest := this.AddMonths(1 - history.Months + report.Compared)
	span := figures.YearMonth(oldest) + " to " + figures.YearMonth(this)
	p, err := civil.ParsePeriod(text, today)
	month, whole := p.Month()
	switch {
	case err != nil || !whole:
		return civil.Date{}, command.Usagef("--month must be one month from %s, not %s", span, command.Quoted(text))
	case month.After(this):
		return civil.Date{}, command.Usagef("--month %s has not begun; reports are made of %s", command.Quoted(text), span)
	case month.Before(oldest):
		return civil.Date{}, command.Usagef("--month %s is too old; reports are made of %s", command.Quoted(text), span)
	}
	return month, nil
}

// readReport reads the figures of a report. If the token may not read the cash position or the
// receivables, the report says so in their place.
func (a *call) readReport(ctx context.Context, month civil.Date, company string) (*report.Report, error) {
	in := report.Input{Company: cmp.Or(company, a.company), Month: month}
	l, err := a.readHistory(ctx, history.Months)
	if err != nil {
		return nil, err
	}
	in.History = report.History{Ledger: l.Ledger, Months: l.MonthTotals, Differences: l.Differences}
	if in.Cash, err = readPart(ctx, a.client.CashPosition); err != nil {
		return nil, err
	}
	if in.Aging, err = readPart(ctx, a.client.ReceivablesAging); err != nil {
		return nil, err
	}
	if in.Bills, err = readPart(ctx, a.readBills); err != nil {
		return nil, err
	}
	in.Plan = a.planPart()
	if in.Invoices, err = readPart(ctx, a.readInvoices); err != nil {
		return nil, err
	}
	if in.Company == "" {
		ping, err := a.client.Ping(ctx)
		if err != nil {
			return nil, err
		}
		in.Company = ping.OrgID
	}
	if known := a.knownOf(ctx); known != nil {
		in.Category = func(t *apiclient.Transaction) string { return known(t).Category }
	}
	in.Now = a.Now()
	return report.New(in), nil
}

func (a *call) readInvoices(ctx context.Context) (collections.List, error) {
	return collections.Read(ctx, a.client)
}

func (a *call) readBills(ctx context.Context) (*payables.Payables, error) {
	return payables.Read(ctx, a.client, civil.Of(a.Now()))
}

// planPart reads the plan. Without a file with one, the report has no plan.
func (a *call) planPart() (p report.Part[*plan.Plan]) {
	if a.planFile == "" {
		return p
	}
	found, _, err := plan.File{Path: a.planFile}.Read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		p.Problem = "The plan cannot be read: " + err.Error() + "."
	default:
		p.Value = found
	}
	return p
}

// readPart reads a part of a report. That the token may not read it is no error.
func readPart[T any](ctx context.Context, read func(context.Context) (T, error)) (p report.Part[T], err error) {
	p.Value, err = read(ctx)
	if errors.Is(err, apiclient.ErrForbidden) {
		p.Problem, err = problem.Of(err).Detail, nil
	}
	return p, err
}
