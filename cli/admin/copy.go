package admin

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/store/dbcopy"
)

func newCopy(a *admin) *cobra.Command {
	var from, to, org string
	cmd := &cobra.Command{
		Use:   "copy --from DATABASE [--to DATABASE]",
		Short: "Copy organizations between SQLite and PostgreSQL databases",
		Long: "copy copies organizations to another database: records with their ids and numbers, the event feed byte " +
			"for byte, webhook endpoints with their sealed secrets, deliveries and tokens. It copies each organization " +
			"in one transaction, then reads it back, compares it and prints a summary.\n" +
			"Before copying, stop the service of the source database. Do not start it again afterwards, because it " +
			"would send the same webhooks twice. The key of webhook secrets is not in a database: serve the " +
			"destination with the same --key-file.\n" +
			"Organizations that already exist in the destination are skipped; with --org this is an error. After an " +
			"interrupted copy, run the command again: it never leaves a partly copied organization.\n" +
			"If a URL contains a password, put the destination's into $" + databaseVariable + ", which applies if neither " +
			"--to nor --db is set, or put the password into a PGPASSFILE.",
		Example: databaseVariable + "=postgres://tarmac@db.internal/tarmac tarmac admin copy --from tarmac.db\n" +
			"tarmac admin copy --from postgres://tarmac@db.internal/tarmac --to tarmac.db --key-file key --org org_…",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := service.CopyConfig{From: from, To: to, KeyFile: a.keyFile, Organization: org}
			if config.To == "" {
				config.To = a.database
			}
			if config.To == "" {
				config.To = a.Getenv(databaseVariable)
			}
			switch {
			case from == "":
				return command.Usagef("--from is missing: the SQLite file or postgres:// URL to copy from")
			case config.To == "":
				return command.Usagef("--to is missing: the SQLite file or postgres:// URL to copy to, or set $%s",
					databaseVariable)
			case from == config.To:
				return command.Usagef("--from and --to name the same database")
			}
			return a.copy(cmd, config)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "source: SQLite file or postgres:// URL")
	cmd.Flags().StringVar(&to, "to", "",
		"destination: SQLite file or postgres:// URL (default --db, then $"+databaseVariable+")")
	cmd.Flags().StringVar(&org, "org", "", "copy only the organization with this id")
	return cmd
}

func (a *admin) copy(cmd *cobra.Command, config service.CopyConfig) error {
	for _, name := range []string{config.From, config.To} {
		if warning := PasswordWarning(name); warning != "" && name != a.Getenv(databaseVariable) {
			fmt.Fprintln(a.Stderr, "Warning: "+warning)
			break
		}
	}
	results := []copyRecord{}
	var shown error
	config.OnProgress = a.copying()
	began := time.Now()
	config.OnCopied = func(c dbcopy.Result) {
		results = append(results, copyOf(c))
		if !a.json {
			shown = errors.Join(shown, a.showCopied(c, time.Since(began)))
		}
		began = time.Now()
	}
	config.OnSkipped = func(o dbcopy.Organization) {
		results = append(results, copyRecord{ID: o.PublicID, Name: o.Name, State: "skipped"})
		if !a.json {
			_, err := fmt.Fprintf(a.Stdout, "%s %s already exists and was skipped\n", o.PublicID, termtext.Line(o.Name))
			shown = errors.Join(shown, err)
		}
	}
	if err := service.Copy(cmd.Context(), config); err != nil {
		return err
	}
	return errors.Join(shown, a.show(results, func() error { return nil }))
}

// showCopied prints a summary of the copied database, read back from the destination.
func (a *admin) showCopied(c dbcopy.Result, took time.Duration) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s copied and compared in %s\n", c.PublicID, termtext.Line(c.Name),
		took.Round(100*time.Millisecond))
	fmt.Fprintf(&b, "  %s transactions on %s days", money.Count(c.Rows["transactions"]), money.Count(int64(c.Days)))
	if !c.Overflow {
		fmt.Fprintf(&b, ", %s in and %s out", formatAmount(c.Inflow, "USD"), formatAmount(c.Outflow, "USD"))
	}
	fmt.Fprintf(&b, "\n  %s events", money.Count(c.Rows["events"]))
	if c.LastEvent > 0 {
		fmt.Fprintf(&b, ", numbers %d to %d", c.FirstEvent, c.LastEvent)
	}
	for _, table := range slices.Sorted(maps.Keys(c.Rows)) {
		if n := c.Rows[table]; table != "transactions" && table != "events" && n > 0 {
			fmt.Fprintf(&b, "\n  %s in %s", money.Count(n), table)
		}
	}
	_, err := fmt.Fprintln(a.Stdout, b.String())
	return err
}

// copying returns a function that shows the progress of a copy on standard error. It returns nil if
// standard error is not a terminal.
func (a *admin) copying() func(o dbcopy.Organization, done, total int64) {
	if !command.IsTerminal(a.Stderr) {
		return nil
	}
	return func(o dbcopy.Organization, done, total int64) {
		fmt.Fprintf(a.Stderr, "\r%s: %s of %s rows", o.PublicID, money.Count(done), money.Count(total))
		if done >= total {
			fmt.Fprint(a.Stderr, "\r\x1b[K")
		}
	}
}

type copyRecord struct {
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	State       string           `json:"state"` // "copied", or "skipped" if the organization already exists
	Rows        map[string]int64 `json:"rows"`
	Days        int              `json:"days"`
	InflowCents *int64           `json:"inflow_usd_cents"` // null if the sum exceeds an integer
	Outflow     *int64           `json:"outflow_usd_cents"`
	FirstEvent  int64            `json:"first_event"`
	LastEvent   int64            `json:"last_event"`
}

func copyOf(c dbcopy.Result) copyRecord {
	r := copyRecord{ID: c.PublicID, Name: c.Name, State: "copied", Rows: c.Rows, Days: c.Days, FirstEvent: c.FirstEvent,
		LastEvent: c.LastEvent}
	if !c.Overflow {
		r.InflowCents, r.Outflow = &c.Inflow, &c.Outflow
	}
	return r
}
