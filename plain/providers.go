package plain

import (
	"context"
	"strconv"
	"strings"

	"tarmac/client/importing"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
)

// providersPage lists the connections of own books to providers.
type providersPage struct {
	list cached[[]ownbooks.Connection]
}

func (p *providersPage) name() string { return "providers" }

func (p *providersPage) commands(*session) []command {
	return []command{{"open", "NUMBER", "all about a connection", p.open}}
}

// providerCommands returns the commands about connections to providers. A session that cannot have
// any has none.
func (s *session) providerCommands() []command {
	if s.server.Providers == nil {
		return nil
	}
	providers := command{"providers", "", "connections to banks and invoicing services",
		func(s *session, _ string) error { return s.visit("providers") }}
	return append([]command{providers}, s.unlessReadOnly(
		command{"sync", "NAME", "read a provider now; without a name, all", (*session).syncProviders},
		command{"connect", "PROVIDER", "connect a provider; it asks for a token", (*session).connectProvider},
		command{"disconnect", "NAME", "disconnect a provider", (*session).disconnectProvider},
	)...)
}

func (p *providersPage) show(s *session) error {
	s.say("%s.", s.title())
	all, ok := p.list.get(s, "Providers", s.server.Providers.Connections)
	switch {
	case !ok:
		return nil
	case len(all) == 0:
		return s.answer("No provider is connected. Type connect with %s.", s.kindNames())
	}
	s.say("%s:", plural.Count(len(all), "connection"))
	sayNumbered(s, 1, all, s.connectionLine)
	return nil
}

// connectionLine describes a connection in one line.
func (s *session) connectionLine(c *ownbooks.Connection) string {
	now := s.Now()
	parts := []string{c.Label, c.StateText(now), "read " + c.LastText(now), "next " + spoken(c.NextText(now))}
	if len(c.Accounts) > 0 {
		parts = append(parts, "accounts read: "+c.TakenCount())
	}
	return strings.TrimSuffix(strings.Join(parts, ", ")+". "+c.Trouble(), " ")
}

// open prints all about the connection with a number in the list.
func (p *providersPage) open(s *session, args string) error {
	n, ok := s.pick(args, len(p.list.value))
	if !ok {
		return nil
	}
	c := &p.list.value[n]
	return s.facts(c.Label, c.Facts(s.Now(), record.Minute, amountOf))
}

// kindNames lists the names of the providers, such as "mercury or simplefin or stripe".
func (s *session) kindNames() string {
	var names []string
	for _, kind := range s.server.Providers.Kinds() {
		names = append(names, kind.Name)
	}
	return strings.Join(names, " or ")
}

// connectionNamed returns the connection that the user means by name. Unless exactly one matches,
// it prints a message and returns nil.
func (s *session) connectionNamed(name string) *ownbooks.Connection {
	c, err := runBooks(s, "Reading the books…", func(ctx context.Context) (ownbooks.Connection, error) {
		return s.server.Providers.Find(ctx, name)
	})
	if err != nil {
		s.say("%s", errorSentence(err))
		return nil
	}
	return &c
}

// syncProviders reads a connection, or all of them if the name is "". If the connection asks
// whether lines may be removed, the user is asked.
func (s *session) syncProviders(name string) error {
	if name == "" {
		return s.sync("", "all providers", false)
	}
	c := s.connectionNamed(name)
	switch {
	case c == nil:
		return nil
	case c.State == ownbooks.Asking:
		s.say("%s Nothing has changed in the books.", problem.Sentence(string(c.Problem)))
		yes, err := s.confirmYes("Remove these lines from the books?")
		if err != nil || !yes {
			return err
		}
		return s.sync(c.ID, c.Label, true)
	case !c.Usable():
		return s.answer("%s cannot be read. %s", c.Label, c.Advice())
	}
	return s.sync(c.ID, c.Label, false)
}

// sync reads the connection with an id, or all if it is "", and prints what that has brought.
func (s *session) sync(id, name string, acceptRemoved bool) error {
	s.progress = make(chan string)
	defer func() { s.progress = nil }()
	progress := s.progress
	outcomes, err := runBooks(s, "Reading "+name+". Ctrl+C cancels.",
		func(ctx context.Context) ([]ownbooks.Outcome, error) {
			return s.server.Providers.Sync(ctx, id, acceptRemoved, func(text string) {
				if text == "" {
					return // what was read is said at the end
				}
				select {
				case progress <- text + "…":
				case <-ctx.Done():
				}
			})
		})
	if err != nil {
		return s.answer("%s", errorSentence(err))
	}
	text, _ := ownbooks.SyncText(outcomes)
	return s.answer("%s", text)
}

