package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/record"
	"tarmac/client/why"
)

// readOneCommand completes cmd, a command that shows the record whose ID is its argument.
func readOneCommand[T any](env command.Env, cmd *cobra.Command,
	read func(*apiclient.Client, context.Context, string) (T, error), of func(T) record.Object) *cobra.Command {
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		got, err := read(a.client, ctx, args[0])
		if err != nil {
			return err
		}
		return a.show(of(got))
	})
}

func newPing(env command.Env) *cobra.Command {
	return rowsCommand(env, &cobra.Command{
		Use: "ping", Short: "Show the token's organization and scopes", Example: "tarmac ping\ntarmac ping --json",
	}, func(ctx context.Context, a *call, _ []string) error {
		ping, err := a.client.Ping(ctx)
		if err != nil {
			return err
		}
		return a.show(record.Ping(ping))
	})
}

func newAccount(env command.Env) *cobra.Command {
	return answerCommand(env, &cobra.Command{
		Use: "account", Short: "Show the account and its balance", Example: "tarmac account\ntarmac account --json",
	}, func(ctx context.Context, a *call) (*answer.Doc, error) { return answer.Account(ctx, a.source()) })
}

func newCashPosition(env command.Env) *cobra.Command {
	var reasons bool
	cmd := &cobra.Command{
		Use:   "cash-position",
		Short: "Show cash, net burn and runway",
		Long: "cash-position shows cash, net burn and runway.\n" +
			"--why also says why they changed: what this month has used so far, which month came into the average and which " +
			"left it, and what made the last full month better or worse. It reads the transactions of fifteen months.",
		Example: "tarmac cash-position\ntarmac cash-position --why\ntarmac cash-position --json",
	}
	cmd.Flags().BoolVar(&reasons, "why", false, "say why the runway changed (text only)")
	return answerCommand(env, cmd, func(ctx context.Context, a *call) (*answer.Doc, error) {
		var in answer.CashParams
		if reasons {
			in.Past = func(ctx context.Context) (*answer.Past, error) { return a.readHistory(ctx, why.MonthsRead) }
		}
		if reasons && a.format() != asText {
			return nil, command.Usagef("--why writes sentences; leave out --json and --csv")
		}
		return answer.Cash(ctx, a.source(), in)
	})
}

func newAging(env command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "aging",
		Short: "Show receivables by days past due",
		Long: "aging shows open invoices by days past due, totals, and the customers with the largest overdue amounts.\n" +
			"With --csv there is a row for each bucket; totals and customers are in --json.",
		Example: "tarmac aging\ntarmac aging --csv",
	}
	return answerCommand(env, cmd, func(ctx context.Context, a *call) (*answer.Doc, error) {
		return answer.Receivables(ctx, a.source())
	})
}

func newPaymentIntents(env command.Env) *cobra.Command {
	return command.Group("payment-intents", "Payment intents: get", readOneCommand(env, &cobra.Command{
		Use: "get ID", Short: "Show a payment intent", Example: "tarmac payment-intents get pi_…",
		Args: idArgument("payment intent", "tarmac events"),
	}, (*apiclient.Client).PaymentIntent, record.PaymentIntent))
}
