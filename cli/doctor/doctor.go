// Package doctor is the command that checks what the dashboard and the service need.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/admin"
	"tarmac/cli/command"
	"tarmac/client/annotations"
	"tarmac/client/filters"
	"tarmac/client/secretstore"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/internal/plural"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/store"
)

// Flags are the flags that all commands have which call a server.
type Flags struct {
	settings.Flags
	Timeout time.Duration // of a request
	NoColor bool
}

// OwnBooks are the user's own books.
type OwnBooks interface {
	// Existing returns the path of the database, or an error if there are no books.
	Existing() (path string, err error)
	// Files returns the paths of the files that may belong to the database at path.
	Files(path string) []string
	// Inspect opens the database at path and calls do.
	Inspect(ctx context.Context, path string, do func(*service.Service) error) error
	// Company returns the organization in the database at path.
	Company(ctx context.Context, svc *service.Service, path string) (store.Organization, error)
}

// New returns the command `tarmac doctor` of a program with a version. The function register adds
// flags to the command, and returns a function for their values or a usage error.
func New(env command.Env, version string, own OwnBooks, register func(*cobra.Command) func() (Flags, error),
) *cobra.Command {
	var flagValues func() (Flags, error)
	var asJSON bool
	var databaseName string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check settings, connection, token, own books and terminal, or a server",
		Long: "doctor checks everything the dashboard needs and reports each finding as ok, problem or note, with " +
			"advice. It changes nothing and sends a single request, for the token's owner.\n" +
			"Of own books it checks who has access, whether the disk has room (it writes a file and removes it), whether " +
			"the database is intact, and whether the statements are recent and add up.\n" +
			"On a server, --db names the database of `tarmac serve`. doctor then opens the database as `tarmac admin` does, " +
			"and lists what is open to whom: the tokens, SSH keys and open SSH sessions of each organization, with " +
			"scopes, last use and expiry. If $TARMAC_DB names the database, it does so after the other checks.\n" +
			"It exits with 0 if there is no problem, and with 1 otherwise.",
		Example: "tarmac doctor\ntarmac doctor --profile acme --json\n" +
			"sudo -u tarmac tarmac doctor --db /var/lib/tarmac/tarmac.db",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			flags, err := flagValues()
			if err != nil {
				return err
			}
			if warning := admin.PasswordWarning(databaseName); warning != "" {
				fmt.Fprintln(env.Stderr, "Warning: "+warning)
			}
			d := doctor{Env: env, version: version, own: own, flags: flags, database: admin.NamedDatabase(env, databaseName)}
			if databaseName == "" {
				d.examine(cmd.Context())
			}
			if d.database != "" {
				d.examineService(cmd.Context())
			}
			return d.report(asJSON)
		},
	}
	flagValues = register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&databaseName, "db", "",
		"check only this database of a service: SQLite file or postgres:// URL")
	return cmd
}

// findingStatus says whether a finding is a problem.
type findingStatus string

const (
	statusOK      findingStatus = "ok"
	statusProblem findingStatus = "problem"
	statusNote    findingStatus = "note"
)

// finding is one line of the report of `tarmac doctor`.
type finding struct {
	Status findingStatus `json:"status"`
	Check  string        `json:"check"`
	Found  string        `json:"found"`
	Advice string        `json:"advice,omitempty"`
}

// doctor runs one check after another. It skips checks that must fail because of an earlier
// problem, so that the first problem in its report is the one to fix.
type doctor struct {
	command.Env
	version  string // of the program
	own      OwnBooks
	flags    Flags
	database string // database of a service to check; "" if there is none
	findings []finding
}

func (d *doctor) add(status findingStatus, check, found, advice string) {
	d.findings = append(d.findings, finding{status, check, termtext.Line(found), termtext.Line(advice)})
}

func (d *doctor) ok(check, found string)              { d.add(statusOK, check, found, "") }
func (d *doctor) problem(check, found, advice string) { d.add(statusProblem, check, found, advice) }
func (d *doctor) note(check, found, advice string)    { d.add(statusNote, check, found, advice) }

func (d *doctor) examine(ctx context.Context) {
	secrets := command.TokenStore(d.Env)
	if file, readable := d.examineSettings(); readable {
		if found, known := d.examineToken(file, secrets); known {
			d.examineConnection(ctx, found)
		}
	}
	d.examineFilters()
	d.examineBooks(ctx)
	d.examineKeyring(secrets)
	d.examineTerminal(ctx)
}

// report prints the findings. It returns an error if one of them is a problem.
func (d *doctor) report(asJSON bool) error {
	problems := 0
	for _, f := range d.findings {
		if f.Status == statusProblem {
			problems++
		}
	}
	if asJSON {
		if err := command.WriteJSON(d.Stdout, struct {
			Problems int       `json:"problems"`
			Findings []finding `json:"findings"`
		}{problems, d.findings}); err != nil {
			return err
		}
	} else {
		for _, f := range d.findings {
			fmt.Fprintf(d.Stdout, "%-7s  %s: %s\n", f.Status, f.Check, f.Found)
			if f.Advice != "" {
				fmt.Fprintf(d.Stdout, "         -> %s\n", f.Advice)
			}
		}
	}
	switch problems {
	case 0:
		return nil
	case 1:
		return errors.New("doctor found a problem")
	}
	return fmt.Errorf("doctor found %d problems", problems)
}

