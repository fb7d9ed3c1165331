package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/client/why"
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
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		if reasons && a.format() != asText {
			return command.Usagef("--why writes sentences; leave out --json and --csv")
		}
		position, err := cash.Read(ctx, a.client)
		if err != nil {
			return err
		}
		if !reasons {
			return a.show(record.CashPosition(position))
		}
		l, err := a.readHistory(ctx, why.MonthsRead)
		if err != nil {
			return err
		}
		bills, err := a.readBills(ctx)
		if err != nil {
			return err
		}
		if err := a.show(record.CashPosition(position)); err != nil {
			return err
		}
		return a.sayWhy(position, &l, bills)
	})
}

// sayWhy prints why the runway changed.
func (a *call) sayWhy(position figures.Cash, l *ledgerOf, bills *payables.Payables) error {
	sentences := why.Sentences(why.Basis{
		Cash: &position, PastDue: &bills.PastDue, Ledger: l.Ledger, Begins: l.Begins(), Today: l.Coverage.KnownTo(l.today),
	})
	for _, s := range sentences {
		if _, err := fmt.Fprintln(a.out, s.Text); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(sentences, func(s why.Sentence) bool { return s.Subject > why.PastDue }) {
		a.note("Nothing says why: rows are missing or could not be read, a question is open, or the server's net burn is " +
			"not the average of the rows.")
	}
	return nil
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
