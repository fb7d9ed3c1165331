package admin

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
)

func newPayment(a *admin) *cobra.Command {
	hold, fail := payments.AwaitingApproval, ""
	holding := paymentChange(a, "hold", "Hold a processing payment",
		"hold stops a processing payment until it is approved or canceled.",
		func(s *service.Service, ctx context.Context, id string) (payments.Intent, error) {
			return s.HoldPayment(ctx, id, hold)
		})
	holding.Flags().StringVar(&hold, "reason", hold, "reason for the hold: "+holdReasons)
	failing := paymentChange(a, "fail", "Fail a processing payment",
		"fail ends a processing payment without moving money. The API shows the reason: do not name an account in it.",
		func(s *service.Service, ctx context.Context, id string) (payments.Intent, error) {
			return s.FailPayment(ctx, id, fail)
		})
	failing.Flags().StringVar(&fail, "reason", fail, "short reason, shown by the API")
	return command.Group("payment", "Payments: list, create, hold, approve, complete, fail, cancel",
		newPaymentList(a),
		newPaymentCreate(a),
		holding,
		paymentChange(a, "approve", "Approve a held payment", "approve resumes a held payment: it is processing again.",
			(*service.Service).ApprovePayment),
		paymentChange(a, "complete", "Complete a processing payment",
			"complete settles a processing payment. This cannot be undone.", (*service.Service).CompletePayment),
		failing,
		paymentChange(a, "cancel", "Cancel a held or processing payment",
			"cancel ends a held or processing payment. This cannot be undone.", (*service.Service).CancelPayment),
	)
}

// holdReasons lists the possible reasons for a hold, for the help of flags.
const holdReasons = payments.AwaitingApproval + " or " + payments.StepUpRequired

// paymentChange returns a command that changes the status of a payment intent and prints the
// intent.
func paymentChange(a *admin, use, short, long string, change changeFunc[payments.Intent]) *cobra.Command {
	cmd := &cobra.Command{Use: use + " ID", Short: short, Long: long, Example: "tarmac admin payment " + use + " pi_…",
		Args: oneID("payment", "tarmac admin payment list")}
	return withRecordChange(a, cmd, change, paymentOf, func(p payments.Intent) string {
		return p.ID + " " + string(p.Status)
	})
}

// paymentFlags are the flags of the command that creates a payment intent.
type paymentFlags struct {
	org, amount, currency, direction  string
	description, counterparty, holdOn string
	key                               string
}

func newPaymentCreate(a *admin) *cobra.Command {
	var f paymentFlags
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create a payment and print its id",
		Long: "create adds a processing payment, or with --hold a payment that is held until it is approved. With --key, " +
			"the same command within a day prints the same payment again and makes no other: repeat it when you do not " +
			"know whether it was done.",
		Example: `tarmac admin payment create --org org_… --amount 1,250.00 ` +
			`--description "Contractor, October" --counterparty "Acme LLC"` + "\n" +
			`tarmac admin payment create --org org_… --amount 90000 ` +
			`--description "Deposit" --counterparty "Harbour Estates" --hold awaiting_approval`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			payment, err := f.payment()
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				p, err := svc.CreatePayment(cmd.Context(), f.org, payment, f.key)
				if err != nil {
					return err
				}
				return a.show(paymentOf(p), a.line("%s", p.ID))
			})
		},
	}
	orgFlag(cmd, &f.org)
	cmd.Flags().StringVar(&f.amount, "amount", "", "amount such as 1200.50")
	cmd.Flags().StringVar(&f.currency, "currency", "USD", "currency code")
	cmd.Flags().StringVar(&f.direction, "direction", ledger.Outflow.String(), "outflow or inflow")
	cmd.Flags().StringVar(&f.description, "description", "", "what the payment is for")
	cmd.Flags().StringVar(&f.counterparty, "counterparty", "", "payee or payer")
	cmd.Flags().StringVar(&f.key, "key", "", "text of your own by which a repetition is known")
	cmd.Flags().StringVar(&f.holdOn, "hold", "", "hold the payment: "+holdReasons)
	return cmd
}

func (f paymentFlags) payment() (payment lifecycle.Payment, err error) {
	direction, ok := ledger.ParseDirection(f.direction)
	switch {
	case f.amount == "" || f.description == "" || f.counterparty == "":
		return payment, command.Usagef("--amount, --description and --counterparty are required")
	case len(f.currency) != 3:
		return payment, command.Usagef("--currency must be three capital letters such as USD")
	case !ok:
		return payment, command.Usagef("--direction must be outflow or inflow, not %s", command.Quoted(f.direction))
	}
	payment = lifecycle.Payment{
		Currency: f.currency, Direction: direction, Description: f.description, Counterparty: f.counterparty,
		HeldFor: f.holdOn,
	}
	payment.AmountCents, err = parseAmount("--amount", f.amount, f.currency)
	return payment, err
}

func newPaymentList(a *admin) *cobra.Command {
	var org string
	var limit int
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List an organization's payments, newest first",
		Example: "tarmac admin payment list --org org_…",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkLimit(limit); err != nil {
				return err
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				all, err := svc.Payments(cmd.Context(), org, limit)
				if err != nil {
					return err
				}
				defer a.noteLimit(len(all), limit)
				return showList(a, all, paymentOf,
					"ID\tSTATUS\tDIRECTION\tAMOUNT\tCOUNTERPARTY\tDESCRIPTION\tREASON\tUPDATED",
					func(p payments.Intent) []string {
						return []string{p.ID, string(p.Status), p.Direction, formatAmount(p.AmountCents, p.Currency),
							termtext.Line(p.Counterparty), termtext.Line(p.Description), textOrDash(p.StatusReason),
							formatTime(&p.UpdatedAt)}
					})
			})
		},
	}
	orgFlag(cmd, &org)
	limitFlag(cmd, &limit)
	return cmd
}

// textOrDash returns text for a cell of a table. If text is "", it returns "-".
func textOrDash(text string) string {
	if text == "" {
		return "-"
	}
	return termtext.Line(text)
}
