package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/spending"
)

func newRecurring(env command.Env) *cobra.Command {
	var in answer.RecurringParams
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
	parameter(cmd, "direction", "inflow or outflow", apiclient.Outflow, apiclient.Inflow)
	parameter(cmd, "sort", "amount, change, next, name", spending.RecurringOrders()...)
	return answerCommand(env, cmd, func(ctx context.Context, a *call) (*answer.Doc, error) {
		if err := setParameters(cmd, in.Set, "direction", "sort"); err != nil {
			return nil, err
		}
		return answer.Recurring(ctx, a.source(), in)
	})
}
