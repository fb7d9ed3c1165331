package admin

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/invoicing"
)

func newInvoice(a *admin) *cobra.Command {
	return command.Group("invoice", "Invoices: list, send, pay, void, withhold, release",
		newInvoiceList(a),
		newInvoicePay(a),
		invoiceChange(a, "send", "Mark a draft as sent",
			"send approves a draft: the invoice becomes sent, and webhooks are delivered. No e-mail is sent.",
			"sent", (*service.Service).SendInvoice),
		invoiceChange(a, "void", "Void a draft or an open invoice",
			"void cancels a draft or an open invoice. This cannot be undone.",
			"voided", (*service.Service).VoidInvoice),
		invoiceChange(a, "withhold", "Withhold an invoice's PDF",
			"withhold makes the API refuse the invoice's PDF until the invoice is released.",
			"withheld", withholdInvoice(true)),
		invoiceChange(a, "release", "Release an invoice's withheld PDF",
			"release makes the invoice's PDF available again.",
			"released", withholdInvoice(false)),
	)
}

// withholdInvoice returns a function that withholds an invoice's PDF, or releases it if withheld is
// false.
func withholdInvoice(withheld bool) changeFunc[invoicing.Invoice] {
	return func(s *service.Service, ctx context.Context, id string) (invoicing.Invoice, error) {
		return s.WithholdInvoice(ctx, id, withheld)
	}
}

// listOfInvoices is the command that shows the IDs of invoices.
const listOfInvoices = "tarmac admin invoice list"

// invoiceChange returns a command that changes an invoice and prints its number, its ID and the
// word result.
func invoiceChange(a *admin, use, short, long, result string, change changeFunc[invoicing.Invoice]) *cobra.Command {
	cmd := &cobra.Command{Use: use + " ID", Short: short, Long: long, Example: "tarmac admin invoice " + use + " inv_…",
		Args: oneID("invoice", listOfInvoices)}
	return withRecordChange(a, cmd, change, invoiceOf, func(inv invoicing.Invoice) string {
		return inv.Number() + " " + inv.ID + " " + result
	})
}

func newInvoicePay(a *admin) *cobra.Command {
	var amount string
	cmd := &cobra.Command{
		Use:   "pay ID",
		Short: "Record a payment of a sent or overdue invoice",
		Long: "pay records a payment that has cleared: the outstanding amount, or --amount in the invoice's currency.\n" +
			"The invoice becomes paid when nothing is outstanding. A partial payment does not change its status.",
		Example: "tarmac admin invoice pay inv_…\ntarmac admin invoice pay inv_… --amount 1,200.50",
		Args:    oneID("invoice", listOfInvoices),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				cents, err := amountToPay(cmd, svc, args[0], amount)
				if err != nil {
					return err
				}
				inv, err := svc.PayInvoice(cmd.Context(), args[0], cents)
				if err != nil {
					return err
				}
				now := string(inv.Status)
				if inv.Status.Open() {
					now += ", " + formatAmount(inv.OutstandingCents(), inv.Currency) + " outstanding"
				}
				return a.show(invoiceOf(inv), a.line("%s %s %s", inv.Number(), inv.ID, now))
			})
		},
	}
	cmd.Flags().StringVar(&amount, "amount", "", "amount such as 1200.50 (default the outstanding amount)")
	return cmd
}

// amountToPay returns the amount of the flag --amount in minor units of the invoice's currency.
// Without the flag it returns 0.
func amountToPay(cmd *cobra.Command, svc *service.Service, id, amount string) (int64, error) {
	if !cmd.Flags().Changed("amount") {
		return 0, nil
	}
	inv, err := svc.Invoice(cmd.Context(), id)
	if err != nil {
		return 0, err
	}
	cents, err := parseAmount("--amount", amount, inv.Currency)
	if err == nil && cents == 0 {
		err = command.Usagef("--amount must be greater than zero")
	}
	return cents, err
}

func newInvoiceList(a *admin) *cobra.Command {
	var org, status string
	var limit int
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List an organization's invoices, newest first",
		Example: "tarmac admin invoice list --org org_… --status draft",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, ok := invoicing.ParseStatus(status); !ok && cmd.Flags().Changed("status") {
				return command.Usagef("--status must be draft, sent, paid, overdue or voided, not %s", command.Quoted(status))
			}
			if err := checkLimit(limit); err != nil {
				return err
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				all, err := svc.Invoices(cmd.Context(), org, invoicing.Status(status), limit)
				if err != nil {
					return err
				}
				defer a.noteLimit(len(all), limit)
				return showList(a, all, invoiceOf, "NUMBER\tID\tSTATUS\tDUE\tTOTAL\tOUTSTANDING\tRECIPIENT",
					func(inv invoicing.Invoice) []string {
						return []string{inv.Number(), inv.ID, invoiceStatus(inv), formatDate(inv.DueDate),
							formatAmount(inv.TotalCents, inv.Currency), formatAmount(inv.OutstandingCents(), inv.Currency),
							termtext.Line(inv.RecipientName)}
					})
			})
		},
	}
	orgFlag(cmd, &org)
	cmd.Flags().StringVar(&status, "status", "", "only invoices that are draft, sent, paid, overdue or voided")
	limitFlag(cmd, &limit)
	return cmd
}

func invoiceStatus(inv invoicing.Invoice) string {
	if inv.Withheld {
		return string(inv.Status) + ", withheld"
	}
	return string(inv.Status)
}
