package jsonbody_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarmac/service/jsonbody"
)

// A body that Parse accepts reads the same as with encoding/json. A refused body has an
// error of one printable line.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{}{}", "[]", "null", "\ufeff{}", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":"\ud800"}`,
		`{"a":"\ud83d\ude00\\"}`,
		"{\"a\":\"\xff\"}", `{"a":1.0,"b":-0,"c":1e3,"d":12345678901234567890}`,
		`{"a":["x","\\u12"],"b":[{"a":null},{"b":[]}]}`,
		`{"a":"` + "\ufffd" + `\uFFFD"}`, `{"a":{"b":{"c":"d"}}} `, `{"svc_org_1":1}`, `{"":[[[[]]]]}`,
		strings.Repeat(`{"a":`, 40),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		// The names are those that encoding/json finds: then none is unknown.
		var want map[string]any
		dec := json.NewDecoder(strings.NewReader(body))
		dec.UseNumber()
		accepted := dec.Decode(&want) == nil && json.Valid([]byte(body))
		names := slices.Collect(maps.Keys(want))
		o, err := jsonbody.Parse([]byte(body), names...)
		if err != nil {
			e, ok := errors.AsType[*jsonbody.Error](err)
			if !ok || e.Text == "" || strings.ContainsAny(e.Text, "\n\r\x00\x1b") {
				t.Errorf("%q: %T %v", body, err, err)
			}
			return
		}
		if !accepted {
			t.Fatalf("%q was accepted", body)
		}
		for _, name := range names {
			compare(t, o, name, want[name])
		}
	})
}

// compare reads one field as every type. Only its own type may succeed.
func compare(t *testing.T, o *jsonbody.Object, name string, want any) {
	t.Helper()
	if !o.Has(name) {
		t.Fatalf("%q was lost", name)
	}
	wantText, isText := want.(string)
	text, err := o.Text(name)
	if err == nil && (!isText || text != wantText) || err != nil && isText && !strings.Contains(wantText, "\ufffd") {
		t.Errorf("%q: text %q, %v; want %#v", name, text, err, want)
	}
	optional, given, optionalErr := o.OptionalText(name)
	if optional != text || given != (err == nil) || (optionalErr == nil) != (err == nil || want == nil) {
		t.Errorf("%q: optional text %q, %v, %v; want %#v", name, optional, given, optionalErr, want)
	}
	number, _ := want.(json.Number)
	wantInteger, notInteger := strconv.ParseInt(number.String(), 10, 64)
	integer, err := o.Integer(name)
	if (err == nil) != (notInteger == nil) || err == nil && integer != wantInteger {
		t.Errorf("%q: integer %d, %v; want %#v", name, integer, err, want)
	}
	compareArray(t, o, name, want)
}

func compareArray(t *testing.T, o *jsonbody.Object, name string, want any) {
	t.Helper()
	elements, isArray := want.([]any)
	var fields []string
	for _, element := range elements {
		if object, is := element.(map[string]any); is {
			fields = slices.AppendSeq(fields, maps.Keys(object))
		}
	}
	texts, err := o.Texts(name)
	for i, s := range texts {
		if err == nil && (i >= len(elements) || elements[i] != s) {
			t.Errorf("%q: element %d is %q; want %#v", name, i, s, want)
		}
	}
	if err == nil && (!isArray || len(texts) != len(elements)) {
		t.Errorf("%q: texts %q; want %#v", name, texts, want)
	}
	objects, err := o.Objects(name, math.MaxInt, fields...)
	if err != nil {
		return
	}
	if !isArray || len(objects) != len(elements) {
		t.Fatalf("%q: %d objects; want %#v", name, len(objects), want)
	}
	for i, object := range objects {
		for field, value := range elements[i].(map[string]any) {
			compare(t, object, field, value)
		}
	}
}
