package syncing_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/bookkeeping"
	"tarmac/service/ids"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/sealing"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

var noon = time.Date(2026, time.November, 20, 12, 7, 0, 0, time.UTC)

// stubBank is a provider that answers from memory.
type stubBank struct {
	mu       sync.Mutex
	listing  providers.Listing
	reading  func(providers.Request) (providers.Reading, error)
	failure  error // answer to every request, if not nil
	requests []string
	claims   int
}

func (b *stubBank) ask(request string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests = append(b.requests, request)
	return b.failure
}

func (b *stubBank) sent() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.requests...)
}

func (b *stubBank) Accounts(context.Context) (providers.Listing, error) {
	if err := b.ask("accounts"); err != nil {
		return providers.Listing{}, err
	}
	return b.listing, nil
}

func (b *stubBank) Read(_ context.Context, r providers.Request) (providers.Reading, error) {
	if err := b.ask("read since " + r.Since.String()); err != nil {
		return providers.Reading{}, err
	}
	if b.reading == nil {
		return providers.Reading{}, nil
	}
	return b.reading(r)
}

func (b *stubBank) Balance(context.Context, string) (providers.Balance, error) {
	return providers.Balance{}, b.ask("balance")
}

// kind returns the kind of the bank, which is asked every hour and exchanges tokens.
func (b *stubBank) kind() providers.Kind {
	return providers.Kind{
		ProviderKind: ownbooks.ProviderKind{Name: "bank", Title: "Bank", Every: time.Hour},
		Check: func(token wire.Secret) error {
			if token.Reveal() == "" {
				return errors.New("the token is empty")
			}
			return nil
		},
		Claim: func(_ context.Context, _ *wire.Client, token wire.Secret) (wire.Secret, error) {
			b.claims++
			if token.Reveal() == "used" {
				return wire.Secret{}, &providers.Failure{Cause: providers.Denied, Text: "The token was used before."}
			}
			return wire.NewSecret("credential of " + token.Reveal()), nil
		},
		Open: func(_ *wire.Client, credential wire.Secret) (providers.Provider, error) {
			if credential.IsZero() {
				return nil, errors.New("no credential")
			}
			return b, nil
		},
	}
}

// clock is a clock that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// fixture is an organization that is connected to a stub of a bank.
type fixture struct {
	*syncing.Syncer
	bank  *stubBank
	clock *clock
	org   store.OrgKey
	path  string
}

// open returns a syncer as another process on the same database has it.
func (f *fixture) open(t testing.TB, kinds ...providers.Kind) *syncing.Syncer {
	t.Helper()
	st, err := store.Open(context.Background(), f.path, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return newSyncer(st, f.clock.now, sealingKey, kinds...)
}

// newSyncer returns a syncer that encrypts credentials with key.
func newSyncer(st *store.Store, now func() time.Time, key sealing.Key, kinds ...providers.Kind) *syncing.Syncer {
	source := ids.NewSource(rand.Reader)
	return syncing.New(syncing.Config{
		Store: st, IDs: source, Now: now, Jitter: func() float64 { return 0 }, Kinds: kinds,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Seal: func(_ context.Context, secret, bound string) ([]byte, error) {
			return key.Seal(rand.Reader, secret, bound)
		},
		Unseal: key.Open,
		Books: func(org store.OrgKey) *bookkeeping.Books {
			return &bookkeeping.Books{Store: st, Org: org, IDs: source, Now: now}
		},
	})
}

var sealingKey = func() sealing.Key {
	key, err := sealing.NewKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}()

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{bank: &stubBank{}, clock: &clock{at: noon}, path: migrated.New(t)}
	f.Syncer = f.open(t, f.bank.kind())
	f.org = f.organization(t, "org_1")
	return f
}

// organization adds an organization.
func (f *fixture) organization(t testing.TB, id string) (org store.OrgKey) {
	t.Helper()
	err := f.Store.Write(context.Background(), func(tx *store.Tx) (err error) {
		org, err = tx.CreateOrganization(store.Organization{PublicID: id, Name: "One", CreatedAt: noon})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return org
}
