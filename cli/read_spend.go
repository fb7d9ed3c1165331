package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

func newSpend(env command.Env) *cobra.Command {
	var in answer.SpendParams
	var bridge string
	cmd := &cobra.Command{
		Use:   "spend",
		Short: "Show where the money goes",
		Long: "spend shows the counterparties of the last full months by amount, and the change against as many months " +
			"before. Names that differ only in case, spaces, Unicode form or legal form are one counterparty.\n" +
			"--bridge explains how the net of one month became that of another: the counterparties that moved it most, " +
			"and all others in one row. It adds up to the cent.\n" +
			"Money of investors and lenders and transfers between own accounts are neither cost nor income. The bridge " +
			"has rows of their own for them.",
		Example: "tarmac spend\ntarmac spend --direction inflow --months 6\ntarmac spend --by category\n" +
			"tarmac spend --bridge 2026-09..2026-10",
	}
	parameter(cmd, "direction", "inflow or outflow", apiclient.Outflow, apiclient.Inflow)
	parameter(cmd, "sort", "amount, change, name", spending.CounterpartyOrders()...)
	cmd.Flags().Int("months", answer.DefaultMonths, fmt.Sprintf("number of full months, at most %d", answer.MaxMonths))
	parameter(cmd, "by", "sums by counterparty or by category", "counterparty", answer.ByCategory)
	cmd.Flags().StringVar(&bridge, "bridge", "", "compare two months, such as 2026-09..2026-10")
	return answerCommand(env, cmd, func(ctx context.Context, a *call) (*answer.Doc, error) {
		changed := cmd.Flags().Changed
		if bridge != "" {
			if changed("months") || changed("direction") || changed("sort") || changed("by") {
				return nil, command.Usagef("--bridge cannot be combined with --months, --direction, --by or --sort")
			}
			two, err := answer.ParseBridge(bridge, civil.Of(a.Now()))
			if err != nil {
				return nil, err
			}
			return answer.Bridge(ctx, a.source(), two)
		}
		if err := setParameters(cmd, in.Set, "direction", "months", "by", "sort"); err != nil {
			return nil, err
		}
		in.Categories = func() func(*apiclient.Transaction) string { return a.categoryOf(ctx) }
		return answer.Spend(ctx, a.source(), in)
	})
}

// categoryOf returns a function that returns the category of a transaction. It returns nil if no
// category is known.
func (a *call) categoryOf(ctx context.Context) func(*apiclient.Transaction) string {
	known := a.knownOf(ctx)
	if known == nil {
		return nil
	}
	return func(t *apiclient.Transaction) string { return known(t).Category }
}
