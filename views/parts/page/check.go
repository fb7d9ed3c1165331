package page

import (
	"slices"
	"strings"

	"tarmac/client/record"
)

// check panics if the declaration of the page lacks something.
func (p *Page) check() {
	s := &p.spec
	var c checklist
	c.need(s.Title != "", "Spec needs Title")
	c.need(s.Keys != nil, "Spec needs Keys")
	c.need(s.Body != nil || len(s.Lists) > 0, "Spec needs Lists or Body")
	for _, chip := range s.Chips {
		c.need(chip.Label != nil && chip.Off != nil, "a Chip needs Label and Off")
	}
	for _, l := range s.Lists {
		c.need(slices.Contains(p.lists, l), "Spec.Lists has a list of another page")
	}
	for _, d := range s.Data {
		c.need(d.canRead(), "a Data needs Read")
	}
	for _, l := range p.lists {
		l.check(&c)
	}
	if len(c) > 0 {
		panic("page " + s.Title + ": " + strings.Join(c, "; "))
	}
}

// checklist holds what a declaration lacks.
type checklist []string

func (c *checklist) need(ok bool, what string) {
	if !ok {
		*c = append(*c, what)
	}
}

// check adds what the declaration of a list lacks.
func (l *List[T]) check(c *checklist) {
	need := func(ok bool, what string) {
		name := l.Title
		if name == "" {
			name = l.Noun
		}
		c.need(ok, strings.TrimSpace("list "+name)+": "+what)
	}
	sources := 0
	for _, set := range []bool{l.Data != nil, l.Items != nil, l.At != nil} {
		if set {
			sources++
		}
	}
	need(sources == 1, "exactly one of Data, Items and At provides the records")
	need(l.Data != nil || l.Listing.State != nil, "Items and At need State")
	need(l.Data == nil || slices.Contains(l.page.spec.Data, Source(l.Data())), "Data isn't in Spec.Data")
	need(l.Single == nil || slices.Contains(l.page.spec.Data, Source(l.Single)), "Single isn't in Spec.Data")
	need(l.ID != nil, "ID is missing")
	need(len(l.Columns) == 0 || l.Listing.Row != nil || l.Record != nil && l.Cell != nil,
		"cells need Row, or Record and Cell")
	need(l.Title == "" || l.Empty != nil, "Empty is missing")
	need(l.Detail == nil || l.Noun != "", "Detail needs Noun")
	need(l.Detail != nil || !l.opens && l.Single == nil && l.DetailWidth == 0,
		"OpenKey, Single and DetailWidth need Detail")
	need(!l.filters || l.Finds != nil || l.Record != nil && len(l.Searched) > 0, "FilterKey needs Searched or Finds")
	need(!l.filters || slices.Contains(l.page.spec.Lists, Lister(l)), "FilterKey needs the list in Spec.Lists")
	need(l.Matches == nil || len(l.page.spec.Chips) > 0, "Matches needs chips in Spec.Chips")
	for _, name := range l.Searched {
		need(l.hasField(name), "Searched has "+name+", which isn't a field of Record")
	}
	for _, column := range l.Columns {
		need(column.Field == "" || column.Title != "" || l.hasField(column.Field),
			"a column shows "+column.Field+", which isn't a field of Record")
	}
}

func (l *List[T]) hasField(name string) bool {
	var empty T
	return l.Record != nil && slices.ContainsFunc(l.Record(empty), func(f record.Field) bool { return f.Name == name })
}
