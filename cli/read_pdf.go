package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/record"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

func newInvoicePDF(env command.Env) *cobra.Command {
	var (
		output string
		force  bool
	)
	cmd := &cobra.Command{
		Use:   "pdf ID",
		Short: "Download an invoice as PDF",
		Long: "pdf saves an invoice to a file that only you can read, named after its number or by --output, and " +
			"prints the file's name. It replaces a file only with --force and leaves no partial file.\n" +
			"With --output - it writes the document to standard output.",
		Example: "tarmac invoices pdf inv_…\ntarmac invoices pdf inv_… -o - | lp",
		Args:    idArgument("invoice", "tarmac invoices"),
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "output file; - for standard output")
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing file")
	return apiCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		switch {
		case output == "-" && a.json:
			return command.Usagef("--json and --output - cannot be combined")
		case output == "-" && command.IsTerminal(a.Stdout):
			return command.Usagef("refusing to write a PDF to the terminal; name a file with --output, or pipe it into a " +
				"program")
		case output == "-":
			_, err := a.client.InvoicePDF(ctx, args[0], a.out)
			return err
		}
		if output != "" && !force {
			if _, err := os.Lstat(output); err == nil {
				return existsError(output)
			}
		}
		var document bytes.Buffer
		pdf, err := a.client.InvoicePDF(ctx, args[0], &document)
		if err != nil {
			return err
		}
		path := output
		if path == "" {
			if path = pdf.FileName; path == "" {
				path = "invoice.pdf"
			}
		}
		if err := saveFile(path, document.Bytes(), force); err != nil {
			return err
		}
		if a.json {
			return record.Object{record.Text("path", "", path), record.Count("bytes", "", &pdf.Bytes)}.WriteJSON(a.out)
		}
		_, err = fmt.Fprintln(a.out, termtext.Line(path))
		return err
	})
}

func existsError(path string) error {
	return fmt.Errorf("%s already exists; name another file with --output, or replace it with --force",
		termtext.Line(path))
}

// saveFile writes a file that only its owner can read. The directory must exist. If writing fails,
// no incomplete file remains.
func saveFile(path string, content []byte, replace bool) error {
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("cannot write %s: %w", termtext.Line(path), privatefile.Reason(err))
	}
	if replace {
		return privatefile.Write(path, content)
	}
	err := privatefile.Create(path, content)
	if errors.Is(err, fs.ErrExist) {
		return existsError(path)
	}
	return err
}
