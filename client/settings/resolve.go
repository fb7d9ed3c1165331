package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/secretstore"
)

// Environment variables that define a connection.
const (
	EnvBaseURL   = "TARMAC_BASE_URL"
	EnvToken     = "TARMAC_TOKEN"
	EnvTokenFile = "TARMAC_TOKEN_FILE"
	EnvCAFile    = "TARMAC_CA_FILE"
	EnvProfile   = "TARMAC_PROFILE"
)

// OwnBooks names the user's own books in place of a profile. It contains a space, which names of
// profiles do not.
const OwnBooks = "own books"

// ErrNotConfigured means that neither a server nor a token is set.
var ErrNotConfigured = errors.New("no server is configured: run `tarmac login`, or set " + EnvBaseURL + ", and " +
	EnvToken + " or " + EnvTokenFile + "; or import bank files into your own books with `tarmac import FILE…`")

// Flags are the values of the flags for a connection; "" means that a flag was not given.
type Flags struct {
	BaseURL   string // --base-url
	TokenFile string // --token-file
	CAFile    string // --ca-file
	Profile   string // --profile
	ReadOnly  bool   // --read-only
}

// Connection is the server to connect to and the token for it. The fields whose names end in Source
// say where a setting comes from, such as "TARMAC_TOKEN", "--token-file" or "profile acme".
type Connection struct {
	Profile       string // "" if no profile is used; OwnBooks for own books, which need no server and no token
	BaseURL       string
	BaseURLSource string
	Token         apiclient.Token
	TokenSource   string
	TokenLocation string // where the token is stored, in words; "" if it is only in the environment
	CAFile        string // "" to trust only the system's authorities
	CAFileSource  string
	ReadOnly      bool
	Plan          string // file with the plan that the profile names; "" for PlanFile
}

// Secrets stores the tokens of profiles. *secretstore.Store implements it.
type Secrets interface {
	Get(profile string) (apiclient.Token, secretstore.Location, error)
}

// Resolve returns the connection to use. Flags take precedence over the environment, and
// TARMAC_TOKEN over TARMAC_TOKEN_FILE. The environment takes precedence over the profile, unless
// the flag --profile names it. A profile's token is used only for the profile's own server. If
// nothing is set, Resolve returns ErrNotConfigured. For own books, only Profile and ReadOnly of the
// Connection are set. If something is missing, the error says what.
// Errors never contain a token.
func (s Settings) Resolve(flags Flags, getenv func(string) string, secrets Secrets) (Connection, error) {
	profile, err := s.profileOf(flags, getenv)
	if err != nil {
		return Connection{}, err
	}
	if profile.name == OwnBooks {
		switch chosen, err := choosesOwnBooks(flags, getenv, profile); {
		case err != nil:
			return Connection{}, err
		case chosen:
			return Connection{Profile: OwnBooks, ReadOnly: flags.ReadOnly}, nil
		}
		profile = activeProfile{}
	}
	var c Connection
	c.BaseURL, c.BaseURLSource = firstSet(setting{flags.BaseURL, "--base-url"},
		setting{profile.fromFlag().BaseURL, profile.source()}, setting{getenv(EnvBaseURL), EnvBaseURL},
		setting{profile.BaseURL, profile.source()})
	ownServer := profile.name != "" && sameServer(c.BaseURL, profile.BaseURL)
	if ownServer || profile.named {
		c.Profile = profile.name
	}
	c.ReadOnly = flags.ReadOnly || c.Profile != "" && profile.ReadOnly
	if c.Profile != "" {
		c.Plan = profile.Plan
	}
	c.findAuthorities(flags, getenv, profile, ownServer)

	err = c.findToken(flags, getenv, profile, ownServer, secrets)
	switch {
	case c.TokenSource == "" && c.BaseURL == "":
		return Connection{}, ErrNotConfigured
	case c.TokenSource == "":
		return Connection{}, missingToken(c, profile, ownServer)
	case c.BaseURL == "":
		return Connection{}, fmt.Errorf("%s is set but there is no base URL: set %s or --base-url", c.TokenSource, EnvBaseURL)
	case err != nil:
		return Connection{}, fmt.Errorf("%s: %w", c.TokenSource, err)
	}
	return c, nil
}

// choosesOwnBooks reports whether OwnBooks, given in place of a profile, is in effect: a server
// that the environment names takes precedence unless the flag --profile asks for own books. Flags
// for a server contradict that flag.
func choosesOwnBooks(flags Flags, getenv func(string) string, p activeProfile) (bool, error) {
	_, flag := firstSet(setting{flags.BaseURL, "--base-url"}, setting{flags.TokenFile, "--token-file"},
		setting{flags.CAFile, "--ca-file"})
	if p.byFlag && flag != "" {
		return false, fmt.Errorf("%s is for servers: it cannot be combined with --profile %q", flag, OwnBooks)
	}
	server, _ := firstSet(setting{flags.BaseURL, ""}, setting{getenv(EnvBaseURL), ""})
	return p.byFlag || server == "", nil
}

