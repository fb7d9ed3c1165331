package admin

import (
	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service"
)

func newKey(a *admin) *cobra.Command {
	var sure bool
	reset := &cobra.Command{
		Use:   "reset --yes",
		Short: "Go on without a key file that is lost for good",
		Long: "reset gives up the key that webhook secrets are sealed with; the next start of the service makes " +
			"a new one.\n" +
			"Every active endpoint is paused, because its secret cannot be opened any more, and what is pending for it is " +
			"held: rotate each endpoint's\n" +
			"secret, give the new one to its receiver, and set the endpoint active. Stop the service first. Where a copy of " +
			"the key file is left, put it back instead.",
		Example: "tarmac admin key reset --yes",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !sure {
				return command.Usagef("tarmac admin key reset pauses every webhook endpoint; add --yes if the key file is " +
					"lost for good")
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				paused, err := svc.ResetKey(cmd.Context())
				if err != nil {
					return err
				}
				return a.show(map[string]int64{"paused_endpoints": paused},
					a.line("the key is given up; %d endpoints are paused until their secrets are rotated", paused))
			})
		},
	}
	reset.Flags().BoolVar(&sure, "yes", false, "the key file is lost for good")
	return command.Group("key", "The key of webhook secrets: reset", reset)
}
