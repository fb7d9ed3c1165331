package books

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/ownbooks"
	"tarmac/internal/money"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// connectFlags holds the values of the flags of `tarmac connect`.
type connectFlags struct {
	tokenStdin, yes, choose, json bool
	accounts                      []string
	name, label                   string
}

func newConnect(env command.Env, open Opener) *cobra.Command {
	var f connectFlags
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
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), env, open, args[0]) },
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
func (f *connectFlags) run(ctx context.Context, env command.Env, open Opener, provider string) error {
	if !f.yes && len(f.accounts) == 0 && (f.tokenStdin || !command.IsTerminal(env.Stdin)) {
		return command.Usagef("nobody can be asked which accounts to take: add --yes for all, or --account for each")
	}
	token, err := f.token(ctx, env, provider)
	if err != nil {
		return err
	}
	if f.name == "" && open.NeedsName() && !f.tokenStdin && command.IsTerminal(env.Stdin) && !f.choose {
		f.name, err = command.PromptLine(ctx, env, "Name of your company ["+DefaultCompany+"]:")
		if err != nil {
			return err
		}
	}
	connect := func(syncer *syncing.Syncer, org store.OrgKey) error {
		return f.connect(ctx, env, Connections(syncer, org), ownbooks.ConnectRequest{
			Provider: provider, Label: f.label, Token: token,
		})
	}
	if f.choose {
		return open.Connections(ctx, connect)
	}
	return open.CreateConnections(ctx, f.name, connect)
}

// token returns the token that the user types or that is on standard input. It returns an error for
// a text that is no token of the provider.
func (f *connectFlags) token(ctx context.Context, env command.Env, provider string) (ownbooks.Token, error) {
	if f.choose {
		return ownbooks.Token{}, nil
	}
	var text string
	var err error
	if f.tokenStdin {
		text, err = command.FirstLine(env.Stdin)
	} else {
		text, err = command.PromptSecret(ctx, env, tokenPrompt(provider))
	}
	switch {
	case errors.Is(err, command.ErrNoTerminal):
		return ownbooks.Token{}, command.Usagef("there is no terminal to ask for the token: pass it with --token-stdin")
	case err != nil:
		return ownbooks.Token{}, err
	case text == "":
		return ownbooks.Token{}, errors.New("no token was given; nothing was connected")
	}
	return ownbooks.NewToken(text), command.CheckToken(provider, text)
}

func tokenPrompt(provider string) string {
	for _, k := range command.ProviderKinds() {
		if k.Name == provider {
			return k.Title + " token (not shown):"
		}
	}
	return "Token (not shown):"
}

// connect sends the token, asks for the accounts and reads them.
func (f *connectFlags) connect(ctx context.Context, env command.Env, connections ownbooks.Providers,
	request ownbooks.ConnectRequest,
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
	outcome, err := connections.Take(ctx, made.ID, choices)
	if err != nil {
		return err
	}
	return showOutcomes(env, f.json, []ownbooks.SyncOutcome{outcome})
}

// choices returns the accounts to take: those that flags name, or those that the user chooses.
func (f *connectFlags) choices(ctx context.Context, env command.Env, c *ownbooks.Connection) (
	choices []ownbooks.AccountChoice, err error,
) {
	if len(c.Accounts) == 0 {
		return nil, nil
	}
	if len(f.accounts) > 0 {
		return named(c, f.accounts)
	}
	for i := range c.Accounts {
		a := &c.Accounts[i]
		if a.Refused != "" {
			fmt.Fprintf(env.Stderr, "%s cannot be taken: %s.\n", a.Label(), a.Refused)
			continue
		}
		choice, take := ownbooks.AccountChoice{ID: a.ID}, true
		if !f.yes {
			if choice, take, err = askAccount(ctx, env, a); err != nil {
				return nil, err
			}
		}
		if take {
			choices = append(choices, choice)
		}
	}
	if len(choices) == 0 {
		return nil, fmt.Errorf("no account was chosen; choose with `tarmac connect %s --choose`", c.Provider)
	}
	return choices, nil
}

// askAccount asks whether to take an account, and into which account of the books.
func askAccount(ctx context.Context, env command.Env, a *ownbooks.ConnectedAccount) (
	choice ownbooks.AccountChoice, take bool, err error,
) {
	balance := money.Dash
	if a.Balance != nil {
		balance = money.Format(*a.Balance, a.Currency)
	}
	fmt.Fprintf(env.Stderr, "%s, %s %s: %s\n", a.Label(), a.Currency, balance, booksText(a))
	answer, err := command.PromptLine(ctx, env, "Take it? [Y/n, or the account in your books that it is]")
	choice = ownbooks.AccountChoice{ID: a.ID}
	switch strings.ToLower(answer) {
	case "", "y", "yes":
		return choice, err == nil, err
	case "n", "no":
		return choice, false, err
	}
	choice.BooksAccount = answer
	return choice, err == nil, err
}

// booksText says into which account of the books an account is read.
func booksText(a *ownbooks.ConnectedAccount) string {
	switch {
	case len(a.Matches) > 1:
		return "it may be " + strings.Join(a.Matches, " or ") + " in your books; a new account is proposed"
	case a.IsNew(a.BooksAccount):
		return "a new account in your books"
	}
	return "it continues " + a.BooksAccount + " in your books"
}

// isCalled reports whether a user means an account by a text: its id, its name, or the end of its
// number.
func isCalled(a *ownbooks.ConnectedAccount, text string) bool {
	end := strings.TrimPrefix(a.Number, "…")
	return text == a.ID || strings.EqualFold(text, a.Name) || strings.EqualFold(text, a.Label()) ||
		end != "" && strings.HasSuffix(text, end)
}

// named returns the accounts that flags name.
func named(c *ownbooks.Connection, texts []string) (choices []ownbooks.AccountChoice, err error) {
	for _, text := range texts {
		var found []*ownbooks.ConnectedAccount
		for i := range c.Accounts {
			if isCalled(&c.Accounts[i], text) {
				found = append(found, &c.Accounts[i])
			}
		}
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("%s has no account %s; there are %s", c.Title, command.Quoted(text), labels(c))
		case len(found) > 1:
			return nil, fmt.Errorf("%s has several accounts %s; name one of %s", c.Title, command.Quoted(text),
				labels(c))
		case found[0].Refused != "":
			return nil, fmt.Errorf("%s cannot be taken: %s", found[0].Label(), found[0].Refused)
		}
		choices = append(choices, ownbooks.AccountChoice{ID: found[0].ID})
	}
	return choices, nil
}

func labels(c *ownbooks.Connection) string {
	all := make([]string, len(c.Accounts))
	for i := range c.Accounts {
		all[i] = c.Accounts[i].Label()
	}
	return strings.Join(all, ", ")
}
