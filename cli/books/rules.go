package books

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
)

func newRules(c *commands) *cobra.Command {
	var asTOML bool
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules and how many lines each of them decides",
		Long: "rules lists the rules that give transactions their names and categories, and says how many lines each of " +
			"them decides. docs/import.md shows how rules are written.\n" + c.whereRules(),
		Example: c.open.Example("books rules") + "\n" + c.open.Example(c.applyExample()),
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asTOML && c.json {
				return command.Usagef("--toml and --json exclude each other")
			}
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				report, err := b.Rules(cmd.Context())
				switch {
				case err != nil:
					return err
				case asTOML:
					_, err := io.WriteString(c.Stdout, report.Text)
					return err
				}
				return c.show(report, func() error { return c.printRules(&report) })
			})
		},
	}
	cmd.Flags().BoolVar(&asTOML, "toml", false, "print the rules as a rules file")
	cmd.AddCommand(newRulesApply(c))
	return cmd
}

func (c *commands) whereRules() string {
	if c.open.HasRulesFile() {
		return "The rules are in rules.toml beside the settings. Imports take them from there; `apply` rewrites the " +
			"transactions that are there already."
	}
	return "The rules are in the database. `--toml` prints them, and `apply FILE` replaces them."
}

func (c *commands) applyExample() string {
	if c.open.HasRulesFile() {
		return "books rules apply"
	}
	return "books rules apply rules.toml"
}

func newRulesApply(c *commands) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "apply",
		Short:   "Rewrite the transactions by the rules",
		Long:    "apply rewrites the transactions by rules.toml and says how many have changed.",
		Example: c.open.Example(c.applyExample()),
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			edit := func(current string) string { return current }
			if len(args) > 0 {
				text, err := readRules(c.Env, args[0])
				if err != nil {
					return err
				}
				edit = func(string) string { return text }
			}
			return c.open.Open(cmd.Context(), func(b *bookkeeping.Books) error {
				change, err := b.EditRules(cmd.Context(), edit)
				if err != nil {
					return err
				}
				return c.show(change, func() error {
					if err := c.printRules(&change.RulesReport); err != nil {
						return err
					}
					_, err := fmt.Fprintf(c.Stdout, "%s changed.\n", plural.Count(change.ChangedRows, "transaction"))
					return err
				})
			})
		},
	}
	if c.open.HasRulesFile() {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	} else {
		cmd.Use = "apply FILE"
		cmd.Short = "Replace the rules and rewrite the transactions by them"
		cmd.Long = "apply replaces the rules by those in a file, rewrites the transactions and says how many have " +
			"changed. An empty file removes the rules. `-` reads standard input."
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s needs the file with the rules", cmd.CommandPath())
			}
			return nil
		}
	}
	return cmd
}

// readRules returns the content of the named file, or of standard input for "-".
func readRules(env command.Env, name string) (string, error) {
	in := env.Stdin
	if name != "-" {
		file, err := OpenFile(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", termtext.Line(name), err)
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, MaxRules+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", termtext.Line(name), pathReason(err))
	case len(text) > MaxRules:
		return "", fmt.Errorf("%s is larger than %d KiB", termtext.Line(name), MaxRules>>10)
	}
	return string(text), nil
}

// MaxRules is the largest size of a rules file in bytes.
const MaxRules = 1 << 20

// printRules prints a table of the rules, and what to do with rules that are not applied.
func (c *commands) printRules(r *bookkeeping.RulesReport) error {
	where := "the database"
	if r.File != nil {
		where = termtext.Line(*r.File)
	}
	if len(r.Rules) == 0 {
		fmt.Fprintf(c.Stdout, "There are no rules in %s.\n", where)
	} else {
		table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "LINE\tHITS\tMATCH\tSETS")
		var idle []string
		for _, rule := range r.Rules {
			if rule.Hits == 0 {
				idle = append(idle, strconv.Itoa(rule.Line))
			}
			fmt.Fprintf(table, "%d\t%d\t%s\t%s\n", rule.Line, rule.Hits, termtext.Line(conditions(&rule)),
				termtext.Line(settings(&rule)))
		}
		if err := table.Flush(); err != nil {
			return err
		}
		if len(idle) > 0 {
			fmt.Fprintf(c.Stdout, "Hit nothing: the rules at line %s.\n", strings.Join(idle, ", "))
		}
	}
	if !r.Applied {
		fmt.Fprintf(c.Stdout, "The transactions do not follow these rules yet: `%s` rewrites them.\n",
			c.open.Example(c.applyExample()))
	}
	return nil
}

// conditions returns the conditions of a rule in one line.
func conditions(r *bookkeeping.RuleReport) string {
	parts := []string{r.Match}
	for _, more := range [...]struct{ before, text string }{
		{"account ", r.Account}, {"amount ", r.Amount}, {"", r.Direction},
	} {
		if more.text != "" {
			parts = append(parts, more.before+more.text)
		}
	}
	return strings.Join(parts, ", ")
}

// settings returns what a rule says about the lines that it decides.
func settings(r *bookkeeping.RuleReport) string {
	var parts []string
	for _, more := range [...]struct{ key, text string }{
		{"counterparty", r.Counterparty}, {"category", r.Category}, {"memo", r.Memo}, {"transfer", r.Transfer},
	} {
		if more.text != "" {
			parts = append(parts, more.key+" "+more.text)
		}
	}
	return strings.Join(parts, ", ")
}
