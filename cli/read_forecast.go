package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/plan"
)

func newForecast(env command.Env) *cobra.Command {
	var in answer.ForecastParams
	var file string
	cmd := &cobra.Command{
		Use:   "forecast",
		Short: "Estimate the cash of the next thirteen weeks",
		Long: "forecast estimates money in, money out and cash for each of the next thirteen weeks, and tests its rules on " +
			"the past, beside net burn alone; docs/forecast.md has the rules.\n" +
			"Costs that recur stand on their days. Money in and the other costs are a mixture of what recurs, the average of " +
			"the last 26 weeks and last year's same weeks, as far as last year helped to tell this one. Open invoices are " +
			"listed, but change nothing. Bills of own books stand in the weeks in which they are due, instead of what was " +
			"expected of their vendors. Cash is the spendable cash, which the runway uses.\n" +
			"--with plan adds the lines of the plan, which replace what was expected of the counterparties that they name, " +
			"and --with NAME those of one of its cases, too. --what-if adds other lines, or changes in the words of `suppose` " +
			"in line mode. Both are hypothetical. Amounts are in the company's currency.",
		Example: "tarmac forecast\ntarmac forecast --with plan\n" +
			"tarmac forecast --what-if \"monthly -8k from January; once +500,000 in 2027-03\"\n" +
			"tarmac forecast --json | jq '.weeks[] | {first_date, cash_cents}'",
	}
	cmd.Flags().StringVar(&in.WhatIf, "what-if", "",
		"hypothetical changes, such as \"burn -10; monthly -8k from January\", or lines of a plan")
	cmd.Flags().StringVar(&in.With, "with", "", "`plan`, or the name of one of its cases")
	cmd.Flags().StringVar(&file, "plan", "", "read the plan from this file")
	return answerCommand(env, cmd, func(ctx context.Context, a *call) (*answer.Doc, error) {
		switch changed := cmd.Flags().Changed; {
		case changed("with"):
			a.choosePlan(file)
			in.Plan = a.plan().Read
		case file != "":
			return nil, command.Usagef("--plan needs --with plan, or --with and the name of a case")
		case changed("what-if") && in.WhatIf == "":
			return nil, command.Usagef("--what-if needs changes such as %q", plan.WhatIfExample)
		}
		return answer.Forecast(ctx, a.source(), in)
	})
}
