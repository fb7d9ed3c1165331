package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/annotations"
	"tarmac/client/draft"
	"tarmac/client/record"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/internal/termtext"
)

// openAnnotations reads what the user has written about the transactions of the organization.
func (a *call) openAnnotations(ctx context.Context) (*annotations.File, error) {
	directory, err := settings.StateDirectory(a.Getenv)
	if err != nil {
		return nil, err
	}
	file := annotations.NewFile(state.Directory(directory))
	ping, err := a.client.Ping(ctx)
	if err != nil {
		return nil, err
	}
	return file, file.Open(draft.OrgKey(a.client.Origin(), ping.OrgID))
}

// knownOf returns the categories and notes of transactions, or nil if none are known. It's called
// after transactions have been read. If the user's own can't be read, it prints why and continues
// without them.
func (a *call) knownOf(ctx context.Context) func(*apiclient.Transaction) annotations.Known {
	known := annotations.Set{}
	directory, err := settings.StateDirectory(a.Getenv)
	if err == nil {
		var names []string
		if names, err = state.Directory(directory).List(annotations.Prefix); len(names) > 0 {
			var file *annotations.File
			if file, err = a.openAnnotations(ctx); err == nil {
				known = file.Set()
			}
		}
		if err != nil {
			a.note("Categories and notes could not be read: %v", err)
		}
	}
	if len(known) == 0 && !a.client.HasCategories() {
		return nil
	}
	return known.Of
}

// describeTransaction returns a function that describes transactions, with categories and notes if
// there are any.
func (a *call) describeTransaction(ctx context.Context) func(apiclient.Transaction) record.Object {
	known := a.knownOf(ctx)
	if known == nil {
		return record.Transaction
	}
	return func(t apiclient.Transaction) record.Object { return record.Transaction(t).Annotated(known(&t)) }
}

// newAnnotate returns the command that writes one of the texts of a transaction.
func newAnnotate(env command.Env, name, example string, set func(*annotations.Annotation, string)) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name + " ID TEXT",
		Short: "Write the " + name + " of a transaction, on this machine",
		Long: name + " writes the " + name + " of a transaction. An empty text removes it, and `-` reads it from standard " +
			"input. It is kept on this machine, in a file that only you can read, and no server gets it.",
		Example: "tarmac transactions " + name + " txn_… " + example + "\ntarmac transactions " + name + ` txn_… ""`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 || looksSecret(args[0]) {
				return command.Usagef("%s needs the id of a transaction and a text; \"\" removes the text", cmd.CommandPath())
			}
			return nil
		},
	}
	return apiCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		text := args[1]
		if text == "-" {
			typed, err := io.ReadAll(io.LimitReader(a.Stdin, 4*annotations.MaxNote+1))
			if err != nil {
				return err
			}
			text = string(typed)
		}
		t, err := a.client.Transaction(ctx, args[0])
		if err != nil {
			return err
		}
		file, err := a.openAnnotations(ctx)
		if err != nil {
			return fmt.Errorf("categories and notes could not be read: %w", err)
		}
		if _, err := file.Change(t.ID, func(c *annotations.Annotation) { set(c, text) }); err != nil {
			return errors.New(termtext.Line(err.Error()))
		}
		return a.show(record.Transaction(*t).Annotated(file.Of(t)))
	})
}

func newCategory(env command.Env) *cobra.Command {
	return newAnnotate(env, "category", "travel", func(a *annotations.Annotation, text string) { a.Category = text })
}

func newNote(env command.Env) *cobra.Command {
	return newAnnotate(env, "note", `"asked Ada about it"`,
		func(a *annotations.Annotation, text string) { a.Note = text })
}
