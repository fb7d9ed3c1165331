package books

import (
	"fmt"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/bookkeeping"
)

func newCompany(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "company [NAME]",
		Short: "Show or change the company's name",
		Long: "company shows the company's name, or changes it. Payments whose other party has exactly this name are " +
			"the company's own money, so a change decides about transfers again.",
		Example: c.open.Example("books company") + "\n" + c.open.Example(`books company "Harbor Labs Ltd"`),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("%s takes one name; put it in quotes", cmd.CommandPath())
			}
			if len(args) == 1 {
				if _, err := service.CheckOrganizationName(args[0]); err != nil {
					return command.Usagef("%v", err)
				}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				if len(args) == 0 {
					name, err := b.CompanyName(cmd.Context())
					if err != nil {
						return err
					}
					return c.show(map[string]string{"name": name}, func() error {
						_, err := fmt.Fprintln(c.Stdout, termtext.Line(name))
						return err
					})
				}
				name, err := service.CheckOrganizationName(args[0])
				if err != nil {
					return err
				}
				done, err := b.SetCompany(cmd.Context(), name)
				if err != nil {
					return err
				}
				return c.show(done, func() error {
					_, err := fmt.Fprintf(c.Stdout, "The company is %s; it was %s. %s changed.\n", termtext.Line(done.Name),
						termtext.Line(done.Before), plural.Count(done.ChangedRows, "transaction"))
					return err
				})
			})
		},
	}
}
