package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/secretstore"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

// firstProfile is the name of a profile for which the user gave no name.
const firstProfile = "default"

type loginFlags struct {
	profile, baseURL, caFile string
	tokenStdin, readOnly     bool
	session                  sessionFlags
}

func newLogin(env command.Env) *cobra.Command {
	var f loginFlags
	cmd := &cobra.Command{
		Use:   "login",
		Short: "Log in to a server and save it as a profile",
		Long: "login asks for a token, checks it with the server and saves it: in the system's keyring if one is " +
			"available, otherwise in a file that only you can read. It reports which.\n" +
			"The token is not shown while you type. In scripts, --token-stdin reads it from standard input; no flag " +
			"takes it.",
		Example: "tarmac login --base-url https://finance.example.com\n" +
			"tarmac login --profile acme --base-url https://finance.example.com --token-stdin < token",
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runLogin(cmd.Context(), env, f, func(name string) bool { return cmd.Flags().Changed(name) })
		},
	}
	cmd.Flags().StringVar(&f.profile, "profile", "", "the profile's name (TARMAC_PROFILE, or the default profile)")
	cmd.Flags().StringVar(&f.baseURL, "base-url", "", "the server's base URL (TARMAC_BASE_URL, or the profile's)")
	cmd.Flags().StringVar(&f.caFile, "ca-file", "",
		"PEM file with extra certificate authorities to trust (TARMAC_CA_FILE, or the profile's)")
	cmd.Flags().BoolVar(&f.readOnly, "read-only", false, "make the profile read-only")
	cmd.Flags().BoolVar(&f.tokenStdin, "token-stdin", false, "read the token from standard input")
	f.session.registerTimeout(cmd)
	return cmd
}

func runLogin(ctx context.Context, env command.Env, f loginFlags, given func(string) bool) error {
	if err := f.session.check(); err != nil {
		return err
	}
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return err
	}
	if file.Path == "" {
		return settings.ErrNoHome
	}
	name := firstNonBlank(f.profile, env.Getenv(settings.EnvProfile), file.Settings.DefaultProfile, firstProfile)
	if err := settings.CheckProfileName(name); err != nil {
		return command.UsageError{Err: err}
	}
	profile, err := f.apply(ctx, env, file.Settings.Profiles[name], given)
	if err != nil {
		return err
	}
	token, err := f.token(ctx, env, profile)
	if err != nil {
		return err
	}
	found := settings.Connection{Profile: name, BaseURL: profile.BaseURL, Token: token, CAFile: profile.CAFile,
		CAFileSource: settings.ProfileSource(name)}
	ping, err := f.session.ping(ctx, env, found)
	if err != nil {
		return fmt.Errorf("nothing was stored: %w", err)
	}
	before := file.Settings.Profiles[name].BaseURL
	file, place, err := storeLogin(file, command.TokenStore(env), name, profile, token)
	if err != nil {
		return err
	}
	reportLogin(env, file, name, ping, place)
	if before != "" && before != profile.BaseURL {
		fmt.Fprintf(env.Stderr, "Profile %s pointed to %s before; use --profile NAME to keep several servers.\n", name,
			termtext.Line(before))
	}
	return nil
}

// storeLogin saves the profile and its token. If one of them cannot be saved, it leaves no token
// stored for the address of another server.
func storeLogin(file settings.File, secrets *secretstore.Store, name string, p settings.Profile,
	token apiclient.Token) (settings.File, secretstore.Location, error) {
	before := file.Settings.Profiles[name]
	moved := before.BaseURL != "" && before.BaseURL != p.BaseURL
	var old apiclient.Token
	if moved {
		old, _, _ = secrets.Get(name)
		if err := secrets.Delete(name); err != nil && !errors.Is(err, secretstore.ErrNone) &&
			!errors.Is(err, secretstore.ErrNoKeyring) {
			return file, secretstore.Location{}, fmt.Errorf("nothing was stored: %w", err)
		}
	}
	file, err := file.SaveProfile(name, p)
	if err != nil {
		if old != "" {
			_, failed := secrets.Put(name, old)
			err = errors.Join(err, failed)
		}
		return file, secretstore.Location{}, fmt.Errorf("nothing was stored: %w", err)
	}
	place, err := secrets.Put(name, token)
	if err != nil {
		return file, place, fmt.Errorf("the profile is stored, the token is not: %w", err)
	}
	return file, place, nil
}

// apply sets the profile's values from flags, environment and answers. If the server's address
// changes, the profile loses its certificate authorities.
func (f loginFlags) apply(ctx context.Context, env command.Env, p settings.Profile,
	given func(string) bool) (settings.Profile, error) {
	p.TokenFile = "" // the token entered now replaces the one in this file
	baseURL := firstNonBlank(f.baseURL, env.Getenv(settings.EnvBaseURL), p.BaseURL)
	if baseURL == "" {
		answer, err := command.PromptLine(ctx, env, "Base URL of the server, such as https://finance.example.com:")
		if errors.Is(err, command.ErrNoTerminal) {
			return p, command.Usagef("--base-url is missing: the server's base URL")
		}
		if err != nil {
			return p, err
		}
		baseURL = answer
	}
	if p.BaseURL != "" && p.BaseURL != baseURL {
		p.CAFile = ""
	}
	p.BaseURL = baseURL
	if given("read-only") {
		p.ReadOnly = f.readOnly
	}
	caFile := strings.TrimSpace(env.Getenv(settings.EnvCAFile))
	if given("ca-file") {
		caFile = f.caFile
	}
	if given("ca-file") || caFile != "" {
		path, err := absolutePath(caFile)
		if err != nil {
			return p, err
		}
		p.CAFile = path
	}
	// Reject a wrong address before asking for the token.
	_, err := apiclient.New(p.BaseURL, "x")
	return p, err
}

