package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"tarmac/cli/command"
	"tarmac/service/store/database"
)

// defaultDatabase is the file that serve and admin use by default.
const defaultDatabase = "tarmac.db"

// databaseVariable names the database if the flag does not. A URL passed as an argument would
// show its password to other users of the machine.
const databaseVariable = "TARMAC_DB"

// DatabaseFlags adds the flags for the database and its key file. The flags have no default
// values: help would print them, and the environment variable may contain a password.
func DatabaseFlags(flags *pflag.FlagSet, database, keyFile *string) {
	flags.StringVar(database, "db", "",
		"SQLite file or postgres:// URL (default $"+databaseVariable+", then "+defaultDatabase+")")
	flags.StringVar(keyFile, "key-file", "",
		"file with the key of webhook secrets (default the SQLite file's name with .key appended)")
}

// DatabaseName returns the database from the flag, then the environment variable, then the
// default.
func DatabaseName(env command.Env, flag string) string {
	if flag != "" {
		return flag
	}
	if variable := env.Getenv(databaseVariable); variable != "" {
		return variable
	}
	return defaultDatabase
}

// PasswordWarning returns a warning about a database URL with a password on the command
// line, or "".
func PasswordWarning(flag string) string {
	if !database.HasPassword(flag) {
		return ""
	}
	return "the database password is on the command line, where other users of this machine can read it; " +
		"put the URL into " + databaseVariable + ", or the password into a PGPASSFILE"
}

// checkExists refuses an SQLite file that does not exist. A PostgreSQL server reports a
// missing database itself.
func checkExists(name string) error {
	if database.IsPostgres(name) {
		return nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("database %s does not exist; create it with `tarmac admin org create` or `tarmac serve`", name)
	}
	return nil
}
