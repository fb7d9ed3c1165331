package books

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service/bookkeeping"
	"tarmac/service/payables"
)

// NewMark returns the command that marks a bill, as a command of its own.
func NewMark(env command.Env, open Opener) *cobra.Command {
	c := &commands{Env: env, open: open}
	cmd := newMark(c)
	cmd.Example = strings.ReplaceAll(cmd.Example, "books mark", "bills mark")
	open.Flags(cmd)
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	return cmd
}

func newMark(c *commands) *cobra.Command {
	states := []payables.State{payables.Paid, payables.Disputed, payables.Open}
	cmd := &cobra.Command{
		Use:   "mark NUMBER paid|disputed|open",
		Short: "Say of a bill that it is paid or disputed",
		Long: "mark says of a bill what no payment in the books says: that it is paid, or disputed, which keeps it in " +
			"the list and out of all sums. open takes a mark back. If several vendors have the number, type the vendor's " +
			"name after it, in quotes.",
		Example: c.open.Example("books mark HP-2026-0117 paid") + "\n" +
			c.open.Example("books mark \"7741 Harbor Print\" disputed"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return command.Usagef("%s needs the bill's number, and paid, disputed or open", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			state := payables.State(args[1])
			if state != states[0] && state != states[1] && state != states[2] {
				return command.Usagef("a bill is marked paid, disputed or open, not %s", command.Quoted(args[1]))
			}
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				marked, err := b.MarkBill(cmd.Context(), args[0], state)
				if errors.Is(err, bookkeeping.ErrManyBills) {
					return command.Usagef("%w", err)
				}
				if err != nil {
					return err
				}
				return c.show(marked, func() error {
					_, err := fmt.Fprintln(c.Stdout, marked.Sentence())
					return err
				})
			})
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	return cmd
}
