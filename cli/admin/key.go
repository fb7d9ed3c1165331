package admin

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/sealing"
)

func newKey(a *admin) *cobra.Command {
	return command.Group("key", "Key of webhook secrets and tokens of providers: create, reset",
		newKeyCreate(a), newKeyReset(a))
}

func newKeyCreate(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:   "create FILE",
		Short: "Create a key file before the service starts",
		Long: "create writes a file with a new key for webhook secrets and tokens of providers, which only you can read. " +
			"It does not open the database, so that the audit does not have it, and it never replaces a file.\n" +
			"The service creates a missing key by itself. Use create where the service cannot write, for example for a " +
			"credential of systemd. Give the file to the service with --key-file before its first start.",
		Example: "tarmac admin key create /etc/tarmac/key",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return command.Usagef("tarmac admin key create needs the name of the file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			err := sealing.Create(args[0], rand.Reader)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s exists and was not changed; a database may need the key in it", termtext.Line(args[0]))
			}
			if err != nil {
				return err
			}
			return a.show(map[string]string{"key_file": args[0]},
				a.line("Key created in %s. Keep a copy of it apart from backups of the database.", termtext.Line(args[0])))
		},
	}
}

func newKeyReset(a *admin) *cobra.Command {
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
	return reset
}
