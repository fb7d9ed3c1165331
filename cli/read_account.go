package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/answer"
	"tarmac/client/record"
)

// readCommand returns a command that shows one record and takes no arguments.
func readCommand[T any](env command.Env, use, short string, read func(*apiclient.Client, context.Context) (T, error),
	of func(T) record.Object) *cobra.Command {
	return rowsCommand(env, &cobra.Command{Use: use, Short: short, Example: "tarmac " + use + "\ntarmac " + use +
		" --json"}, func(ctx context.Context, a *call, _ []string) error {
		got, err := read(a.client, ctx)
		if err != nil {
			return err
		}
		return a.show(of(got))
	})
}

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
	return readCommand(env, "ping", "Show the token's organization and scopes", (*apiclient.Client).Ping, record.Ping)
}

func newAccount(env command.Env) *cobra.Command {
	return readCommand(env, "account", "Show the account and its balance", (*apiclient.Client).Account, record.Account)
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
		switch {
		case !reasons:
			return answer.Cash(ctx, a.source())
		case a.format() != asText:
			return nil, command.Usagef("--why writes sentences; leave out --json and --csv")
		}
		return answer.CashAndWhy(ctx, a.source())
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