func (f loginFlags) token(ctx context.Context, env command.Env, p settings.Profile) (apiclient.Token, error) {
	var text string
	var err error
	switch {
	case !f.tokenStdin:
		text, err = command.PromptSecret(ctx, env, "Token for "+termtext.Line(p.BaseURL)+" (not shown):")
		if errors.Is(err, command.ErrNoTerminal) {
			return "", command.Usagef("there is no terminal to prompt for the token; pass it on standard input with " +
				"--token-stdin")
		}
	case env.Stdin == nil:
		return "", command.Usagef("--token-stdin needs the token on standard input")
	default:
		text, err = command.FirstLine(env.Stdin)
	}
	if err != nil {
		return "", err
	}
	token := apiclient.Token(text)
	return token, token.Check()
}

func reportLogin(env command.Env, file settings.File, name string, ping *apiclient.Ping, place secretstore.Location) {
	fmt.Fprintf(env.Stdout, "Signed in to %s at %s as profile %s.\n", ping.OrgID,
		termtext.Line(file.Settings.Profiles[name].BaseURL), name)
	fmt.Fprintf(env.Stdout, "Scopes: %s. Expires: %s.\n", scopesOf(ping), command.ExpiryText(ping.TokenExpiresAt))
	if place.File == "" {
		fmt.Fprintln(env.Stdout, "The token is kept in the system keyring.")
	} else {
		fmt.Fprintf(env.Stdout, "The token is kept in %s, which only you can read (%s).\n", place, place.Reason)
	}
	if file.Settings.DefaultProfile != name {
		fmt.Fprintf(env.Stderr, "Profile %s is still the default; run `tarmac profiles use %s` to change it.\n",
			file.Settings.DefaultProfile, name)
	}
	for _, variable := range []string{settings.EnvToken, settings.EnvTokenFile} {
		if strings.TrimSpace(env.Getenv(variable)) != "" {
			fmt.Fprintf(env.Stderr, "%s is set and takes precedence over the profile: unset it, or add --profile %s.\n",
				variable, name)
		}
	}
}

func newLogout(env command.Env) *cobra.Command {
	var profile string
	cmd := &cobra.Command{
		Use:   "logout",
		Short: "Delete a profile's saved token",
		Long: "logout removes a profile's token from the keyring and from its file. The profile stays, for the next " +
			"`tarmac login`. The server still accepts the token until it is revoked there.",
		Example: "tarmac logout --profile acme",
		Args:    command.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return runLogout(env, profile) },
	}
	cmd.Flags().StringVar(&profile, "profile", "", "the profile (TARMAC_PROFILE, or the default profile)")
	return cmd
}

func runLogout(env command.Env, named string) error {
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return err
	}
	name := firstNonBlank(named, env.Getenv(settings.EnvProfile), file.Settings.DefaultProfile)
	if name == "" {
		return errors.New("no profile to log out of")
	}
	profile, err := file.Settings.Profile(name)
	if err != nil {
		return command.UsageError{Err: err}
	}
	if profile.TokenFile != "" {
		return fmt.Errorf("profile %s keeps its token in a file of yours, which logout does not delete: remove %s", name,
			termtext.Line(profile.TokenFile))
	}
	switch err := command.TokenStore(env).Delete(name); {
	case errors.Is(err, secretstore.ErrNoKeyring) && !errors.Is(err, secretstore.ErrNone):
		fmt.Fprintf(env.Stderr, "An older token may still be in the keyring: %s.\n", err)
	case err != nil:
		return fmt.Errorf("profile %s: %w", name, err)
	}
	fmt.Fprintf(env.Stdout, "Logged out of profile %s. The server still accepts the token until it is revoked there.\n",
		name)
	return nil
}

// registerTimeout adds the flag --timeout to a command that does not open the dashboard.
func (f *sessionFlags) registerTimeout(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.timeout, "timeout", defaultTimeout, "request timeout")
}

// ping asks the server to which organization the token belongs and which scopes it has.
func (f *sessionFlags) ping(ctx context.Context, env command.Env, found settings.Connection) (*apiclient.Ping, error) {
	running, broken := context.WithCancelCause(ctx)
	defer broken(nil)
	connection, err := dialer{timeout: f.timeout, logger: slog.New(slog.DiscardHandler),
		pausing: func(time.Duration) {}, broken: broken}.open(running, env, found)
	if err != nil {
		return nil, err
	}
	if connection.Close != nil {
		defer connection.Close()
	}
	return connection.Client.Ping(running)
}

// firstNonBlank returns the first of texts that is not blank, without leading and trailing spaces.
func firstNonBlank(texts ...string) string {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			return text
		}
	}
	return ""
}
