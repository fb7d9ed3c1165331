package books

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
)

func newLines(c *commands) *cobra.Command {
	var (
		filter bookkeeping.LineFilter
		days   command.Days
		asCSV  bool
	)
	cmd := &cobra.Command{
		Use:   "lines",
		Short: "List the lines of the accounts",
		Long: "lines lists the lines of all imported statements, the oldest first, each once however many files have " +
			"it. Unlike `tarmac transactions` it also lists transfers between own accounts and pending lines.\n" +
			"--account takes the last characters of an account's number, as `tarmac books` shows them, the whole number " +
			"or the name.\n" + command.DaysHelp,
		Example: c.open.Example("books lines --account 6789 --period \"last month\"") + "\n" +
			c.open.Example("books lines --from 2026-07 --csv"),
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if filter.Days, err = days.Parse(civil.Of(c.Now())); err != nil {
				return err
			}
			if asCSV && c.json {
				return command.Usagef("--csv and --json cannot be combined")
			}
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				return c.lines(cmd.Context(), b, filter, asCSV)
			})
		},
	}
	cmd.Flags().StringVar(&filter.Account, "account", "", "only lines of this account")
	days.Flags(cmd)
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print CSV")
	return cmd
}

// lines prints the lines that the filter selects. It prints each line when it is read, so that
// memory stays bounded.
func (c *commands) lines(ctx context.Context, b *bookkeeping.Books, filter bookkeeping.LineFilter, asCSV bool) error {
	out := bufio.NewWriter(c.Stdout)
	var list lineList = newLineTable(out, c.Stdout)
	switch {
	case c.json:
		list = &lineJSON{out: out}
	case asCSV:
		list = newLineCSV(out)
	}
	count := 0
	err := b.Lines(ctx, filter, func(l bookkeeping.LineRecord) error {
		count++
		return list.add(l)
	})
	if err != nil {
		return err
	}
	if err := list.end(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if count == 0 && !c.json {
		fmt.Fprintln(c.Stderr, "No line matches.")
	}
	return nil
}
