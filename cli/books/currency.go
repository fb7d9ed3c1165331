package books

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
	"tarmac/service/statements/bank"
)

func newCurrency(c *commands) *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   "currency [CODE|auto]",
		Short: "Show or change the currency in which the books report",
		Long: "currency says in which currency cash, burn, runway and totals are, why, and which exchange rates are " +
			"missing. With a code such as EUR it says what changes, asks, and then converts everything to it. `auto` is " +
			"the currency of the oldest import: the only one it has, or that of most of its lines.\n" +
			"Nothing else changes: each account keeps its currency, and the command that it prints takes the change back.",
		Example: c.open.Example("books currency") + "\n" + c.open.Example("books currency EUR"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("%s takes one currency", cmd.CommandPath())
			}
			if len(args) == 1 && !strings.EqualFold(args[0], bookkeeping.AutoCurrency) &&
				!bank.IsCurrency(strings.ToUpper(args[0])) {
				return command.Usagef("%s is no currency; give a code of ISO 4217 such as EUR, or auto", command.Quoted(args[0]))
			}
			return nil
		},
		ValidArgs: []string{bookkeeping.AutoCurrency},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.showCurrency(cmd.Context())
			}
			return c.changeCurrency(cmd.Context(), args[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "change it without asking")
	return cmd
}

func (c *commands) showCurrency(ctx context.Context) error {
	return c.open.Open(ctx, func(b *bookkeeping.Books) error {
		state, err := b.Currency(ctx)
		if err != nil {
			return err
		}
		return c.show(state, func() error {
			text := fmt.Sprintf("The books report in %s. %s\n", state.Currency, termtext.Line(state.Why))
			if rows := rowsText(&state); rows != "" {
				text += rows + "\n"
			}
			for _, m := range state.Missing {
				text += describeMissing(m) + "\n"
			}
			_, err := io.WriteString(c.Stdout, text)
			return err
		})
	})
}

// changeCurrency says what a change of the currency does, asks, and makes it.
func (c *commands) changeCurrency(ctx context.Context, currency string, yes bool) error {
	return c.open.Open(ctx, func(b *bookkeeping.Books) error {
		preview, err := b.PreviewCurrency(ctx, currency)
		if err != nil {
			return err
		}
		if !preview.Changes() {
			return c.show(preview, func() error {
				_, err := fmt.Fprintf(c.Stdout, "The books report in %s already.\n", preview.Currency)
				return err
			})
		}
		if !yes {
			if err := c.confirmCurrency(ctx, &preview); err != nil {
				return err
			}
		}
		done, err := b.SetCurrency(ctx, currency)
		if err != nil {
			return err
		}
		return c.show(done, func() error {
			_, err := fmt.Fprintf(c.Stdout, "The books report in %s now. `%s` takes it back.\n", done.Currency,
				c.open.Example("books currency "+done.Undo()))
			return err
		})
	})
}

func (c *commands) confirmCurrency(ctx context.Context, preview *bookkeeping.CurrencyChange) error {
	if !command.IsTerminal(c.Stdin) {
		return command.Usagef("nobody can be asked here: change the currency with --yes")
	}
	fmt.Fprintf(c.Stderr, "The books report in %s, and then in %s. %s\n", preview.Before, preview.Currency,
		rowsText(&preview.CurrencyState))
	answer, err := command.PromptLine(ctx, c.Env, "Change it? [y/N]")
	if err != nil {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was changed")
	}
	return nil
}

// rowsText says how many transactions have a rate, such as "1,204 transactions in EUR need no rate;
// 37 in USD have one, 2 have none.". It is "" if there are no transactions.
func rowsText(s *bookkeeping.CurrencyState) string {
	var texts []string
	count := func(n int, currency string) string {
		if len(texts) == 0 {
			return plural.Count(n, "transaction") + " in " + currency
		}
		return money.Count(int64(n)) + " in " + currency
	}
	verb := func(n int, singular, plural string) string {
		if n == 1 {
			return " " + singular
		}
		return " " + plural
	}
	for _, r := range s.Transactions {
		rated := r.Rows - r.Unrated
		switch {
		case r.Rows == 0:
		case r.Currency == s.Currency:
			texts = append(texts, count(r.Rows, r.Currency)+verb(r.Rows, "needs", "need")+" no rate")
		case rated == 0:
			texts = append(texts, count(r.Unrated, r.Currency)+verb(r.Unrated, "has", "have")+" none")
		default:
			text := count(rated, r.Currency) + verb(rated, "has", "have") + " one"
			if r.Unrated > 0 {
				text += ", " + money.Count(int64(r.Unrated)) + verb(r.Unrated, "has", "have") + " none"
			}
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return strings.Join(texts, "; ") + "."
}

// reportingOf returns the currency that the flag --report-in names, or a usage error.
func reportingOf(flag string) (string, error) {
	code := strings.ToUpper(strings.TrimSpace(flag))
	if flag != "" && !bank.IsCurrency(code) {
		return "", command.Usagef("--report-in must be a currency such as EUR, not %s", command.Quoted(flag))
	}
	return code, nil
}
