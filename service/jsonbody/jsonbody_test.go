package jsonbody_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"tarmac/service/jsonbody"
)

const shape = "body must be a single JSON object"

// read reads a body field by field, as an operation does.
func read(body string) error {
	o, err := jsonbody.Parse([]byte(body), "text", "count", "words", "notes", "items")
	if err != nil {
		return err
	}
	if o.Has("text") {
		if _, err := o.Text("text"); err != nil {
			return err
		}
	}
	if o.Has("count") {
		if _, err := o.Integer("count"); err != nil {
			return err
		}
	}
	if o.Has("words") {
		if _, err := o.Texts("words"); err != nil {
			return err
		}
	}
	if _, _, err := o.OptionalText("notes"); err != nil {
		return err
	}
	if !o.Has("items") {
		return nil
	}
	items, err := o.Objects("items", 2, "price", "name")
	if err != nil {
		return err
	}
	for _, item := range items {
		if _, err := item.Integer("price"); err != nil {
			return err
		}
	}
	return nil
}

func TestABodyIsRefusedInOneSentence(t *testing.T) {
	deep := strings.Repeat(`{"text":`, 1<<17)
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "", shape},
		{"blanks", " \n", shape},
		{"an array", "[]", shape},
		{"null", "null", shape},
		{"a string", `"a"`, shape},
		{"a number", "1", shape},
		{"an object cut short", `{"text":"a"`, shape},
		{"two objects", "{}{}", shape},
		{"an object and more", "{} x", shape},
		{"an object and a NUL", "{}\x00", shape},
		{"a byte order mark", "\ufeff{}", shape},
		{"a comma too many", `{"text":"a",}`, shape},
		{"a comment", `{/* */}`, shape},
		{"single quotes", `{'text':'a'}`, shape},
		{"a bare control character", "{\"text\":\"a\tb\"}", shape},
		{"invalid UTF-8 in a value", "{\"text\":\"\xff\"}", shape},
		{"invalid UTF-8 in a name", "{\"t\xc3ext\":1}", shape},
		{"a surrogate in UTF-8", "{\"text\":\"\xed\xa0\x80\"}", shape},
		{"a mebibyte of arrays", strings.Repeat("[", 1<<20), shape},
		{"a mebibyte of objects", deep, shape},

		{"an unknown field", `{"price":1}`, `unknown field "price"`},
		{"an unknown field below", `{"items":[{"price":1},{"cost":1}]}`, `unknown field "items[1].cost"`},
		{"a field in another case", `{"Text":"a"}`, `unknown field "Text"`},
		{"a field of no name", `{"":1}`, `unknown field ""`},
		{"the path of a field as its name", `{"items[0].price":1}`, `unknown field "items[0].price"`},
		{"an unknown field in more than a word", `{"a b":1}`, `unknown field`},
		{"an unknown field that breaks the line", `{"a\nb":1}`, `unknown field`},
		{"an unknown field of many letters", `{"` + strings.Repeat("a", 65) + `":1}`, `unknown field`},
		{"an unknown field that is half a pair", `{"\ud800":1}`, `unknown field`},
		{"a credential for a name", `{"SVC_org_0000":1}`, `unknown field`},
		{"a credential for a name below", `{"items":[{"svc_whsec_0":1}]}`, `unknown field in items[0]`},
		{"a mebibyte of names", "{" + strings.Repeat(`"a":0,`, 1<<17) + `"a":0}`, `unknown field "a"`},
		{"the first of two faults", `{"price":1,"text":"a","text":"b"}`, `unknown field "price"`},

		{"a field given twice", `{"text":"a","text":"a"}`, `field "text" was given more than once`},
		{"a field given twice, once escaped", `{"text":"a","\u0074ext":"a"}`, `field "text" was given more than once`},
		{"a field given twice, once null", `{"text":null,"text":"a"}`, `field "text" was given more than once`},
		{"a field given twice below", `{"items":[{"price":1,"price":1}]}`, `field "items[0].price" was given more than once`},

		{"a number for text", `{"text":1}`, "text must be a string"},
		{"an array for text", `{"text":["a"]}`, "text must be a string"},
		{"null for text", `{"text":null}`, "text must not be null"},
		{"a high half", `{"text":"\ud800"}`, "text must not hold an unpaired surrogate"},
		{"a low half", `{"text":"a\udfffb"}`, "text must not hold an unpaired surrogate"},
		{"halves in the wrong order", `{"text":"\udc00\ud800"}`, "text must not hold an unpaired surrogate"},
		{"a high half and a letter", `{"text":"\ud800\u0041"}`, "text must not hold an unpaired surrogate"},
		{"a high half and another escape", `{"text":"\ud800\\udc00"}`, "text must not hold an unpaired surrogate"},
		{"a high half after a pair", `{"text":"\ud83d\ude00\ud83d"}`, "text must not hold an unpaired surrogate"},
		{"a number for optional text", `{"notes":1}`, "notes must be a string"},

		{"a decimal", `{"count":1.0}`, "count must be an integer"},
		{"an exponent", `{"count":1e3}`, "count must be an integer"},
		{"digits in quotes", `{"count":"5"}`, "count must be an integer"},
		{"a bool", `{"count":true}`, "count must be an integer"},
		{"more than 64 bits", `{"count":9223372036854775808}`, "count must be an integer"},
		{"null for an integer", `{"count":null}`, "count must not be null"},

		{"text for an array", `{"words":"a"}`, "words must be an array"},
		{"an object for an array", `{"words":{}}`, "words must be an array"},
		{"null for an array", `{"words":null}`, "words must not be null"},
		{"null in an array", `{"words":["a",null]}`, "words[1] must be a string"},
		{"half a pair in an array", `{"words":["\ud800"]}`, "words[0] must not hold an unpaired surrogate"},

		{"an object for objects", `{"items":{}}`, "items must be an array"},
		{"text in objects", `{"items":["a"]}`, "items[0] must be an object"},
		{"null in objects", `{"items":[null]}`, "items[0] must be an object"},
		{"an array in objects", `{"items":[[]]}`, "items[0] must be an object"},
		{"a field missing below", `{"items":[{"price":1},{}]}`, "items[1].price is missing"},
		{"null below", `{"items":[{"price":null}]}`, "items[0].price must not be null"},
		{"text below", `{"items":[{"price":"1"}]}`, "items[0].price must be an integer"},
		{"more than two objects", `{"items":[{},{},{}]}`, "items must not have more than 2 items"},
		{
			"a mebibyte of objects in an array", `{"items":[` + strings.Repeat("{},", 1<<18) + "{}]}",
			"items must not have more than 2 items",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := read(c.body)
			if e, ok := errors.AsType[*jsonbody.Error](err); !ok || e.Text != c.want || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestABodyIsReadAsItWasWritten(t *testing.T) {
	o, err := jsonbody.Parse([]byte(" \r\n\t"+`{
		"count": -9223372036854775808,
		"text": "\ud83d\ude00 \\ud800 \ufffd é\u0000\"",
		"words": [ "b" , "a", "b" ],
		"items": [ { "price" : 9223372036854775807 } , {} ]
	} `), "text", "count", "words", "items")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := o.Text("text"); err != nil || got != "😀 \\ud800 \ufffd é\x00\"" {
		t.Errorf("text is %q, %v", got, err)
	}
	if got, err := o.Integer("count"); err != nil || got != math.MinInt64 {
		t.Errorf("count is %d, %v", got, err)
	}
	if got, err := o.Texts("words"); err != nil || !slices.Equal(got, []string{"b", "a", "b"}) {
		t.Errorf("words are %q, %v", got, err)
	}
	items, err := o.Objects("items", 2, "price")
	if err != nil || len(items) != 2 {
		t.Fatalf("items are %v, %v", items, err)
	}
	if got, err := items[0].Integer("price"); err != nil || got != math.MaxInt64 {
		t.Errorf("the price is %d, %v", got, err)
	}
}

func TestNullAndAbsentFieldsDiffer(t *testing.T) {
	o, err := jsonbody.Parse([]byte(`{"null":null,"empty":""}`), "null", "empty", "absent")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		has, given bool
		text       string
	}{
		{"null", true, false, "null must not be null"},
		{"empty", true, true, ""},
		{"absent", false, false, "absent is missing"},
	} {
		if got := o.Has(c.name); got != c.has {
			t.Errorf("has %s: %v", c.name, got)
		}
		if s, given, err := o.OptionalText(c.name); s != "" || given != c.given || err != nil {
			t.Errorf("optional %s: %q, %v, %v", c.name, s, given, err)
		}
		_, err := o.Text(c.name)
		if e, _ := errors.AsType[*jsonbody.Error](err); (e != nil) != (c.text != "") || e != nil && e.Text != c.text {
			t.Errorf("text %s: %v, want %s", c.name, err, c.text)
		}
	}
}

func TestARuleNamesTheFieldThatBreaksIt(t *testing.T) {
	o, err := jsonbody.Parse([]byte(`{"items":[{}]}`), "items")
	if err != nil {
		t.Fatal(err)
	}
	items, err := o.Objects("items", 1)
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[*jsonbody.Error]string{
		o.Invalid("items", "must not be empty"):             "items must not be empty",
		items[0].Invalid("price", "must be positive"):       "items[0].price must be positive",
		items[0].Invalid("", "comes to less than one cent"): "items[0] comes to less than one cent",
	} {
		if got.Text != want {
			t.Errorf("%q, want %q", got.Text, want)
		}
	}
}
