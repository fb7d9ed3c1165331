package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/ids"
	"tarmac/service/store"
)

// change calls do as a change of own books in this process, for the audit.
func (o ownBooks) change(svc *service.Service) func(
	ctx context.Context, action, target string, do func(context.Context) error) error {
	return func(ctx context.Context, action, target string, do func(context.Context) error) error {
		entry := command.AuditEntry(o.Env, store.WayLocal, action)
		if ids.IsID(target) {
			entry.Target = target
		}
		ctx = store.WithAudit(ctx, &store.Audit{AuditEntry: entry})
		err := do(ctx)
		return errors.Join(err, svc.Store().EndAudit(ctx, err))
	}
}

func newBooksAudit(env command.Env) *cobra.Command {
	list := &command.AuditList{Env: env}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List what was changed in your own books, oldest first",
		Long: "audit lists the changes of your own books by commands and in the dashboard, like `tarmac admin audit`: " +
			"imports, answers, connections, names and rules, restores. Readings by themselves leave no line. Rows fit 80 " +
			"columns; --json has the whole values. There are neither secrets nor amounts. Lines are kept for 400 days.",
		Example: "tarmac books audit --since 30d",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if list.JSON, err = cmd.Flags().GetBool("json"); err != nil {
				return err
			}
			return ownBooks{env}.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				return list.Print(cmd.Context(), b.Store, "")
			})
		},
	}
	cmd.Flags().StringVar(&list.Since, "since", "", "only changes that are not older, such as 7d or 12h (default all)")
	return cmd
}
