package command

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/service/access"
)

// UsageError marks an error as wrong usage. The program then exits with code 2.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }
func (e UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError with a formatted text.
func Usagef(format string, args ...any) error {
	return UsageError{fmt.Errorf(format, args...)}
}

// Group returns a command that only contains subcommands.
func Group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: NeedsCommand, RunE: NeedsCommand}
	cmd.AddCommand(commands...)
	return cmd
}

// NoArguments returns an error if there are positional arguments. For the root command, the error
// says that the command is unknown.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && cmd.HasParent() {
		return Usagef("%s takes no arguments, but got %s", cmd.CommandPath(), Quoted(args[0]))
	}
	return OnlyCommands(cmd, args)
}

// NeedsCommand returns a usage error that asks for a subcommand. If args name an unknown
// subcommand, the error says so.
func NeedsCommand(cmd *cobra.Command, args []string) error {
	if err := OnlyCommands(cmd, args); err != nil {
		return err
	}
	return Usagef("%s requires a subcommand", cmd.CommandPath())
}

// OnlyCommands returns an error if there are arguments, which can only be unknown subcommands. The
// error suggests subcommands with similar names.
func OnlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	where := ""
	if cmd.HasParent() {
		where = " for " + cmd.CommandPath()
	}
	cmd.SuggestionsMinimumDistance = 2
	if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
		where += "; did you mean " + strings.Join(similar, ", ") + "?"
	}
	return Usagef("unknown command %s%s", Quoted(args[0]), where)
}

// Quoted returns an argument in quotes for an error message. If the argument contains a secret,
// Quoted returns "a token" instead.
func Quoted(argument string) string {
	if access.ContainsSecret(argument) {
		return "a token"
	}
	return strconv.Quote(argument)
}

// Choices sets the values that shell completion offers for a flag.
func Choices[T ~string](cmd *cobra.Command, flag string, values ...T) {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	if err := cmd.RegisterFlagCompletionFunc(flag,
		cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // a bug: the flag does not exist
	}
}
