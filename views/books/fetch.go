package books

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/internal/ownbooks"
)

// maxAge is the age from which the books are read again while the page is visible: another program
// may have imported files. connectedAge applies if there are connections to providers, which are
// read in the background. unfocusedAge applies while the terminal does not have the focus.
const (
	maxAge       = 2 * time.Minute
	connectedAge = 10 * time.Second
	unfocusedAge = 15 * time.Minute
)

// contentsMsg is the result of reading the books.
type contentsMsg struct {
	request  uint64
	contents contents
	err      error
}

// fetch returns the command that reads the accounts, imports and connections. Results of earlier
// requests are ignored, because they may be older than a change that the user made.
func (s *Screen) fetch() tea.Cmd {
	request := s.contents.Begin()
	parent, timeout, books, providers := s.env.Context, s.env.Timeout, s.books, s.providers
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		var c contents
		var err error
		if c.Contents, err = books.List(ctx); err == nil && providers != nil {
			c.connections, err = providers.Connections(ctx)
		}
		return contentsMsg{request, c, err}
	}
}

// fetchDue returns the command that reads the books, if they are older than their maximum age and
// no import or undoing is running.
func (s *Screen) fetchDue() tea.Cmd {
	if !s.visible || s.mode == importRunning || s.mode == undoing || s.mode == reading ||
		s.mode == storingAnswer {
		return nil
	}
	age := maxAge
	if value, _ := s.contents.Value(); len(value.connections) > 0 {
		age = connectedAge
	}
	if s.background {
		age = unfocusedAge
	}
	if !resource.Due(s.contents.State(), s.env.Now(), resource.Policy{MaxAge: age}) {
		return nil
	}
	return s.fetch()
}

// storeContents stores what was read, with the newest import first. The cursor stays on the same
// account, connection or import. A cursor on the newest import stays on the first row and moves to
// a newer import.
func (s *Screen) storeContents(msg contentsMsg) {
	condition := resource.Ready
	if msg.contents.counts() == [3]int{} {
		condition = resource.Empty
	}
	account, connected, imported := s.selectedAccount(), s.selectedConnection(), s.selectedImport()
	top := s.imports.Cursor() == 0
	slices.Reverse(msg.contents.Imports)
	now := s.env.Now()
	retry := resource.NextRetry(now, msg.err, s.contents.Failures())
	if !s.contents.Complete(msg.request, msg.contents, condition, msg.err, now, retry) || msg.err != nil {
		return
	}
	s.syncView()
	if account != nil {
		s.accounts.SetCursor(max(0, slices.IndexFunc(msg.contents.Accounts, func(a ownbooks.Account) bool {
			return a.Number == account.Number && a.Currency == account.Currency
		})))
	}
	if connected != nil {
		s.connections.SetCursor(max(0, slices.IndexFunc(msg.contents.connections, func(c ownbooks.Connection) bool {
			return c.ID == connected.ID
		})))
	}
	if imported != nil && !top {
		at := slices.IndexFunc(msg.contents.Imports, func(i ownbooks.Import) bool { return i.ID == imported.ID })
		s.imports.SetCursor(max(0, at))
	}
}

// accountAt returns the account in a row of the upper list, or nil if there is none.
func (s *Screen) accountAt(row int) *ownbooks.Account {
	value, _ := s.contents.Value()
	if row < 0 || row >= len(value.Accounts) || !s.contents.State().HasFigures() {
		return nil
	}
	return &value.Accounts[row]
}

// importAt returns the import in a row of the lower list, or nil if there is none.
func (s *Screen) importAt(row int) *ownbooks.Import {
	value, _ := s.contents.Value()
	if row < 0 || row >= len(value.Imports) || !s.contents.State().HasFigures() {
		return nil
	}
	return &value.Imports[row]
}

// selectedAccount returns the account under the cursor, or nil if the cursor is in another list.
func (s *Screen) selectedAccount() *ownbooks.Account {
	if s.list != onAccounts {
		return nil
	}
	return s.accountAt(s.accounts.Cursor())
}

// connectionAt returns the connection in a row of its list, or nil if there is none.
func (s *Screen) connectionAt(row int) *ownbooks.Connection {
	value, _ := s.contents.Value()
	if row < 0 || row >= len(value.connections) || !s.contents.State().HasFigures() {
		return nil
	}
	return &value.connections[row]
}

// selectedConnection returns the connection under the cursor, or nil if the cursor is in another
// list.
func (s *Screen) selectedConnection() *ownbooks.Connection {
	if s.list != onConnections {
		return nil
	}
	return s.connectionAt(s.connections.Cursor())
}

// selectedImport returns the import under the cursor, or nil if the cursor is in another list.
func (s *Screen) selectedImport() *ownbooks.Import {
	if s.list != onImports {
		return nil
	}
	return s.importAt(s.imports.Cursor())
}
