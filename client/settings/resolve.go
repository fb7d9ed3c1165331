package settings

import (
	"errors"
	"fmt"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/secretstore"
)

// The environment variables that are read.
const (
	EnvBaseURL   = "TARMAC_BASE_URL"
	EnvToken     = "TARMAC_TOKEN"
	EnvTokenFile = "TARMAC_TOKEN_FILE"
	EnvCAFile    = "TARMAC_CA_FILE"
	EnvProfile   = "TARMAC_PROFILE"
)

// ErrNotConfigured is returned when nothing at all is set.
var ErrNotConfigured = errors.New(
	"no server is configured: run `tarmac login`, or set " + EnvBaseURL + ", and " + EnvToken + " or " + EnvTokenFile,
)

// Flags are the settings of the command line; "" is "not given".
type Flags struct {
	BaseURL   string // --base-url
	TokenFile string // --token-file
	CAFile    string // --ca-file
	Profile   string // --profile
	ReadOnly  bool   // --read-only
}

// Connection is what a client connects to, and where each part was found, in words
// such as "TARMAC_TOKEN", "--token-file" or "profile acme".
type Connection struct {
	Profile       string // "" when no profile is in use
	BaseURL       string
	BaseURLSource string
	Token         apiclient.Token
	TokenSource   string
	TokenPlace    string // where the token is kept, in words; "" when only the environment has it
	CAFile        string // "" for the system's authorities alone
	CAFileSource  string
	ReadOnly      bool
}

// Secrets keep the tokens of profiles; *secretstore.Store does.
type Secrets interface {
	Get(profile string) (apiclient.Token, secretstore.Place, error)
}

// Resolve returns the connection that flags, environment and settings name: a flag
// before the environment, TARMAC_TOKEN before TARMAC_TOKEN_FILE, and the environment
// before the profile, unless --profile named it. A profile's token goes to the profile's
// server and to no other. It returns ErrNotConfigured when nothing is set, and
// another error, which says what is missing, when some is. No error contains a
// token.
func (s Settings) Resolve(flags Flags, getenv func(string) string, secrets Secrets) (Connection, error) {
	profile, err := s.profileOf(flags, getenv)
	if err != nil {
		return Connection{}, err
	}
	var c Connection
	c.BaseURL, c.BaseURLSource = first(
		setting{flags.BaseURL, "--base-url"},
		setting{profile.urgent().BaseURL, profile.source()},
		setting{getenv(EnvBaseURL), EnvBaseURL},
		setting{profile.BaseURL, profile.source()},
	)
	ours := profile.name != "" && sameServer(c.BaseURL, profile.BaseURL)
	if ours || profile.named {
		c.Profile = profile.name
	}
	c.ReadOnly = flags.ReadOnly || c.Profile != "" && profile.ReadOnly
	c.findAuthorities(flags, getenv, profile, ours)

	err = c.findToken(flags, getenv, profile, ours, secrets)
	switch {
	case c.TokenSource == "" && c.BaseURL == "":
		return Connection{}, ErrNotConfigured
	case c.TokenSource == "":
		return Connection{}, missingToken(c, profile, ours)
	case c.BaseURL == "":
		return Connection{}, fmt.Errorf("%s is set but there is no base URL: set %s or --base-url", c.TokenSource, EnvBaseURL)
	case err != nil:
		return Connection{}, fmt.Errorf("%s: %w", c.TokenSource, err)
	}
	return c, nil
}

// findAuthorities looks for the certificate authorities to trust beside the system's.
// Those of a profile are for its own server.
func (c *Connection) findAuthorities(flags Flags, getenv func(string) string, p chosen, ours bool) {
	own, urgent := setting{}, setting{}
	if ours {
		own = setting{p.CAFile, p.source()}
	}
	if p.urgently {
		urgent = own
	}
	c.CAFile, c.CAFileSource = first(
		setting{flags.CAFile, "--ca-file"},
		urgent,
		setting{getenv(EnvCAFile), EnvCAFile},
		own,
	)
}

