package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/admin"
	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/cli/sshd"
	"tarmac/client/settings"
	"tarmac/service/store"
)

func newRoot(env command.Env) *cobra.Command {
	var (
		flags       clientFlags
		showVersion bool
	)
	root := &cobra.Command{
		Use:   "tarmac",
		Short: "A company's finances in a terminal",
		Long: "tarmac shows an organization's cash, runway, receivables, transactions and events in the terminal.\n" +
			"Without a command it opens the dashboard on the configured server, else on your own books, or a welcome page " +
			"if there is neither.\n" +
			"`tarmac demo` opens it on a sample company; `tarmac serve` runs the service.",
		Example: "tarmac demo\n" +
			"tarmac login --base-url https://finance.example.com\n" +
			"tarmac doctor",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return printVersion(env)
			}
			return runDashboard(cmd.Context(), env, flags)
		},
	}
	flags.register(root)
	flags.registerPlain(root)
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "print the version")
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return refuseEmptyFiles(cmd.Flags()) }
	root.CompletionOptions.HiddenDefaultCmd = false
	root.AddCommand(newDemo(env), newServe(env), sshd.New(env, version()), admin.New(env, version()), newVersion(env))
	root.AddCommand(newOverview(env), newPing(env), newAccount(env), newCashPosition(env), newAging(env), newInvoices(env),
		newTransactions(env), newSpend(env), newRecurring(env), newForecast(env), newPlan(env), newBills(env), newRemind(env),
		newReport(env),
		newCheck(env), newAlerts(env), newWatch(env), newDigest(env), newPaymentIntents(env), newEvents(env),
		newWebhooks(env))
	own := books.New(env, ownBooks{env}, newBooksBackup(env), newBooksRestore(env), newBooksAudit(env))
	for _, cmd := range own {
		command.Audit(env, cmd, store.WayLocal, "tarmac")
	}
	root.AddCommand(own...)
	root.AddCommand(newLogin(env), newLogout(env), newProfiles(env), newWhoami(env), newConfig(env), newDoctor(env),
		newMCP(env), newMan(env))
	addHelp(env, root)
	return root
}

// clientFlags are the flags of all commands that call a server.
type clientFlags struct {
	settings.Flags
	sessionFlags
}

// sessionFlags are the flags of all commands that show data in a terminal, even without a
// configured server.
type sessionFlags struct {
	noColor bool
	plain   bool
	timeout time.Duration
	logFile string
}

func (f *clientFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.BaseURL, "base-url", "", "base URL of the server (TARMAC_BASE_URL)")
	cmd.Flags().StringVar(&f.TokenFile, "token-file", "",
		"a file with the organization's token, readable by you alone (TARMAC_TOKEN_FILE)")
	cmd.Flags().StringVar(&f.CAFile, "ca-file", "",
		"PEM file with extra certificate authorities to trust (TARMAC_CA_FILE)")
	cmd.Flags().StringVar(&f.Profile, "profile", "",
		`profile to use (TARMAC_PROFILE); "own books" for your own books`)
	cmd.Flags().BoolVar(&f.ReadOnly, "read-only", false, "disable all commands that change data")
	f.sessionFlags.register(cmd)
}

// resolve returns the connection that flags, environment and settings file describe. If they name
// no server, it returns the one to the user's own books, if there are any.
func (f *clientFlags) resolve(env command.Env) (settings.Connection, error) {
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return settings.Connection{}, command.UsageError{Err: err}
	}
	found, err := file.Settings.Resolve(f.Flags, env.Getenv, command.TokenStore(env))
	switch {
	case isUnset(err) && ownBooks{env}.exist():
		return settings.Connection{Profile: settings.OwnBooks, ReadOnly: f.ReadOnly}, nil
	case err != nil:
		return settings.Connection{}, command.UsageError{Err: err}
	}
	return found, nil
}

// defaultTimeout is the time limit for one request, including its retries.
const defaultTimeout = 15 * time.Second

func (f *sessionFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.noColor, "no-color", false, "no colours (NO_COLOR)")
	cmd.Flags().DurationVar(&f.timeout, "timeout", defaultTimeout, "request timeout")
	cmd.Flags().StringVar(&f.logFile, "log-file", "",
		"write a debug log to a file; it contains no tokens, queries or bodies")
}

// registerPlain adds the flag --plain to a command that opens the dashboard.
func (f *sessionFlags) registerPlain(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.plain, "plain", false, "use line mode, for screen readers, dumb terminals and scripts")
}

func (f *sessionFlags) check() error {
	if f.timeout <= 0 {
		return command.Usagef("--timeout must be greater than zero, such as 15s")
	}
	return nil
}

// isUnset reports whether an error means that no server is configured.
func isUnset(err error) bool { return errors.Is(err, settings.ErrNotConfigured) }
