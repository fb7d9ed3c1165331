// Package books implements the commands `tarmac import`, `connect`, `sync`, `disconnect` and
// `books`. They work on a company's own books: the accounts, transactions and open invoices that
// were imported from bank files or read from providers. A user runs them on the books in the data
// directory. An operator runs them on the books of an organization in the database.
package books

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/service/bookexport"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// Opener opens the books that the commands of New work on.
type Opener interface {
	// Example returns a command line for the help text: the name of the program, the given
	// arguments, and the flags that select the books.
	Example(arguments string) string
	// Flags adds the flags that select the books, such as a flag for the organization.
	Flags(cmd *cobra.Command)
	// HasRulesFile reports whether the rules of the books are in the user's rules file. Otherwise
	// only the database has them.
	HasRulesFile() bool
	// Open calls do with existing books. It returns an error if there are none yet.
	Open(ctx context.Context, do func(*bookkeeping.Books) error) error
	// Annotations returns what the user of this machine has written about the books' transactions.
	Annotations(ctx context.Context, b *bookkeeping.Books) (bookexport.Annotations, error)
	// NeedsName reports whether there are no books yet, so that Create needs the company's name.
	NeedsName() bool
	// Create calls do with the books, and creates them first if there are none. New books are kept
	// only if do has imported something. The company's name is "" if it is not known.
	Create(ctx context.Context, name string, do func(*bookkeeping.Books) error) error
	// Preview calls do with the books. If there are none, it calls do with empty books and deletes
	// them afterwards.
	Preview(ctx context.Context, do func(*bookkeeping.Books) error) error
	// Connections calls do with what connects existing books to providers. It returns an error if
	// there are no books yet.
	Connections(ctx context.Context, do func(*syncing.Syncer, store.OrgKey) error) error
	// CreateConnections calls do as Connections does, and creates empty books first if there are
	// none. The company's name is "" if it is not known.
	CreateConnections(ctx context.Context, name string, do func(*syncing.Syncer, store.OrgKey) error) error
}

// commands holds what the subcommands of `tarmac books` need.
type commands struct {
	command.Env
	open Opener
	json bool
}

// New returns the commands of this package. They work on the books that the Opener opens. The
// commands in more become subcommands of `tarmac books`.
func New(env command.Env, open Opener, more ...*cobra.Command) []*cobra.Command {
	all := []*cobra.Command{newImport(env, open), newConnect(env, open), newSync(env, open), newDisconnect(env, open),
		newBooks(env, open)}
	for _, cmd := range all {
		saveMemory(env, cmd)
		command.EndSoon(env, cmd)
	}
	all[len(all)-1].AddCommand(more...)
	return all
}

// booksGCPercent is the GOGC value of these commands, unless the user sets one. With it, an import
// of 100,000 lines needs a sixth less memory than with the default of 100, for a sixth more
// processor time (see docs/performance.md).
const booksGCPercent = 25

// saveMemory makes a command and its subcommands run with booksGCPercent.
func saveMemory(env command.Env, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		saveMemory(env, sub)
	}
	if run := cmd.RunE; run != nil && env.OwnProcess && env.Getenv("GOGC") == "" {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			debug.SetGCPercent(booksGCPercent)
			return run(cmd, args)
		}
	}
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
	cmd.AddCommand(newImports(c), newUndo(c), newLines(c), newExport(c), newRules(c), newRole(c), newRename(c),
		newBalance(c), newQuestions(c), newMark(c), newTransfers(c), newRates(c), newCurrency(c), newCompany(c),
		newProviders(c))
	return cmd
}

// show prints v as JSON if --json is set. Otherwise it calls text, which prints v as text.
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
			"stays. An invoice that a payment has paid stays paid, and is named.",
		Example: c.open.Example("books imports") + "\n" + c.open.Example("books undo imp_…"),
		Args:    oneImport,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				undone, err := b.Undo(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return c.show(undone, func() error {
					text := fmt.Sprintf("Import %s undone.\n", undone.Import)
					for _, number := range undone.PaidInvoices {
						text += number + " stays paid, although its payment is not in the books any more.\n"
					}
					_, err := io.WriteString(c.Stdout, text)
					return err
				})
			})
		},
	}
}

// oneImport returns a usage error unless there is exactly one argument, the id of an import.
func oneImport(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return command.Usagef("%s needs the import's id, from `%s imports`", cmd.CommandPath(), cmd.Parent().CommandPath())
	}
	return nil
}
