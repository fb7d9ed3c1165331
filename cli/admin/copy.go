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
		Short: "Copy organizations to another database: a file to PostgreSQL, or back",
		Long: "copy takes all that is kept of an organization into another database, each in one transaction: records and " +
			"their ids and numbers, the feed byte\n" +
			"for byte, endpoints with their sealed secrets, deliveries, tokens. It reads again what it wrote, compares, and " +
			"prints what there is.\n" +
			"Stop the service of the first database before, and do not start it again: its deliveries would be made twice. " +
			"The key file of webhook secrets\n" +
			"is not in a database: give the same one to the processes that serve the second, with --key-file.\n" +
			"An organization that the second database has is skipped, and with --org refused. A copy that was interrupted " +
			"leaves nothing of the\n" +
			"organization it was at; run it again. A URL with a password belongs into $" + databaseVariable +
			", which names the second database where no flag does, or\n" +
			"the password into the file that PGPASSFILE names.",
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
				return command.Usagef("--from is missing: the SQLite file or the postgres:// URL to copy from")
			case config.To == "":
				return command.Usagef("--to is missing: the postgres:// URL or the SQLite file to copy to; $%s names it too",
					databaseVariable)
			case from == config.To:
				return command.Usagef("--from and --to name the same database")
			}
			return a.copy(cmd, config)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the SQLite file or the postgres:// URL to copy from")
	cmd.Flags().StringVar(&to, "to", "",
		"the postgres:// URL or the SQLite file to copy to (--db, or $"+databaseVariable+", unless given)")
	cmd.Flags().StringVar(&org, "org", "", "one organization's id; without it all are copied")
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
		results = append(results, copyRecord{ID: o.PublicID, Name: o.Name, State: "there"})
		if !a.json {
			_, err := fmt.Fprintf(a.Stdout, "%s %s is there already and was left as it is\n", o.PublicID, termtext.Line(o.Name))
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

// copying returns a progress counter on standard error, or nil if that is not a terminal.
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
	State       string           `json:"state"` // copied, or already present
	Rows        map[string]int64 `json:"rows"`
	Days        int              `json:"days"`
	InflowCents *int64           `json:"inflow_usd_cents"` // null where the sum does not fit
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
