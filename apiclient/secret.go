package apiclient

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
)

// Secret is the signing secret of a webhook endpoint (docs/api.md, Signature). The server shows it
// once. Printing, logging and marshalling a Secret do not show it; Reveal returns it.
type Secret string

// SecretPrefix is the beginning of every Secret. It is part of the signing key.
const SecretPrefix = "svc_whsec_"

const (
	redactedSecret = "[secret]"
	maxSecret      = 4096
)

// Reveal returns the secret in plain text, including its prefix.
func (s Secret) Reveal() string { return string(s) }

// Check returns an error if s cannot be a signing secret. The error does not contain s.
func (s Secret) Check() error {
	rest, ok := strings.CutPrefix(string(s), SecretPrefix)
	switch {
	case s == "":
		return errors.New("the signing secret is empty")
	case !ok || rest == "":
		return fmt.Errorf("the signing secret does not begin with %s, or has nothing after it", SecretPrefix)
	case len(s) > maxSecret:
		return fmt.Errorf("the signing secret is longer than %d bytes", maxSecret)
	}
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] > '~' {
			return fmt.Errorf("the signing secret has a space or an unprintable character at position %d", i+1)
		}
	}
	return nil
}

// String, GoString, Format, LogValue and MarshalText return a placeholder for the secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redactedSecret
}
func (s Secret) GoString() string             { return s.String() }
func (s Secret) Format(f fmt.State, _ rune)   { _, _ = io.WriteString(f, s.String()) }
func (s Secret) LogValue() slog.Value         { return slog.StringValue(s.String()) }
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

var secretText = regexp.MustCompile(SecretPrefix + `[!#-&(-+\--:<-~]+`)

// hideSecrets masks everything that has the form of a signing secret: SecretPrefix and all
// characters up to a space, quote, comma or semicolon.
func hideSecrets(s string) string {
	if !strings.Contains(s, SecretPrefix) {
		return s
	}
	return secretText.ReplaceAllLiteralString(s, redactedSecret)
}
