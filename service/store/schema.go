package store

import (
	"embed"
	"io/fs"

	"tarmac/service/store/database"
)

//go:embed migrations
var migrations embed.FS

// Schema returns the migrations that create the tables of this package.
func Schema() database.Schema {
	return database.Schema{
		SQLite:   migrationsIn("migrations/sqlite"),
		Postgres: migrationsIn("migrations/postgres"),
		Code:     codeMigrations,
	}
}

func migrationsIn(dir string) fs.FS {
	files, err := fs.Sub(migrations, dir)
	if err != nil {
		panic(err) // cannot happen: the names are valid constants
	}
	return files
}
