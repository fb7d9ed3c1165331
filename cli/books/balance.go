package books

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tarmac/cli/command"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
)

func newBalance(c *commands) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "balance ACCOUNT AMOUNT DAY",
		Short: "State a balance that no statement has",
		Long: "balance states what an account held at the end of a day. Without a balance in one of its files, the cash of " +
			"an account is not known. Amounts are typed as everywhere; a debt is negative.\n" +
			"The account is named by the last characters of its number, by the number or by its name. The balance is " +
			"listed as an import, and undoing that import removes it.",
		Example: c.open.Example("books balance 6789 12,340.50 2026-09-30") + "\n" +
			c.open.Example("books balance 1005 -820.15 yesterday"),
		Args: func(cmd *cobra.Command, args []string) error {
			words, flags := wordsAndFlags(args)
			if err := cmd.ParseFlags(flags); err != nil {
				return command.Usagef("%w", err)
			}
			if help, err := cmd.Flags().GetBool("help"); help || err != nil {
				return errors.Join(err, pflag.ErrHelp)
			}
			if len(words) < 3 {
				return command.Usagef("%s needs an account, an amount and its day, such as 6789 12,340.50 2026-09-30",
					cmd.CommandPath())
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
			words, _ := wordsAndFlags(args)
			return c.stateBalance(cmd, words[0], strings.Join(words[1:], " "))
		},
	}
	cmd.Flags().SetInterspersed(false)
	return cmd
}

// wordsAndFlags splits arguments before the first flag. An amount may begin with a minus, so that
// flags after it are not told from amounts by the flags' own parser.
func wordsAndFlags(args []string) (words, flags []string) {
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--") })
	if at < 0 {
		return args, nil
	}
	return args[:at], args[at:]
}

func (c *commands) stateBalance(cmd *cobra.Command, account, text string) error {
	return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
		report, err := b.StateBalance(cmd.Context(), account, text)
		if wrong := new(bookkeeping.BalanceError); errors.As(err, &wrong) {
			return command.Usagef("%w", err)
		}
		switch {
		case err != nil:
			return err
		case report.Import == "":
			return fmt.Errorf("%s; nothing was stored", report.Files[0].Error)
		}
		return c.show(report, func() error {
			_, err := fmt.Fprintf(c.Stdout, "Balance of %s stored. Undo it with %s.\n", termtext.Line(account),
				c.open.Example("books undo "+string(report.Import)))
			return err
		})
	})
}
