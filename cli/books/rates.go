package books

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
)

func newRates(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "rates",
		Short: "List the exchange rates of the books, and what lacks one",
		Long: "rates says for which days there are rates of the accounts' currencies, how old the newest is, which " +
			"accounts and open invoices lack rates, and which file to import then. Amounts without a rate are " +
			"unknown in the currency of the books and count in no total.",
		Example: c.open.Example("books rates"),
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				report, err := b.Rates(cmd.Context())
				if err != nil {
					return err
				}
				return c.show(report, func() error { return printRates(c.Stdout, report) })
			})
		},
	}
}

// ageText says how old the newest rate is.
func ageText(days int) string {
	if days < 0 {
		return "in the future"
	}
	return plural.Count(days, "day")
}

// printRates prints the rates of the accounts' currencies, and the amounts without a rate.
func printRates(w io.Writer, report bookkeeping.RatesReport) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	shown := 0
	for _, r := range report.Rates {
		if len(r.Accounts) == 0 {
			continue
		}
		if shown == 0 {
			fmt.Fprintln(table, "CURRENCY\tFROM\tTO\tDAYS\tUS DOLLARS\tAGE\tACCOUNTS")
		}
		shown++
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", r.Currency, r.First, r.Last, r.Days, r.USD,
			ageText(r.AgeDays), termtext.Line(strings.Join(r.Accounts, " ")))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	if others := len(report.Rates) - shown; others > 0 {
		fmt.Fprintf(&b, "There are rates of %s that no account has.\n", plural.Count(others, "other currency"))
	}
	if len(report.Rates) == 0 && len(report.Missing) == 0 {
		b.WriteString("There are no exchange rates, and nothing needs one.\n")
	}
	for _, m := range report.Missing {
		b.WriteString(describeMissing(m) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// describeMissing says which amounts have no rate and what to do about it.
func describeMissing(m bookkeeping.MissingRates) string {
	what, noun := "Open invoices in "+m.Currency, "invoice"
	if m.Account != nil {
		what, noun = termtext.Line(*m.Account)+" "+m.Currency, "line"
	}
	var lacks []string
	if m.Lines > 0 {
		days := *m.First
		if *m.Last != *m.First {
			days += " to " + *m.Last
		}
		lacks = append(lacks, plural.Count(m.Lines, noun)+" ("+days+")")
	}
	if m.Balance {
		lacks = append(lacks, "the balance")
	}
	advice := "import a table with the columns date,currency,usd"
	if m.Download != nil {
		advice = "download the rates of the European Central Bank, " + *m.Download + ", and import the file"
	}
	return fmt.Sprintf("%s: no rate for %s; %s.", what, strings.Join(lacks, " and "), advice)
}
