package cli

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

// groups are the groups of commands in the help, each with its heading.
var groups = [...]struct {
	title    string
	commands []string
}{
	{"Finance commands", []string{"overview", "digest", "check", "alerts", "watch", "account", "cash-position", "aging",
		"bills", "plan", "remind", "transactions", "spend", "recurring", "forecast", "report", "invoices",
		"payment-intents", "events", "webhooks", "ping"}},
	{"Own books", []string{"import", "connect", "sync", "disconnect", "books"}},
	{"Connection commands", []string{"login", "logout", "profiles", "whoami", "doctor", "config", "mcp"}},
	{"Service commands", []string{"demo", "serve", "ssh", "admin"}},
	{"Other commands", []string{"version", "completion", "man", "help"}},
}

// exitCodes lists the exit codes and their meanings, for the help, the man page and the
// documentation.
var exitCodes = [...][2]string{
	{"0", "success; also an interrupted events tail, and when the reader closed the pipe"},
	{"1", "failure, or a write whose outcome is unknown"},
	{"2", "wrong usage"},
	{"3", "not allowed (401, 403)"},
	{"4", "not found (404)"},
	{"5", "the server could not be reached or its response could not be read; also a list printed without its " +
		"unreadable records"},
	{"0 to 3", "of check: ok, warning, critical, unknown"},
	{"128 + n", "ended by signal n: 130 by Ctrl-C, 143 by SIGTERM; serve ends with 0 after answering open requests"},
}

// connectionFlags are the flags that all commands with a connection to a server have in common.
var connectionFlags = []string{"base-url", "token-file", "ca-file", "profile", "read-only", "no-color", "timeout",
	"log-file"}

// fileFlags are the flags whose value is a file name.
var fileFlags = []string{
	"token-file", "log-file", "ca-file", "file", "output", "secret-file", "passphrase-file",
	"body", "db", "key-file", "tls-cert", "tls-key",
	"webhook-ca-file", "host-key", "data", "invoice-font", "once-per-crossing", "plan",
}

// addHelp sets up help pages, command groups and shell completion for all commands.
func addHelp(env command.Env, root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completeInPlainBash(root)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, cmd := range root.Commands() {
			if slices.Contains(g.commands, cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		out := cmd.OutOrStdout()
		_, _ = io.WriteString(out, helpPage(cmd, pageWidth(out)))
	})
	eachCommand(root, func(cmd *cobra.Command) { completeFlags(env, cmd) })
}

// eachCommand calls visit with a command and with all its subcommands, at every level.
func eachCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		eachCommand(sub, visit)
	}
}

// completeFlags makes the shell complete profile names. For flags whose value is not a file, it
// stops the shell from offering file names.
func completeFlags(env command.Env, cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, known := cmd.GetFlagCompletionFunc(f.Name); known || f.NoOptDefVal != "" || slices.Contains(fileFlags, f.Name) {
			return
		}
		complete := cobra.NoFileCompletions
		if f.Name == "profile" {
			complete = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return profileNames(env)
			}
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // a bug: the flag does not exist
		}
	})
}

