package books

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/service/providers"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// connectFlags holds the values of the flags of `tarmac connect`, and which books it fills.
type connectFlags struct {
	tokenStdin, yes, choose, json bool
	accounts                      []string
	name, label                   string

	open  Opener
	empty bool // true if there were no books before
}

func newConnect(env command.Env, open Opener) *cobra.Command {
	f := connectFlags{open: open}
	names := kindNames()
	cmd := &cobra.Command{
		Use:   "connect " + strings.Join(names, "|"),
		Short: "Connect a bank or Stripe, which then fills your own books by itself",
		Long: "connect asks for a provider's token, says which accounts it can see, asks which to take, and reads them. " +
			"The token is not shown while you type, and is stored encrypted. docs/providers.md says where to get one and " +
			"what is read.\n" +
			"A new token for a provider that is connected already replaces the old one; the accounts stay. " +
			"In scripts, --token-stdin reads the token from standard input, and --yes or --account answers the questions.",
		Example: open.Example("connect mercury") + "\n" +
			open.Example("connect simplefin --token-stdin --yes < token"),
		ValidArgs: names,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(names, args[0]) {
				return command.Usagef("%s needs a provider: %s", cmd.CommandPath(), strings.Join(names, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), env, args[0]) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.tokenStdin, "token-stdin", false, "read the token from standard input")
	flags.StringArrayVar(&f.accounts, "account", nil, "take this account, by name or the end of its number; repeatable")
	flags.BoolVar(&f.yes, "yes", false, "take all accounts without asking")
	flags.BoolVar(&f.choose, "choose", false, "choose the accounts of an existing connection again; needs no token")
	flags.StringVar(&f.name, "name", "", "the company's name, for new books")
	flags.StringVar(&f.label, "label", "", "a name for the connection, to have several of one provider")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	open.Flags(cmd)
	return cmd
}

func kindNames() (names []string) {
	for _, k := range command.ProviderKinds() {
		names = append(names, k.Name)
	}
	return names
}

// run connects a provider and reads its accounts.
func (f *connectFlags) run(ctx context.Context, env command.Env, provider string) error {
	if !f.yes && len(f.accounts) == 0 && (f.tokenStdin || !command.IsTerminal(env.Stdin)) {
		return command.Usagef("nobody can be asked which accounts to take: add --yes for all, or --account for each")
	}
	token, err := f.token(ctx, env, provider)
	if err != nil {
		return err
	}
	f.empty = f.open.NeedsName()
	if f.name == "" && f.empty && !f.tokenStdin && command.IsTerminal(env.Stdin) && !f.choose {
		f.name, err = command.PromptLine(ctx, env, "Name of your company ["+DefaultCompany+"]:")
		if err != nil {
			return err
		}
	}
	connect := func(syncer *syncing.Syncer, org store.OrgKey) error {
		return f.connect(ctx, env, Connections(syncer, org), importing.ConnectRequest{
			Provider: provider, Label: f.label, Token: token,
		})
	}
	if f.choose {
		return f.open.Connections(ctx, connect)
	}
	return f.open.CreateConnections(ctx, f.name, connect)
}

// token returns the token that the user types or that is on standard input. It returns an error for
// a text that is no token of the provider.
func (f *connectFlags) token(ctx context.Context, env command.Env, provider string) (importing.Token, error) {
	if f.choose {
		return importing.Token{}, nil
	}
	var text string
	var err error
	if f.tokenStdin {
		text, err = command.FirstLine(env.Stdin)
	} else {
		text, err = promptToken(ctx, env, provider)
	}
	switch {
	case errors.Is(err, command.ErrNoTerminal):
		return importing.Token{}, command.Usagef("there is no terminal to ask for the token: pass it with --token-stdin")
	case err != nil:
		return importing.Token{}, err
	case text == "":
		return importing.Token{}, errors.New("no token was given; nothing was connected")
	}
	return importing.NewToken(text), command.CheckProviderToken(provider, text)
}

// promptToken says where to get a token, and asks for it.
func promptToken(ctx context.Context, env command.Env, provider string) (string, error) {
	kinds := command.ProviderKinds()
	kind := kinds[slices.IndexFunc(kinds, func(k providers.Kind) bool { return k.Name == provider })]
	if command.IsTerminal(env.Stdin) {
		fmt.Fprintln(env.Stderr, kind.TokenHelp)
	}
	return command.PromptSecret(ctx, env, kind.Title+" token (not shown):")
}

// connect sends the token, asks for the accounts and reads them.
func (f *connectFlags) connect(ctx context.Context, env command.Env, connections importing.Providers,
	request importing.ConnectRequest,
) error {
	if !f.json {
		fmt.Fprintln(env.Stderr, "Asking the provider…")
	}
	made, err := connections.Connect(ctx, request)
	if err != nil {
		return err
	}
	for _, notice := range made.Notices {
		fmt.Fprintln(env.Stderr, notice)
	}
	choices, err := f.choices(ctx, env, &made)
	if err != nil {
		return err
	}
	if !f.json {
		fmt.Fprintf(env.Stderr, "Reading %s…\n", made.Label)
	}
	outcome, err := connections.Take(ctx, made.ID, choices)
	if errors.Is(err, store.ErrNotFound) { // a typed account
		return fmt.Errorf("%w; nothing was read, choose again with `%s`", err, chooseAgain(f.open, &made))
	}
	if err != nil {
		return err
	}
	err = showOutcomes(env, f.open, f.json, []ownbooks.Outcome{outcome})
	if err == nil && f.empty && !f.json {
		_, err = fmt.Fprintln(env.Stdout, "Run `tarmac` to see your cash, your runway and all lines.")
	}
	return err
}

// chooseAgain returns the command that chooses the accounts of a connection.
func chooseAgain(open Opener, c *ownbooks.Connection) string {
	arguments := "connect " + c.Provider + " --choose"
	if c.Label != c.Title {
		arguments += " --label " + command.Quoted(c.Label)
	}
	return open.Example(arguments)
}
