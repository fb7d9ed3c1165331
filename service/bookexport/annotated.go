package bookexport

// Annotations returns what a person has written about the transaction with an id: a category, and a
// note. Those that there are not are "".
type Annotations func(id string) (category, note string)

// annotated writes with each transaction what a person has written about it.
type annotated struct {
	Writer
	of Annotations
}

// Annotated returns a writer that writes to w. A person's category replaces that of the books, also
// in the name of an account of income or expenses, which says nothing else. Financing and transfers
// keep their accounts.
func Annotated(w Writer, of Annotations) Writer { return annotated{w, of} }

func (w annotated) Transaction(t *Transaction) error {
	category, note := w.of(t.ID)
	changed := *t
	changed.Note = note
	if category != "" && t.Kind == Payment {
		changed.Category = category
		changed.Postings = make([]Posting, len(t.Postings))
		for i, p := range t.Postings {
			if p.Other != nil && *p.Other == Category(p.Other.Root, t.Category) &&
				(p.Other.Root == Income || p.Other.Root == Expenses) {
				name := Category(p.Other.Root, category)
				p.Other = &name
			}
			changed.Postings[i] = p
		}
	}
	return w.Writer.Transaction(&changed)
}