// connectProvider asks for a token, connects the provider, and asks which accounts are read.
func (s *session) connectProvider(args string) error {
	var kind *ownbooks.ProviderKind
	for _, k := range s.server.Providers.Kinds() {
		if strings.EqualFold(args, k.Name) {
			kind = &k
		}
	}
	if kind == nil {
		return s.answer("Type connect with %s.", s.kindNames())
	}
	s.say("%s", kind.TokenHelp)
	token, err := s.readSecret("Token, not shown; nothing to stop")
	if err != nil {
		return err
	}
	if token == "" {
		return s.answer("Nothing was connected.")
	}
	request := importing.ConnectRequest{Provider: kind.Name, Token: importing.NewToken(token)}
	c, err := runBooks(s, "Asking "+kind.Title+". Ctrl+C cancels.",
		func(ctx context.Context) (ownbooks.Connection, error) {
			return s.server.Providers.Connect(ctx, request)
		})
	if err != nil {
		return s.answer("Not connected: %s", errorSentence(err))
	}
	choices, ok, err := s.chooseAccounts(&c)
	if err != nil || !ok {
		return err
	}
	outcome, err := runBooks(s, "Reading "+c.Label+". Ctrl+C cancels.",
		func(ctx context.Context) (ownbooks.Outcome, error) {
			return s.server.Providers.Take(ctx, c.ID, choices)
		})
	if err != nil {
		return s.answer("Connected, but not read: %s", errorSentence(err))
	}
	return s.answer("Connected. %s.", outcome.Text())
}

// chooseAccounts asks which accounts are read, and into which accounts of the books. It returns
// false if the user chooses none.
func (s *session) chooseAccounts(c *ownbooks.Connection) (choices []ownbooks.AccountChoice, ok bool, err error) {
	if len(c.Accounts) == 0 {
		return nil, true, nil
	}
	s.say("%s:", plural.Count(len(c.Accounts), "account"))
	sayNumbered(s, 1, c.Accounts, func(a *ownbooks.ConnectedAccount) string {
		text := a.Label()
		if a.Balance != nil {
			text += ", balance " + amountOf(*a.Balance, a.Currency)
		}
		if a.Refused != "" {
			text += ", cannot be read: " + string(a.Refused)
		}
		return text
	})
	proposed := c.Chosen()
	for n := range c.Accounts {
		a := &c.Accounts[n]
		if !proposed[n] {
			continue
		}
		target, err := s.chooseTarget(c, a)
		if err != nil {
			return nil, false, err
		}
		if target != "" {
			choices = append(choices, ownbooks.AccountChoice{ID: a.ID, BooksAccount: target})
		}
	}
	if len(choices) == 0 {
		s.say("No account was chosen. Type connect %s again to choose.", c.Provider)
	}
	return choices, len(choices) > 0, nil
}

// chooseTarget asks into which account of the books an account is read. It returns "" if the
// account is not read.
func (s *session) chooseTarget(c *ownbooks.Connection, a *ownbooks.ConnectedAccount) (string, error) {
	targets := c.Targets(a)
	for n, target := range targets {
		text := ownbooks.AccountText(target) + " of your books"
		if a.IsNew(target) {
			text = "a new account, " + ownbooks.AccountText(target)
		}
		s.say("  %d: %s.", n+1, text)
	}
	for {
		text, err := s.read(a.Label() + ": number, or no to leave it out")
		if err != nil {
			return "", err
		}
		n, wrong := strconv.Atoi(text)
		switch {
		case strings.EqualFold(text, "no") || strings.EqualFold(text, "n"):
			return "", nil
		case wrong == nil && n >= 1 && n <= len(targets):
			return targets[n-1], nil
		}
		s.say("Type a number from 1 to %d, or no.", len(targets))
	}
}

// disconnectProvider disconnects the connection with a name after yes.
func (s *session) disconnectProvider(name string) error {
	if name == "" {
		return s.answer("Type disconnect with the name of a connection; providers lists them.")
	}
	c := s.connectionNamed(name)
	if c == nil {
		return nil
	}
	s.say("%s", c.Disconnects())
	text, err := s.read("Disconnect " + c.Label + "? yes keeps its lines, forget removes them from the books, no stops")
	if err != nil {
		return err
	}
	forget := strings.EqualFold(text, "forget")
	if !forget && !strings.EqualFold(text, "yes") && !strings.EqualFold(text, "y") {
		return s.answer("Nothing changed.")
	}
	_, err = runBooks(s, "Disconnecting…", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.server.Providers.Disconnect(ctx, c.ID, forget)
	})
	if err != nil {
		return s.answer("Still connected: %s", errorSentence(err))
	}
	return s.answer("%s", c.Disconnected(forget))
}
