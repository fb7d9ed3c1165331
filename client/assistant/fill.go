package assistant

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"tarmac/client/record"
)

// fill sets the fields of the struct that out points to from the fields of a record. The tag from
// names the record's field; fill skips "-". Without it, the name in the tag
// json counts, perhaps followed by one of the suffixes. Fields of nested records are found too.
//
// A string is set only from a text that the program wrote itself; other texts need an Untrusted.
// fill panics if a struct breaks this rule or names a field that the record lacks: both are bugs.
func fill(out any, o record.Object) { fillStruct(reflect.ValueOf(out).Elem(), o) }

// suffixes follow the names of record fields where an answer to an assistant has a shorter one.
var suffixes = [...]string{"_sentences", "_cents", "_count", ""}

func fillStruct(out reflect.Value, o record.Object) {
	for i := range out.NumField() {
		f, ok := fieldFor(out.Type().Field(i).Tag, o)
		if ok {
			fillField(out.Field(i), f)
		}
	}
}

// fieldFor returns the record's field for a struct's field with the tag. It returns false for "-".
func fieldFor(tag reflect.StructTag, o record.Object) (f record.Field, ok bool) {
	name, set := tag.Lookup("from")
	switch {
	case name == "-":
		return f, false
	case set:
		f, ok = find(o, name)
	default:
		name, _, _ = strings.Cut(tag.Get("json"), ",")
		for i := 0; i < len(suffixes) && !ok; i++ {
			f, ok = find(o, name+suffixes[i])
		}
	}
	if !ok {
		panic(fmt.Sprintf("the record has no field %q", name))
	}
	return f, true
}

// find returns the field with a name of a record, or of the first nested record that has it. A dot
// separates the names of a nested record and of its field.
func find(o record.Object, name string) (f record.Field, ok bool) {
	if parent, child, dotted := strings.Cut(name, "."); dotted {
		f = o.Get(parent)
		o, _ = f.NestedFields()
		name = child
	}
	if f = o.Get(name); f.Name != "" {
		return f, true
	}
	for i := range o {
		if nested, is := o[i].NestedFields(); is {
			if f = nested.Get(name); f.Name != "" {
				return f, true
			}
		}
	}
	return f, false
}

func fillField(out reflect.Value, f record.Field) {
	switch out := out.Addr().Interface().(type) {
	case *Amount:
		*out = amountIn(f)
		if total, ok := f.Total(); ok && f.Kind == record.KindAmount {
			*out = totalOf(total)
		}
	case *Untrusted:
		*out = untrusted(f.Raw())
	case **time.Time:
		if at, ok := f.At(); ok {
			*out = plausible(&at)
		}
	case *bool:
		*out = f.IsTrue()
	case *string:
		*out = ownText(&f)
	case **string:
		if text := ownText(&f); text != "" {
			*out = &text
		}
	case *[]string:
		_ = ownText(&f)
		*out = f.Words()
	case *int:
		if n := numberIn(&f); n != nil {
			*out = int(*n)
		}
	case **int64:
		*out = numberIn(&f)
	case **float64:
		if n, err := strconv.ParseFloat(f.Raw(), 64); err == nil && f.Known() {
			*out = &n
		}
	default:
		fillList(reflect.ValueOf(out).Elem(), f)
	}
}

// fillList fills a slice of structs from a list of records.
func fillList(out reflect.Value, f record.Field) {
	rows, _ := f.Objects()
	out.Set(reflect.MakeSlice(out.Type(), len(rows), len(rows)))
	for i, row := range rows {
		fillStruct(out.Index(i), row)
	}
}

// ownText returns a text that the program wrote itself.
func ownText(f *record.Field) string {
	if !f.IsOwn() {
		panic(fmt.Sprintf("%q may have text of outsiders and needs an Untrusted", f.Name))
	}
	return f.Text()
}

func numberIn(f *record.Field) *int64 {
	n, err := strconv.ParseInt(f.Raw(), 10, 64)
	if err != nil || !f.Known() {
		return nil
	}
	return &n
}
