package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/history"
	"tarmac/client/record"
	"tarmac/client/recurrence"
	"tarmac/client/spending"
)

func newRecurring(env command.Env) *cobra.Command {
	var direction, order string
	cmd := &cobra.Command{
		Use:   "recurring",
		Short: "Show payments that recur",
		Long: "recurring shows what is paid or received again and again: weekly, every two weeks, twice a month, monthly, " +
			"quarterly or yearly. It derives this from the transactions of the last 25 months; docs/spend.md has the rules.\n" +
			"Usual is the median of the last three payments, or the last yearly one. Change compares it with a year ago, in " +
			"the currency of the payments. Money of investors and lenders and transfers between own accounts are left out.",
		Example: "tarmac recurring\ntarmac recurring --direction inflow\n" +
			"tarmac recurring --json | jq '.[] | select(.status==\"new\")'",
	}
	addDirection(cmd, &direction)
	addOrder(cmd, &order, spending.RecurringOrders())
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		of, err := oneDirection(direction)
		if err != nil {
			return err
		}
		by, err := oneOrder(order, spending.RecurringOrders())
		if err != nil {
			return err
		}
		l, err := a.readHistory(ctx, history.Months)
		if err != nil {
			return err
		}
		return a.showRecurring(&l, of, by)
	})
}

// addDirection adds the flag --direction, whose default is money out.
func addDirection(cmd *cobra.Command, direction *string) {
	cmd.Flags().StringVar(direction, "direction", string(apiclient.Outflow), "inflow or outflow")
	command.Choices(cmd, "direction", apiclient.Inflow, apiclient.Outflow)
}

func oneDirection(text string) (apiclient.Direction, error) {
	direction := apiclient.Direction(text)
	if !direction.Known() {
		return "", command.Usagef("--direction must be inflow or outflow, not %s", command.Quoted(text))
	}
	return direction, nil
}

// addOrder adds the flag --sort, whose default is the first of the given orders.
func addOrder(cmd *cobra.Command, order *string, all []spending.Order) {
	var names []string
	for _, o := range all {
		names = append(names, string(o))
	}
	cmd.Flags().StringVar(order, "sort", names[0], strings.Join(names, ", "))
	command.Choices(cmd, "sort", all...)
}

func oneOrder(text string, all []spending.Order) (spending.Order, error) {
	if order := spending.Order(text); slices.Contains(all, order) {
		return order, nil
	}
	return "", command.Usagef("--sort cannot be %s", command.Quoted(text))
}

func (a *call) showRecurring(l *ledgerOf, direction apiclient.Direction, by spending.Order) error {
	all := slices.DeleteFunc(l.Recurring(l.today), func(r spending.Recurring) bool { return r.Direction != direction })
	spending.SortRecurring(all, by)
	rows := make([]record.Object, len(all))
	for i := range all {
		rows[i] = record.Recurring(&all[i], l.record(all[i].Rows()), l.Begins(), l.today)
	}
	if len(rows) == 0 && a.format() == asText {
		a.note("%s Read since %s.", l.NoneText(directionName(direction), direction), l.since())
		return l.unreadableError()
	}
	none := recurrence.Series{Payments: make([]recurrence.Payment, 1)}
	sample := record.Recurring(&spending.Recurring{Series: none}, record.Rows{}, l.today, l.today)
	if err := a.showRows(sample, rows); err != nil {
		return err
	}
	if a.format() == asText {
		yearly := l.YearlyTotal(all, direction)
		a.note("What goes on costs or brings %s a year. Derived from %d transactions since %s.",
			yearly.About(yearly.String()), len(l.Rows), l.since())
	}
	a.noteHistory(l, l.UnsearchedText(direction), anyDay)
	return l.unreadableError()
}
