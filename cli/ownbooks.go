package cli

import (
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

	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/client/annotations"
	"tarmac/client/draft"
	"tarmac/client/importing"
	"tarmac/client/settings"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/bookexport"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
	"tarmac/service/store/database"
	"tarmac/service/syncing"
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

// HasRulesFile returns true, because own books always have a rules file.
func (o ownBooks) HasRulesFile() bool { return true }

func (o ownBooks) path() (string, error) {
	dir, err := settings.DataDirectory(o.Getenv)
	return filepath.Join(dir, ownBooksFile), err
}

// exist reports whether there is a database file of own books on this machine.
func (o ownBooks) exist() bool {
	path, err := o.path()
	if err != nil {
		return false
	}
	_, err = os.Stat(path)
	return err == nil
}

// Annotations returns the categories and notes that the user has written in the dashboard and with
// commands.
func (o ownBooks) Annotations(ctx context.Context, b *bookkeeping.Books) (bookexport.Annotations, error) {
	var organization store.Organization
	err := b.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		organization, err = snap.Organization(b.Org)
		return err
	})
	if err != nil {
		return nil, err
	}
	file := annotations.NewFile(o.stateFolder())
	if err := file.Open(draft.OrgKey(localOrigin, organization.PublicID)); err != nil {
		return nil, err
	}
	set := file.Set()
	return func(id string) (category, note string) { return set[id].Category, set[id].Note }, nil
}

// profile returns an entry for the user's own books in the dashboard's list of profiles.
func (o ownBooks) profile(dial dialer) *ui.Profile {
	return &ui.Profile{
		Name: settings.OwnBooks, Hint: "on this machine",
		Open: func(ctx context.Context) (ui.Connection, error) { return o.connect(ctx, dial) },
	}
}

// connect starts a service for the user's own books on a free port of the loopback interface, and
// connects to it. Closing the connection stops the service.
func (o ownBooks) connect(ctx context.Context, dial dialer) (ui.Connection, error) {
	return o.connectTo(ctx, dial, func() {})
}

// connectTo is connect. closed is called once the service is closed, so that nothing can be
// imported any more, and also if there is no connection.
func (o ownBooks) connectTo(ctx context.Context, dial dialer, closed func()) (c ui.Connection, _ error) {
	var closing closers
	started := false
	defer func() {
		if !started { // also runs after a panic
			closing.close()
		}
	}()
	closing.add(closed)
	path, err := o.Existing()
	if err != nil {
		return c, err
	}
	svc, err := command.OpenService(ctx, service.Config{
		Database: path, Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)), Now: o.Now, Entropy: rand.Reader,
		Contract: o.Contract, Version: version(), RulesFile: o.rulesFile(), ReadsProviders: dial.readsProviders,
		KeyOptional: true, Owner: command.AuditEntry(o.Env, store.WayLocal, "").Actor, SmallCache: true,
	})
	if err != nil {
		return c, explained(path, err)
	}
	closing.add(func() { svc.Close() })
	opened, err := os.Stat(path)
	if err != nil {
		return c, err
	}
	if err := o.updateCurrency(ctx, svc); err != nil {
		return c, explained(path, err)
	}
	org, err := companyIn(ctx, svc, path)
	if err != nil {
		return c, err
	}
	_, key, err := svc.Organization(ctx, org.PublicID)
	if err != nil {
		return c, err
	}
	client, _, err := dial.serveLocal(ctx, svc, org.PublicID, &closing)
	if err != nil {
		return c, err
	}
	fresh, err := areNew(ctx, svc, org)
	if err != nil {
		return c, err
	}
	started = true
	var rename func(context.Context, string) error
	if fresh {
		rename = func(ctx context.Context, name string) error { return o.name(ctx, svc, org, name) }
	}
	own := books.ForScreens(func(ctx context.Context) (*bookkeeping.Books, error) {
		if err := stillThere(path, opened); err != nil {
			return nil, err
		}
		return svc.Books(ctx, org.PublicID)
	}, o.Now, rename)
	found := settings.Connection{Profile: settings.OwnBooks}
	planFile, _ := found.PlanFile(o.Getenv) // "" without a directory
	return ui.Connection{
		PlanFile: planFile, Client: client, Profile: org.Name, Books: books.AuditedBooks(own, o.change(svc)),
		Providers: books.AuditedProviders(books.Connections(svc.Syncing(), key), o.change(svc)), Close: closing.close,
		New: fresh, Alerts: overviewer(o.Getenv, found),
	}, nil
}

