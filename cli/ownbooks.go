package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
	"tarmac/ui"
)

// ownBooks opens the user's own books: a database file with one organization. It implements
// books.Opener.
type ownBooks struct{ command.Env }

// ownBooksFile is the name of the database file in the data directory.
const ownBooksFile = "books.db"

// Example returns a command line for an example in the help text.
func (o ownBooks) Example(arguments string) string { return "tarmac " + arguments }

// Flags adds no flags, because every user has only one file of own books.
func (o ownBooks) Flags(*cobra.Command) {}

func (o ownBooks) path() (string, error) {
	dir, err := settings.DataDirectory(o.Getenv)
	return filepath.Join(dir, ownBooksFile), err
}

// exist reports whether the user has books of their own on this machine.
func (o ownBooks) exist() bool {
	path, err := o.path()
	if err != nil {
		return false
	}
	_, err = os.Stat(path)
	return err == nil
}

// profile returns an entry for the user's own books in the dashboard's list of profiles.
func (o ownBooks) profile(dial dialer) *ui.Profile {
	return &ui.Profile{Name: "own books", Hint: "on this machine", Open: func(ctx context.Context) (ui.Connection, error) {
		return o.connect(ctx, dial)
	}}
}

// connect starts a service for the user's own books on a free port of the loopback interface, and
// connects to it. Closing the connection stops the service.
func (o ownBooks) connect(ctx context.Context, dial dialer) (c ui.Connection, _ error) {
	var closing closers
	started := false
	defer func() {
		if !started { // also runs after a panic
			closing.close()
		}
	}()
	path, err := o.path()
	if err != nil {
		return c, err
	}
	svc, err := service.Open(ctx, service.Config{
		Database: path, Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: o.Now, Entropy: rand.Reader,
		Contract: o.Contract, Version: version(),
	})
	if err != nil {
		return c, err
	}
	closing.add(func() { svc.Close() })
	org, err := o.organization(ctx, svc, "")
	if err != nil {
		return c, err
	}
	client, _, err := dial.serveLocal(ctx, svc, org.PublicID, &closing)
	if err != nil {
		return c, err
	}
	started = true
	return ui.Connection{Client: client, Profile: org.Name, Close: closing.close}, nil
}

// Open calls do with the user's own books. It returns an error if nothing was imported yet.
func (o ownBooks) Open(ctx context.Context, do func(*bookkeeping.Books) error) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return errors.New("there are no books yet; import a bank's files with `tarmac import FILE…`")
	}
	return o.open(ctx, path, "", false, do)
}

// Create calls do with the user's own books, and creates their database first if there is none.
func (o ownBooks) Create(ctx context.Context, name string, do func(*bookkeeping.Books) error) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the directory of the books: %w", err)
	}
	return o.open(ctx, path, name, false, do)
}

// Preview calls do with the user's own books. If there are none, it calls do with empty books in a
// temporary directory.
func (o ownBooks) Preview(ctx context.Context, do func(*bookkeeping.Books) error) error {
	if path, err := o.path(); err == nil {
		if _, err := os.Stat(path); err == nil {
			return o.open(ctx, path, "", false, do)
		}
	}
	dir, err := os.MkdirTemp("", "tarmac-import-")
	if err != nil {
		return fmt.Errorf("making a temporary directory: %w", err)
	}
	defer os.RemoveAll(dir)
	return o.open(ctx, filepath.Join(dir, ownBooksFile), "", true, do)
}

// open opens the database at path and calls fn with its books. If the database has no organization,
// open creates one.
func (o ownBooks) open(ctx context.Context, path, name string, ephemeral bool,
	fn func(*bookkeeping.Books) error,
) error {
	svc, err := service.Open(ctx, service.Config{
		Database: path, Operator: true, Ephemeral: ephemeral, Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)),
		Now: o.Now, Entropy: rand.Reader, Version: version(),
	})
	if err != nil {
		return err
	}
	defer svc.Close()
	org, err := o.organization(ctx, svc, name)
	if err != nil {
		return err
	}
	b, err := svc.Books(ctx, org.PublicID)
	if err != nil {
		return err
	}
	b.RulesFile = o.rulesFile()
	return fn(b)
}

// organization returns the organization of the books. If the database has none, it creates one with
// the given name.
func (o ownBooks) organization(ctx context.Context, svc *service.Service, name string) (store.Organization, error) {
	all, err := svc.Organizations(ctx)
	if err != nil || len(all) > 0 {
		return append(all, store.Organization{})[0], err
	}
	return svc.CreateOrganization(ctx, cmp.Or(name, defaultCompany))
}

// defaultCompany is the name of the organization if the user gave no company name.
const defaultCompany = "My company"
