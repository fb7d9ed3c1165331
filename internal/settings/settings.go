// Package settings finds out which server the client talks to and with which
// token: from flags, then from the environment.
//
// No setting takes a token on the command line, which every user of a machine can
// read.
package settings

import (
	"errors"
	"fmt"
	"strings"

	"tarmac/apiclient"
)

// The environment variables that are read.
const (
	EnvBaseURL   = "TARMAC_BASE_URL"
	EnvToken     = "TARMAC_TOKEN"
	EnvTokenFile = "TARMAC_TOKEN_FILE"
)

// ErrNotConfigured is returned when nothing at all is set.
var ErrNotConfigured = errors.New("no server is configured: set " + EnvBaseURL + ", and " + EnvToken + " or " + EnvTokenFile)

// Flags are the settings of the command line; "" is "not given".
type Flags struct {
	BaseURL   string // --base-url
	TokenFile string // --token-file
}

// Connection is what a client connects to, and where each part was found, in words
// such as "TARMAC_TOKEN" or "--token-file".
type Connection struct {
	BaseURL       string
	BaseURLSource string
	Token         apiclient.Token
	TokenSource   string
}

// Resolve returns the connection that flags and environment name: a flag before
// the environment, TARMAC_TOKEN before TARMAC_TOKEN_FILE. It returns
// ErrNotConfigured when none of them is set, and another error, which says what is
// missing, when some are. No error contains a token.
func Resolve(flags Flags, getenv func(string) string) (Connection, error) {
	var c Connection
	c.BaseURL, c.BaseURLSource = first(
		setting{flags.BaseURL, "--base-url"},
		setting{getenv(EnvBaseURL), EnvBaseURL},
	)
	token := setting{getenv(EnvToken), EnvToken}
	file, fileSource := first(setting{flags.TokenFile, "--token-file"})
	if file == "" && strings.TrimSpace(token.value) == "" {
		file, fileSource = first(setting{getenv(EnvTokenFile), EnvTokenFile})
	}

	var err error
	switch {
	case file != "":
		c.TokenSource = fileSource
		c.Token, err = readToken(file)
	case strings.TrimSpace(token.value) != "":
		c.TokenSource = token.source
		c.Token = apiclient.Token(strings.TrimSpace(token.value))
		err = c.Token.Check()
	case c.BaseURL == "":
		return Connection{}, ErrNotConfigured
	default:
		return Connection{}, fmt.Errorf("%s is set but there is no token: set %s or %s", c.BaseURLSource, EnvToken, EnvTokenFile)
	}
	if c.BaseURL == "" {
		return Connection{}, fmt.Errorf("%s is set but there is no base URL: set %s or --base-url", c.TokenSource, EnvBaseURL)
	}
	if err != nil {
		return Connection{}, fmt.Errorf("%s: %w", c.TokenSource, err)
	}
	return c, nil
}

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
