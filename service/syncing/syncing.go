// Package syncing connects organizations to providers and reads them into the organizations' own
// books, each at its provider's pace (docs/providers.md).
//
// Several processes may share a database: a reading is claimed in the database, with a lease,
// before the provider is asked. What was read and the state of its connection are stored in
// one transaction. A process that dies therefore leaves a whole reading or none, and the reading
// is due again once its lease ends.
package syncing

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"tarmac/service/bookkeeping"
	"tarmac/service/ids"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
)

// Config configures a Syncer. All fields are required, except Process.
type Config struct {
	Store  *store.Store
	IDs    *ids.Source
	Now    func() time.Time
	Jitter func() float64 // returns a random number from -1 to 1
	Kinds  []providers.Kind
	Client *wire.Client
	// Seal encrypts a credential and binds it to a context; Unseal decrypts it.
	Seal   func(ctx context.Context, secret, context string) ([]byte, error)
	Unseal func(sealed []byte, context string) (string, error)
	Books  func(org store.OrgKey) *bookkeeping.Books
	Logger *slog.Logger
	// Process is the identity of this process (package processes); "" if it is not known.
	Process string
}

// Syncer connects organizations to providers and reads them. It is safe for concurrent use.
type Syncer struct {
	Config
	woken chan struct{} // receives a value after the time of a reading has changed
	live  liveReadings
}

// New returns a syncer. It reads by itself only while its method Run is running.
func New(config Config) *Syncer {
	return &Syncer{Config: config, woken: make(chan struct{}, 1)}
}

// State is the state of a connection: store.ConnectionReady and so on.
type State = store.ConnectionState

// Connection is an organization's connection to a provider.
type Connection struct {
	store.Connection
	Title string // name of the provider as the company writes it
	// BudgetLeft is the number of requests that a person may still cause now: those of the last 24
	// hours count against the provider's limit. It is -1 if the provider sets no limit.
	BudgetLeft int
	// Lost says why the credential is gone or cannot be decrypted any more; "" if it can be.
	Lost     string
	Accounts []ConnectedAccount
}

// ConnectedAccount is an account at a provider. BooksNumber is the number of the account in the
// books that it is read into; before the accounts are chosen, it is the proposed one.
type ConnectedAccount struct {
	store.ConnectionAccount
	// Matches are the numbers of the accounts in the books that may be this one, before the
	// accounts are chosen.
	Matches []string
}

// ConnectRequest says what to connect to.
type ConnectRequest struct {
	Provider string // name of the kind
	Token    wire.Secret
	Label    string // name of the connection; "" for the provider's own
}

// Choice is an account of a connection that is to be read into the books.
type Choice struct {
	RemoteID string
	// BooksAccount is the number of an account in the books, or the number or name of a new one. If
	// it is "", the proposed one is used.
	BooksAccount string
}

// SyncOptions are a person's choices for a reading.
type SyncOptions struct {
	// AcceptRemoved imports a reading even if many lines are missing in it.
	AcceptRemoved bool
	// Waiting is called if another process reads a connection, before Sync waits for it, and with
	// the zero Wait when that process has ended its reading. It may be nil.
	Waiting func(Wait)
}

// Wait says for whom a reading waits.
type Wait struct {
	Label  string    // name of the connection
	Holder string    // process that reads the connection, in words
	Until  time.Time // end of its lease: at the latest then the connection can be read
}

// Outcome is the outcome of reading one connection.
type Outcome struct {
	Connection Connection
	// Added, Changed and Removed count booked lines, and Pending the pending lines.
	Added, Changed, Removed, Pending int
	Invoices                         int      // number of open invoices
	Paid                             []string // own invoices that this reading has paid
	Problem                          string   // why the reading failed; "" if it did not
}

// kind returns the kind of provider with the given name.
func (s *Syncer) kind(name string) (providers.Kind, error) {
	names := make([]string, len(s.Kinds))
	for n, k := range s.Kinds {
		if k.Name == name {
			return k, nil
		}
		names[n] = k.Name
	}
	return providers.Kind{}, fmt.Errorf("no provider is called %q; there are %s: %w",
		name, strings.Join(names, ", "), store.ErrNotFound)
}

// SealContext is what the credential of a connection is bound to when it is encrypted.
func SealContext(connectionID string) string { return "connection " + connectionID }

// open returns the provider of a connection, with its credential.
func (s *Syncer) open(ctx context.Context, c store.Connection) (providers.Provider, providers.Kind, error) {
	kind, err := s.kind(c.Provider)
	if err != nil {
		return nil, kind, err
	}
	var sealed []byte
	err = s.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		sealed, err = snap.ConnectionSecret(c.Key)
		return err
	})
	if err != nil {
		return nil, kind, err
	}
	if sealed == nil {
		return nil, kind, &providers.Failure{
			Cause: providers.Denied, Text: c.Label + " has no stored token: connect it again",
		}
	}
	credential, err := s.Unseal(sealed, SealContext(c.ID))
	if err != nil {
		return nil, kind, err
	}
	provider, err := kind.Open(s.Client, wire.NewSecret(credential))
	return provider, kind, err
}

// wake makes Run look again for the next reading.
func (s *Syncer) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}
