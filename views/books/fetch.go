package books

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/resource"
	"tarmac/internal/ownbooks"
)

// Ages after which a visible page reads the books again, because another program may have changed
// them.
const (
	maxAge       = 2 * time.Minute
	connectedAge = 10 * time.Second // with providers, which are read in the background
	unfocusedAge = 15 * time.Minute // while the terminal doesn't have the focus
)

// contentsMsg is the result of reading the books.
type contentsMsg struct {
	request  uint64
	contents contents
	err      error
}

// fetch returns the command that reads the accounts, imports and connections. It replaces an
// earlier request, whose result may be older than a change by the user.
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

// fetchDue returns the command that reads the books if they are too old and are not being changed.
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

// storeContents stores the books, with the newest import first. The cursor stays on its account,
// connection or import. On the newest import, it stays on the first row.
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

// elementAt returns the element of a list in a row, or nil if the row doesn't exist.
func elementAt[T any](s *Screen, list []T, row int) *T {
	if row < 0 || row >= len(list) || !s.contents.State().HasFigures() {
		return nil
	}
	return &list[row]
}

func (s *Screen) accountAt(row int) *ownbooks.Account {
	value, _ := s.contents.Value()
	return elementAt(s, value.Accounts, row)
}

func (s *Screen) connectionAt(row int) *ownbooks.Connection {
	value, _ := s.contents.Value()
	return elementAt(s, value.connections, row)
}

func (s *Screen) importAt(row int) *ownbooks.Import {
	value, _ := s.contents.Value()
	return elementAt(s, value.Imports, row)
}

// selectedAccount returns the account under the cursor, or nil if another list has the focus.
func (s *Screen) selectedAccount() *ownbooks.Account {
	if s.list != onAccounts {
		return nil
	}
	return s.accountAt(s.accounts.Cursor())
}

// selectedConnection returns the connection under the cursor, or nil if another list has the focus.
func (s *Screen) selectedConnection() *ownbooks.Connection {
	if s.list != onConnections {
		return nil
	}
	return s.connectionAt(s.connections.Cursor())
}

// selectedImport returns the import under the cursor, or nil if another list has the focus.
func (s *Screen) selectedImport() *ownbooks.Import {
	if s.list != onImports {
		return nil
	}
	return s.importAt(s.imports.Cursor())
}
