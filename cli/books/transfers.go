package books

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
)

func newTransfers(c *commands) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "transfers",
		Short: "List transfers between your accounts, and decide about proposals",
		Long: "transfers lists the transfers between your own accounts with their evidence, and money in transit. A pair " +
			"of lines that may be a transfer without evidence is a proposal: until you answer, neither line counts in " +
			"burn. On a terminal it asks about each of them, like `books questions`; elsewhere `transfers accept` and " +
			"`transfers reject` answer.",
		Example: c.open.Example("books transfers") + "\n" + c.open.Example("books transfers --json") + "\n" +
			c.open.Example("books transfers accept tr_4f1c0a9b2d"),
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				report, err := b.Transfers(cmd.Context())
				if err != nil {
					return err
				}
				return c.show(report, func() error {
					if err := printTransfers(c.Stdout, &report); err != nil || !command.IsTerminal(c.Stdin) {
						return err
					}
					return c.askTransfers(cmd.Context(), b)
				})
			})
		},
	}
	cmd.AddCommand(newDecide(c, "accept", true), newDecide(c, "reject", false))
	return cmd
}

// newDecide returns the command that accepts or rejects proposals.
func newDecide(c *commands, name string, accept bool) *cobra.Command {
	short, effect := "Take proposals as transfers between your accounts", "The lines are no transactions any more"
	if !accept {
		short = "Keep proposals as transactions, and do not ask about them again"
		effect = "The lines count in burn from now on"
	}
	return &cobra.Command{
		Use:     name + " ID…",
		Short:   short,
		Long:    short + ". " + effect + ". A later answer replaces an earlier one.",
		Example: c.open.Example("books transfers " + name + " tr_4f1c0a9b2d"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usagef("%s needs the ids of proposals, from `%s`", cmd.CommandPath(), cmd.Parent().CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				changed, paid := 0, []string{}
				for _, id := range args {
					change, err := b.DecideTransfer(cmd.Context(), id, accept)
					if err != nil {
						return err
					}
					changed, paid = changed+change.ChangedRows, append(paid, change.PaidInvoices...)
				}
				done := map[string]any{"decided": args, "changed_rows": changed, "paid_invoices": paid}
				return c.show(done, func() error { return printDecided(c.Stdout, changed, paid) })
			})
		},
	}
}

// askTransfers asks about each proposal whether it is a transfer. A proposal without an answer
// stays a proposal.
func (c *commands) askTransfers(ctx context.Context, b *bookkeeping.Books) error {
	questions, err := b.Questions(ctx)
	if err != nil {
		return err
	}
	return askQuestions(ctx, c.Env, b, slices.DeleteFunc(questions, func(q ownbooks.OpenQuestion) bool {
		return q.Kind != bookkeeping.AboutTransfer
	}))
}

func printDecided(w io.Writer, changed int, paid []string) error {
	sentence := "Remembered. " + plural.Count(changed, "transaction") + " changed."
	return printLines(w, append([]string{sentence}, ownbooks.PaidSentences(paid)...))
}

// printTransfers prints a table for each kind of transfer that occurs.
func printTransfers(w io.Writer, report *bookkeeping.TransferReport) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(report.Transfers)+len(report.InTransit)+len(report.OneSided)+len(report.Proposals) == 0 {
		fmt.Fprintln(table, "No transfers between your accounts.")
	}
	printPairs(table, "TRANSFER", report.Transfers, true)
	if len(report.InTransit) > 0 {
		fmt.Fprintln(table, "IN TRANSIT\tDATE\tAMOUNT\t\tOTHER ACCOUNT\tTEXT")
	}
	for _, t := range report.InTransit {
		sign := int64(-1)
		if t.Direction == "inflow" {
			sign = 1
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", termtext.Line(t.Account), t.Date,
			money.Format(sign*t.AmountMinor, t.Currency), t.Currency, termtext.Line(t.Other), termtext.Line(t.Text))
	}
	if len(report.OneSided) > 0 {
		fmt.Fprintln(table, "ONE SIDE ONLY\tDATE\tAMOUNT\t\tEVIDENCE\tTEXT")
	}
	for _, s := range report.OneSided {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", termtext.Line(s.Account), s.Date,
			money.Format(s.AmountMinor, s.Currency), s.Currency, s.Evidence, termtext.Line(s.Text))
	}
	printPairs(table, "PROPOSAL", report.Proposals, false)
	return table.Flush()
}

// printPairs prints the lines of transfers, or of proposals. Proposals have no evidence.
func printPairs(table io.Writer, title string, pairs []bookkeeping.TransferRecord, proven bool) {
	if len(pairs) == 0 {
		return
	}
	last := "TEXT"
	if proven {
		last = "EVIDENCE"
	}
	fmt.Fprintf(table, "%s\tOUT\tFROM\tIN\tTO\tAMOUNT\t\t%s\n", title, last)
	for _, p := range pairs {
		text := p.Out.Text + " · " + p.In.Text
		if proven {
			text = evidenceText(p)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", p.ID, p.Out.Date, termtext.Line(p.Out.Account), p.In.Date,
			termtext.Line(p.In.Account), money.Format(p.Out.AmountMinor, p.Out.Currency), p.Out.Currency, termtext.Line(text))
	}
}

// evidenceText says which evidence shows that two lines are a transfer.
func evidenceText(p bookkeeping.TransferRecord) string {
	switch {
	case p.Out.Evidence == "" || p.Out.Evidence == p.In.Evidence:
		return p.In.Evidence
	case p.In.Evidence == "":
		return p.Out.Evidence
	}
	return p.Out.Evidence + ", " + p.In.Evidence
}
