package books

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
	"tarmac/views"
	"tarmac/views/parts/field"
)

// connect holds the steps of connecting a provider: the provider, its token, and the accounts that
// are read into the books.
type connect struct {
	offers  []offer
	cursor  int // index of the selected offer or account
	offer   offer
	token   field.Text
	problem string // why the token or the choice was refused

	connection ownbooks.Connection // the connection whose accounts are chosen, or that is disconnected
	chosen     []bool              // whether an account is read, by index in connection.Accounts
	targets    []int               // index of each account's target in Connection.Targets
}

// offer is a choice of the first step.
type offer struct {
	title, text string
	kind        ownbooks.ProviderKind
	label       string // connection whose accounts are listed with its stored token; "" to type a token
}

// longestToken is the limit for typed tokens, in characters.
const longestToken = 4096

// openConnect shows the providers that can be connected. For the selected connection, the first
// choice is a new token or another choice of accounts. A new token goes to the connection that has
// its accounts.
func (s *Screen) openConnect() {
	s.mode, s.outcome, s.connect = choosingKind, outcome{}, connect{}
	kinds := s.providers.Kinds()
	if c := s.selectedConnection(); c != nil {
		for _, kind := range kinds {
			again := offer{kind: kind}
			switch {
			case kind.Name != c.Provider || c.State == ownbooks.Claiming:
				continue
			case c.State == ownbooks.Denied || c.State == ownbooks.Lost:
				again.title, again.text = "New token for "+c.Label, "its accounts stay chosen"
			case len(c.Accounts) == 0:
				continue
			default:
				again.title, again.text = "Accounts of "+c.Label, "choose which are read into the books"
				again.label = c.Label
			}
			s.connect.offers = append(s.connect.offers, again)
		}
	}
	for _, kind := range kinds {
		s.connect.offers = append(s.connect.offers, offer{title: kind.Title, text: kind.Brings, kind: kind})
	}
}

// offersDialog offers the providers.
func (s *Screen) offersDialog() *dialog {
	return &dialog{
		help: "Connect", back: s.closeDialog,
		keys: views.Actions{
			{Key: "enter", Help: "choose", When: func() bool { return s.connect.cursor < len(s.connect.offers) },
				Do: s.useOffer},
			{Key: "esc", Help: "cancel", Do: views.Do(s.closeDialog)},
		},
		move: func(press tea.KeyPressMsg) { s.connect.move(press, &s.nav, len(s.connect.offers)) },
		draw: func() string {
			return s.framed("Connect a provider", func(width, _ int) ([]string, int) { return s.offerLines(width) })
		},
	}
}

// useOffer asks for the token of the selected provider, or lists the accounts of a connection.
func (s *Screen) useOffer() tea.Cmd {
	c := &s.connect
	c.offer = c.offers[c.cursor]
	if c.offer.label != "" {
		return s.startConnect()
	}
	s.openToken("")
	return nil
}

// move moves the cursor by a key of the list with the given number of rows.
func (c *connect) move(press tea.KeyPressMsg, navigation *views.Navigation, rows int) {
	if lines, ok := navigation.LineMove(press, rows); ok {
		c.cursor = max(0, min(c.cursor+lines, rows-1))
	}
}

// tokenDialog asks for the provider's token.
func (s *Screen) tokenDialog() *dialog {
	return &dialog{
		help: "Connect", back: s.closeConnect, edit: s.editToken,
		keys: views.PromptActions("connect", s.useToken, s.closeConnect),
		draw: func() string {
			return s.framed("Connect "+s.connect.offer.kind.Title, func(width, _ int) ([]string, int) {
				return s.tokenLines(width), 0
			})
		},
	}
}

// openToken opens the prompt for the token, which is empty. The parameter problem says why an
// earlier token was refused.
func (s *Screen) openToken(problem string) {
	s.mode, s.connect.problem = typingToken, problem
	s.connect.token = field.NewSecret("paste or type the token", longestToken)
	s.connect.token.Focus()
}

// editToken passes a key press or a paste to the prompt.
func (s *Screen) editToken(msg tea.Msg) {
	if s.connect.token.Update(msg) {
		s.connect.problem = ""
	}
}

// useToken returns the command that connects with the typed token.
func (s *Screen) useToken() tea.Cmd {
	if strings.TrimSpace(s.connect.token.Value()) == "" {
		s.connect.problem = "Type or paste the token, or esc to go back."
		return nil
	}
	return s.startConnect()
}

// closeConnect leaves the dialog and drops the typed text. A connection whose accounts weren't
// chosen stays.
func (s *Screen) closeConnect() {
	s.mode, s.connect = browsing, connect{}
}

