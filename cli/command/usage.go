package command

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/service/access"
)

// UsageError marks an error as wrong usage, which exits with code 2.
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

// NoArguments rejects positional arguments. On the root command, the error reports an unknown
// command.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && cmd.HasParent() {
		return Usagef("%s takes no arguments, but got %s", cmd.CommandPath(), Quoted(args[0]))
	}
	return OnlyCommands(cmd, args)
}

// NeedsCommand returns a usage error that asks for a subcommand.
func NeedsCommand(cmd *cobra.Command, args []string) error {
	if err := OnlyCommands(cmd, args); err != nil {
		return err
	}
	return Usagef("%s requires a subcommand", cmd.CommandPath())
}

// OnlyCommands rejects the arguments of a command group as unknown subcommands. The error
// suggests similar names.
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

// Quoted quotes an argument for an error message. It masks arguments that look like tokens.
func Quoted(argument string) string {
	if access.ContainsSecret(argument) {
		return "a token"
	}
	return strconv.Quote(argument)
}

// Choices registers the values of a flag for shell completion.
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
