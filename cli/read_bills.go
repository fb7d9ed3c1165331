package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/internal/plural"
	"tarmac/service/store"
)

func newBills(env command.Env) *cobra.Command {
	var f billFlags
	cmd := &cobra.Command{
		Use:   "bills",
		Short: "Show the bills to pay, by when they are due",
		Long: "bills shows the bills of vendors that were imported into own books: from accounting programs, tables and " +
			"electronic invoices. Those past due come first; a bill without a due date is payable on receipt. A bill is " +
			"settled by a payment that names its number and fits its vendor or amount; what is only likely, " +
			"`tarmac books questions` asks, and until then the bill counts in full. docs/bills.md has the rules.",
		Example: "tarmac bills\ntarmac bills --due 7d\ntarmac bills --vendor cloudhost --json\n" +
			"tarmac bills mark HP-2026-0117 disputed",
		Args: command.NoArguments,
	}
	cmd.Flags().StringVar(&f.vendor, "vendor", "", "only bills of vendors whose name contains this")
	cmd.Flags().StringVar(&f.due, "due", "", "only bills that are past due or due within this time, such as 7d")
	cmd.Flags().BoolVar(&f.all, "all", false, "show disputed and paid bills, too")
	rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error { return a.showBills(ctx, f) })
	mark := books.NewMark(env, ownBooks{env})
	command.Audit(env, mark, store.WayLocal, "tarmac")
	cmd.AddCommand(mark)
	return cmd
}

// billFlags select bills.
type billFlags struct {
	vendor, due string
	all         bool
}

func (a *call) showBills(ctx context.Context, f billFlags) error {
	days, err := f.days()
	if err != nil {
		return err
	}
	p, err := a.readBills(ctx)
	if err != nil {
		return err
	}
	if !p.Known() {
		return errors.New(p.Reason())
	}
	bills := p.Open
	if f.due != "" {
		bills = slices.Concat(p.PastDueBills(), p.DueWithin(days))
	}
	if f.all {
		bills = slices.Concat(bills, p.Disputed, p.Paid)
	}
	if f.vendor != "" {
		bills = payables.OfVendor(bills, f.vendor)
	}
	rows := make([]record.Object, len(bills))
	for i := range bills {
		rows[i] = record.Bill(&bills[i])
	}
	if len(rows) > 0 || a.format() != asText {
		if err := a.showRows(record.Bill(&payables.Bill{}), rows); err != nil {
			return err
		}
	}
	if a.format() == asText {
		a.noteBills(p, days)
	}
	return nil
}

// noteBills says what all bills come to.
func (a *call) noteBills(p *payables.Payables, days int) {
	if len(p.Open) == 0 {
		a.note("No bills to pay.")
	} else {
		due := p.Due(days)
		a.note("To pay %s, of which past due %s and due within %s %s.", p.Total, p.PastDue, plural.Count(days, "day"), due)
	}
	if n := len(p.Disputed); n > 0 {
		a.note("%s disputed and in no sum.", plural.Count(n, "bill"))
	}
	if why := p.Total.Why(); why != "" {
		a.note("%s", why)
	}
}

// days returns the number of days of the flag --due, or of a week without it.
func (f billFlags) days() (int, error) {
	if f.due == "" {
		return payables.Week, nil
	}
	return dayCount("--due", f.due)
}

// dayCount parses a time in whole days, such as 7d.
func dayCount(flag, text string) (int, error) {
	const hours, most = 24, 3660
	duration, err := command.ParseDuration(flag, text)
	if err != nil {
		return 0, err
	}
	days := int(duration.Hours() / hours)
	if days < 0 || days > most || duration.Hours() != float64(days*hours) {
		return 0, command.Usagef("%s must be a number of days, such as 7d", flag)
	}
	return days, nil
}
