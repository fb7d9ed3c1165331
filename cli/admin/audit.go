package admin

import (
	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service"
)

func newAudit(a *admin) *cobra.Command {
	var org string
	list := &command.AuditList{Env: a.Env}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List who changed what, oldest first",
		Long: "audit lists the changes by tarmac admin, over SSH and through the API: when, whether it was done, how, who, " +
			"what and the id of the record. The outcome is attempted if the process ended in between, failed or unchanged " +
			"if nothing was changed, and partly if a part was.\n" +
			"The actor of a command is its user (the one who called sudo) and host, as that machine says; of the API it is " +
			"the id of the token, over SSH the fingerprint of the key. Rows fit 80 columns, so long ids are shortened; " +
			"--json has them whole, and the organization and address too. There are neither secrets nor amounts. Lines are " +
			"kept for 400 days.",
		Example: "tarmac admin audit --since 7d\ntarmac admin audit --org org_… --json",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list.JSON = a.json
			return a.with(cmd.Context(), func(svc *service.Service) error {
				if org != "" {
					if _, _, err := svc.Organization(cmd.Context(), org); err != nil {
						return err
					}
				}
				return list.Print(cmd.Context(), svc.Store(), org)
			})
		},
	}
	cmd.Flags().StringVar(&org, "org", "", "only the organization with this id")
	cmd.Flags().StringVar(&list.Since, "since", "", "only changes that are not older, such as 7d or 12h (default all)")
	return cmd
}
