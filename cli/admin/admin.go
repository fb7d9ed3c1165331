// Package admin holds `tarmac admin`: the operator's commands. They open the database directly
// and may run while the service runs.
package admin

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// admin is one run of an operator's command. Whoever can open the database is the operator.
type admin struct {
	command.Env
	database string
	keyFile  string
	json     bool
	version  string // version of the program
}

// New returns the admin command for a program of the given version.
func New(env command.Env, version string) *cobra.Command {
	a := &admin{Env: env, version: version}
	cmd := &cobra.Command{
		Use:   "admin",
		Short: "Operate the service: organizations, tokens, invoices, payments, accounts",
		Long: "admin works on the database of `tarmac serve`, also while the service is running. Changes take effect " +
			"immediately.\n" +
			"It does what the API does not offer, such as sending and paying invoices and approving payments. It never " +
			"asks for confirmation.\n" +
			"With --json every command prints one JSON object or array with the API's field names. Amounts are integer " +
			"minor units; times are in UTC.",
		Example: "tarmac admin --db tarmac.db org create \"Northlight Labs\"\n" +
			"tarmac admin invoice list --org org_… --status draft --json",
		Args: command.NeedsCommand,
		RunE: command.NeedsCommand,
	}
	DatabaseFlags(cmd.PersistentFlags(), &a.database, &a.keyFile)
	cmd.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	cmd.AddCommand(newOrg(a), newOwner(a), newToken(a), newSSHKey(a), newInvoice(a), newPayment(a), newAccount(a),
		newWebhook(a), newSeed(a), newBackup(a), newCopy(a), newKey(a), newAudit(a))
	cmd.AddCommand(newBooks(a)...)
	for _, below := range cmd.Commands() {
		command.Audit(env, below, store.WayAdmin, "tarmac admin")
	}
	return cmd
}

// with runs fn with the service on an existing database. A database that does not exist is an
// error, so that a mistyped name creates nothing.
func (a *admin) with(ctx context.Context, fn func(*service.Service) error) error {
	if err := CheckExists(DatabaseName(a.Env, a.database)); err != nil {
		return err
	}
	return a.withNew(ctx, fn)
}

// withNew runs fn with the service on the database. If the database does not exist, it creates it.
func (a *admin) withNew(ctx context.Context, fn func(*service.Service) error) error {
	if warning := PasswordWarning(a.database); warning != "" {
		fmt.Fprintln(a.Stderr, "Warning: "+warning)
	}
	svc, err := command.OpenService(ctx, service.Config{
		Database: DatabaseName(a.Env, a.database), KeyFile: a.keyFile, Operator: true,
		Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: a.Now, Entropy: rand.Reader, Version: a.version,
	})
	if err != nil {
		return err
	}
	defer svc.Close()
	svc.Store().RequireAudit()
	err = fn(svc)
	if failure := svc.Store().EndAudit(ctx, err); failure != nil {
		err = errors.Join(err, failure)
	}
	if errors.As(err, new(*lifecycle.Invalid)) {
		return command.UsageError{Err: err}
	}
	return err
}

// show prints a result: v as JSON with the flag --json, otherwise what text prints.
func (a *admin) show(v any, text func() error) error {
	if !a.json {
		return text()
	}
	enc := json.NewEncoder(a.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// line returns a function that prints one line, for use with show.
func (a *admin) line(format string, args ...any) func() error {
	return func() error {
		_, err := fmt.Fprintf(a.Stdout, format+"\n", args...)
		return err
	}
}

// orgFlag adds the required flag that names an organization.
func orgFlag(cmd *cobra.Command, org *string) {
	cmd.Flags().StringVar(org, "org", "", "organization id")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *org == "" {
			return command.Usagef("--org is missing: an organization id from `tarmac admin org list`")
		}
		return nil
	}
}

// oneID requires exactly one argument, the ID of a record. Its error names list, the command that
// shows IDs.
func oneID(record, list string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return command.Usagef("%s needs the %s's id, from `%s`", cmd.CommandPath(), record, list)
		}
		return nil
	}
}

// Limits of a listing: the default and the maximum.
const (
	defaultLimit = 50
	maxLimit     = 10_000
)

// limitFlag adds the flag --limit, which restricts a listing to the newest records.
func limitFlag(cmd *cobra.Command, limit *int) {
	cmd.Flags().IntVar(limit, "limit", defaultLimit, "maximum number to list, newest first")
}

func checkLimit(limit int) error {
	if limit < 1 || limit > maxLimit {
		return command.Usagef("--limit must be from 1 to %d", maxLimit)
	}
	return nil
}

// noteLimit prints a note on standard error if a listing has as many records as its limit, so that
// there may be more.
func (a *admin) noteLimit(listed, limit int) {
	if listed == limit {
		fmt.Fprintf(a.Stderr, "Showing the newest %d. Use --limit for more.\n", limit)
	}
}

// table prints a header, and a row of cells for each record.
func table[T any](a *admin, header string, all []T, row func(T) []string) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, header)
	for _, one := range all {
		fmt.Fprintln(w, strings.Join(row(one), "\t"))
	}
	return w.Flush()
}

// showList writes records as a table, or as JSON with --json.
func showList[T, R any](a *admin, all []T, of func(T) R, header string, row func(T) []string) error {
	return a.show(records(all, of), func() error { return table(a, header, all, row) })
}

// changeFunc changes the record with the given ID and returns the changed record.
type changeFunc[T any] func(s *service.Service, ctx context.Context, id string) (T, error)

// withRecordChange completes cmd, a command whose argument is a record's ID. The command applies
// change to that record and prints the result as a line, or as JSON with --json.
func withRecordChange[T, R any](a *admin, cmd *cobra.Command, change changeFunc[T], of func(T) R,
	line func(T) string) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.with(cmd.Context(), func(svc *service.Service) error {
			changed, err := change(svc, cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.show(of(changed), a.line("%s", line(changed)))
		})
	}
	return cmd
}

// formatTime formats a time for a table. If t is nil, it returns "-".
func formatTime(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}

// formatDate formats a date for a table. For the zero date it returns "-".
func formatDate(d civil.Date) string {
	if d.IsZero() {
		return "-"
	}
	return d.String()
}

// formatAmount formats an amount in minor units, followed by its currency code.
func formatAmount(minor int64, currency string) string {
	return money.Format(minor, currency) + " " + currency
}

// parseAmount parses the amount given to a flag and returns it in minor units.
func parseAmount(flag, text, currency string) (int64, error) {
	minor, err := money.Parse(text, currency)
	if err != nil {
		return 0, command.Usagef("%s must be an amount of %s such as %s, not %s", flag, currency,
			money.Format(1_200_50, currency), command.Quoted(text))
	}
	return minor, nil
}
