package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/service/store"
)

func newBills(env command.Env) *cobra.Command {
	var in answer.BillsParams
	var due string
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
	cmd.Flags().StringVar(&in.Vendor, "vendor", "", "only bills of vendors whose name contains this")
	cmd.Flags().StringVar(&due, "due", "", "only bills that are past due or due within this time, such as 7d")
	cmd.Flags().BoolVar(&in.All, "all", false, "show disputed and paid bills, too")
	answerCommand(env, cmd, func(ctx context.Context, a *call) (d *answer.Doc, err error) {
		if in.OnlyDue = due != ""; in.OnlyDue {
			if in.Days, err = dayCount("--due", due); err != nil {
				return nil, err
			}
		}
		if d, err = answer.Bills(ctx, a.source(), in); err != nil {
			return nil, err
		}
		return d, nil
	})
	mark := books.NewMark(env, ownBooks{env})
	command.Audit(env, mark, store.WayLocal, "tarmac")
	cmd.AddCommand(mark)
	return cmd
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
