package propose

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/internal/civil"
	"tarmac/views/parts/field"
)

// reading is a form as it is understood: what would be sent, and what is wrong with
// it.
type reading struct {
	proposal apiclient.InvoiceProposal
	items    []int // for each line item that would be sent, its line in the form
	problems map[*field.Text]string
	general  string // a problem of no single field
}

// sound reports whether it may be sent.
func (r *reading) sound() bool { return len(r.problems) == 0 && r.general == "" }

// read understands the form. Lines in which nothing was typed are left out while
// there are others; the rules and their texts are apiclient's, which are the
// service's (docs/api.md, Invoice proposal).
func (f *form) read(today civil.Date) reading {
	r := reading{problems: map[*field.Text]string{}}
	unread := map[*field.Text]string{}
	day, err := f.due.Day(today)
	if err != nil {
		unread[&f.due.Text] = err.Error()
	}
	r.proposal = apiclient.InvoiceProposal{
		RecipientName: trim(&f.name), RecipientEmail: trim(&f.email), Description: trim(&f.description), Notes: trim(&f.notes), DueDate: day,
	}
	for i, l := range f.lines {
		if l.blank() && (len(r.items) > 0 || i < len(f.lines)-1) {
			continue
		}
		r.items = append(r.items, i)
		r.proposal.LineItems = append(r.proposal.LineItems, l.read(unread))
	}
	for _, broken := range r.proposal.Check() {
		t, text := f.place(broken.Field, r.items), strings.TrimPrefix(broken.Text, broken.Field+" ")
		if t == nil {
			r.general = text
			continue
		}
		r.problems[t] = text
	}
	for t, text := range unread {
		r.problems[t] = text
	}
	return r
}

func trim(t *field.Text) string { return strings.TrimSpace(t.Value()) }

// read understands a line, and notes what of it cannot be read. What is empty is
// left to the rules.
func (l *line) read(unread map[*field.Text]string) apiclient.LineItem {
	quantity, err := l.quantity.Quantity()
	if err != nil && trim(&l.quantity.Text) != "" {
		unread[&l.quantity.Text] = err.Error()
	}
	cents, err := l.price.Cents()
	if err != nil && trim(&l.price.Text) != "" {
		unread[&l.price.Text] = err.Error()
	}
	return apiclient.LineItem{Description: trim(&l.description), Quantity: quantity, UnitPriceCents: cents}
}

// amount returns what a line comes to, once it comes to anything.
func (l *line) amount() (cents int64, ok bool) {
	cents, err := l.read(map[*field.Text]string{}).Amount()
	return cents, err == nil
}

// place returns the field that the API calls name, nil for one that is none here.
// What a line comes to is told at its price.
func (f *form) place(name string, items []int) *field.Text {
	for at, own := range apiNames {
		if own == name {
			return f.text(at)
		}
	}
	for sent, i := range items {
		rest, found := strings.CutPrefix(name, itemName(sent))
		if !found || i >= len(f.lines) {
			continue
		}
		for c, own := range cellNames {
			if rest == "."+own {
				return f.lines[i].texts()[c]
			}
		}
		if rest == "" {
			return &f.lines[i].price.Text
		}
	}
	return nil
}

// refuse puts the server's sentence about a proposal beside the field that it
// begins with, and reports whether it is about one.
func (f *form) refuse(sentence string, items []int) bool {
	name, rest, _ := strings.Cut(sentence, " ")
	t := f.place(name, items)
	if t == nil {
		return false
	}
	f.refused[t] = rest
	for at := range f.reviewButton() {
		if f.text(at) == t {
			f.at = at
		}
	}
	return true
}

// firstProblem returns the place of the first field with a problem.
func (f *form) firstProblem(r *reading) (at int, found bool) {
	for at := range f.addButton() {
		if r.problems[f.text(at)] != "" {
			return at, true
		}
	}
	return 0, false
}

// problem returns what to say beside a field: the server's word first, then what is
// known here, once the field was left or a review was asked for.
func (f *form) problem(t *field.Text, r *reading) string {
	if said := f.refused[t]; said != "" {
		return said
	}
	if !f.checked && !f.left[t] || t.Focused() && !f.left[t] {
		return ""
	}
	return r.problems[t]
}

// stale reports whether a draft differs from the form.
func (f *form) stale(d draft.Draft) bool {
	var now draft.Draft
	f.copyTo(&now)
	if now.RecipientName != d.RecipientName || now.RecipientEmail != d.RecipientEmail || now.Description != d.Description ||
		now.DueDate != d.DueDate || now.Notes != d.Notes || len(now.Lines) != len(d.Lines) {
		return true
	}
	for i := range now.Lines {
		if now.Lines[i] != d.Lines[i] {
			return true
		}
	}
	return false
}
