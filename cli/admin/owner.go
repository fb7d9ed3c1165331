package admin

import (
	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/store"
)

func newOwner(a *admin) *cobra.Command {
	return command.Group("owner", "Owner that proposed invoices are attributed to: set, clear",
		newOwnerSet(a), newOwnerClear(a))
}

func newOwnerSet(a *admin) *cobra.Command {
	var org, name, email string
	cmd := &cobra.Command{
		Use:     "set",
		Short:   "Set an organization's active owner",
		Long:    "set sets the organization's active owner. Without one, invoices cannot be proposed.",
		Example: `tarmac admin owner set --org org_… --name "Ada Palmer" --email ada@northlight.example`,
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name == "" || email == "" {
				return command.Usagef("--name and --email are required: the owner's name and e-mail address")
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				o, err := svc.SetOwner(cmd.Context(), org, name, email)
				if err != nil {
					return err
				}
				return a.show(orgOf(o), a.line("%s owner %s", o.PublicID, ownerText(o)))
			})
		},
	}
	orgFlag(cmd, &org)
	cmd.Flags().StringVar(&name, "name", "", "the owner's name")
	cmd.Flags().StringVar(&email, "email", "", "the owner's e-mail address")
	return cmd
}

func newOwnerClear(a *admin) *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:     "clear",
		Short:   "Remove an organization's active owner",
		Long:    "clear removes the organization's active owner. Invoices cannot be proposed until a new owner is set.",
		Example: "tarmac admin owner clear --org org_…",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				o, err := svc.ClearOwner(cmd.Context(), org)
				if err != nil {
					return err
				}
				return a.show(orgOf(o), a.line("%s without owner", o.PublicID))
			})
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

// ownerText returns the name of an organization's owner, or "-" if it has none.
func ownerText(o store.Organization) string {
	if o.OwnerName == "" {
		return "-"
	}
	return termtext.Line(o.OwnerName + " <" + o.OwnerEmail + ">")
}