// connectedMsg is the result of connecting.
type connectedMsg struct {
	number     uint64
	connection ownbooks.Connection
	err        error
}

// startConnect returns the command that connects the provider with the typed token, or lists the
// accounts again with the stored one.
func (s *Screen) startConnect() tea.Cmd {
	c := &s.connect
	request := importing.ConnectRequest{Provider: c.offer.kind.Name, Label: c.offer.label}
	if c.offer.label == "" {
		request.Token = importing.NewToken(strings.TrimSpace(c.token.Value()))
	}
	c.token, c.problem = field.Text{}, ""
	s.mode = connecting
	ctx, number := s.start(nil)
	providers := s.providers
	return func() tea.Msg {
		connection, err := providers.Connect(ctx, request)
		return connectedMsg{number, connection, err}
	}
}

// storeConnection opens the choice of accounts. A provider without accounts is read at once.
func (s *Screen) storeConnection(msg connectedMsg) tea.Cmd {
	if !s.ended(msg.number) {
		return nil
	}
	c := &s.connect
	switch {
	case msg.err != nil && c.offer.label != "":
		s.closeConnect()
		s.outcome = outcome{text: "The accounts could not be listed: " + errorText(msg.err), problem: true}
		return tea.Batch(s.fetch(), s.noticeIfHidden("the accounts could not be listed; see the Books page"))
	case msg.err != nil:
		s.openToken(errorText(msg.err))
		return tea.Batch(s.fetch(), s.noticeIfHidden("the provider is not connected; see the Books page"))
	}
	c.connection, c.cursor = msg.connection, 0
	c.chosen = msg.connection.Chosen()
	c.targets = make([]int, len(c.chosen))
	if len(c.chosen) == 0 {
		return tea.Batch(s.fetch(), s.take())
	}
	s.mode = choosingAccounts
	return tea.Batch(s.fetch(), s.noticeIfHidden("choose the accounts of "+msg.connection.Label+" on the Books page"))
}

// accountsDialog asks which accounts are read, and into which accounts of the books.
func (s *Screen) accountsDialog() *dialog {
	c := &s.connect
	target := func(by int) func() tea.Cmd {
		return views.Do(func() {
			n := len(c.connection.Targets(&c.connection.Accounts[c.cursor]))
			c.targets[c.cursor] = (c.targets[c.cursor] + by + n) % n
		})
	}
	return &dialog{
		help: "Accounts", back: s.closeConnect,
		keys: views.Actions{
			{Key: "enter", Help: "read into the books", Do: s.take},
			{Key: "space", Also: []string{"x"}, Help: "read or leave out", Do: c.toggle},
			{Key: "left", Also: []string{"h"}, Shown: "←→", Help: "account of the books", Do: target(-1)},
			{Key: "right", Also: []string{"l"}, Hidden: true, Do: target(1)},
			{Key: "esc", Help: "cancel", Do: views.Do(s.closeConnect)},
		},
		move: func(press tea.KeyPressMsg) { c.move(press, &s.nav, len(c.connection.Accounts)) },
		draw: func() string {
			return s.framed(c.connection.Label+": choose the accounts", func(width, _ int) ([]string, int) {
				return s.accountLines(width)
			})
		},
	}
}

// toggle chooses the selected account, or removes it from the choice.
func (c *connect) toggle() tea.Cmd {
	if a := &c.connection.Accounts[c.cursor]; a.Refused != "" || a.Missing {
		return views.Warn("this account cannot be read")
	}
	c.chosen[c.cursor] = !c.chosen[c.cursor]
	c.problem = ""
	return nil
}

// take returns the command that reads the chosen accounts into the books.
func (s *Screen) take() tea.Cmd {
	c := &s.connect
	var choices []ownbooks.AccountChoice
	for n, a := range c.connection.Accounts {
		if c.chosen[n] {
			choices = append(choices, ownbooks.AccountChoice{ID: a.ID, BooksAccount: c.target(n)})
		}
	}
	if len(choices) == 0 && len(c.connection.Accounts) > 0 {
		c.problem = "Choose an account with space, or esc to choose later."
		return nil
	}
	s.mode = reading
	ctx, number := s.start(&importing.SyncProgress{Name: c.connection.Label})
	providers, id := s.providers, c.connection.ID
	return func() tea.Msg {
		outcome, err := providers.Take(ctx, id, choices)
		return syncedMsg{number, []ownbooks.Outcome{outcome}, err}
	}
}

// target returns the account of the books into which an account is read.
func (c *connect) target(account int) string {
	return c.connection.Targets(&c.connection.Accounts[account])[c.targets[account]]
}
