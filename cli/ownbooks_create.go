package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// ownerAddress is the e-mail address of the owner of own books, to whom proposed invoices are
// attributed. No mail is sent to it, because the owner is the user.
const ownerAddress = "owner@localhost"

// sqliteEndings are the endings that, after the name of a database file, make the names of the
// files that belong to it.
var sqliteEndings = [...]string{"", "-wal", "-shm", "-journal", ".key"}

// NeedsName reports whether there are no books yet. The first import then creates them and needs
// the company's name.
func (o ownBooks) NeedsName() bool { return !o.exist() }

// Create calls do with the user's own books. If there are none, it creates them, but keeps them
// only if do has imported something.
func (o ownBooks) Create(ctx context.Context, name string, do func(*bookkeeping.Books) error) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	if !o.exist() {
		err := o.createAt(ctx, path, name, func(b *bookkeeping.Books) (keep bool, err error) {
			if err := do(b); err != nil {
				return false, err
			}
			empty, err := b.Empty(ctx)
			return !empty, err
		})
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		// Another process has created the books in the meantime. Import into its books.
	}
	return o.open(ctx, path, openOptions{}, func(svc *service.Service) error {
		org, err := companyIn(ctx, svc, path)
		if err != nil {
			return err
		}
		if name != "" && name != org.Name {
			return command.Usagef("--name is for new books; these are of %s", command.Quoted(org.Name))
		}
		return withBooks(ctx, svc, org, do)
	})
}

// CreateConnections calls do as Connections does. If there are no books, it creates them first, and
// keeps them even if do fails: a token that can be used once is stored in them.
func (o ownBooks) CreateConnections(ctx context.Context, name string,
	do func(*syncing.Syncer, store.OrgKey) error,
) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	if !o.exist() {
		// The line in the audit is that of the connection.
		err := o.createAt(store.WithAudit(ctx, nil), path, name,
			func(*bookkeeping.Books) (keep bool, err error) { return true, nil })
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	} else if name != "" {
		return command.Usagef("--name is for new books, and there are books already")
	}
	return o.Connections(ctx, do)
}

// createAt makes new books in a staging directory and calls do with them. If do returns true,
// createAt moves them to path. Otherwise, or if the process is killed, there are no books at path.
// If there are books at path by then, createAt returns fs.ErrExist.
func (o ownBooks) createAt(ctx context.Context, path, name string,
	do func(*bookkeeping.Books) (keep bool, err error),
) error {
	staging, err := o.stage(path)
	if err != nil {
		return err
	}
	defer staging.Remove()
	keep, partial := false, staging.Path(ownBooksFile)
	// Publish syncs the whole file, so the writes before it need no syncing.
	err = o.open(ctx, partial, openOptions{ephemeral: true}, func(svc *service.Service) error {
		return o.newCompany(ctx, svc, name, func(b *bookkeeping.Books) (err error) {
			keep, err = do(b)
			return err
		})
	})
	if err != nil || !keep {
		return err
	}
	if err := checkClosed(partial, path); err != nil {
		return err
	}
	return staging.Publish(ownBooksFile)
}

// stage creates a directory beside the books at path in which their files can be prepared. If there
// are no books yet, it creates their directory.
func (o ownBooks) stage(path string) (*privatefile.Staging, error) {
	dir := filepath.Dir(path)
	if err := privatefile.MakeDirectory(dir); err != nil {
		return nil, err
	}
	if err := checkNoLog(path); err != nil {
		return nil, err
	}
	o.tidy(path)
	return privatefile.NewStaging(dir, privatefile.TempPrefix(path))
}

// checkNoLog returns an error if there are no books at path but a log of books: SQLite would copy
// it into the new books, which would destroy them.
func checkNoLog(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	for _, ending := range [...]string{"-wal", "-shm", "-journal"} {
		if _, err := os.Lstat(path + ending); err == nil {
			return fmt.Errorf("%s is there without %s: move it away", termtext.Line(path+ending), filepath.Base(path))
		}
	}
	return nil
}

// tidy removes what killed programs have left beside the books at path, and completes a restore
// that was killed after it had begun to replace files. Older versions of tarmac left files; they
// are removed an hour after they were written.
func (o ownBooks) tidy(path string) {
	dir, prefix := filepath.Dir(path), privatefile.TempPrefix(path)
	privatefile.SweepStaging(dir, prefix, o.Now(), o.finishRestore)
	for _, ending := range sqliteEndings {
		privatefile.Sweep(dir, prefix, ending, o.Now())
	}
}

// checkClosed returns an error if the closed database at partial was not written completely. When
// SQLite closes a database, it copies its log into the file and removes the log. It reports no
// error if that fails, but the log remains. The error names path instead.
func checkClosed(partial, path string) error {
	if _, err := os.Stat(partial + "-wal"); err == nil {
		return fmt.Errorf("%s could not be written completely; is the disk full?", termtext.Line(path))
	}
	return nil
}

// newCompany creates the organization of new books and calls do with its books. If name is "", the
// organization gets a default name.
func (o ownBooks) newCompany(ctx context.Context, svc *service.Service, name string,
	do func(*bookkeeping.Books) error,
) error {
	org, err := svc.CreateOrganization(ctx, cmp.Or(name, books.DefaultCompany))
	if err != nil {
		return err
	}
	// An organization without an owner cannot receive proposals.
	if _, err := svc.SetOwner(ctx, org.PublicID, org.Name, ownerAddress); err != nil {
		return err
	}
	return withBooks(ctx, svc, org, do)
}

// Preview calls do with the user's own books. If there are none, it calls do with empty books in a
// temporary directory.
func (o ownBooks) Preview(ctx context.Context, do func(*bookkeeping.Books) error) error {
	if o.exist() {
		return o.Open(ctx, do)
	}
	dir, err := os.MkdirTemp("", "tarmac-import-")
	if err != nil {
		return fmt.Errorf("making a temporary directory: %w", err)
	}
	defer os.RemoveAll(dir)
	return o.open(ctx, filepath.Join(dir, ownBooksFile), openOptions{ephemeral: true}, func(svc *service.Service) error {
		return o.newCompany(ctx, svc, "", do)
	})
}
