package books

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/service/bookkeeping"
)

func newImports(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:     "imports",
		Short:   "List what was imported, and when",
		Example: c.open.Example("books imports --json"),
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				imports, err := b.Imports(cmd.Context())
				if err != nil {
					return err
				}
				return c.show(map[string]any{"imports": imports}, func() error {
					if len(imports) == 0 {
						return c.empty()
					}
					table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
					fmt.Fprintln(table, "IMPORT\tTIME (UTC)\tFILE\tFORMAT\tSHA-256")
					for _, i := range imports {
						for _, f := range i.Files {
							fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.12s\n", i.ID, i.At.Format("2006-01-02 15:04"),
								f.Name, f.Format, f.SHA256)
						}
					}
					return table.Flush()
				})
			})
		},
	}
}

// accounts prints the accounts whose statements were imported into the books.
func (c *commands) accounts(ctx context.Context) error {
	return c.open.Open(ctx, func(b *bookkeeping.Books) error {
		accounts, err := b.Accounts(ctx)
		if err != nil {
			return err
		}
		return c.show(map[string]any{"accounts": accounts}, func() error {
			if len(accounts) == 0 {
				return c.empty()
			}
			table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "ACCOUNT\tBANK\tROLE\tBALANCE\t\tAS OF\tCOVERED\tADDS UP")
			for _, a := range accounts {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.Number, a.Title(), a.Role, a.BalanceText(),
					a.Currency, cmp.Or(a.AsOf.String(), money.Dash), a.CoveredText(), a.Proof())
			}
			return table.Flush()
		})
	})
}

// empty says that the books have no statements, and how to import some.
func (c *commands) empty() error {
	_, err := fmt.Fprintf(c.Stdout, "The books are empty. Import a bank's files with `%s`.\n",
		c.open.Example("import FILE…"))
	return err
}
