package spend

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/client/spending"
)

// byCategory reports whether the sums of the first list are by category.
func (s *Screen) byCategory() bool { return s.choice.category && s.figures.categorized }

// groupName returns the word for the items of the first list.
func (s *Screen) groupName(counterparty, category string) string {
	if s.byCategory() {
		return category
	}
	return counterparty
}

// setCategory shows sums by category or by counterparty.
func (s *Screen) setCategory(on bool) {
	s.choice.category = on
	s.refill(counterparties, s.deriveCounterparties)
}

func (s *Screen) categoryOf(t *apiclient.Transaction) string { return s.known.Of(t).Category }

// isCategorized reports whether any row has a category.
func (s *Screen) isCategorized() bool {
	return slices.ContainsFunc(s.figures.ledger.Rows, func(r spending.Row) bool {
		return s.categoryOf(r.Transaction) != ""
	})
}

// isAnnotated reports whether any transaction has a category or the user has written any note.
func (s *Screen) isAnnotated() bool { return s.figures.categorized || len(s.known.Set()) > 0 }

// described returns the fields of a transaction, with its category and note where there are any.
func (s *Screen) described(t *apiclient.Transaction) record.Object {
	o := record.Transaction(*t)
	if s.isAnnotated() {
		o = o.Annotated(s.known.Of(t))
	}
	return o
}

// categories returns the categories of the rows that were read and those that the user has written.
func (s *Screen) categories() []string {
	return s.known.Set().Categories(func(yield func(string) bool) {
		for i := range s.figures.ledger.Rows {
			if !yield(s.figures.ledger.Rows[i].Category) {
				return
			}
		}
	})
}

// selectedRow returns the transaction under the cursor among the rows of a figure.
func (s *Screen) selectedRow() (*apiclient.Transaction, bool) {
	item, ok := s.lists[transactions].selected()
	if !ok || s.rows == nil {
		return nil, false
	}
	return rowList{s}.row(item), true
}

// annotated shows what has changed in the categories and notes.
func (s *Screen) annotated() {
	if s.figures.ledger == nil {
		return
	}
	s.figures.categorized = s.isCategorized()
	s.refill(counterparties, s.deriveCounterparties)
	s.makeTable(&s.lists[transactions])
	s.lists[transactions].Invalidate()
}
