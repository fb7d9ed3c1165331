package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql migrations/postgres/*.sql
var migrations embed.FS

// migrate brings the schema up to date. Each migration is one transaction, so a
// failed one leaves the schema as it was.
func migrate(ctx context.Context, db pool) error {
	files, err := fs.Sub(migrations, db.pick("migrations", "migrations/postgres"))
	if err != nil {
		return err
	}
	speaks, options := goose.DialectSQLite3, []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()),
		goose.WithGoMigrations(refolding(db.dialect))}
	if db.dialect == ofPostgres {
		// Others that start at the same time wait for the one that migrates.
		turns, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
		if err != nil {
			return err
		}
		speaks, options = goose.DialectPostgres, append(options, goose.WithSessionLocker(turns))
	}
	provider, err := goose.NewProvider(speaks, db.DB, files, options...)
	if err != nil {
		return fmt.Errorf("reading the schema's migrations: %w", err)
	}
	before := int64(-1)
	for {
		current, target, err := provider.GetVersions(ctx)
		if err != nil {
			return fmt.Errorf("reading the schema's version: %w", err)
		}
		if current > target {
			return fmt.Errorf("its schema is version %d and this program knows up to %d; use a newer version of tarmac", current, target)
		}
		if current == target {
			return nil
		}
		_, failure := provider.Up(ctx)
		if failure == nil {
			return nil
		}
		// Another process may have been first with a migration. As long as the
		// version moves there is nothing wrong.
		if current == before {
			return fmt.Errorf("bringing the schema up to date: %w", failure)
		}
		before = current
	}
}
