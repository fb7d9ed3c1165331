package admin

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/service"
	"tarmac/service/demodata"
)

func newSeed(a *admin) *cobra.Command {
	var (
		org          string
		transactions int
		seed         int64
	)
	cmd := &cobra.Command{
		Use:   "seed",
		Short: "Fill an empty organization with a generated history",
		Long: "seed fills an organization with two years of consistent generated history and opens its account. The " +
			"same seed on the same day generates the same history.\n" +
			"With fewer than a thousand transactions, the history can be too short to contain invoices and payment " +
			"intents.\n" +
			"An organization that already has a balance, invoices or transactions is refused.",
		Example: "tarmac admin seed --org org_… --transactions 1000000",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if transactions < 1 || transactions > demodata.MaxTransactions {
				return command.Usagef("--transactions must be from 1 to %d", demodata.MaxTransactions)
			}
			return a.with(cmd.Context(), func(svc *service.Service) error {
				_, key, err := svc.Organization(cmd.Context(), org)
				if err != nil {
					return err
				}
				started := time.Now()
				figures, err := demodata.Generate(cmd.Context(), svc.Store(), key, demodata.Options{
					Seed: seed, Transactions: transactions, Today: a.Now(),
				}, a.progress())
				if errors.Is(err, demodata.ErrNotEmpty) {
					return fmt.Errorf("%w: seed a new organization, without `admin account open`", err)
				}
				if err != nil {
					return fmt.Errorf("%w; the organization may be partly filled: seed a new one", err)
				}
				if err := svc.Store().Optimize(cmd.Context()); err != nil {
					return err
				}
				took := time.Since(started).Round(100 * time.Millisecond)
				return a.show(seedRecord{org, figures.Transactions},
					a.line("%s in %s", plural.Count(figures.Transactions, "transaction"), took))
			})
		},
	}
	orgFlag(cmd, &org)
	cmd.Flags().IntVar(&transactions, "transactions", demodata.DefaultTransactions,
		"number of transactions to generate")
	cmd.Flags().Int64Var(&seed, "seed", demodata.DefaultSeed, "seed of the generated data")
	return cmd
}

// progress returns a function that shows the number of generated records on standard error. If
// standard error is not a terminal, the function does nothing.
func (a *admin) progress() func(done, total int) {
	if !command.IsTerminal(a.Stderr) {
		return func(int, int) {}
	}
	return func(done, total int) {
		fmt.Fprintf(a.Stderr, "\r%s of %s", money.Count(int64(done)), plural.Count(total, "transaction"))
		if done >= total {
			fmt.Fprint(a.Stderr, "\r\x1b[K")
		}
	}
}
