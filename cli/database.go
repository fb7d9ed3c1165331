package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"tarmac/cli/command"
	"tarmac/service/store/database"
)

// defaultDatabase is the file that serve and admin use when none is named: both
// must mean the same one.
const defaultDatabase = "tarmac.db"

// databaseVariable names the database where no flag does. A URL with a password is
// better there than among the arguments.
const databaseVariable = "TARMAC_DB"

// databaseFlag adds the flag that names a database. It has no default of its own:
// that would be shown, and the variable may hold a password.
func databaseFlag(flags *pflag.FlagSet, database *string) {
	flags.StringVar(database, "db", "", "the SQLite file, or the postgres:// URL of a database ($"+databaseVariable+" or "+defaultDatabase+" unless given)")
}

// named returns the name of the database that a flag, the variable or neither names.
func databaseName(env command.Env, flag string) string {
	if flag != "" {
		return flag
	}
	if variable := env.Getenv(databaseVariable); variable != "" {
		return variable
	}
	return defaultDatabase
}

// exposed is what is to be said of a database that was named on the command line;
// "" is nothing.
func exposed(flag string) string {
	if !database.HasPassword(flag) {
		return ""
	}
	return "the database's password is among the arguments, which others on this machine can read; " +
		"put the URL into " + databaseVariable + ", or the password into the file that PGPASSFILE names"
}

// checkThere refuses a file that does not exist. A database of PostgreSQL is there
// or its server says that it is not.
func checkThere(name string) error {
	if database.IsPostgres(name) {
		return nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s; `tarmac admin org create` or `tarmac serve` makes one", name)
	}
	return nil
}
