package apiclient

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
)

// Secret is what the deliveries to a webhook endpoint are signed with
// (docs/api.md, Signature). The server shows it once. However it is printed, logged
// or marshalled, it does not show itself; Reveal does.
type Secret string

// SecretPrefix is what every Secret begins with; it belongs to the signing key.
const SecretPrefix = "svc_whsec_"

const (
	redactedSecret = "[secret]"
	maxSecret      = 4096
)

// Reveal returns the secret itself, its prefix included.
func (s Secret) Reveal() string { return string(s) }

// Check returns an error, which does not contain the secret, when s cannot be one.
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

// String, GoString, Format, LogValue and MarshalText show that there is a secret,
// and not which.
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

// hideSecrets takes out whatever looks like a signing secret, up to a blank, a
// quote, a comma or a semicolon.
func hideSecrets(s string) string {
	if !strings.Contains(s, SecretPrefix) {
		return s
	}
	return secretText.ReplaceAllLiteralString(s, redactedSecret)
}
