package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/alerts"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service"
	"tarmac/service/demodata"
	"tarmac/service/invoicepdf"
	"tarmac/service/store"
	"tarmac/ui"
)

const (
	// demoCompany is the name of the generated organization.
	demoCompany = "Northlight Labs"
)

type demoFlags struct {
	data         string
	files        string // directory for bank files; "" opens the dashboard
	currency     string // of the company; "" for USD
	transactions int
	seed         int64
	invoiceFonts []string
	fonts        []*invoicepdf.Font // content of the font files
	sessionFlags
}

// hasBooks reports whether the sample company has own books, from its bank files. They can report
// in another currency than the US dollar.
func (f *demoFlags) hasBooks() bool { return f.currency != "" && f.currency != "USD" }

func newDemo(env command.Env) *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open the dashboard on a sample company",
		Long: "demo starts the service on this machine with a sample company of about thirty people and two years of " +
			"history, and opens the dashboard on it. New transactions and events keep arriving, and webhooks are " +
			"delivered to two endpoints on this machine, of which one always fails.\n" +
			"With fewer than a thousand transactions, the history can be too short to contain invoices and payment " +
			"intents.\n" +
			"Nothing but the looks of the dashboard is saved unless --data names a directory.\n" +
			"With --currency EUR, the company thinks in euros: demo imports its bank files, as tarmac import would, " +
			"and nothing arrives later.\n" +
			"With --files, demo opens no dashboard. It writes the bank files of the same company to a new directory, " +
			"so that you can try tarmac import without a bank.",
		Example: "tarmac demo\ntarmac demo --currency EUR\ntarmac demo --transactions 1000000\n" +
			"tarmac demo --files sample --currency EUR",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.transactions < 1 || f.transactions > demodata.MaxTransactions {
				return command.Usagef("--transactions must be from 1 to %d", demodata.MaxTransactions)
			}
			currency := strings.ToUpper(f.currency)
			if currency != "USD" && currency != "EUR" {
				return command.Usagef("--currency must be USD or EUR, not %s", command.Quoted(f.currency))
			}
			f.currency = currency
			changed := cmd.Flags().Changed
			switch {
			case changed("files") && (changed("data") || changed("transactions")):
				return command.Usagef("--files cannot be combined with --data or --transactions")
			case changed("files"):
				return writeDemoFiles(env, f.files, currency, f.seed)
			case f.hasBooks() && changed("transactions"):
				return command.Usagef("--transactions is for the company in US dollars")
			}
			var err error
			if f.fonts, err = loadInvoiceFonts(f.invoiceFonts); err != nil {
				return err
			}
			return showDashboard(cmd.Context(), env, f.sessionFlags,
				func(o *ui.Options, dial dialer, set settings.Settings) error {
					if !cmd.Flags().Changed("transactions") {
						f.transactions = set.Demo.Transactions
					}
					if !cmd.Flags().Changed("seed") {
						f.seed = set.Demo.Seed
					}
					var progress demoProgress
					o.Start = demoProfile(&progress, func(ctx context.Context) (ui.Connection,
						error) {
						return startDemo(ctx, env, f, dial, &progress)
					})
					// Offer the demo again after it has failed or the user has left it.
					o.Demo = o.Start
					return nil
				})
		},
	}
	cmd.Flags().StringVar(&f.data, "data", "", "directory to save the organization in")
	cmd.Flags().StringVar(&f.files, "files", "", "new directory to write the sample company's bank files to")
	cmd.Flags().StringVar(&f.currency, "currency", "USD", "currency of the company: USD or EUR")
	command.Choices(cmd, "currency", "USD", "EUR")
	cmd.Flags().IntVar(&f.transactions, "transactions", demodata.DefaultTransactions,
		"number of transactions to generate")
	cmd.Flags().Int64Var(&f.seed, "seed", demodata.DefaultSeed, "seed of the generated data")
	invoiceFontFlag(cmd.Flags(), &f.invoiceFonts)
	f.sessionFlags.register(cmd)
	f.sessionFlags.registerPlain(cmd)
	return cmd
}

// demoProfile returns the demo as an entry in the dashboard's list of profiles.
func demoProfile(progress *demoProgress, open func(context.Context) (ui.Connection, error)) *ui.Profile {
	return &ui.Profile{Name: "demo", Hint: "a sample company", Open: open, Progress: progress.text}
}

