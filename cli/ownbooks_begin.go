package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tarmac/cli/books"
	"tarmac/internal/privatefile"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
	"tarmac/ui"
)

// begin connects to the user's own books, and makes them if there are none. Books that it made, and
// into which nothing was imported by the time the connection is closed, are removed. A directory
// beside them says so while the connection is open, so that removeBegun finds books of a killed
// program.
func (o ownBooks) begin(ctx context.Context, dial dialer) (ui.Connection, error) {
	path, err := o.path()
	if err != nil {
		return ui.Connection{}, err
	}
	if o.exist() {
		return o.connectTo(ctx, dial, func() {})
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return ui.Connection{}, explained(path, err)
	}
	begun, err := privatefile.NewStaging(filepath.Dir(path), begunPrefix(path))
	if err != nil {
		return ui.Connection{}, err
	}
	err = o.createAt(store.WithAudit(ctx, nil), path, "",
		func(*bookkeeping.Books) (keep bool, err error) { return true, nil })
	switch {
	case errors.Is(err, fs.ErrExist): // another program made them
		begun.Remove()
		return o.connectTo(ctx, dial, func() {})
	case err != nil:
		begun.Remove()
		return ui.Connection{}, err
	}
	return o.connectTo(ctx, dial, func() {
		o.removeEmpty(context.WithoutCancel(ctx), path)
		begun.Remove()
	})
}

// begunPrefix is the beginning of the names of the directories of begin.
func begunPrefix(path string) string { return privatefile.TempPrefix(path) + "begun-" }

// removeBegun removes the books that a killed program made, if nothing was imported into them.
func (o ownBooks) removeBegun(ctx context.Context) {
	path, err := o.path()
	if err != nil {
		return
	}
	privatefile.SweepStaging(filepath.Dir(path), begunPrefix(path), o.Now(), func(string) error {
		o.removeEmpty(ctx, path)
		return nil
	})
}

// areNew reports whether the books are as they were made without a name: nothing was imported, no
// provider is connected, and the company has no name.
func areNew(ctx context.Context, svc *service.Service, org store.Organization) (bool, error) {
	b, err := svc.Books(ctx, org.PublicID)
	if err != nil || org.Name != books.DefaultCompany {
		return false, err
	}
	if empty, err := b.Empty(ctx); err != nil || !empty {
		return false, err
	}
	_, key, err := svc.Organization(ctx, org.PublicID)
	if err != nil {
		return false, err
	}
	connections, err := books.Connections(svc.Syncing(), key).Connections(ctx)
	return len(connections) == 0, err
}

// name gives the company of new books a name, which is their owner's too.
func (o ownBooks) name(ctx context.Context, svc *service.Service, org store.Organization, name string) error {
	if err := svc.Rename(ctx, org.PublicID, name); err != nil {
		return err
	}
	_, err := svc.SetOwner(ctx, org.PublicID, name, ownerAddress)
	return err
}

// removeEmpty removes the books at path if nothing was imported into them. Books that cannot be
// read stay.
func (o ownBooks) removeEmpty(ctx context.Context, path string) {
	empty := false
	err := o.open(ctx, path, openOptions{}, func(svc *service.Service) error {
		org, err := companyIn(ctx, svc, path)
		if err == nil {
			empty, err = areNew(ctx, svc, org)
		}
		return err
	})
	if err != nil || !empty {
		return
	}
	for _, ending := range sqliteEndings {
		_ = os.Remove(path + ending)
	}
}