// Open calls do with the user's own books. It returns an error if nothing was imported yet.
func (o ownBooks) Open(ctx context.Context, do func(*bookkeeping.Books) error) error {
	path, err := o.Existing()
	if err != nil {
		return err
	}
	return o.open(ctx, path, openOptions{}, func(svc *service.Service) error {
		org, err := companyIn(ctx, svc, path)
		if err != nil {
			return err
		}
		_, key, err := svc.Organization(ctx, org.PublicID)
		if err != nil {
			return err
		}
		sayLost(ctx, o.Env, books.Connections(svc.Syncing(), key))
		return withBooks(ctx, svc, org, do)
	})
}

// sayLost says which connections have lost their tokens, because nothing else shows it: the books
// can be read without them, and also if the connections cannot be listed.
func sayLost(ctx context.Context, env command.Env, connections importing.Providers) {
	all, _ := connections.Connections(ctx)
	for _, text := range ownbooks.LostText(all) {
		fmt.Fprintln(env.Stderr, "tarmac: "+text)
	}
}

// Connections calls do with what connects the user's own books to providers. It returns an error if
// there are no books yet.
func (o ownBooks) Connections(ctx context.Context, do func(*syncing.Syncer, store.OrgKey) error) error {
	path, err := o.Existing()
	if err != nil {
		return err
	}
	return o.open(ctx, path, openOptions{}, func(svc *service.Service) error {
		company, err := companyIn(ctx, svc, path)
		if err != nil {
			return err
		}
		_, org, err := svc.Organization(ctx, company.PublicID)
		if err != nil {
			return err
		}
		return do(svc.Syncing(), org)
	})
}

// Existing returns the path of the user's own books, or an error if there are none.
func (o ownBooks) Existing() (string, error) {
	path, err := o.path()
	if err != nil {
		return "", err
	}
	o.tidy(path)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", errNoBooks
	}
	return path, nil
}

var errNoBooks = errors.New("there are no books yet; import a bank's files with `tarmac import FILE…`, " +
	"or connect a bank with `tarmac connect`")

// openOptions say how the database of own books is opened for a command.
type openOptions struct {
	// ephemeral is true if a power failure may damage the file.
	ephemeral bool
}

// open opens the database at path and calls do.
func (o ownBooks) open(ctx context.Context, path string, how openOptions, do func(*service.Service) error) error {
	svc, err := command.OpenService(ctx, service.Config{
		Database: path, SmallCache: true, KeyOptional: true, Ephemeral: how.ephemeral,
		Logger: slog.New(slog.NewJSONHandler(io.Discard, nil)),
		Now:    o.Now, Entropy: rand.Reader, Version: version(), RulesFile: o.rulesFile(),
	})
	if err != nil {
		return explained(path, err)
	}
	if err = o.updateCurrency(ctx, svc); err == nil {
		err = do(svc)
	}
	return explained(path, errors.Join(err, svc.Store().EndAudit(ctx, err), svc.Close()))
}

// updateCurrency makes books of an earlier version report in their own currency, and says so.
func (o ownBooks) updateCurrency(ctx context.Context, svc *service.Service) error {
	updated, err := svc.UpdateCurrencies(ctx)
	for _, u := range updated {
		fmt.Fprintf(o.Stderr, "tarmac: the books report in %s now, the currency of most of their lines; see "+
			"`tarmac books currency`\n", u.Currency)
	}
	return err
}

// explained returns an error of damaged books with what their owner can do about it. It returns
// other errors unchanged.
func explained(path string, err error) error {
	if !database.IsDamaged(err) {
		return err
	}
	return fmt.Errorf("%s is damaged: restore a backup with `tarmac books restore --replace FILE`, or move it away and "+
		"import your files again (docs/import.md, On another computer, and back after a loss)", termtext.Line(path))
}

// stillThere returns an error if the file of the books was removed or replaced after it was opened:
// changes would be written to the removed file, and lost with it.
func stillThere(path string, opened fs.FileInfo) error {
	if now, err := os.Stat(path); err == nil && os.SameFile(now, opened) {
		return nil
	}
	return fmt.Errorf("%s was removed or replaced while it was open, and changes would be lost: quit, and restore a "+
		"backup with `tarmac books restore FILE` or import your files again", termtext.Line(path))
}

// companyIn returns the organization in the database of own books at path.
func companyIn(ctx context.Context, svc *service.Service, path string) (store.Organization, error) {
	all, err := svc.Organizations(ctx)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s holds no books: move it away, and import a bank's files with `tarmac import FILE…`",
			termtext.Line(path))
	}
	if err != nil {
		return store.Organization{}, err
	}
	return all[0], nil
}

// withBooks calls do with the books of an organization.
func withBooks(ctx context.Context, svc *service.Service, org store.Organization,
	do func(*bookkeeping.Books) error,
) error {
	b, err := svc.Books(ctx, org.PublicID)
	if err != nil {
		return err
	}
	return do(b)
}
