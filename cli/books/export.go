package books

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service/bookexport"
	"tarmac/service/bookkeeping"
)

func newExport(c *commands) *cobra.Command {
	e := &exportFlags{commands: c}
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Export the books for hledger, beancount or a spreadsheet",
		Long: "export writes the whole books to a file that only you can read: opening balances, each line once, " +
			"transfers, categories as accounts of income and expenses, notes, the balances of statements as assertions, " +
			"and exchange rates. Ledger reads the format of hledger.\n" +
			"It replaces a file only with --force and leaves no partial file. `-` writes to standard output.",
		Example: c.open.Example("books export --format hledger company.journal") + "\n" +
			c.open.Example("books export --format csv --force lines.csv"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s needs the file to write, or - for standard output", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.run(cmd.Context(), args[0]) },
	}
	cmd.Flags().StringVar(&e.format, "format", "", "hledger, beancount or csv")
	cmd.Flags().BoolVar(&e.force, "force", false, "replace an existing file")
	command.Choices(cmd, "format", bookexport.Formats[:]...)
	return cmd
}

// exportFlags holds the values of the flags of `tarmac books export`.
type exportFlags struct {
	*commands
	format string
	force  bool
}

func (e *exportFlags) run(ctx context.Context, path string) error {
	if _, err := bookexport.New(bookexport.Format(e.format), io.Discard); err != nil {
		return command.Usagef("--format must be hledger, beancount or csv, not %s", command.Quoted(e.format))
	}
	toStdout := path == "-"
	if toStdout && e.json {
		return command.Usagef("--json and - cannot be combined")
	}
	if !toStdout {
		if err := CheckNewFile(path, e.force); err != nil {
			return err
		}
	}
	return e.open.Open(ctx, func(b *bookkeeping.Books) error {
		if toStdout {
			out := bufio.NewWriter(e.Stdout)
			exported, err := e.write(ctx, b, out)
			if err != nil {
				return err
			}
			e.notes(exported)
			return out.Flush()
		}
		return e.file(ctx, b, path)
	})
}

// CheckNewFile returns an error if the file at path cannot be written, also because it exists and
// must not be replaced. It is called before the books are read, which takes longer.
func CheckNewFile(path string, replace bool) error {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%s cannot be written: %w", termtext.Line(path), privatefile.Reason(err))
	}
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory; name a file in it", termtext.Line(path))
	case err == nil && !replace:
		return existsError(path)
	}
	return nil
}

func existsError(path string) error {
	return fmt.Errorf("%s already exists; name another file, or replace it with --force", termtext.Line(path))
}

// file writes the books to a file and prints a summary.
func (e *exportFlags) file(ctx context.Context, b *bookkeeping.Books, path string) error {
	var exported bookkeeping.Exported
	err := privatefile.Stream(path, e.force, func(out io.Writer) (err error) {
		exported, err = e.write(ctx, b, out)
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return existsError(path)
	}
	if err != nil {
		return err
	}
	return e.show(struct {
		File string `json:"file"`
		bookkeeping.Exported
	}{path, exported}, func() error {
		e.notes(exported)
		_, err := fmt.Fprintf(e.Stdout, "%s: %s, %s\n", termtext.Line(path), plural.Count(exported.Accounts, "account"),
			plural.Count(exported.Transactions, "transaction"))
		return err
	})
}

// notes prints Exported.Notes.
func (e *exportFlags) notes(exported bookkeeping.Exported) {
	for _, note := range exported.Notes {
		fmt.Fprintln(e.Stderr, termtext.Line(note))
	}
}

func (e *exportFlags) write(ctx context.Context, b *bookkeeping.Books, out io.Writer) (bookkeeping.Exported, error) {
	w, err := bookexport.New(bookexport.Format(e.format), out)
	if err != nil {
		return bookkeeping.Exported{}, err
	}
	written, err := e.open.Annotations(ctx, b)
	if err != nil {
		fmt.Fprintf(e.Stderr, "Categories and notes could not be read: %s\n", termtext.Line(err.Error()))
	} else {
		w = bookexport.Annotated(w, written)
	}
	return b.Export(ctx, w)
}
