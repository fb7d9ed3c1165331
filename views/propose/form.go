package propose

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
	"tarmac/views/parts/field"
)

// Cursor positions of the fields above the line items.
const (
	atName = iota
	atEmail
	atDescription
	atDue
	atNotes
	atLines // first field of the first line item
)

// cells is the number of fields in a line item.
const cells = 3

// form is the invoice form. The cursor moves through the fields in order, then to the buttons that
// add a line and open the review.
type form struct {
	name, email, description, notes field.Text
	due                             field.Date
	lines                           []*line
	at                              int // cursor position

	visited map[*field.Text]bool   // fields that have had the focus and lost it; only these show problems
	refused map[*field.Text]string // the server's message about a field; removed when the field changes
	checked bool                   // the user requested a review, so all fields show problems
}

type line struct {
	description field.Text
	quantity    field.Quantity
	price       field.Money
}

func newForm() *form {
	return &form{
		name:        field.NewText("Customer name", apiclient.MaxName),
		email:       field.NewText("Billing e-mail", apiclient.MaxEmail),
		description: field.NewText("What the invoice is for", apiclient.MaxDescription),
		notes:       field.NewText("Internal, not printed", apiclient.MaxNotes),
		due:         field.NewDate("31 Dec, net 30, in 2 weeks or none"),
		lines:       []*line{newLine()},
		visited:     map[*field.Text]bool{},
		refused:     map[*field.Text]string{},
	}
}

func newLine() *line {
	return &line{
		description: field.NewText("Item or service", apiclient.MaxLineDescription),
		quantity:    field.NewQuantity("quantity"),
		price:       field.NewMoney("unit price"),
	}
}

// addButton and reviewButton return the cursor positions of the two buttons, which follow the last
// field.
func (f *form) addButton() int    { return atLines + cells*len(f.lines) }
func (f *form) reviewButton() int { return f.addButton() + 1 }

// lineAt returns the index of the line item under the cursor. ok is false if the cursor is outside
// the line items.
func (f *form) lineAt() (i int, ok bool) {
	if f.at < atLines || f.at >= f.addButton() {
		return 0, false
	}
	return (f.at - atLines) / cells, true
}

// text returns the field at a cursor position, or nil for a button.
func (f *form) text(at int) *field.Text {
	switch at {
	case atName:
		return &f.name
	case atEmail:
		return &f.email
	case atDescription:
		return &f.description
	case atDue:
		return &f.due.Text
	case atNotes:
		return &f.notes
	}
	if i := (at - atLines) / cells; i < len(f.lines) {
		return f.lines[i].texts()[(at-atLines)%cells]
	}
	return nil
}

// priceAt reports whether the field at a cursor position is the price of a line item.
func (f *form) priceAt(at int) bool {
	return at >= atLines && at < f.addButton() && f.text(at) == &f.lines[(at-atLines)/cells].price.Text
}

func (l *line) texts() [cells]*field.Text {
	return [cells]*field.Text{&l.description, &l.quantity.Text, &l.price.Text}
}

func (l *line) blank() bool { return proposal.Blank(l.typed()) }

// typed returns the texts of the line item as typed.
func (l *line) typed() draft.Line {
	return draft.Line{Description: l.description.Value(), Quantity: l.quantity.Value(), UnitPrice: l.price.Value()}
}

// move leaves the current field and moves the cursor to a position, clamped to the form.
func (f *form) move(to int, today civil.Date) {
	f.leave(today)
	f.at = max(0, min(to, f.reviewButton()))
}

// leave removes the focus from the current field and marks it as visited. It rewrites dates,
// quantities and prices as they were understood, for example 1.5k as 1,500.00.
func (f *form) leave(today civil.Date) {
	t := f.text(f.at)
	if t == nil || !t.Focused() {
		return
	}
	t.Blur()
	f.visited[t] = true
	if f.at == atDue {
		f.due.Normalize(today)
	}
	if i, inside := f.lineAt(); inside {
		f.lines[i].quantity.Normalize()
		f.lines[i].price.Normalize()
	}
}

// above and below return the cursor positions one line up and one line down on the screen.
func (f *form) above() int {
	switch i, inside := f.lineAt(); {
	case inside && i == 0:
		return atNotes
	case inside:
		return f.at - cells
	case f.at == f.addButton():
		return f.at - cells
	}
	return f.at - 1
}

func (f *form) below() int {
	switch i, inside := f.lineAt(); {
	case inside && i == len(f.lines)-1:
		return f.addButton()
	case inside:
		return f.at + cells
	}
	return f.at + 1
}

// insert adds a line item after the current one and moves the cursor to it. If the cursor is
// outside the line items, it adds one at the end. It returns false if the form already has
// apiclient.MaxLineItems.
func (f *form) insert() bool {
	if len(f.lines) >= apiclient.MaxLineItems {
		return false
	}
	after, inside := f.lineAt()
	if !inside {
		after = len(f.lines) - 1
	}
	f.lines = append(f.lines[:after+1], append([]*line{newLine()}, f.lines[after+1:]...)...)
	f.at = atLines + cells*(after+1)
	return true
}

// remove removes the current line item. If it was the only one, a blank line item replaces it.
func (f *form) remove() {
	i, inside := f.lineAt()
	if !inside {
		return
	}
	f.lines = append(f.lines[:i:i], f.lines[i+1:]...)
	if len(f.lines) == 0 {
		f.lines = []*line{newLine()}
	}
	f.at = min(f.at, atLines+cells*len(f.lines)-cells+(f.at-atLines)%cells)
}

// shift moves the current line item, and the cursor with it, down by a number of lines, or up if it
// is negative. It returns false if the item would move beyond an end of the list.
func (f *form) shift(by int) (moved bool) {
	i, inside := f.lineAt()
	if to := i + by; inside && to >= 0 && to < len(f.lines) {
		f.lines[i], f.lines[to] = f.lines[to], f.lines[i]
		f.at += by * cells
		return true
	}
	return false
}

// fill replaces all texts of the form with the texts of a draft.
func (f *form) fill(d draft.Draft) {
	f.name.Set(d.RecipientName)
	f.email.Set(d.RecipientEmail)
	f.description.Set(d.Description)
	f.due.Set(d.DueDate)
	f.notes.Set(d.Notes)
	f.lines = nil
	for _, saved := range d.Lines[:min(len(d.Lines), apiclient.MaxLineItems)] {
		l := newLine()
		l.description.Set(saved.Description)
		l.quantity.Set(saved.Quantity)
		l.price.Set(saved.UnitPrice)
		f.lines = append(f.lines, l)
	}
	if len(f.lines) == 0 {
		f.lines = []*line{newLine()}
	}
	f.at = 0
}

// copyTo copies all texts of the form into a draft.
func (f *form) copyTo(d *draft.Draft) {
	d.RecipientName, d.RecipientEmail, d.Description = f.name.Value(), f.email.Value(), f.description.Value()
	d.DueDate, d.Notes = f.due.Value(), f.notes.Value()
	d.Lines = make([]draft.Line, len(f.lines))
	for i, l := range f.lines {
		d.Lines[i] = l.typed()
	}
}

// empty reports whether all fields are blank.
func (f *form) empty() bool {
	for _, t := range []*field.Text{&f.name, &f.email, &f.description, &f.due.Text, &f.notes} {
		if strings.TrimSpace(t.Value()) != "" {
			return false
		}
	}
	for _, l := range f.lines {
		if !l.blank() {
			return false
		}
	}
	return true
}
