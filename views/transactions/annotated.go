package transactions

import (
	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/record"
	"tarmac/internal/termtext"
	"tarmac/views/parts/amount"
)

// selected returns the transaction under the cursor.
func (s *Screen) selected() (*apiclient.Transaction, bool) {
	t, ok := s.row(s.list.Table.Cursor())
	return t, ok && s.allowed()
}

// categories returns the categories of the rows in memory and those that the user has written.
func (s *Screen) categories() []string {
	rows := s.sorting.rows
	if rows == nil {
		rows = s.store.inMemory()
	}
	return s.rows.annotated.Set().Categories(func(yield func(string) bool) {
		for i := range rows {
			if !yield(rows[i].Category) {
				return
			}
		}
	})
}

// annotated shows what has changed in the categories and notes.
func (s *Screen) annotated() {
	s.showAnnotated(nil)
	if s.filter.local.ByCategory() && s.store.known && !s.sorting.reading {
		s.searchMemory()
	}
	s.list.Table.Invalidate()
	s.list.Invalidate()
}

// showAnnotated shows the column of categories and explains the sign of notes once there are any:
// of the user, or of the given rows. The column then stays until the filter changes.
func (s *Screen) showAnnotated(rows []apiclient.Transaction) {
	category := !s.list.Table.Hidden(categoryColumn) && s.store.known
	s.rows.notes = false
	for _, a := range s.rows.annotated.Set() {
		category, s.rows.notes = category || a.Category != "", s.rows.notes || a.Note != ""
		s.rows.widest = max(s.rows.widest, termtext.Width(a.Category))
	}
	for i := range rows {
		category = category || rows[i].Category != ""
		s.rows.widest = max(s.rows.widest, termtext.Width(rows[i].Category))
	}
	s.list.Table.Widen(categoryColumn, s.rows.widest)
	s.list.Table.Hide(categoryColumn, !category)
	memo := "Memo"
	if s.rows.notes {
		memo += " (" + noteSign + " has a note)"
	}
	s.list.Table.Rename(memoColumn, "memo", memo)
}

// widenColumns makes the columns of amounts and names wide enough for the given rows. They never
// get narrower, so that they stay where they are while the list scrolls.
func (s *Screen) widenColumns(rows []apiclient.Transaction) {
	for i := range rows {
		s.rows.widestName = max(s.rows.widestName, termtext.Width(rows[i].CounterpartyName))
		s.rows.widestAmount = max(s.rows.widestAmount, amount.Needed(rows[i].Amount))
		s.rows.widestTotal = max(s.rows.widestTotal, amount.Needed(rows[i].Reporting))
	}
	s.list.Table.Widen(amountColumn, s.rows.widestAmount)
	s.list.Table.Widen(totalsColumn, s.rows.widestTotal)
	s.list.Table.Widen(nameColumn, s.rows.widestName)
}

// closeAnnotate closes the prompt of a category or note.
func (s *Screen) closeAnnotate() {
	if s.annotate.Open() {
		s.annotate.Cancel()
	}
}

// isAnnotated reports whether any category or note is shown.
func (s *Screen) isAnnotated() bool {
	return !s.list.Table.Hidden(categoryColumn) || s.rows.notes
}

// exportsKnown returns what an export asks for categories and notes; nil if none are shown.
func (s *Screen) exportsKnown() export.Annotated {
	if !s.isAnnotated() {
		return nil
	}
	return s.rows.annotated.Of
}

// copied returns the fields of a transaction that can be copied.
func (s *Screen) copied(t *apiclient.Transaction) record.Object {
	o := record.Transaction(*t)
	if s.isAnnotated() {
		o = o.Annotated(s.rows.annotated.Of(t))
	}
	return o
}