// startDemo starts the service on a free port of the loopback interface and connects to it. The
// service has an organization whose data keeps changing. Closing the connection stops all of this.
func startDemo(ctx context.Context, env command.Env, f demoFlags, dial dialer, progress *demoProgress) (c ui.Connection,
	_ error) {
	var closing closers
	started := false
	defer func() {
		if !started { // runs after a panic too
			closing.close()
		}
	}()
	dir, err := demoDirectory(f.data, env.Now(), &closing)
	if err != nil {
		return c, err
	}
	receiver, err := newDemoReceiver(env.Now(), &closing)
	if err != nil {
		return c, err
	}
	svc, err := service.Open(ctx, service.Config{
		Webhooks: receiver.egress(),
		Database: filepath.Join(dir, "demo.db"), Ephemeral: f.data == "",
		Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: env.Now, Entropy: rand.Reader,
		Contract: env.Contract, Version: version(), InvoiceFonts: f.fonts,
	})
	if err != nil {
		return c, err
	}
	closing.add(func() { svc.Close() })

	org, key, err := demoOrganization(ctx, svc, env, f, progress)
	if err != nil {
		return c, err
	}
	client, running, err := dial.serveLocal(ctx, svc, org.PublicID, &closing)
	if err != nil {
		return c, err
	}
	running.Go(receiver.serve)
	// Ignore errors: without the endpoints, the page Webhooks says how to make one.
	_ = receiver.register(ctx, client, svc.Store(), key)
	c = ui.Connection{
		Client: client, Profile: "demo", Temporary: f.data == "", Drafts: state.Directory(f.data), Close: closing.close,
	}
	if c.Temporary {
		if c.Annotations, err = demoNotes(ctx, client); err != nil {
			return c, err
		}
		c.Plan = demoPlan(civil.Of(env.Now()), cmp.Or(f.currency, "USD"))
	}
	if c.Alerts, err = alerts.OfSession(client, env.Now); err != nil {
		return c, err
	}
	started = true
	if f.hasBooks() {
		c.Books = demoBooks(svc, org, env)
		return c, nil
	}
	simulator := demodata.NewSimulator(svc.Store(), key, f.seed, env.Now)
	// Ignore errors of the simulator: a failed step changes nothing, and the next step may succeed.
	running.Go(func(ctx context.Context) { simulator.Run(ctx, time.After, func(error) {}) })
	return c, nil
}

// demoOrganization returns the organization of an earlier run if it is complete and in the same
// currency. Otherwise it generates one.
func demoOrganization(ctx context.Context, svc *service.Service, env command.Env, f demoFlags,
	progress *demoProgress) (store.Organization, store.OrgKey, error) {
	known, err := svc.Organizations(ctx)
	if err != nil {
		return store.Organization{}, 0, err
	}
	for _, o := range known {
		org, key, err := svc.Organization(ctx, o.PublicID)
		if err != nil {
			return store.Organization{}, 0, err
		}
		if complete, err := isComplete(ctx, svc.Store(), key, cmp.Or(f.currency, "USD")); complete || err != nil {
			return org, key, err
		}
	}
	return generateDemo(ctx, svc, env, f, progress)
}

// isComplete reports whether an organization that reports in a currency was generated completely.
// The generator writes the account last.
func isComplete(ctx context.Context, st *store.Store, key store.OrgKey, currency string) (complete bool, err error) {
	err = st.Read(ctx, func(snap *store.Snapshot) error {
		account, err := snap.ManagedAccount(key)
		if err != nil || !account.Exists {
			return err
		}
		reports, err := snap.ReportingCurrency(key)
		complete = reports.Code == currency
		return err
	})
	return complete, err
}

func generateDemo(ctx context.Context, svc *service.Service, env command.Env, f demoFlags,
	progress *demoProgress) (store.Organization, store.OrgKey, error) {
	org, err := svc.CreateOrganization(ctx, demoCompany)
	if err != nil {
		return store.Organization{}, 0, err
	}
	_, key, err := svc.Organization(ctx, org.PublicID)
	if err != nil {
		return store.Organization{}, 0, err
	}
	// An organization without an owner cannot receive proposals.
	if _, err := svc.SetOwner(ctx, org.PublicID, "Ada Palmer", "ada@northlight.example"); err != nil {
		return store.Organization{}, 0, err
	}
	if f.hasBooks() {
		return org, key, importDemo(ctx, svc, org, env, f)
	}
	_, err = demodata.Generate(ctx, svc.Store(), key, demodata.Options{
		Seed: f.seed, Transactions: f.transactions, Today: env.Now(), SettlesMonths: true, HasBills: true,
	}, progress.set)
	if err != nil {
		return store.Organization{}, 0, err
	}
	return org, key, svc.Store().Optimize(ctx)
}

// demoProgress counts the generated transactions. The generator writes it while the screen reads
// it.
type demoProgress struct{ done, total atomic.Int64 }

func (p *demoProgress) set(done, total int) {
	p.total.Store(int64(total))
	p.done.Store(int64(done))
}

func (p *demoProgress) text() string {
	done, total := p.done.Load(), p.total.Load()
	if total == 0 || done == total {
		return ""
	}
	return fmt.Sprintf("%s of %s transactions generated", money.Count(done), money.Count(total))
}

// closers holds cleanup functions, which run once and in reverse order.
type closers struct {
	once sync.Once
	run  []func()
}

func (c *closers) add(f func()) { c.run = append(c.run, f) }

func (c *closers) close() {
	c.once.Do(func() {
		for i := len(c.run) - 1; i >= 0; i-- {
			c.run[i]()
		}
	})
}
