package books

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
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
					table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
					fmt.Fprintln(table, "IMPORT\tTIME (UTC)\tFILE\tFORMAT\tSHA-256")
					for _, i := range imports {
						for _, f := range i.Files {
							fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.12s\n", i.ID, i.At.Format("2006-01-02 15:04"),
								termtext.Line(f.Name), f.Format, f.SHA256)
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
			table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "ACCOUNT\tBANK\tROLE\tBALANCE\t\tAS OF\tCOVERED\tADDS UP")
			for _, a := range accounts {
				balance, asOf := money.Dash, money.Dash
				if a.BalanceMinor != nil {
					balance, asOf = money.Format(*a.BalanceMinor, a.Currency), *a.AsOf
				}
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", termtext.Line(a.Account), termtext.Line(a.Bank),
					a.Role, balance, a.Currency, asOf, covered(a), a.Proof())
			}
			return table.Flush()
		})
	})
}

// covered says in words which days the statements of an account cover.
func covered(a bookkeeping.AccountState) string {
	switch len(a.Covered) {
	case 0:
		return money.Dash
	case 1:
		return a.Covered[0].First + " to " + a.Covered[0].Last
	}
	return fmt.Sprintf("%s to %s with %d gaps", a.Covered[0].First, a.Covered[len(a.Covered)-1].Last, len(a.Covered)-1)
}
