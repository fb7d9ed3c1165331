package propose

import (
	"maps"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
	"tarmac/views/parts/field"
)

// reading is the parsed form: the proposal to send, and the problems found.
type reading struct {
	proposal apiclient.InvoiceProposal
	items    []int // the form's line for each line item of the proposal
	problems map[*field.Text]string
	general  string // a problem that belongs to no single field
}

// sound reports whether the proposal is valid.
func (r *reading) sound() bool { return len(r.problems) == 0 && r.general == "" }

// read parses the form. It drops blank lines unless all lines are blank.
func (f *form) read(today civil.Date) reading {
	var typed draft.Draft
	f.copyTo(&typed)
	r := reading{problems: map[*field.Text]string{}}
	typed.Lines, r.items = proposal.WithoutBlank(typed.Lines)
	var wrong map[string]string
	r.proposal, wrong = proposal.Read(typed, today)
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		if t := f.place(name, r.items); t != nil {
			r.problems[t] = wrong[name]
		} else {
			r.general = wrong[name]
		}
	}
	return r
}

// place returns the form's field for a field name of the API, or nil if the form has none. The name
// of a whole line item stands for its price.
func (f *form) place(name string, items []int) *field.Text {
	for at, own := range proposal.FieldNames {
		if own == name {
			return f.text(at)
		}
	}
	for sent, i := range items {
		rest, found := strings.CutPrefix(name, proposal.LineName(sent))
		if !found || i >= len(f.lines) {
			continue
		}
		for c, own := range proposal.CellNames {
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

// refuse shows the server's message beside the field that it names and moves the cursor there. It
// returns false if the message names no field.
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

// firstProblem returns the position of the first invalid field.
func (f *form) firstProblem(r *reading) (at int, found bool) {
	for at := range f.addButton() {
		if r.problems[f.text(at)] != "" {
			return at, true
		}
	}
	return 0, false
}

// problem returns the message beside a field: the server's, if it has one, or else the form's own
// once the user left the field or asked for a review.
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
