package books

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
	"tarmac/service/bookrules"
)

// roles lists the roles of accounts with their meanings.
var roles = []struct {
	bookrules.Role
	meaning string
}{
	{bookrules.Operating, "income and expenses; its balance is cash"},
	{bookrules.Savings, "its balance is cash"},
	{bookrules.Card, "what is owed is taken from cash"},
	{bookrules.Closed, "its lines stay; no more statements are expected, and it is no cash"},
	{bookrules.Excluded, "not the company's: its lines are no transactions, and money sent to it has left"},
}

func newRole(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "role ACCOUNT ROLE",
		Short: "Say what an account is used for",
		Long: "role gives an account one of these roles and derives the transactions again:\n\n" + roleList() +
			"\nThe account is named by the last characters of its number, by the number or by its name. Without a role of " +
			"yours, an account has the one that follows from its files.",
		Example: c.open.Example("books role 6789 savings"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return command.Usagef("%s needs an account and a role: %s", cmd.CommandPath(), roleNames())
			}
			if !isRole(args[1]) {
				return command.Usagef("there is no role %s; there are %s", command.Quoted(args[1]), roleNames())
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			switch len(args) {
			case 0:
				return c.completeAccounts(cmd)
			case 1:
				var all []cobra.Completion
				for _, role := range roles {
					all = append(all, cobra.CompletionWithDesc(string(role.Role), role.meaning))
				}
				return all, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				change, err := b.SetRole(cmd.Context(), args[0], bookrules.Role(args[1]))
				if err != nil {
					return err
				}
				return c.printChange(change, fmt.Sprintf("has the role %s", change.Role))
			})
		},
	}
}

func newRename(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "rename ACCOUNT NAME",
		Short: "Give an account a name",
		Long: "rename gives an account a name, by which lists and notes then call it. Transfers that mention the name " +
			"are recognized by it. With an empty name (\"\"), the account has the name in its files again.\n" +
			"The account is named by the last characters of its number, by the number or by its name.",
		Example: c.open.Example(`books rename 6789 "Tax reserve"`),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return command.Usagef("%s needs an account and its new name", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return c.completeAccounts(cmd)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				change, err := b.Rename(cmd.Context(), args[0], args[1])
				if err != nil {
					return err
				}
				words := "is called " + change.Name
				if strings.TrimSpace(args[1]) == "" {
					words = "has the name in its files"
				}
				return c.printChange(change, words)
			})
		},
	}
}

// printChange prints the account, then words, which say what is new about it, and how many
// transactions have changed.
func (c *commands) printChange(change bookkeeping.AccountChange, words string) error {
	return c.show(change, func() error {
		_, err := fmt.Fprintf(c.Stdout, "%s %s %s. %s changed.\n", termtext.Line(change.Account), change.Currency,
			termtext.Line(words), plural.Count(change.ChangedRows, "transaction"))
		return err
	})
}

// completeAccounts returns the accounts of the books as completions. It returns none if there are
// no books.
func (c *commands) completeAccounts(cmd *cobra.Command) (all []cobra.Completion, _ cobra.ShellCompDirective) {
	_ = c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
		names, err := b.AccountNames(cmd.Context())
		for _, n := range names {
			all = append(all, cobra.CompletionWithDesc(termtext.Line(n.Text),
				termtext.Line(fmt.Sprintf("%s, %s, %s", n.Label(), n.Role, n.Currency))))
		}
		return err
	})
	return all, cobra.ShellCompDirectiveNoFileComp
}

func isRole(text string) bool {
	for _, role := range roles {
		if string(role.Role) == text {
			return true
		}
	}
	return false
}

func roleNames() string {
	var names []string
	for _, role := range roles {
		names = append(names, string(role.Role))
	}
	return plural.List(names, "and")
}

// roleList returns the roles and their meanings, each role on a line.
func roleList() string {
	var b strings.Builder
	for _, role := range roles {
		fmt.Fprintf(&b, "  %-10s %s\n", role.Role, role.meaning)
	}
	return b.String()
}
