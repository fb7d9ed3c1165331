package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service"
	"tarmac/service/lifecycle"
)

// admin is what people and the service itself do outside the API. It works on
// the database directly; whoever may read and write that file is the operator.
type admin struct {
	command.Env
	database string
	keyFile  string
	json     bool
}

func newAdmin(env command.Env) *cobra.Command {
	a := &admin{Env: env}
	cmd := &cobra.Command{
		Use:   "admin",
		Short: "Operate the service: organizations, tokens, invoices, payments, accounts",
		Long: "admin works on the database that `tarmac serve` serves, also while it is being served. What it changes holds at once.\n" +
			"It does what the API leaves to people and to the service itself: sending, paying and approving among it. It never asks back.\n" +
			"With --json every command prints one JSON object or array, with the API's own field names; money is integer minor units, times are UTC.",
		Example: "tarmac admin --db tarmac.db org create \"Northlight Labs\"\n" +
			"tarmac admin invoice list --org org_… --status draft --json",
		Args: command.NeedsCommand,
		RunE: command.NeedsCommand,
	}
	databaseFlag(cmd.PersistentFlags(), &a.database)
	cmd.PersistentFlags().StringVar(&a.keyFile, "key-file", "", "the file with the key that webhook secrets are sealed with (the SQLite file's name and .key)")
	cmd.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	cmd.AddCommand(newAdminOrg(a), newAdminOwner(a), newAdminToken(a), newAdminInvoice(a), newAdminPayment(a), newAdminAccount(a),
		newAdminWebhook(a), newAdminSeed(a), newAdminBackup(a), newAdminCopy(a), newAdminKey(a))
	return cmd
}

// with opens the database that there is for one command. A name that was typed
// wrongly makes no new one.
func (a *admin) with(ctx context.Context, do func(*service.Service) error) error {
	if err := checkThere(databaseName(a.Env, a.database)); err != nil {
		return err
	}
	return a.withNew(ctx, do)
}

// withNew opens the database for one command, and makes it when there is none.
func (a *admin) withNew(ctx context.Context, do func(*service.Service) error) error {
	if warning := exposed(a.database); warning != "" {
		fmt.Fprintln(a.Stderr, "Warning: "+warning)
	}
	svc, err := service.Open(ctx, service.Config{
		Database: databaseName(a.Env, a.database), KeyFile: a.keyFile, Operator: true, Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: a.Now, Entropy: rand.Reader, Version: version(),
	})
	if err != nil {
		return err
	}
	defer svc.Close()
	err = do(svc)
	if errors.As(err, new(*lifecycle.Invalid)) {
		return command.UsageError{Err: err}
	}
	return err
}

// show writes a result: v with --json, otherwise the text that text writes.
func (a *admin) show(v any, text func() error) error {
	if !a.json {
		return text()
	}
	enc := json.NewEncoder(a.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// line returns what show writes one line of text with.
func (a *admin) line(format string, args ...any) func() error {
	return func() error {
		_, err := fmt.Fprintf(a.Stdout, format+"\n", args...)
		return err
	}
}

// orgFlag adds the flag that names an organization, which the command cannot do
// without.
func orgFlag(cmd *cobra.Command, org *string) {
	cmd.Flags().StringVar(org, "org", "", "the organization's id")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *org == "" {
			return command.Usagef("--org is missing: the organization's id, from `tarmac admin org list`")
		}
		return nil
	}
}

// oneID is for commands whose only argument is the id of a record.
func oneID(record, list string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return command.Usagef("%s needs the %s's id, from `%s`", cmd.CommandPath(), record, list)
		}
		return nil
	}
}

// The most that a listing shows.
const (
	defaultListed = 50
	maxListed     = 10_000
)

// limitFlag adds the flag that bounds a listing of the newest records.
func limitFlag(cmd *cobra.Command, limit *int) {
	cmd.Flags().IntVar(limit, "limit", defaultListed, "how many to list at most, the newest")
}

func checkLimit(limit int) error {
	if limit < 1 || limit > maxListed {
		return command.Usagef("--limit must be from 1 to %d", maxListed)
	}
	return nil
}

// cut says on standard error that a listing may not be all there is.
func (a *admin) cut(listed, limit int) {
	if listed == limit {
		fmt.Fprintf(a.Stderr, "These are the newest %d; --limit lists more.\n", limit)
	}
}

// table writes rows in columns.
func (a *admin) table(header string, rows func(w io.Writer)) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, header)
	rows(w)
	return w.Flush()
}

// moment writes a time for a table; "-" where there is none.
func moment(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

// dueDay writes a date for a table; "-" where there is none.
func dueDay(d civil.Date) string {
	if d.IsZero() {
		return "-"
	}
	return d.String()
}

// amountText writes money for a table.
func amountText(minor int64, currency string) string {
	return money.Format(minor, currency) + " " + currency
}

// parseAmount reads the amount that a flag was given.
func parseAmount(flag, text, currency string) (int64, error) {
	minor, err := money.Parse(text, currency)
	if err != nil {
		return 0, command.Usagef("%s must be an amount of %s such as %s, not %s", flag, currency, money.Format(1_200_50, currency), command.Quoted(text))
	}
	return minor, nil
}
