package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
)

func newMan(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Long: "man prints the manual page of tarmac and its commands in roff. Put it where man looks, " +
			"such as ~/.local/share/man/man1/tarmac.1, or pipe it into man.",
		Example: "tarmac man | man -l -",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(env.Stdout, manPage(cmd.Root()))
			return err
		},
	}
}

// environment lists the environment variables of the man page, and files its files.
var environment = [...]entry{
	{"TARMAC_BASE_URL", "base URL of the server; overrides the profile's"},
	{"TARMAC_TOKEN", "the organization's token; overrides the profile's"},
	{"TARMAC_TOKEN_FILE", "a file with the token, readable by you alone"},
	{"TARMAC_CA_FILE", "PEM file with extra certificate authorities to trust"},
	{"TARMAC_PROFILE", "the profile to use; \"own books\" for your own books"},
	{"NO_COLOR", "any value disables colours"},
	{"XDG_CONFIG_HOME", "the parent directory of the settings (default ~/.config)"},
	{"XDG_DATA_HOME", "the parent directory of own books (default ~/.local/share)"},
	{"HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "the proxy that requests go through"},
}

var files = [...]entry{
	{"$XDG_CONFIG_HOME/tarmac/config.toml", "the settings and profiles; tarmac config init writes one with " +
		"everything explained"},
	{"$XDG_CONFIG_HOME/tarmac/tokens/", "tokens of profiles without a system keyring, readable by you alone"},
	{"$XDG_DATA_HOME/tarmac/books.db", "your own books, readable by you alone"},
	{"tarmac.db, tarmac.db.key", "the service's database, and the key of webhook secrets, in the directory that it " +
		"is started in"},
}

// manual calls visit with the documented commands, in the order of the help. It omits the
// subcommands of completion, which cobra documents.
func manual(root *cobra.Command, visit func(*cobra.Command)) {
	for _, g := range groups {
		for _, name := range g.commands {
			for _, cmd := range root.Commands() {
				if cmd.Name() != name {
					continue
				}
				if name == "completion" || name == "help" {
					visit(cmd)
					continue
				}
				eachCommand(cmd, visit)
			}
		}
	}
}

// manPage returns the man page in the language roff.
func manPage(root *cobra.Command) string {
	p := &roff{}
	p.line(`.TH TARMAC 1 "" "tarmac" "User Commands"`)
	p.section("NAME")
	p.text("tarmac - " + lowerFirst(root.Short))
	p.section("SYNOPSIS")
	p.line(".B tarmac")
	p.text("[command] [flags]")
	p.section("DESCRIPTION")
	p.text(root.Long)
	p.examples(root.Example)
	p.section("COMMANDS")
	manual(root, func(cmd *cobra.Command) {
		p.line(".SS " + escapeRoff(usage(cmd)))
		p.text(description(cmd))
		own, connection := flagsOf(cmd)
		p.entries(entriesOf(own))
		if len(connection) > 0 {
			p.text("The connection flags apply.")
		}
		p.examples(cmd.Example)
	})
	own, connection := flagsOf(root)
	p.section("CONNECTION FLAGS")
	p.text("Flags of the dashboard and of every command that calls a server:")
	p.entries(entriesOf(append(connection, own...)))
	p.section("EXIT STATUS")
	codes := make([]entry, len(exitCodes))
	for i, code := range exitCodes {
		codes[i] = entry{code[0], code[1]}
	}
	p.entries(codes)
	p.section("ENVIRONMENT")
	p.text("Flags take precedence over the environment, and the environment over the profile.")
	p.entries(environment[:])
	p.section("FILES")
	p.entries(files[:])
	return p.String()
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// roff builds a text in roff, the markup language of man pages.
type roff struct{ strings.Builder }

func (p *roff) line(s string)       { p.WriteString(s + "\n") }
func (p *roff) section(name string) { p.line(".SH " + name) }

// text writes each line of s as a paragraph.
func (p *roff) text(s string) {
	for i, paragraph := range strings.Split(s, "\n") {
		if i > 0 {
			p.line(".PP")
		}
		p.line(escapeRoff(paragraph))
	}
}

func (p *roff) entries(all []entry) {
	for _, e := range all {
		p.line(".TP\n.B " + escapeRoff(e.word))
		p.line(escapeRoff(e.meaning))
	}
	if len(all) > 0 {
		p.line(".PP")
	}
}

func (p *roff) examples(s string) {
	if s == "" {
		return
	}
	p.line(".PP\n.RS 4\n.nf")
	for line := range strings.SplitSeq(s, "\n") {
		p.line(escapeRoff(line))
	}
	p.line(".fi\n.RE\n.PP")
}

// escapeRoff escapes text so that roff reads nothing in it as a request and does not turn hyphens
// into dashes.
func escapeRoff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "`", `\(ga`, "–", `\(en`, "—", `\(em`,
		"€", `\(Eu`, "'", `\(aq`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