// findToken looks for the token; TokenSource stays "" when there is none.
func (c *Connection) findToken(flags Flags, getenv func(string) string, p chosen, ours bool, secrets Secrets) error {
	switch path, token := strings.TrimSpace(flags.TokenFile), strings.TrimSpace(getenv(EnvToken)); {
	case path != "":
		return c.readToken(path, "--token-file")
	case ours && p.urgently:
		return c.profileToken(p, secrets)
	case token != "":
		c.TokenSource = EnvToken
		c.Token = apiclient.Token(token)
		return c.Token.Check()
	}
	if path := strings.TrimSpace(getenv(EnvTokenFile)); path != "" {
		return c.readToken(path, EnvTokenFile)
	}
	if ours {
		return c.profileToken(p, secrets)
	}
	return nil
}

func (c *Connection) readToken(path, source string) (err error) {
	c.TokenSource, c.TokenPlace = source, path
	c.Token, err = secretstore.ReadFile(path)
	return err
}

func (c *Connection) profileToken(p chosen, secrets Secrets) error {
	if p.TokenFile != "" {
		return c.readToken(p.TokenFile, p.source())
	}
	c.TokenSource = p.source()
	token, place, err := secrets.Get(p.name)
	if errors.Is(err, secretstore.ErrNone) {
		return fmt.Errorf("%w: run `tarmac login --profile %s`", err, p.name)
	}
	c.Token, c.TokenPlace = token, place.String()
	return err
}

func missingToken(c Connection, p chosen, ours bool) error {
	if p.name != "" && !ours && p.named {
		return fmt.Errorf(
			"%s names another server than profile %s, whose token is not sent there: set %s or --token-file",
			c.BaseURLSource,
			p.name,
			EnvToken,
		)
	}
	return fmt.Errorf(
		"%s is set but there is no token: set %s or %s, or run `tarmac login`",
		c.BaseURLSource,
		EnvToken,
		EnvTokenFile,
	)
}

// chosen is the profile in use; its name is "" for none.
type chosen struct {
	name string
	Profile
	named    bool // by a person, not by default
	urgently bool // by a flag, which comes before the environment
}

func (p chosen) source() string { return ProfileSource(p.name) }

// ProfileSource is how a Connection names a profile as the source of one of its parts.
func ProfileSource(name string) string { return "profile " + name }

// urgent is the profile if a flag names it, and an empty one otherwise.
func (p chosen) urgent() Profile {
	if p.urgently {
		return p.Profile
	}
	return Profile{}
}

func (s Settings) profileOf(flags Flags, getenv func(string) string) (chosen, error) {
	name, source := first(
		setting{flags.Profile, "--profile"},
		setting{getenv(EnvProfile), EnvProfile},
		setting{s.DefaultProfile, "default_profile"},
	)
	if name == "" {
		return chosen{}, nil
	}
	profile, err := s.Profile(name)
	if err != nil {
		return chosen{}, fmt.Errorf("%s: %w", source, err)
	}
	return chosen{name, profile, source != "default_profile", source == "--profile"}, nil
}

// Profile returns the profile of a name, or an error that says which there are.
func (s Settings) Profile(name string) (Profile, error) {
	p, known := s.Profiles[name]
	if !known {
		return Profile{}, fmt.Errorf("there is no profile %q; %s", shown(name), s.profilesThereAre())
	}
	return p, nil
}

// sameServer reports whether two base URLs are the same but for a slash at the end.
func sameServer(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }

// setting is a value and where it was found.
type setting struct{ value, source string }

// first returns the first setting that is set.
func first(candidates ...setting) (value, source string) {
	for _, s := range candidates {
		if value := strings.TrimSpace(s.value); value != "" {
			return value, s.source
		}
	}
	return "", ""
}
