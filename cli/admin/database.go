package admin

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"tarmac/cli/command"
	"tarmac/service/store/database"
)

// defaultDatabase is the file that the commands serve and admin use if no database is named.
const defaultDatabase = "tarmac.db"

// databaseVariable is the environment variable that names the database if the flag --db does not.
// Unlike an argument, it does not show the password in a URL to other users of the machine.
const databaseVariable = "TARMAC_DB"

// DatabaseFlags adds the flags for the database and its key file. They have no default values,
// because help would print these, and the environment variable may contain a password.
func DatabaseFlags(flags *pflag.FlagSet, database, keyFile *string) {
	flags.StringVar(database, "db", "",
		"SQLite file or postgres:// URL (default $"+databaseVariable+", then "+defaultDatabase+")")
	flags.StringVar(keyFile, "key-file", "",
		"file with the key of webhook secrets (default the SQLite file's name with .key appended)")
}

// DatabaseName returns the database that the flag names or, if that is "", the environment
// variable. If neither is set, it returns the default.
func DatabaseName(env command.Env, flag string) string {
	return cmp.Or(NamedDatabase(env, flag), defaultDatabase)
}

// NamedDatabase is DatabaseName without a default: it returns "" if no database is named.
func NamedDatabase(env command.Env, flag string) string {
	return cmp.Or(flag, env.Getenv(databaseVariable))
}

// PasswordWarning returns a warning if the flag's value is a database URL with a password.
// Otherwise it returns "".
func PasswordWarning(flag string) string {
	if !database.HasPassword(flag) {
		return ""
	}
	return "the database password is on the command line, where other users of this machine can read it; " +
		"put the URL into " + databaseVariable + ", or the password into a PGPASSFILE"
}

// CheckExists returns an error for an SQLite file that does not exist. If a PostgreSQL database is
// missing, its server says so.
func CheckExists(name string) error {
	if database.IsPostgres(name) {
		return nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("database %s does not exist; create it with `tarmac admin org create` or `tarmac serve`", name)
	}
	return nil
}
