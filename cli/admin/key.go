package admin

import (
	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/service"
)

func newKey(a *admin) *cobra.Command {
	var sure bool
	reset := &cobra.Command{
		Use:   "reset --yes",
		Short: "Replace a lost key of webhook secrets and tokens of providers",
		Long: "reset discards the key that encrypts webhook secrets and the tokens of providers; the next start of the " +
			"service creates a new one. If you have a copy of the key file, restore it instead.\n" +
			"Stop the service first. Every active endpoint is paused, because its secret can no longer be read, and " +
			"its pending deliveries are held. For each endpoint, rotate the secret, give the new one to the receiver, " +
			"and set the endpoint active. The tokens of providers are deleted: connect each provider again with a new " +
			"token; its lines stay in the books.",
		Example: "tarmac admin key reset --yes",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !sure {
				return command.Usagef("tarmac admin key reset pauses every webhook endpoint and deletes the tokens of " +
					"providers; if the key file is lost, confirm with --yes")
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				paused, disconnected, err := svc.ResetKey(cmd.Context())
				if err != nil {
					return err
				}
				return a.show(map[string]int64{"paused_endpoints": paused, "connections_without_token": disconnected},
					a.line("Key discarded. %s paused until its secret is rotated; the tokens of %s to providers deleted.",
						plural.Count(paused, "endpoint"), plural.Count(disconnected, "connection")))
			})
		},
	}
	reset.Flags().BoolVar(&sure, "yes", false, "confirm that the key file is lost")
	return command.Group("key", "Key of webhook secrets and tokens of providers: reset", reset)
}
