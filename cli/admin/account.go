package admin

import (
	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service"
	"tarmac/service/accounts"
)

func newAccount(a *admin) *cobra.Command {
	return command.Group("account", "Managed account: show, open, close, fault",
		newAccountShow(a), newAccountOpen(a), newAccountClose(a), newAccountFault(a))
}

func newAccountShow(a *admin) *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Show an organization's account",
		Example: "tarmac admin account show --org org_…",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				account, err := svc.Account(cmd.Context(), org)
				if err != nil {
					return err
				}
				r := accountOf(org, account)
				return a.show(r, func() error { return table(a, accountHeader, []accountRecord{r}, accountRow) })
			})
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

// accountHeader and accountRow define the columns of the table of accounts.
const accountHeader = "ORGANIZATION\tSTATUS\tAVAILABLE\tHOLDING\tLOCKED\tPENDING\tSYNCED\tFAULT"

func accountRow(r accountRecord) []string {
	fault := "off"
	if r.Fault {
		fault = "on"
	}
	b := r.Balance
	if b == nil {
		return []string{r.OrgID, r.Status, "-", "-", "-", "-", "-", fault}
	}
	usd := func(cents int64) string { return formatAmount(cents, "USD") }
	return []string{r.OrgID, r.Status, usd(b.AvailableCents), usd(b.HoldingCents), usd(b.LockedCents),
		usd(b.PendingCents), formatTime(r.SyncedAt), fault}
}

func newAccountOpen(a *admin) *cobra.Command {
	var org string
	var b accounts.Balance
	parts := [...]struct {
		flag, name string
		cents      *int64
		text       string
	}{
		{"available", "spendable", &b.AvailableCents, "0"},
		{"holding", "held", &b.HoldingCents, "0"},
		{"locked", "locked", &b.LockedCents, "0"},
		{"pending", "pending", &b.PendingCents, "0"},
	}
	cmd := &cobra.Command{
		Use:   "open",
		Short: "Open an organization's account with a balance",
		Long: "open opens the managed account with the given balance in USD.\n" +
			"An account that is already open is not changed: close it first to set another balance.",
		Example: "tarmac admin account open --org org_… --available 250,000 --pending 1,200.50",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			for _, part := range parts {
				if *part.cents, err = parseAmount("--"+part.flag, part.text, "USD"); err != nil {
					return err
				}
			}
			return a.changeAccount(cmd, org, "open",
				func(svc *service.Service) error { return svc.OpenAccount(cmd.Context(), org, b) })
		},
	}
	orgFlag(cmd, &org)
	for i := range parts {
		cmd.Flags().StringVar(&parts[i].text, parts[i].flag, parts[i].text, parts[i].name+" balance in USD")
	}
	return cmd
}

func newAccountClose(a *admin) *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "close",
		Short:   "Close an organization's account and delete its balance",
		Example: "tarmac admin account close --org org_…",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.changeAccount(cmd, org, "not_open",
				func(svc *service.Service) error { return svc.CloseAccount(cmd.Context(), org) })
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

func newAccountFault(a *admin) *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use: "fault on|off", ValidArgs: []string{"on", "off"},
		Short: "Simulate an outage of the account's provider",
		Long: "fault on makes every read of the organization's balance fail with 503, as if the account's provider " +
			"were down. fault off ends the outage.\n" +
			"Use it to test how clients handle an outage.",
		Example: "tarmac admin account fault on --org org_…",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "on" && args[0] != "off" {
				return command.Usagef("tarmac admin account fault needs on or off")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeAccount(cmd, org, "fault "+args[0], func(svc *service.Service) error {
				return svc.SetAccountFault(cmd.Context(), org, args[0] == "on")
			})
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

// changeAccount applies change to the account of an organization and shows the result. The
// parameter done says what was done.
func (a *admin) changeAccount(cmd *cobra.Command, org, done string, change func(*service.Service) error) error {
	return a.with(cmd.Context(), func(svc *service.Service) error {
		if err := change(svc); err != nil {
			return err
		}
		account, err := svc.Account(cmd.Context(), org)
		if err != nil {
			return err
		}
		return a.show(accountOf(org, account), a.line("%s account %s", org, done))
	})
}
