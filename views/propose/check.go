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

// parsedForm is the form's content as an invoice proposal, with the problems found in its fields.
type parsedForm struct {
	proposal apiclient.InvoiceProposal
	items    []int                  // the form's line of each line item of the proposal
	problems map[*field.Text]string // what is wrong with each invalid field
	general  string                 // a problem of the whole form, or ""
}

// valid reports whether the form can be proposed.
func (r *parsedForm) valid() bool { return len(r.problems) == 0 && r.general == "" }

// parse returns the form's content as a proposal, with its problems. It skips blank lines unless
// all lines are blank. Relative due dates are counted from today.
func (f *form) parse(today civil.Date) parsedForm {
	var typed draft.Draft
	f.copyTo(&typed)
	r := parsedForm{problems: map[*field.Text]string{}}
	typed.Lines, r.items = proposal.WithoutBlank(typed.Lines)
	var wrong map[string]string
	r.proposal, wrong = proposal.Read(typed, today)
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		if t := f.fieldNamed(name, r.items); t != nil {
			r.problems[t] = wrong[name]
		} else {
			r.general = wrong[name]
		}
	}
	return r
}

// fieldNamed returns the form's field for a field name of the API, or nil if the form has no such
// field. If the name means a whole line item, it returns that item's price. items is
// parsedForm.items.
func (f *form) fieldNamed(name string, items []int) *field.Text {
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

// showRefusal shows the server's error message next to the field named by its first word, and moves
// the cursor there. It returns false if the form doesn't have that field.
func (f *form) showRefusal(message string, items []int) bool {
	name, rest, _ := strings.Cut(message, " ")
	t := f.fieldNamed(name, items)
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

// firstProblem returns the cursor position of the first invalid field.
func (f *form) firstProblem(r *parsedForm) (at int, found bool) {
	for at := range f.addButton() {
		if r.problems[f.text(at)] != "" {
			return at, true
		}
	}
	return 0, false
}

// problem returns the message to show next to a field, or "". A message of the server comes first.
// The form's own message appears only after the user has left the field or requested a review.
func (f *form) problem(t *field.Text, r *parsedForm) string {
	if message := f.refused[t]; message != "" {
		return message
	}
	if !f.checked && !f.visited[t] || t.Focused() && !f.visited[t] {
		return ""
	}
	return r.problems[t]
}

// differsFrom reports whether any text of the form differs from the draft.
func (f *form) differsFrom(d draft.Draft) bool {
	var now draft.Draft
	f.copyTo(&now)
	return now.RecipientName != d.RecipientName || now.RecipientEmail != d.RecipientEmail ||
		now.Description != d.Description || now.DueDate != d.DueDate || now.Notes != d.Notes ||
		!slices.Equal(now.Lines, d.Lines)
}
