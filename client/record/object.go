package record

import (
	"slices"

	"tarmac/apiclient"
	"tarmac/internal/fold"
)

// Object is a record as a list of fields, in the order of the API.
type Object []Field

// Get returns the field with this name, or the zero Field.
func (o Object) Get(name string) Field {
	if i := o.index(name); i >= 0 {
		return o[i]
	}
	return Field{}
}

func (o Object) index(name string) int {
	for i := range o {
		if o[i].Name == name {
			return i
		}
	}
	return -1
}

// Pick returns the fields with these names, in the given order.
func (o Object) Pick(names ...string) Object {
	picked := make(Object, 0, len(names))
	for _, name := range names {
		if i := o.index(name); i >= 0 {
			picked = append(picked, o[i])
		}
	}
	return picked
}

// Without returns all fields except those with these names.
func (o Object) Without(names ...string) Object {
	left := make(Object, 0, len(o))
	for i := range o {
		if !slices.Contains(names, o[i].Name) {
			left = append(left, o[i])
		}
	}
	return left
}

// Listed returns the figures that voices list, except those with these names, for which the caller
// has a place.
func (o Object) Listed(placed ...string) Object {
	return slices.DeleteFunc(o.Without(placed...), func(f Field) bool { return !f.Listed })
}

// MoveLast returns all fields, with the named ones at the end, in the given order.
func (o Object) MoveLast(names ...string) Object {
	return append(o.Without(names...), o.Pick(names...)...)
}

// Extra returns the fields that the server has sent although the API does not define them.
func (o Object) Extra() Object {
	return slices.DeleteFunc(slices.Clone(o), func(f Field) bool { return !f.Extra })
}

// SetDetail sets the text that the method Detail of the named field returns.
func (o Object) SetDetail(name, text string) {
	if i := o.index(name); i >= 0 {
		o[i].detail = text
	}
}

// Contains reports whether text occurs in the text of any field, ignoring case.
func (o Object) Contains(text string) bool {
	return text == "" || slices.ContainsFunc(o, func(f Field) bool {
		from, _ := fold.Find(f.Text(), text)
		return from >= 0
	})
}

// WithExtra appends fields that the API does not define, as text. It skips names that o already
// has.
func (o Object) WithExtra(extra []apiclient.Field) Object {
	for _, e := range extra {
		if o.index(e.Name) < 0 {
			f := Text(e.Name, e.Name, e.Value)
			f.Extra = true
			o = append(o, f)
		}
	}
	return o
}

// DescribeAll calls describe for each record and returns the results.
func DescribeAll[T any](records []T, describe func(T) Object) []Object {
	all := make([]Object, len(records))
	for i, one := range records {
		all[i] = describe(one)
	}
	return all
}
