package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/secretstore"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

func newProfiles(env command.Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "profiles",
		Short: "List profiles, or set the default",
		Long: "profiles lists the servers of the settings file and where their tokens are kept, and your own books. The " +
			"default profile is marked with *.\n" +
			"Own books are the default where no server is configured, or after `tarmac profiles use \"own books\"`.",
		Example: "tarmac profiles\ntarmac profiles use acme",
		Args:    command.OnlyCommands,
		RunE:    func(*cobra.Command, []string) error { return listProfiles(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newProfilesUse(env))
	return cmd
}

// profileRecord describes a profile in JSON output.
type profileRecord struct {
	Name     string `json:"name"`
	Default  bool   `json:"default"`
	BaseURL  string `json:"base_url"`
	Token    string `json:"token"`           // where the token is stored
	Books    string `json:"books,omitempty"` // file of own books, which have neither a base URL nor a token
	CAFile   string `json:"ca_file,omitempty"`
	ReadOnly bool   `json:"read_only"`
}

func listProfiles(env command.Env, asJSON bool) error {
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return err
	}
	records := []profileRecord{}
	secrets := command.TokenStore(env)
	for _, name := range slices.Sorted(maps.Keys(file.Settings.Profiles)) {
		p := file.Settings.Profiles[name]
		records = append(records, profileRecord{
			Name: name, Default: name == file.Settings.DefaultProfile, BaseURL: termtext.Line(p.BaseURL),
			Token: tokenPlace(secrets, name, p), CAFile: termtext.Line(p.CAFile), ReadOnly: p.ReadOnly,
		})
	}
	if own := (ownBooks{env}); own.exist() {
		path, err := own.path()
		if err != nil {
			return err
		}
		unset := file.Settings.DefaultProfile == ""
		records = append(records, profileRecord{
			Name: settings.OwnBooks, Default: unset || file.Settings.DefaultProfile == settings.OwnBooks,
			Books: termtext.Line(path),
		})
	}
	if asJSON {
		return command.WriteJSON(env.Stdout, records)
	}
	if len(records) == 0 {
		_, err := fmt.Fprintln(env.Stderr,
			"No profiles. Run `tarmac login` to create one, or `tarmac import FILE…` for your own books.")
		return err
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, " \tPROFILE\tBASE URL\tTOKEN\tREAD ONLY")
	for _, r := range records {
		mark := map[bool]string{true: "*", false: " "}[r.Default]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", mark, r.Name, cmp.Or(r.BaseURL, r.Books), cmp.Or(r.Token, "none needed"),
			map[bool]string{true: "yes", false: "no"}[r.ReadOnly])
	}
	return w.Flush()
}

// tokenPlace says where the token of a profile is stored.
func tokenPlace(secrets settings.Secrets, name string, p settings.Profile) string {
	if p.TokenFile != "" {
		return termtext.Line(p.TokenFile)
	}
	_, place, err := secrets.Get(name)
	switch {
	case errors.Is(err, secretstore.ErrNoKeyring):
		return "not known: " + secretstore.ErrNoKeyring.Error()
	case errors.Is(err, secretstore.ErrNone):
		return "none"
	case err != nil:
		return "unusable: " + err.Error()
	}
	return place.String()
}

func newProfilesUse(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "use NAME",
		Short:   "Set the default profile",
		Example: "tarmac profiles use acme",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return profileNames(env)
		},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s needs the profile's name, from `tarmac profiles`", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := settings.Load(env.Getenv)
			if err != nil {
				return err
			}
			if _, err := file.Settings.Profile(args[0]); err != nil && args[0] != settings.OwnBooks {
				return command.UsageError{Err: err}
			}
			if _, err := file.UseProfile(args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "Profile %s is the default.\n", args[0])
			return err
		},
	}
}

func newWhoami(env command.Env) *cobra.Command {
	var flags clientFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "whoami",
		Short:   "Show the organization, server and token in use",
		Long:    "whoami asks the server who owns the token, and shows where the base URL and token come from.",
		Example: "tarmac whoami\ntarmac whoami --profile acme --json",
		Args:    command.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runWhoami(cmd.Context(), env, flags, asJSON) },
	}
	flags.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// whoamiRecord is the JSON output of the command whoami.
type whoamiRecord struct {
	OrgID          string   `json:"org_id"`
	Scopes         []string `json:"scopes"`
	TokenExpiresAt *string  `json:"token_expires_at"`
	Profile        *string  `json:"profile"`
	BaseURL        string   `json:"base_url"`
	BaseURLSource  string   `json:"base_url_source"`
	TokenSource    string   `json:"token_source"`
	TokenLocation  *string  `json:"token_place"`
	ReadOnly       bool     `json:"read_only"`
	Books          string   `json:"books,omitempty"` // file of own books, which have neither a server nor a token
}

func runWhoami(ctx context.Context, env command.Env, flags clientFlags, asJSON bool) error {
	if err := flags.check(); err != nil {
		return err
	}
	found, err := flags.resolve(env)
	if err != nil {
		return err
	}
	ping, err := flags.ping(ctx, env, found)
	if err != nil {
		return err
	}
	r := whoamiRecord{
		OrgID: ping.OrgID, Scopes: ping.Scopes, Profile: orNull(found.Profile), BaseURL: termtext.Line(found.BaseURL),
		BaseURLSource: found.BaseURLSource,
		TokenSource:   found.TokenSource, TokenLocation: orNull(termtext.Line(found.TokenLocation)),
		ReadOnly: found.ReadOnly,
	}
	if found.Profile == settings.OwnBooks {
		path, err := ownBooks{env}.path()
		if err != nil {
			return err
		}
		r.Books = termtext.Line(path)
	} else if ping.TokenExpiresAt != nil {
		r.TokenExpiresAt = orNull(command.ExpiryText(ping.TokenExpiresAt))
	}
	if asJSON {
		return command.WriteJSON(env.Stdout, r)
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	rows := [][2]string{{"organization", ping.OrgID}, {"profile", cmp.Or(found.Profile, "none")}}
	if path := r.Books; path != "" {
		rows = append(rows, [2]string{"books", path})
	} else {
		rows = append(rows, serverRows(found)...)
	}
	rows = append(rows, [2]string{"scopes", scopesOf(ping)})
	if r.Books == "" {
		rows = append(rows, [2]string{"expires", command.ExpiryText(ping.TokenExpiresAt)})
	}
	rows = append(rows, [2]string{"writes",
		map[bool]string{true: "refused (read-only)", false: "as the scopes allow"}[found.ReadOnly]})
	for _, row := range rows {
		fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
	}
	return w.Flush()
}

// serverRows says where the server's address and the token come from.
func serverRows(found settings.Connection) [][2]string {
	kept := found.TokenSource
	if place := termtext.Line(found.TokenLocation); place != "" {
		kept += ", kept in " + place
	}
	return [][2]string{
		{"server", termtext.Line(found.BaseURL) + " (from " + found.BaseURLSource + ")"}, {"token", "from " + kept},
	}
}

func scopesOf(ping *apiclient.Ping) string {
	switch {
	case ping.Scopes == nil:
		return "the server does not say"
	case len(ping.Scopes) == 0:
		return "none"
	}
	return strings.Join(ping.Scopes, ", ")
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// absolutePath returns a path relative to the working directory as an absolute path.
func absolutePath(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	return filepath.Abs(path)
}
