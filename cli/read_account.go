package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/cash"
	"tarmac/client/figures"
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
	read := func(c *apiclient.Client, ctx context.Context) (figures.Cash, error) { return cash.Read(ctx, c) }
	return readCommand(env, "cash-position", "Show cash, net burn and runway", read, record.CashPosition)
}

func newAging(env command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "aging",
		Short: "Show receivables by days past due",
		Long: "aging shows open invoices by days past due, totals, and the customers with the largest overdue amounts.\n" +
			"With --csv there is a row for each bucket; totals and customers are in --json.",
		Example: "tarmac aging\ntarmac aging --csv",
	}
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		got, err := a.client.ReceivablesAging(ctx)
		switch {
		case err != nil:
			return err
		case a.csv:
			rows := record.AgingBuckets(got)
			return a.showRows(rows[0], rows)
		}
		return a.show(record.Aging(got))
	})
}

func newPaymentIntents(env command.Env) *cobra.Command {
	return command.Group("payment-intents", "Payment intents: get", readOneCommand(env, &cobra.Command{
		Use: "get ID", Short: "Show a payment intent", Example: "tarmac payment-intents get pi_…",
		Args: idArgument("payment intent", "tarmac events"),
	}, (*apiclient.Client).PaymentIntent, record.PaymentIntent))
}
