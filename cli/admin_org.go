package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/internal/termtext"
	"tarmac/service"
)

func newAdminOrg(a *admin) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "org",
		Short: "Organizations: create, list",
		Args:  needsCommand,
		RunE:  needsCommand,
	}
	cmd.AddCommand(newAdminOrgCreate(a), newAdminOrgList(a))
	return cmd
}

func newAdminOrgCreate(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:     "create NAME",
		Short:   "Create an organization and print its id",
		Example: `tarmac admin org create "Northlight Labs"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return usagef("tarmac admin org create needs the organization's name, one argument")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withNew(cmd.Context(), func(svc *service.Service) error {
				org, err := svc.CreateOrganization(cmd.Context(), strings.TrimSpace(args[0]))
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(a.Stdout, org.PublicID)
				return err
			})
		},
	}
}

func newAdminOrgList(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the organizations",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				orgs, err := svc.Organizations(cmd.Context())
				if err != nil {
					return err
				}
				return a.table("ID\tNAME\tCREATED", func(w io.Writer) {
					for _, o := range orgs {
						fmt.Fprintf(w, "%s\t%s\t%s\n", o.PublicID, termtext.Line(o.Name), moment(&o.CreatedAt))
					}
				})
			})
		},
	}
}
