package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/record"
	"tarmac/client/recurrence"
	"tarmac/client/spending"
)

func newRecurring(env command.Env) *cobra.Command {
	var direction string
	cmd := &cobra.Command{
		Use:   "recurring",
		Short: "Show payments that recur",
		Long: "recurring shows what is paid or received again and again: weekly, every two weeks, twice a month, monthly, " +
			"quarterly or yearly. It derives this from the transactions of the last 25 months; docs/spend.md has the rules.\n" +
			"Usual is the median of the last three payments. Change compares it with a year ago. Money of investors and " +
			"lenders and transfers between own accounts are left out.",
		Example: "tarmac recurring\ntarmac recurring --direction inflow\n" +
			"tarmac recurring --json | jq '.[] | select(.status==\"new\")'",
	}
	addDirection(cmd, &direction)
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		of, err := oneDirection(direction)
		if err != nil {
			return err
		}
		l, err := a.readHistory(ctx, history.Months)
		if err != nil {
			return err
		}
		return a.showRecurring(&l, of)
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

func (a *call) showRecurring(l *ledgerOf, direction apiclient.Direction) error {
	var rows []record.Object
	var yearly figures.Total
	for _, r := range l.Recurring(l.today) {
		if r.Direction != direction {
			continue
		}
		payments := make([]int, len(r.Payments))
		for i, p := range r.Payments {
			payments[i] = p.Row
		}
		rows = append(rows, record.Recurring(&r, l.record(payments), l.Begins(), l.today))
		if cents, ok := r.YearlyCents(); ok && !r.Stopped {
			yearly.Add(cents)
		}
	}
	if len(rows) == 0 && a.format() == asText {
		a.note("No payments recur among %d transactions since %s.", len(l.Rows), l.since())
		return nil
	}
	none := recurrence.Series{Payments: make([]recurrence.Payment, 1)}
	sample := record.Recurring(&spending.Recurring{Series: none}, record.Rows{}, l.today, l.today)
	if err := a.showRows(sample, rows); err != nil {
		return err
	}
	if a.format() == asText {
		a.note("What goes on costs or brings about %s a year. Derived from %d transactions since %s.", yearly,
			len(l.Rows), l.since())
	}
	a.noteHistory(l, anyDay)
	return nil
}
