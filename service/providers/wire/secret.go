// Package wire sends requests to providers: over TLS, to one host, with bounds on time and size.
package wire

import (
	"fmt"
	"log/slog"
)

// Secret is a credential. It prints as "[token]" in every format; Reveal returns its text.
//
// It is a function because fmt prints the unexported fields of other values without their methods.
type Secret struct{ reveal func() string }

const hidden = "[token]"

// NewSecret returns the credential with the given text.
func NewSecret(text string) Secret { return Secret{func() string { return text }} }

// Reveal returns the text of the credential, to be sent to the provider or sealed.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// IsZero reports whether there is no credential.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// Format implements fmt.Formatter.
func (Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// String returns "[token]".
func (Secret) String() string { return hidden }

// MarshalText returns "[token]", so that no encoder writes the credential.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }
