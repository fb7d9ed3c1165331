package importing

import (
	"context"
	"fmt"

	"tarmac/internal/ownbooks"
)

// Providers connects own books to providers, which fill them over the network. Its methods may take
// minutes, and stop when ctx is canceled. All texts in their results are safe to print, like those
// of Books. Errors are sentences for the user.
type Providers interface {
	// Kinds returns the providers that can be connected.
	Kinds() []ownbooks.ProviderKind
	// Connections returns the connections, the oldest first.
	Connections(ctx context.Context) ([]ownbooks.Connection, error)
	// Find returns the connection that the user means by its label, its id or, if there is only one
	// of it, its provider.
	Find(ctx context.Context, name string) (ownbooks.Connection, error)
	// Connect stores a credential and returns the connection with the accounts that it can see.
	// Nothing is read into the books yet.
	Connect(ctx context.Context, request ConnectRequest) (ownbooks.Connection, error)
	// Take chooses the accounts of a connection and reads them into the books.
	Take(ctx context.Context, connection string, choices []ownbooks.AccountChoice) (ownbooks.Outcome, error)
	// Sync reads the connection with an id, or all connections if id is "". If acceptRemoved is
	// true, lines that are missing at the provider are removed even if there are many of them.
	// While another process reads a connection, Sync waits: it calls waiting with a text that says
	// for which process and until when, and with "" when it goes on.
	Sync(ctx context.Context, id string, acceptRemoved bool, waiting func(text string)) ([]ownbooks.Outcome, error)
	// Disconnect deletes the credential of the connection with an id. If forget is true, it also
	// removes the connection's lines from the books.
	Disconnect(ctx context.Context, id string, forget bool) error
}

// ConnectRequest says what to connect to. Without a token, the accounts of the stored connection
// with the provider and the label are listed again.
type ConnectRequest struct {
	Provider string // ownbooks.ProviderKind.Name
	Label    string // name of the connection; "" for the provider's own
	Token    Token
}

// Token is a provider's token as the user typed it. Printing, logging and marshalling a Token do
// not show it; Reveal returns it.
type Token struct{ text string }

// NewToken returns the token with the given text.
func NewToken(text string) Token { return Token{text} }

// Reveal returns the token in plain text.
func (t Token) Reveal() string { return t.text }

// Format implements fmt.Formatter. It writes a placeholder.
func (Token) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[token]")) }

// MarshalText returns a placeholder.
func (Token) MarshalText() ([]byte, error) { return []byte("[token]"), nil }
