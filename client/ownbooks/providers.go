package ownbooks

import (
	"context"
	"fmt"
	"time"
)

// Providers connects own books to providers, which fill them over the network. Its methods may take
// minutes, and stop when ctx is canceled. All texts in their results are safe to print, like those
// of Books. Errors are sentences for the user.
type Providers interface {
	// Kinds returns the providers that can be connected.
	Kinds() []ProviderKind
	// Connections returns the connections, the oldest first.
	Connections(ctx context.Context) ([]Connection, error)
	// Find returns the connection that the user means by its label, its id or, if there is only one
	// of it, its provider.
	Find(ctx context.Context, name string) (Connection, error)
	// Connect stores a credential and returns the connection with the accounts that it can see.
	// Nothing is read into the books yet.
	Connect(ctx context.Context, request ConnectRequest) (Connection, error)
	// Take chooses the accounts of a connection and reads them into the books.
	Take(ctx context.Context, connection string, choices []AccountChoice) (SyncOutcome, error)
	// Sync reads the connection with an id, or all connections if id is "". If acceptRemoved is
	// true, lines that are missing at the provider are removed even if there are many of them.
	// While another process reads a connection, Sync waits: it calls waiting with a text that says
	// for which process and until when, and with "" when it goes on.
	Sync(ctx context.Context, id string, acceptRemoved bool, waiting func(text string)) ([]SyncOutcome, error)
	// Disconnect deletes the credential of the connection with an id. If forget is true, it also
	// removes the connection's lines from the books.
	Disconnect(ctx context.Context, id string, forget bool) error
}

// ProviderKind is a provider that can be connected.
type ProviderKind struct {
	Name  string        // name in commands, such as "mercury"
	Title string        // name as the company writes it, such as "Mercury"
	Every time.Duration // time between two readings
}

// ConnectionState says what can be done with a connection.
type ConnectionState string

// States of connections.
const (
	Claiming ConnectionState = "claiming" // a token that can be used once was sent; its use is not known
	Choosing ConnectionState = "choosing" // the user has not chosen the accounts yet
	Ready    ConnectionState = "ready"
	Failing  ConnectionState = "failing" // the last reading failed
	Asking   ConnectionState = "asking"  // the user must accept that many lines are missing at the provider
	Denied   ConnectionState = "denied"  // the provider does not accept the credential any more
	Lost     ConnectionState = "lost"    // the credential is gone or cannot be decrypted any more
)

// Connection is a connection to a provider. Times are zero if there is none.
type Connection struct {
	ID       string // "con_…"
	Provider string // ProviderKind.Name
	Title    string // ProviderKind.Title
	Label    string // name that the user gave the connection, or else Title
	Company  string // name of the company at the provider; "" if unknown
	State    ConnectionState
	Every    time.Duration // time between two readings

	LastSuccess, LastTry, NextTry time.Time
	Failures                      int      // failed readings since the last success
	Problem                       string   // why the last reading failed, as a sentence; "" if it did not
	Residual                      string   // which balances do not add up, as sentences; "" if all do
	Notices                       []string // the provider's remarks
	SignIn                        []string // banks at which the user has to sign in again
	// RequestsLeft is the number of readings that the user may still ask for now: those of the last
	// 24 hours count against the provider's limit. It is -1 if the provider sets no limit.
	RequestsLeft int
	Accounts     []ConnectedAccount
}

// ConnectedAccount is an account at a provider.
type ConnectedAccount struct {
	ID           string // the provider's id
	Bank, Name   string // "" if unknown
	Number       string // "…" and the last characters of the number; "" if unknown
	Currency     string
	Balance      *int64 // in minor units; nil if unknown
	Taken        bool   // true if the account is read into the books
	Missing      bool   // true if the provider does not have the account any more
	Refused      string // why the account cannot be taken, in words; "" if it can
	BooksAccount string // account of the books that it is read into, or is proposed to be read into
	// Matches are the accounts of the books that may be this one, before the accounts are chosen.
	// If BooksAccount is none of them, it is a new account.
	Matches []string
}

// ConnectRequest says what to connect to. Without a token, the accounts of the stored connection
// with the provider and the label are listed again.
type ConnectRequest struct {
	Provider string // ProviderKind.Name
	Label    string // name of the connection; "" for the provider's own
	Token    Token
}

// AccountChoice is an account that is to be read into the books.
type AccountChoice struct {
	ID           string // ConnectedAccount.ID
	BooksAccount string // account of the books, or the name of a new one; "" for the proposed one
}

// SyncOutcome is the outcome of reading one connection.
type SyncOutcome struct {
	Connection Connection
	// Added, Changed and Removed count booked lines, and Pending the pending lines.
	Added, Changed, Removed, Pending int
	Invoices                         int      // number of open invoices
	PaidInvoices                     []string // numbers of own invoices that the reading has paid
	Problem                          string   // why the reading failed, as a sentence; "" if it did not
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
