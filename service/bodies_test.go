package service_test

import (
	"net/http"
	"strings"
	"testing"
)

// proposal returns a valid proposal with one text replaced.
func proposal(old, value string) string { return strings.Replace(goodProposal, old, value, 1) }

// The bodies are expensive to parse or ambiguous.
func TestHostileBodiesAreRefusedWithTheRuleThatTheyBreak(t *testing.T) {
	if testing.Short() {
		t.Skip("is one client, with one request at a time")
	}
	f := start(t, 0)
	a := f.tenant("a")
	const (
		shape   = "body must be a single JSON object"
		decimal = "line_items[0].quantity must be a decimal string greater than zero"
	)
	const price, quantity, notes = `"unit_price_cents":160000`, `"quantity":"1.5"`, `"notes":""`
	for what, c := range map[string]struct{ body, text string }{
		"deep arrays": {strings.Repeat("[", 500_000), shape},
		"deep arrays in a field": {
			`{"currency":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + "}",
			"currency must be a three-letter code",
		},
		"too deep arrays in a field": {
			`{"currency":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + "}", shape,
		},
		"deep objects": {strings.Repeat(`{"currency":`, 80_000), shape},
		"deep unknown": {
			`{"x":` + strings.Repeat(`{"x":`, 5_000) + "1" + strings.Repeat("}", 5_001), `unknown field "x"`,
		},
		"a million fields": {`{"currency":"USD"` + strings.Repeat(`,"a":1`, 160_000) + "}", `unknown field "a"`},
		"a field very often": {
			`{"currency":"USD"` + strings.Repeat(`,"currency":""`, 60_000) + "}",
			`field "currency" was given more than once`,
		},
		"a field twice": {proposal(
			`"currency":"USD"`, `"currency":"USD","currency":"EUR"`,
		), `field "currency" was given more than once`},
		"a field twice by an escape": {proposal(
			`"currency":"USD"`, `"currency":"USD","\u0063urrency":"EUR"`,
		), `field "currency" was given more than once`},
		"a field in capitals": {proposal(`"currency"`, `"Currency"`), `unknown field "Currency"`},
		"a prototype":         {proposal(`"currency"`, `"__proto__":{},"currency"`), `unknown field "__proto__"`},
		"very many items": {proposal(
			`"line_items":[`,
			`"line_items":[`+strings.Repeat(`{"description":"a","quantity":"1","unit_price_cents":1},`, 15_000),
		), "line_items must not have more than 100 items"},
		"a number of a megabyte": {proposal(
			price, `"unit_price_cents":`+strings.Repeat("9", 1_000_000),
		), "line_items[0].unit_price_cents must be an integer"},
		"1e999999": {proposal(
			price, `"unit_price_cents":1e999999`,
		), "line_items[0].unit_price_cents must be an integer"},
		"1e-999999": {proposal(
			price, `"unit_price_cents":1e-999999`,
		), "line_items[0].unit_price_cents must be an integer"},
		"an integer with a point": {proposal(
			price, `"unit_price_cents":160000.0`,
		), "line_items[0].unit_price_cents must be an integer"},
		"one more than 64 bits": {proposal(
			price, `"unit_price_cents":9223372036854775808`,
		), "line_items[0].unit_price_cents must be an integer"},
		"not a number": {proposal(price, `"unit_price_cents":NaN`), shape},
		"hexadecimal":  {proposal(price, `"unit_price_cents":0x10`), shape},
		"a number as text": {proposal(
			price, `"unit_price_cents":"160000"`,
		), "line_items[0].unit_price_cents must be an integer"},
		"a quantity as a number":      {proposal(quantity, `"quantity":1e9`), decimal},
		"a quantity of a megabyte":    {proposal(quantity, `"quantity":"`+strings.Repeat("9", 1_000_000)+`"`), decimal},
		"a quantity with an exponent": {proposal(quantity, `"quantity":"1e9"`), decimal},
		"a quantity in other digits":  {proposal(quantity, `"quantity":"١"`), decimal},
		"invalid UTF-8":               {proposal(notes, "\"notes\":\"\xff\""), shape},
		"an overlong encoding":        {proposal(notes, "\"notes\":\"\xc0\xaf\""), shape},
		"a surrogate in UTF-8":        {proposal(notes, "\"notes\":\"\xed\xa0\x80\""), shape},
		"a lone surrogate":            {proposal(notes, `"notes":"\ud800"`), "notes must not hold an unpaired surrogate"},
		"surrogates the wrong way": {proposal(
			notes, `"notes":"\udc00\ud800"`,
		), "notes must not hold an unpaired surrogate"},
		"a NUL":              {proposal(notes, `"notes":"a\u0000b"`), "notes must not hold control characters"},
		"an escape sequence": {proposal(notes, `"notes":"\u001b[31m"`), "notes must not hold control characters"},
		"a description of a megabyte": {proposal(
			"Advice", strings.Repeat("a", 1_000_000),
		), "description must not be longer than 2000 characters"},
		"a byte order mark":  {"\ufeff" + goodProposal, shape},
		"UTF-16":             {"\xff\xfe{\x00}\x00", shape},
		"two objects":        {goodProposal + goodProposal, shape},
		"something after it": {goodProposal + "x", shape},
		"a NUL after it":     {goodProposal + "\x00", shape},
		"a comment":          {"/**/" + goodProposal, shape},
		"a trailing comma":   {proposal(notes, notes+","), shape},
		"single quotes":      {strings.ReplaceAll(goodProposal, `"`, `'`), shape},
		"null":               {"null", shape},
		"an array":           {"[" + goodProposal + "]", shape},
		"text":               {`"{}"`, shape},
		"only blanks":        {strings.Repeat(" ", 1<<20), shape},
		"a form":             {"currency=USD&description=a", shape},
		"XML":                {`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, shape},
	} {
		got := f.send(a.secret, http.MethodPost, prefix+"/invoices", c.body)
		f.refused(what, got, http.StatusBadRequest, c.text)
	}
	var drafts []struct{}
	f.decode(f.get(a.secret, prefix+"/invoices"), &drafts)
	if len(drafts) != 0 {
		t.Errorf("%d drafts were made of them", len(drafts))
	}
}
