package propose

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
	"tarmac/views/parts/field"
)

// The fields before the line items, in their order.
const (
	atName = iota
	atEmail
	atDescription
	atDue
	atNotes
	atLines // the first cell of the first line
)

// cells is how many fields a line item has.
const cells = 3

// form is what is typed: its fields in a row, as the cursor goes through them, with
// two buttons at the end, one for another line and one for the review.
type form struct {
	name, email, description, notes field.Text
	due                             field.Date
	lines                           []*line
	at                              int // where the cursor is

	left    map[*field.Text]bool   // fields that were typed in and left: their problems show
	refused map[*field.Text]string // what the server said of a field, until it changes
	checked bool                   // a review was asked for: every problem shows
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
		left:        map[*field.Text]bool{},
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

// addButton and reviewButton are the places after the last field.
func (f *form) addButton() int    { return atLines + cells*len(f.lines) }
func (f *form) reviewButton() int { return f.addButton() + 1 }

// lineAt returns the line item that the cursor is in.
func (f *form) lineAt() (i int, ok bool) {
	if f.at < atLines || f.at >= f.addButton() {
		return 0, false
	}
	return (f.at - atLines) / cells, true
}

// text returns the field at a place; nil for a button.
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

// priceAt reports whether a place is that of a line item's price.
func (f *form) priceAt(at int) bool {
	return at >= atLines && at < f.addButton() && f.text(at) == &f.lines[(at-atLines)/cells].price.Text
}

func (l *line) texts() [cells]*field.Text {
	return [cells]*field.Text{&l.description, &l.quantity.Text, &l.price.Text}
}

func (l *line) blank() bool { return proposal.Blank(l.typed()) }

// typed returns what was typed into the line.
func (l *line) typed() draft.Line {
	return draft.Line{Description: l.description.Value(), Quantity: l.quantity.Value(), UnitPrice: l.price.Value()}
}

// move puts the cursor elsewhere, within what there is, and marks the field that it
// leaves.
func (f *form) move(to int, today civil.Date) {
	f.leave(today)
	f.at = max(0, min(to, f.reviewButton()))
}

// leave takes the cursor out of the field that is typed in.
func (f *form) leave(today civil.Date) {
	t := f.text(f.at)
	if t == nil || !t.Focused() {
		return
	}
	t.Blur()
	f.left[t] = true
	if f.at == atDue {
		f.due.Settle(today)
	}
	if i, inside := f.lineAt(); inside {
		f.lines[i].quantity.Settle()
		f.lines[i].price.Settle()
	}
}

// above and below are the places a line of the screen away.
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

// insert adds a line item after the one that the cursor is in, or after the last,
// and puts the cursor into it. It reports whether there was room for it.
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

// remove takes out the line item that the cursor is in. The last one is emptied
// instead: a form without any has nothing to type into.
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

// shift moves the line item that the cursor is in, and the cursor with it.
func (f *form) shift(by int) (moved bool) {
	i, inside := f.lineAt()
	if to := i + by; inside && to >= 0 && to < len(f.lines) {
		f.lines[i], f.lines[to] = f.lines[to], f.lines[i]
		f.at += by * cells
		return true
	}
	return false
}

// fill puts a draft into the form.
func (f *form) fill(d draft.Draft) {
	f.name.Set(d.RecipientName)
	f.email.Set(d.RecipientEmail)
	f.description.Set(d.Description)
	f.due.Set(d.DueDate)
	f.notes.Set(d.Notes)
	f.lines = nil
	for _, kept := range d.Lines[:min(len(d.Lines), apiclient.MaxLineItems)] {
		l := newLine()
		l.description.Set(kept.Description)
		l.quantity.Set(kept.Quantity)
		l.price.Set(kept.UnitPrice)
		f.lines = append(f.lines, l)
	}
	if len(f.lines) == 0 {
		f.lines = []*line{newLine()}
	}
	f.at = 0
}

// copyTo puts what was typed into a draft.
func (f *form) copyTo(d *draft.Draft) {
	d.RecipientName, d.RecipientEmail, d.Description = f.name.Value(), f.email.Value(), f.description.Value()
	d.DueDate, d.Notes = f.due.Value(), f.notes.Value()
	d.Lines = make([]draft.Line, len(f.lines))
	for i, l := range f.lines {
		d.Lines[i] = l.typed()
	}
}

// empty reports whether nothing was typed.
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
