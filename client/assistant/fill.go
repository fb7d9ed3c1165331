package assistant

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"tarmac/client/record"
)

// fill sets the fields of the struct that out points to from the fields of a record. A field of the
// struct has the value of the record's field with the name in its tag from, or else in its tag json;
// a dot leads into a nested record. Fields with the tag from:"-" keep their values. A name that the
// record lacks is a bug.
func fill(out any, o record.Object) { fillStruct(reflect.ValueOf(out).Elem(), o) }

func fillStruct(out reflect.Value, o record.Object) {
	for i := range out.NumField() {
		tag := out.Type().Field(i).Tag
		name, set := tag.Lookup("from")
		if !set {
			name, _, _ = strings.Cut(tag.Get("json"), ",")
		}
		if name == "-" {
			continue
		}
		f, ok := find(o, name)
		if !ok {
			panic(fmt.Sprintf("%s has no field %q", out.Type(), name))
		}
		fillField(out.Field(i), f)
	}
}

func find(o record.Object, path string) (f record.Field, ok bool) {
	for name := range strings.SplitSeq(path, ".") {
		if f = o.Get(name); f.Name == "" {
			return f, false
		}
		o, _ = f.NestedFields()
	}
	return f, true
}

func fillField(out reflect.Value, f record.Field) {
	switch out.Addr().Interface().(type) {
	case *Amount:
		if total, ok := f.Total(); ok && f.Kind == record.KindAmount {
			out.Set(reflect.ValueOf(totalOf(total)))
		} else {
			out.Set(reflect.ValueOf(amountIn(f)))
		}
	case *Untrusted:
		out.Set(reflect.ValueOf(untrusted(f.Raw())))
	case **time.Time:
		if at, ok := f.At(); ok {
			out.Set(reflect.ValueOf(plausible(&at)))
		}
	case *bool:
		out.SetBool(f.IsTrue())
	case **string:
		if text := f.Text(); text != "" {
			out.Set(reflect.ValueOf(&text))
		}
	case *string:
		out.SetString(f.Text())
	case *[]string:
		out.Set(reflect.ValueOf(f.Words()))
	case **int64, *int:
		setNumber(out, f)
	case **float64:
		if text := f.Raw(); f.Known() && text != "" {
			n, _ := strconv.ParseFloat(text, 64)
			out.Set(reflect.ValueOf(&n))
		}
	default: // a list of structs
		rows, _ := f.Objects()
		out.Set(reflect.MakeSlice(out.Type(), len(rows), len(rows)))
		for i, row := range rows {
			fillStruct(out.Index(i), row)
		}
	}
}

func setNumber(out reflect.Value, f record.Field) {
	n, err := strconv.ParseInt(f.Raw(), 10, 64)
	switch {
	case err != nil || !f.Known():
	case out.Kind() == reflect.Pointer:
		out.Set(reflect.ValueOf(&n))
	default:
		out.SetInt(n)
	}
}
