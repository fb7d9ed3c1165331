// Package books holds `tarmac import` and `tarmac books`: a person's own books, and the same
// commands for an operator.
package books

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service/bookkeeping"
)

// Opener opens the books that the commands work on.
type Opener interface {
	// Example returns a command line for examples: arguments after the program's name, with the
	// flags that choose the books.
	Example(arguments string) string
	// Flags adds the flags that choose the books.
	Flags(cmd *cobra.Command)
	// Open opens existing books for one command. It returns ErrNone if there are none yet.
	Open(ctx context.Context, do func(*bookkeeping.Books) error) error
	// Create opens the books for an import, and makes them if there are none. name is the
	// company's name, "" if it is not known.
	Create(ctx context.Context, name string, do func(*bookkeeping.Books) error) error
	// Preview opens the books, or empty ones that are not kept.
	Preview(ctx context.Context, do func(*bookkeeping.Books) error) error
}

// commands are the commands on one kind of books.
type commands struct {
	command.Env
	open Opener
	json bool
}

// New returns the commands import and books.
func New(env command.Env, open Opener) []*cobra.Command {
	return []*cobra.Command{newImport(env, open), newBooks(env, open)}
}

func newBooks(env command.Env, open Opener) *cobra.Command {
	c := &commands{Env: env, open: open}
	cmd := &cobra.Command{
		Use:   "books",
		Short: "List the accounts of your own books",
		Long: "books lists the accounts whose statements were imported: balance, the days that statements cover, and " +
			"whether their lines add up.",
		Example: open.Example("books") + "\n" + open.Example("books imports") + "\n" + open.Example("books undo imp_…"),
		Args:    command.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.accounts(cmd.Context()) },
	}
	open.Flags(cmd)
	cmd.PersistentFlags().BoolVar(&c.json, "json", false, "print JSON")
	cmd.AddCommand(newImports(c), newUndo(c))
	return cmd
}

// show prints a result: v as JSON with --json, otherwise the output of text.
func (c *commands) show(v any, text func() error) error {
	if !c.json {
		return text()
	}
	enc := json.NewEncoder(c.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func newUndo(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "undo ID",
		Short: "Undo an import",
		Long: "undo removes an import. The books are then as if it had never been made; what other imports contain " +
			"stays.",
		Example: c.open.Example("books imports") + "\n" + c.open.Example("books undo imp_…"),
		Args:    oneImport,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				undone, err := b.Undo(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return c.show(undone, func() error {
					_, err := fmt.Fprintf(c.Stdout, "Import %s undone.\n", undone.Import)
					return err
				})
			})
		},
	}
}

// oneImport requires one argument, an import's id.
func oneImport(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return command.Usagef("%s needs the import's id, from `tarmac books imports`", cmd.CommandPath())
	}
	return nil
}