// PlanFile returns the path of the file with the plan: the one that the profile names, or the one
// beside the settings. It returns "" without a profile.
func (c Connection) PlanFile(getenv func(string) string) (string, error) {
	name := c.Profile
	switch {
	case c.Plan != "" || c.Profile == "":
		return c.Plan, nil
	case c.Profile == OwnBooks:
		name = "own-books"
	}
	dir, err := ConfigDirectory(getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, name+".plan"), nil
}

// findAuthorities sets the file of certificate authorities that are trusted in addition to the
// system's. A profile's file is used only for the profile's own server.
func (c *Connection) findAuthorities(flags Flags, getenv func(string) string, p activeProfile, ownServer bool) {
	own, fromFlag := setting{}, setting{}
	if ownServer {
		own = setting{p.CAFile, p.source()}
	}
	if p.byFlag {
		fromFlag = own
	}
	c.CAFile, c.CAFileSource = firstSet(setting{flags.CAFile, "--ca-file"}, fromFlag,
		setting{getenv(EnvCAFile), EnvCAFile}, own)
}

// findToken sets the token and its source. If there is no token, TokenSource remains "".
func (c *Connection) findToken(flags Flags, getenv func(string) string, p activeProfile, ownServer bool,
	secrets Secrets) error {
	switch path, token := strings.TrimSpace(flags.TokenFile), strings.TrimSpace(getenv(EnvToken)); {
	case path != "":
		return c.readToken(path, "--token-file")
	case ownServer && p.byFlag:
		return c.profileToken(p, secrets)
	case token != "":
		c.TokenSource = EnvToken
		c.Token = apiclient.Token(token)
		return c.Token.Check()
	}
	if path := strings.TrimSpace(getenv(EnvTokenFile)); path != "" {
		return c.readToken(path, EnvTokenFile)
	}
	if ownServer {
		return c.profileToken(p, secrets)
	}
	return nil
}

func (c *Connection) readToken(path, source string) (err error) {
	c.TokenSource, c.TokenLocation = source, path
	c.Token, err = secretstore.ReadFile(path)
	return err
}

func (c *Connection) profileToken(p activeProfile, secrets Secrets) error {
	if p.TokenFile != "" {
		return c.readToken(p.TokenFile, p.source())
	}
	c.TokenSource = p.source()
	token, place, err := secrets.Get(p.name)
	if errors.Is(err, secretstore.ErrNone) {
		return fmt.Errorf("%w: run `tarmac login --profile %s`", err, p.name)
	}
	c.Token, c.TokenLocation = token, place.String()
	return err
}

func missingToken(c Connection, p activeProfile, ownServer bool) error {
	if p.name != "" && !ownServer && p.named {
		return fmt.Errorf("%s names another server than profile %s, whose token is not sent there: set %s or --token-file",
			c.BaseURLSource, p.name, EnvToken)
	}
	return fmt.Errorf("%s is set but there is no token: set %s or %s, or run `tarmac login`", c.BaseURLSource, EnvToken,
		EnvTokenFile)
}

// activeProfile is the profile in use. Without a profile, its name is "".
type activeProfile struct {
	name string
	Profile
	named  bool // a flag or the environment names the profile; otherwise it is the default one
	byFlag bool // a flag names the profile, so it takes precedence over the environment
}

func (p activeProfile) source() string { return ProfileSource(p.name) }

// ProfileSource returns the source of settings that come from the named profile.
func ProfileSource(name string) string { return "profile " + name }

// fromFlag returns the profile if a flag names it. Otherwise it returns an empty profile.
func (p activeProfile) fromFlag() Profile {
	if p.byFlag {
		return p.Profile
	}
	return Profile{}
}

func (s Settings) profileOf(flags Flags, getenv func(string) string) (activeProfile, error) {
	name, source := firstSet(setting{flags.Profile, "--profile"}, setting{getenv(EnvProfile), EnvProfile},
		setting{s.DefaultProfile, "default_profile"})
	if name == "" {
		return activeProfile{}, nil
	}
	if name == OwnBooks {
		return activeProfile{name: name, byFlag: source == "--profile"}, nil
	}
	profile, err := s.Profile(name)
	if err != nil {
		return activeProfile{}, fmt.Errorf("%s: %w", source, err)
	}
	return activeProfile{name, profile, source != "default_profile", source == "--profile"}, nil
}

// Profile returns the profile with this name. If there is none, the error lists the existing
// profiles.
func (s Settings) Profile(name string) (Profile, error) {
	p, known := s.Profiles[name]
	if !known {
		return Profile{}, fmt.Errorf("there is no profile %q; %s", redact(name), s.existingProfiles())
	}
	return p, nil
}

// sameServer reports whether two base URLs are equal, ignoring a slash at the end.
func sameServer(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }

// setting is a value and where it comes from.
type setting struct{ value, source string }

// firstSet returns the first setting that is not blank.
func firstSet(candidates ...setting) (value, source string) {
	for _, s := range candidates {
		if value := strings.TrimSpace(s.value); value != "" {
			return value, s.source
		}
	}
	return "", ""
}
