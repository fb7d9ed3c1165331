package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/record"
)

// Maximum sizes of a list in the API (docs/api.md, Limits).
const (
	maxInvoices     = 200
	maxTransactions = 200
	maxEvents       = 100
)

func newInvoices(env command.Env) *cobra.Command {
	return listGroup("invoices", "Invoices: list, get, pdf, propose", func() *cobra.Command { return newInvoiceList(env) },
		readOneCommand(env, &cobra.Command{
			Use: "get ID", Short: "Show one invoice", Example: "tarmac invoices get inv_…",
			Args: idArgument("invoice", "tarmac invoices"),
		}, (*apiclient.Client).Invoice, func(i *apiclient.Invoice) record.Object { return record.Invoice(*i) }),
		newInvoicePDF(env), newPropose(env))
}

func newInvoiceList(env command.Env) *cobra.Command {
	var (
		status string
		limit  int
	)
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the newest invoices",
		Long:    "list shows the newest invoices, newest first, optionally of one status. The API lists at most 200.",
		Example: "tarmac invoices --status overdue\ntarmac invoices list --limit 200 --csv > invoices.csv",
	}
	cmd.Flags().StringVar(&status, "status", "", "draft, sent, paid, overdue or voided")
	command.Choices(cmd, "status", apiclient.InvoiceDraft, apiclient.InvoiceSent, apiclient.InvoicePaid,
		apiclient.InvoiceOverdue, apiclient.InvoiceVoided)
	cmd.Flags().IntVar(&limit, "limit", defaultLimit, "maximum number to list, 1 to 200")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		filter := apiclient.InvoiceFilter{Status: apiclient.InvoiceStatus(status), Limit: limit}
		switch {
		case limit < 1 || limit > maxInvoices:
			return command.Usagef("--limit must be from 1 to %d", maxInvoices)
		case status != "" && !filter.Status.Known():
			return command.Usagef("--status must be draft, sent, paid, overdue or voided, not %s", command.Quoted(status))
		}
		all, err := a.client.Invoices(ctx, filter)
		if err != nil {
			return err
		}
		switch {
		case len(all) == maxInvoices:
			a.note("Showing the newest %d; the API lists no more. Use --status to narrow the list.", maxInvoices)
		case len(all) == limit:
			a.note("Showing the newest %d. Use --limit for more.", limit)
		}
		return showAll(a, "invoice", all, record.Invoice)
	})
}