// examineSettings checks the settings file and its directory. readable says whether the file could
// be read.
func (d *doctor) examineSettings() (file settings.File, readable bool) {
	const check = "settings file"
	file, err := settings.Load(d.Getenv)
	switch {
	case err != nil && errors.Is(err, privatefile.ErrExposed):
		d.problem(check, err.Error(), "run the command at the end of the line; until then the file is not read")
		return file, false
	case err != nil:
		d.problem(check, err.Error(), "correct the line; `tarmac config init` writes an example where there is no file")
		return file, false
	case file.Path == "":
		d.note(check, settings.ErrNoHome.Error(), "")
		return file, true
	case !file.Exists:
		d.note(check, "there is none at "+file.Path,
			"optional: `tarmac config init` writes one with all settings explained")
	default:
		d.ok(check, file.Path+", "+plural.Count(len(file.Settings.Profiles), "profile"))
	}
	for _, dir := range []string{filepath.Dir(file.Path), command.TokenStore(d.Env).Directory()} {
		if err := privatefile.CheckDirectory(dir); err != nil {
			d.problem("settings directory", err.Error(),
				"others could put their own file there; run the command at the end of the line")
		}
	}
	return file, true
}

// examineToken checks whether the server's address and the token are set and valid. It returns
// false if they are not.
func (d *doctor) examineToken(file settings.File, secrets *secretstore.Store) (settings.Connection, bool) {
	found, err := file.Settings.Resolve(d.flags.Flags, d.Getenv, secrets)
	if d.examineChoice(found, err) {
		return found, false
	}
	switch {
	case errors.Is(err, settings.ErrNotConfigured) && d.database != "":
		d.note("server", "none is configured for the client, and there are no own books", "")
		return found, false
	case errors.Is(err, settings.ErrNotConfigured):
		d.problem("server", "none is configured, and there are no own books",
			"run `tarmac login`, import bank files with `tarmac import FILE…`, or try `tarmac demo`")
		return found, false
	case errors.Is(err, privatefile.ErrExposed):
		d.problem("token", err.Error(),
			"run the command at the end of the line, and revoke the token if someone may have read it")
		return found, false
	case errors.Is(err, secretstore.ErrNone):
		d.problem("token", err.Error(), "")
		return found, false
	case err != nil:
		d.problem("server and token", err.Error(), "")
		return found, false
	}
	// Check the address before printing it, because it may contain a password or a token.
	if _, err := apiclient.New(found.BaseURL, found.Token); err != nil {
		d.problem("base URL", err.Error(), "correct it in "+found.BaseURLSource)
		return found, false
	}
	d.ok("server", found.BaseURL+" (from "+found.BaseURLSource+")")
	from := found.TokenSource
	if found.TokenLocation != "" {
		from += ", kept in " + found.TokenLocation
	}
	d.ok("token", "from "+from)
	d.examineOverrides(found)
	return found, true
}

// examineOverrides adds a note if the environment overrides the token of a profile.
func (d *doctor) examineOverrides(found settings.Connection) {
	for _, source := range []string{settings.EnvToken, settings.EnvTokenFile} {
		if found.Profile != "" && found.TokenSource == source {
			d.note("token", source+" is used in place of the token of profile "+found.Profile,
				"unset it, or add --profile "+found.Profile)
		}
	}
}

// examineFilters checks whether the dashboard can read the filters of earlier sessions, and what
// the user wrote about transactions.
func (d *doctor) examineFilters() {
	const check = "saved filters"
	directory, err := settings.StateDirectory(d.Getenv)
	if err != nil {
		return // the dashboard saves no filters
	}
	switch files, err := filters.Check(state.Directory(directory)); {
	case err != nil:
		d.problem(check, err.Error(), "until that is done, the dashboard neither restores nor saves filters of that server")
	case files > 0:
		d.ok(check, directory+", "+plural.Count(files, "file"))
	}
	const notes = "categories and notes"
	switch files, err := annotations.Check(state.Directory(directory)); {
	case err != nil:
		d.problem(notes, err.Error(), "until that is done, those of that server are neither shown nor saved")
	case files > 0:
		d.ok(notes, directory+", "+plural.Count(files, "file"))
	}
}

func (d *doctor) examineKeyring(secrets *secretstore.Store) {
	if err := secrets.CheckKeyring(); err != nil {
		d.note("keyring", err.Error(), "nothing to do: `tarmac login` keeps tokens in files that only you can read")
		return
	}
	d.ok("keyring", "answers")
}
