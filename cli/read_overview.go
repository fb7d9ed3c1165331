package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/answer"
)

func newOverview(env command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "overview",
		Short: "Print the overview as plain text",
		Long: "overview prints how long the cash lasts and what customers owe, balance, runway, receivables, money in and " +
			"out by month, and the latest transactions and events.\n" +
			"Parts that the token may not read are marked. Use it in pipes, cron jobs and with screen readers.",
		Example: "tarmac overview\ntarmac overview --json | jq .cash_position.runway_months",
	}
	return apiCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		return a.showAnswer(answer.Overview(ctx, a.source(), answer.OverviewParams{Months: true}))
	})
}
