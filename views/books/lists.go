package books

import (
	"tarmac/internal/ownbooks"
	"tarmac/views/parts/table"
)

// focus is the list with the cursor.
type focus int

const (
	onAccounts focus = iota
	onConnections
	onImports
)

// contents are the books and their connections to providers.
type contents struct {
	ownbooks.Contents
	connections []ownbooks.Connection
}

// counts returns the numbers of rows of the lists, by focus.
func (c *contents) counts() [3]int {
	return [...]int{
		onAccounts: len(c.Accounts), onConnections: len(c.connections), onImports: len(c.Imports),
	}
}

// lists returns the lists that have rows.
func (s *Screen) lists() (lists []focus) {
	value, _ := s.contents.Value()
	for list, count := range value.counts() {
		if count > 0 {
			lists = append(lists, focus(list))
		}
	}
	return lists
}

// tables returns the tables of the lists, by focus.
func (s *Screen) tables() [3]*table.Table {
	return [...]*table.Table{s.accounts, s.connections, s.imports}
}

// switchList moves the focus to the next list with rows, or to the previous one if by is -1.
func (s *Screen) switchList(by int) {
	value, _ := s.contents.Value()
	counts := value.counts()
	for n := 1; n < len(counts); n++ {
		if list := focus((int(s.list) + n*by + n*len(counts)) % len(counts)); counts[list] > 0 {
			s.focusList(list)
			return
		}
	}
}

// focusList moves the focus to a list. Its cursor returns to its previous row.
func (s *Screen) focusList(list focus) {
	if list == s.list {
		return
	}
	s.rows[s.list] = s.tables()[s.list].Cursor()
	s.list, s.opened = list, false
	value, _ := s.contents.Value()
	count := value.counts()[list]
	t := s.tables()[list]
	t.SetRows(count, count)
	t.SetCursor(s.rows[list])
}