// profileNames returns the names of all profiles for shell completion. If there are own books, it
// includes their name.
func profileNames(env command.Env) ([]cobra.Completion, cobra.ShellCompDirective) {
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	names := slices.Sorted(maps.Keys(file.Settings.Profiles))
	if (ownBooks{env}).exist() {
		names = append(names, settings.OwnBooks)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// flagError explains a wrong flag. For the flag --token, which does not exist, it says how to
// supply a token.
func flagError(_ *cobra.Command, err error) error {
	if err.Error() == "unknown flag: --token" {
		return command.Usagef("%w; no flag takes a token, which others could read: use `tarmac login`, --token-file or "+
			"TARMAC_TOKEN", err)
	}
	return command.UsageError{Err: err}
}

// Widths of a help page, in cells: the maximum, and the width if the terminal's is unknown.
const maxPageWidth, defaultPageWidth = 100, 80

func pageWidth(out io.Writer) int {
	if columns, _ := command.TerminalSize(out); columns > 0 {
		return min(columns, maxPageWidth)
	}
	return defaultPageWidth
}

// entry is a line of a help page: a command or flag and what it means.
type entry struct{ word, meaning string }

// helpPage returns the text that --help prints.
func helpPage(cmd *cobra.Command, width int) string {
	var b strings.Builder
	for paragraph := range strings.SplitSeq(description(cmd), "\n") {
		for _, line := range wrapped(paragraph, width) {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("\nUSAGE\n  " + usage(cmd) + "\n")
	if cmd.Example != "" {
		b.WriteString("\nEXAMPLES\n")
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			b.WriteString("  " + line + "\n")
		}
	}
	for _, g := range commandGroups(cmd) {
		writeEntries(&b, g.title, g.entries, width)
	}
	own, connection := flagsOf(cmd)
	writeEntries(&b, "FLAGS", entriesOf(own), width)
	writeEntries(&b, "CONNECTION", entriesOf(connection), width)
	if !cmd.HasParent() {
		codes := make([]entry, len(exitCodes))
		for i, code := range exitCodes {
			codes[i] = entry{code[0], code[1]}
		}
		writeEntries(&b, "EXIT CODES", codes, width)
	}
	return b.String()
}

// description returns the description of a command in complete sentences.
func description(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

func usage(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	if _, arguments, ok := strings.Cut(cmd.Use, " "); ok {
		line += " " + arguments
	}
	if cmd.HasAvailableSubCommands() {
		line += " [command]"
	}
	return line + " [flags]"
}

type commandGroup struct {
	title   string
	entries []entry
}

// commandGroups returns the subcommands of a command. Those of the root command are in groups with
// headings.
func commandGroups(cmd *cobra.Command) (all []commandGroup) {
	if cmd.HasParent() {
		if subs := entriesOfCommands(cmd.Commands()); len(subs) > 0 {
			all = append(all, commandGroup{"COMMANDS", subs})
		}
		return all
	}
	for _, g := range groups {
		var members []*cobra.Command
		for _, name := range g.commands {
			for _, sub := range cmd.Commands() {
				if sub.Name() == name {
					members = append(members, sub)
				}
			}
		}
		all = append(all, commandGroup{strings.ToUpper(g.title), entriesOfCommands(members)})
	}
	return all
}

func entriesOfCommands(commands []*cobra.Command) (all []entry) {
	for _, cmd := range commands {
		if !cmd.Hidden {
			all = append(all, entry{cmd.Use, cmd.Short})
		}
	}
	return all
}

// flagsOf returns a command's own flags and, separately, the flags for its connection.
func flagsOf(cmd *cobra.Command) (own, connection []*pflag.Flag) {
	shared := cmd.Flags().Lookup("token-file") != nil
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden || f.Name == "help":
		case shared && slices.Contains(connectionFlags, f.Name):
			connection = append(connection, f)
		default:
			own = append(own, f)
		}
	})
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if cmd.Flags().Lookup(f.Name) == nil {
			own = append(own, f)
		}
	})
	return own, connection
}

func entriesOf(flags []*pflag.Flag) (all []entry) {
	for _, f := range flags {
		all = append(all, entry{flagWord(f), flagMeaning(f)})
	}
	return all
}

// flagWord returns a flag in the form in which the user types it.
func flagWord(f *pflag.Flag) string {
	word := "--" + f.Name
	if f.Shorthand != "" {
		word = "-" + f.Shorthand + ", " + word
	}
	switch kind := f.Value.Type(); {
	case kind == "bool":
		return word
	case f.Name == "data":
		return word + " DIR"
	case slices.Contains(fileFlags, f.Name):
		return word + " FILE"
	case kind == "duration":
		return word + " TIME"
	case strings.HasPrefix(kind, "int"), strings.HasPrefix(kind, "uint"):
		return word + " N"
	case strings.HasSuffix(f.Name, "url"):
		return word + " URL"
	}
	return word + " TEXT"
}

func flagMeaning(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "[]", "0":
		return f.Usage
	}
	return f.Usage + " (default " + f.DefValue + ")"
}

// maxEntryWord is the maximum width of the first column of a help page, in cells. A longer word
// gets a line of its own.
const maxEntryWord = 26

func writeEntries(b *strings.Builder, title string, entries []entry, width int) {
	if len(entries) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	column := 0
	for _, e := range entries {
		if n := termtext.Width(e.word); n <= maxEntryWord {
			column = max(column, n)
		}
	}
	for _, e := range entries {
		lines := wrapped(e.meaning, width-column-4)
		word := "  " + pad(e.word, column)
		if termtext.Width(e.word) > column {
			b.WriteString("  " + e.word + "\n")
			word = "  " + strings.Repeat(" ", column)
		}
		for _, line := range lines {
			b.WriteString(word + "  " + line + "\n")
			word = "  " + strings.Repeat(" ", column)
		}
	}
}

// wrapped breaks text between words into lines of at most width cells. A word longer than that is
// not broken.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case termtext.Width(line)+1+termtext.Width(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
