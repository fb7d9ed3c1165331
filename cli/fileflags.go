package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"tarmac/cli/command"
)

// namesFile reports whether a flag names a file, a directory or a database.
func namesFile(flag *pflag.Flag) bool {
	return slices.Contains(fileFlags, flag.Name) || flag.Name == "files" ||
		(flag.Name == "from" || flag.Name == "to") && strings.Contains(flag.Usage, "SQLite file")
}

// refuseEmptyFiles refuses flags that name a file and are set to "", as a shell's unset variable
// does. They would mean the default, and for --db make a new database in the current directory.
func refuseEmptyFiles(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		if err == nil && namesFile(f) && (len(values) == 0 || slices.Contains(values, "")) {
			err = command.Usagef("--%s is empty: name a file, or leave --%s out", f.Name, f.Name)
		}
	})
	return err
}
