package admin

import (
	"fmt"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/service"
)

func newBackup(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Back up the database to a new file, also while the service is running",
		Long: "backup writes a consistent copy of the database to a new file that only you can read, and verifies it. " +
			"It never overwrites a file.\n" +
			"To restore, serve the copy with the same --key-file. The copy does not contain the key of webhook " +
			"secrets: back up the key file too, in a different place.",
		Example: `tarmac admin backup "tarmac-$(date +%F).db"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return command.Usagef("tarmac admin backup needs the name of a new file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				// A full disk is a reason to back up.
				if err := svc.Store().BeginAudit(cmd.Context()); err != nil {
					fmt.Fprintf(a.Stderr, "Warning: the audit will not have this backup: %v\n", err)
				}
				size, err := svc.Backup(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.show(backupRecord{args[0], size}, a.line("%s %s bytes", termtext.Line(args[0]), money.Count(size)))
			})
		},
	}
}
