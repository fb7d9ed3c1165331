package service_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/ownbooks"
	"tarmac/service"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// stubProvider is a provider of accounts that has none.
type stubProvider struct{}

func (stubProvider) Accounts(context.Context) (providers.Listing, error) {
	return providers.Listing{}, nil
}

func (stubProvider) Read(context.Context, providers.Request) (providers.Reading, error) {
	return providers.Reading{}, nil
}

func (stubProvider) Balance(context.Context, string) (providers.Balance, error) {
	return providers.Balance{}, errors.New("no balance")
}

var stubKind = providers.Kind{
	ProviderKind: ownbooks.ProviderKind{Name: "stub", Title: "Stub", Every: time.Hour},

	Check: func(wire.Secret) error { return nil },
	Open:  func(*wire.Client, wire.Secret) (providers.Provider, error) { return stubProvider{}, nil },
}

// withStub calls do with an organization and the connections of all, as a command of an operator
// does.
func withStub(t *testing.T, database, keyFile, orgID string, do func(*syncing.Syncer, store.OrgKey)) {
	t.Helper()
	s, err := service.Open(t.Context(), service.Config{
		Database: database, KeyFile: keyFile, Operator: true, Ephemeral: true, Logger: slog.New(slog.DiscardHandler),
		Now: time.Now, Entropy: rand.Reader, Providers: []providers.Kind{stubKind},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_, org, err := s.Organization(t.Context(), orgID)
	if err != nil {
		t.Fatal(err)
	}
	do(s.Syncing(), org)
}

// connectStub connects an organization to a stub of a provider.
func connectStub(t *testing.T, database, keyFile, orgID string) (err error) {
	t.Helper()
	withStub(t, database, keyFile, orgID, func(s *syncing.Syncer, org store.OrgKey) {
		_, _, err = s.Connect(t.Context(), org, syncing.ConnectRequest{Provider: "stub", Token: wire.NewSecret("token")})
	})
	return err
}

// syncStub chooses no accounts of the connection to the stub if that was not done, and reads it.
func syncStub(t *testing.T, database, keyFile, orgID string) (outcome syncing.Outcome) {
	t.Helper()
	withStub(t, database, keyFile, orgID, func(s *syncing.Syncer, org store.OrgKey) {
		all, err := s.List(t.Context(), org)
		if err == nil && all[0].State == store.ConnectionChoosing {
			_, err = s.Take(t.Context(), org, "stub", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := s.Sync(t.Context(), org, "stub", syncing.SyncOptions{})
		if err != nil {
			t.Fatal(err)
		}
		outcome = outcomes[0]
	})
	return outcome
}

func TestConnectingNeedsTheKeyFileOfTheService(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	other := filepath.Join(t.TempDir(), "key")

	err := connectStub(t, f.database, other, a.id)

	if err == nil || !strings.Contains(err.Error(), "--key-file") {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Lstat(other); !os.IsNotExist(err) {
		t.Errorf("a second key file: %v", err)
	}
}

func TestAKeyThatATokenIsEncryptedWithIsNotReplaced(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}

	err := f.beside(filepath.Join(t.TempDir(), "key"), false)

	if err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("the error is %v", err)
	}
}
