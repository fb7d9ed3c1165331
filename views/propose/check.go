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
// there are others.
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

// place returns the field that the API calls name, nil for one that is none here.
// What a line comes to is told at its price.
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
