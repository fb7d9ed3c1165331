package admin

import (
	"context"

	"github.com/spf13/cobra"

	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/service"
	"tarmac/service/bookexport"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// orgBooks opens the own books of an organization of the database. It is a books.Opener.
type orgBooks struct {
	*admin
	org string
}

// newBooks returns the commands import and books for an operator.
func newBooks(a *admin) []*cobra.Command {
	commands := books.New(a.Env, &orgBooks{admin: a})
	for _, cmd := range commands {
		cmd.Short = map[string]string{
			"import":     "Import files of banks and accounting programs into an organization",
			"books":      "List the accounts that were imported into an organization",
			"connect":    "Connect an organization to a bank or to Stripe, which fill its books over the network",
			"sync":       "Read an organization's connections now",
			"disconnect": "Delete a connection's token and end its readings",
		}[cmd.Name()]
	}
	return commands
}

// Example returns a command line for examples.
func (o *orgBooks) Example(arguments string) string {
	return "tarmac admin " + arguments + " --org org_…"
}

// Flags adds the flag that names the organization.
func (o *orgBooks) Flags(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&o.org, "org", "", "organization id")
}

// HasRulesFile returns false, because an organization's rules are the same for all operators.
func (o *orgBooks) HasRulesFile() bool { return false }

// Open opens the organization's books for one command.
func (o *orgBooks) Open(ctx context.Context, do func(*bookkeeping.Books) error) error {
	if o.org == "" {
		return command.Usagef("--org is missing: an organization id from `tarmac admin org list`")
	}
	return o.with(ctx, func(svc *service.Service) error {
		b, err := svc.Books(ctx, o.org)
		if err != nil {
			return err
		}
		return do(b)
	})
}

// Annotations returns nothing, because people keep what they write on their own machines.
func (o *orgBooks) Annotations(context.Context, *bookkeeping.Books) (bookexport.Annotations, error) {
	return func(string) (category, note string) { return "", "" }, nil
}

// NeedsName returns false, because organizations have names.
func (o *orgBooks) NeedsName() bool { return false }

// Create opens the books for an import. The organization must exist and has its name already.
func (o *orgBooks) Create(ctx context.Context, name string, do func(*bookkeeping.Books) error) error {
	if name != "" {
		return command.Usagef("--name is for new books; the organization %s has a name", command.Quoted(o.org))
	}
	return o.Open(ctx, do)
}

// Preview opens the books for an import that is not kept.
func (o *orgBooks) Preview(ctx context.Context, do func(*bookkeeping.Books) error) error {
	return o.Open(ctx, do)
}

// Connections calls do with what connects the organization to providers.
func (o *orgBooks) Connections(ctx context.Context, do func(*syncing.Syncer, store.OrgKey) error) error {
	if o.org == "" {
		return command.Usagef("--org is missing: an organization id from `tarmac admin org list`")
	}
	return o.with(ctx, func(svc *service.Service) error {
		_, org, err := svc.Organization(ctx, o.org)
		if err != nil {
			return err
		}
		return do(svc.Syncing(), org)
	})
}

// CreateConnections does the same as Connections, because the organization must exist.
func (o *orgBooks) CreateConnections(ctx context.Context, name string,
	do func(*syncing.Syncer, store.OrgKey) error,
) error {
	if name != "" {
		return command.Usagef("--name is for new books; the organization %s has a name", command.Quoted(o.org))
	}
	return o.Connections(ctx, do)
}
