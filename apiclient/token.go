package apiclient

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Token is the API token of an organization (docs/api.md, Token). Printing, logging and marshalling
// a Token do not show it; Reveal returns it.
type Token string

const redacted = "[token]"

const maxToken = 4096

// Reveal returns the token in plain text.
func (t Token) Reveal() string { return string(t) }

// Check returns an error if t cannot be a token, because it is empty, too long, or not printable
// ASCII. The error does not contain t.
func (t Token) Check() error {
	if t == "" {
		return errors.New("the token is empty")
	}
	if len(t) > maxToken {
		return fmt.Errorf("the token is longer than %d bytes", maxToken)
	}
	for i := 0; i < len(t); i++ {
		if t[i] <= ' ' || t[i] > '~' {
			return fmt.Errorf("the token has a space or an unprintable character at position %d", i+1)
		}
	}
	return nil
}

// String, GoString, Format, LogValue and MarshalText return a placeholder for the token.
func (t Token) String() string {
	if t == "" {
		return ""
	}
	return redacted
}
func (t Token) GoString() string             { return t.String() }
func (t Token) Format(f fmt.State, _ rune)   { _, _ = io.WriteString(f, t.String()) }
func (t Token) LogValue() slog.Value         { return slog.StringValue(t.String()) }
func (t Token) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
