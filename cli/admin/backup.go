package admin

import (
	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/service"
)

func newBackup(a *admin) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file, also while it is served",
		Long: "backup writes a copy of one moment to a new file that only you can read, and checks it. It " +
			"overwrites nothing.\n" +
			"To go back, serve the copy with the same --key-file. The key of webhook secrets is not in the copy: keep one of " +
			"the key file too, in another place.",
		Example: `tarmac admin backup "tarmac-$(date +%F).db"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return command.Usagef("tarmac admin backup needs the name of the new file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				size, err := svc.Backup(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.show(backupRecord{args[0], size}, a.line("%s %s bytes", termtext.Line(args[0]), money.Count(size)))
			})
		},
	}
}
