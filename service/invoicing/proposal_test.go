package invoicing_test

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/invoicing"
	"tarmac/service/jsonbody"
)

type object map[string]any

// absent is a field value that leaves the field out.
type absent struct{}

// proposal returns a valid body with some fields changed.
func proposal(t testing.TB, changes object) []byte {
	t.Helper()
	fields := object{
		"currency": "USD", "description": "Platform subscription", "recipient_name": "Acme LLC",
		"recipient_email": "ap@acme.example",
		"line_items":      []any{line(nil)},
	}
	maps.Copy(fields, changes)
	maps.DeleteFunc(fields, func(_ string, v any) bool { return v == absent{} })
	b, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func line(changes object) object {
	fields := object{"description": "November", "quantity": "1.5", "unit_price_cents": 160_000}
	maps.Copy(fields, changes)
	maps.DeleteFunc(fields, func(_ string, v any) bool { return v == absent{} })
	return fields
}

func lines(changes object) object { return object{"line_items": []any{line(changes)}} }

func manyLines(n int, changes object) object {
	all := make([]any, n)
	for i := range all {
		all[i] = line(changes)
	}
	return object{"line_items": all}
}

func TestAProposalIsRefusedInOneSentence(t *testing.T) {
	const (
		code    = "currency must be a three-letter code"
		decimal = "line_items[0].quantity must be a decimal string greater than zero"
		date    = "due_date must be a calendar date in the form YYYY-MM-DD"
		address = "recipient_email must be an e-mail address such as pay@acme.example"
	)
	long := func(n int) string { return strings.Repeat("é", n) }
	for _, c := range []struct {
		name    string
		changes object
		want    string
	}{
		{"no currency", object{"currency": absent{}}, code},
		{"null currency", object{"currency": nil}, code},
		{"empty currency", object{"currency": ""}, code},
		{"currency in blanks", object{"currency": " USD"}, code},
		{"a number for a currency", object{"currency": 840}, code},
		{"a currency of other letters", object{"currency": "ÜSD"}, code},
		{"a currency of four letters", object{"currency": "USDT"}, code},
		{"a currency of digits", object{"currency": "US1"}, code},
		{"a bad field in another currency", object{"currency": "EUR", "description": ""}, "description must not be empty"},

		{"no description", object{"description": absent{}}, "description is missing"},
		{"null description", object{"description": nil}, "description must not be null"},
		{"a number for a description", object{"description": 1}, "description must be a string"},
		{"empty description", object{"description": ""}, "description must not be empty"},
		{"blank description", object{"description": " \u00a0\u3000"}, "description must not be empty"},
		{"a line break", object{"description": "a\nb"}, "description must not hold control characters"},
		{"a line break at the end", object{"description": "a\n"}, "description must not hold control characters"},
		{"a C1 control", object{"description": "a\u009bb"}, "description must not hold control characters"},
		{"a NUL", object{"description": "\x00"}, "description must not hold control characters"},
		{"a long description", object{"description": long(2001)}, "description must not be longer than 2000 characters"},

		{"no name", object{"recipient_name": absent{}}, "recipient_name is missing"},
		{"blank name", object{"recipient_name": " "}, "recipient_name must not be empty"},
		{"a long name", object{"recipient_name": long(201)}, "recipient_name must not be longer than 200 characters"},
		{"a tab in a name", object{"recipient_name": "a\tb"}, "recipient_name must not hold control characters"},

		{"no address", object{"recipient_email": absent{}}, "recipient_email is missing"},
		{"empty address", object{"recipient_email": ""}, "recipient_email must not be empty"},
		{"a long address", object{"recipient_email": strings.Repeat("a", 246) + "@b.exampl"},
			"recipient_email must not be longer than 254 characters"},
		{"a header in an address", object{"recipient_email": "a@b.example\r\nBcc: c@d.example"},
			"recipient_email must not hold control characters"},
		{"a line break after an address", object{"recipient_email": "a@b.example\n"},
			"recipient_email must not hold control characters"},
		{"no at sign", object{"recipient_email": "acme.example"}, address},
		{"two at signs", object{"recipient_email": "a@b@c.example"}, address},
		{"a name with an address", object{"recipient_email": "Acme <ap@acme.example>"}, address},
		{"an address in brackets", object{"recipient_email": "<ap@acme.example>"}, address},
		{"a comment after an address", object{"recipient_email": "ap@acme.example (Acme)"}, address},
		{"a comment in an address", object{"recipient_email": "ap(Acme)@acme.example"}, address},
		{"a quoted blank", object{"recipient_email": `"a b"@acme.example`}, address},
		{"a quoted word", object{"recipient_email": `"ap"@acme.example`}, address},
		{"a blank in an address", object{"recipient_email": "a p@acme.example"}, address},
		{"a blank that is not ASCII", object{"recipient_email": "a\u00a0p@acme.example"}, address},
		{"two addresses", object{"recipient_email": "a@b.example,c@d.example"}, address},
		{"a group", object{"recipient_email": "g:a@b.example;"}, address},
		{"a dot at the end", object{"recipient_email": "a@b.example."}, address},

		{"a number for notes", object{"notes": 1}, "notes must be a string"},
		{"long notes", object{"notes": long(4001)}, "notes must not be longer than 4000 characters"},
		{"a line break in notes", object{"notes": "a\nb"}, "notes must not hold control characters"},

		{"an empty date", object{"due_date": ""}, date},
		{"a day the calendar has not", object{"due_date": "2026-02-30"}, date},
		{"a time", object{"due_date": "2026-12-31T00:00:00Z"}, date},
		{"a date in blanks", object{"due_date": " 2026-12-31"}, date},
		{"a number for a date", object{"due_date": 20261231}, date},
		{"a date before the calendar", object{"due_date": "0000-12-31"}, date},
		{"a date of five digits", object{"due_date": "10000-01-01"}, date},

		{"no lines", object{"line_items": absent{}}, "line_items is missing"},
		{"null lines", object{"line_items": nil}, "line_items must not be null"},
		{"an object for lines", object{"line_items": object{}}, "line_items must be an array"},
		{"empty lines", object{"line_items": []any{}}, "line_items must not be empty"},
		{"a line too many", manyLines(101, nil), "line_items must not have more than 100 items"},
		{"a number for a line", object{"line_items": []any{1}}, "line_items[0] must be an object"},
		{"an amount that is given", lines(object{"amount_cents": 1}), `unknown field "line_items[0].amount_cents"`},
		{"a line of no description", lines(object{"description": absent{}}), "line_items[0].description is missing"},
		{"a line of a blank description", lines(object{"description": " "}), "line_items[0].description must not be empty"},
		{"a line of a long description", lines(object{"description": long(501)}),
			"line_items[0].description must not be longer than 500 characters"},
		{"a later line", object{"line_items": []any{line(nil), line(object{"quantity": "x"})}},
			strings.Replace(decimal, "0", "1", 1)},

		{"no quantity", lines(object{"quantity": absent{}}), decimal},
		{"null quantity", lines(object{"quantity": nil}), decimal},
		{"a number for a quantity", lines(object{"quantity": 1.5}), decimal},
		{"a quantity of zero", lines(object{"quantity": "0.00"}), decimal},
		{"a negative quantity", lines(object{"quantity": "-1"}), decimal},
		{"a quantity in blanks", lines(object{"quantity": "1 "}), decimal},

		{"no price", lines(object{"unit_price_cents": absent{}}), "line_items[0].unit_price_cents is missing"},
		{"text for a price", lines(object{"unit_price_cents": "5"}), "line_items[0].unit_price_cents must be an integer"},
		{"half a cent", lines(object{"unit_price_cents": 0.5}), "line_items[0].unit_price_cents must be an integer"},
		{"a price of zero", lines(object{"unit_price_cents": 0}), "line_items[0].unit_price_cents must be positive"},
		{"a negative price", lines(object{"unit_price_cents": -1}), "line_items[0].unit_price_cents must be positive"},

		{"less than a cent", lines(object{"quantity": "0.49", "unit_price_cents": 1}),
			"line_items[0] comes to less than one cent"},
		{"a line too large", lines(object{"quantity": "1", "unit_price_cents": invoicing.MaxCents + 1}),
			"line_items[0] comes to more than $10,000,000,000.00"},
		{"a total too large", object{"line_items": []any{
			line(object{"quantity": "1", "unit_price_cents": invoicing.MaxCents}),
			line(object{"quantity": "1", "unit_price_cents": 1}),
		}}, "the total is more than $10,000,000,000.00"},
		{"a total too large in another currency", func() object {
			changes := manyLines(2, object{"quantity": "1", "unit_price_cents": invoicing.MaxCents})
			changes["currency"] = "EUR"
			return changes
		}(), "the total is more than $10,000,000,000.00"},

		{"a field of the answer", object{"status": "sent"}, `unknown field "status"`},
		{"a field in another case", object{"Notes": ""}, `unknown field "Notes"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := invoicing.ParseProposal(proposal(t, c.changes))
			if e, ok := errors.AsType[*jsonbody.Error](err); !ok || e.Text != c.want {
				t.Errorf("%+v, %v; want %s", p, err, c.want)
			}
		})
	}
}

func TestOnlyDollarsAreSupported(t *testing.T) {
	for given, want := range map[string]string{
		"EUR": `unsupported currency "EUR"; only USD is supported`,
		"usd": `unsupported currency "usd"; only USD is supported`,
		"Xyz": `unsupported currency "Xyz"; only USD is supported`,
	} {
		_, err := invoicing.ParseProposal(proposal(t, object{"currency": given}))
		if e, ok := errors.AsType[*invoicing.UnsupportedCurrencyError](err); !ok || e.Code != given || err.Error() != want {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

func TestAProposalMayGoToItsLimits(t *testing.T) {
	for name, changes := range map[string]object{
		"as it is": {},
		"lengths in characters": {"description": strings.Repeat("株", 2000), "recipient_name": strings.Repeat("Ł", 200),
			"notes": strings.Repeat("é", 4000)},
		"a long line description": lines(object{"description": strings.Repeat("é", 500)}),
		"lengths when trimmed":    {"recipient_name": " " + strings.Repeat("a", 200) + " "},
		"a hundred lines":         manyLines(100, nil),
		"the smallest line":       lines(object{"quantity": "0.000001", "unit_price_cents": 500_000}),
		"the largest line":        lines(object{"quantity": "1", "unit_price_cents": invoicing.MaxCents}),
		"a long address":          {"recipient_email": strings.Repeat("a", 245) + "@b.exampl"},
		"a tagged address":        {"recipient_email": "ap+tarmac@acme.example"},
		"an address of letters":   {"recipient_email": "łukasz@株式会社.example"},
		"an address in blanks":    {"recipient_email": " ap@acme.example "},
		"a host without a dot":    {"recipient_email": "ap@acme"},
		"no notes by null":        {"notes": nil},
		"the first due date":      {"due_date": "0001-01-01"},
		"the last due date":       {"due_date": "9999-12-31"},
		"no due date by null":     {"due_date": nil},
	} {
		if _, err := invoicing.ParseProposal(proposal(t, changes)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAProposalBecomesADraft(t *testing.T) {
	p, err := invoicing.ParseProposal([]byte(`{
		"due_date": "2026-12-31", "notes": " ask Jo ", "recipient_email": " ap@acme.example", "recipient_name": "Łukasz ",
		"line_items": [
			{"unit_price_cents": 160000, "quantity": "1.50", "description": " November\u3000"},
			{"unit_price_cents": 1, "quantity": "0.5", "description": "Rounding"},
			{"unit_price_cents": 1, "quantity": "0.5", "description": "Rounding"}
		],
		"description": "Platform", "currency": "USD"
	}`))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 13, 0, 0, 0, time.FixedZone("", 3600))
	inv := p.Invoice("inv_1", now)
	wantLines := []invoicing.LineItem{
		{Description: "November", Quantity: "1.50", UnitPriceCents: 160_000, AmountCents: 240_000},
		{Description: "Rounding", Quantity: "0.5", UnitPriceCents: 1, AmountCents: 1},
		{Description: "Rounding", Quantity: "0.5", UnitPriceCents: 1, AmountCents: 1},
	}
	utc := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	want := invoicing.Invoice{
		ID: "inv_1", Status: invoicing.Draft, Currency: "USD", Description: "Platform", RecipientName: "Łukasz",
		RecipientEmail: "ap@acme.example",
		SubtotalCents:  240_002, TotalCents: 240_002, DueDate: civil.MustParse("2026-12-31"), CreatedAt: utc, UpdatedAt: utc,
		Notes: "ask Jo", LineItems: wantLines,
	}
	if !reflect.DeepEqual(inv, want) {
		t.Errorf("got %+v\nwant %+v", inv, want)
	}
}

func TestFingerprintsTellProposalsApart(t *testing.T) {
	print := func(changes object) [32]byte {
		t.Helper()
		p, err := invoicing.ParseProposal(proposal(t, changes))
		if err != nil {
			t.Fatal(err)
		}
		return p.Fingerprint("tok_1")
	}
	same := print(nil)
	for name, changes := range map[string]object{
		"blanks around text": {"description": " Platform subscription "},
		"notes of null":      {"notes": nil},
		"empty notes":        {"notes": ""},
		"a due date of null": {"due_date": nil},
	} {
		if print(changes) != same {
			t.Errorf("%s make another proposal", name)
		}
	}
	seen := map[[32]byte]string{same: "the proposal as it is"}
	for name, changes := range map[string]object{
		"another description":      {"description": "Platform"},
		"another name":             {"recipient_name": "Acme"},
		"another address":          {"recipient_email": "ar@acme.example"},
		"notes":                    {"notes": "x"},
		"a due date":               {"due_date": "2026-12-31"},
		"another line description": lines(object{"description": "December"}),
		"another quantity":         lines(object{"quantity": "1.50"}),
		"another price":            lines(object{"unit_price_cents": 160_001}),
		"another line":             manyLines(2, nil),
		"words moved to the left":  {"description": "Platform subscriptionA", "recipient_name": "cme LLC"},
	} {
		sum := print(changes)
		if other, taken := seen[sum]; taken {
			t.Errorf("%s is taken for %s", name, other)
		}
		seen[sum] = name
	}
}

func TestTheTotalIsTheSumOfTheLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100).Draw(t, "lines")
		var items []string
		var want int64
		for range n {
			hundredths, price := rapid.Int64Range(1, 1_000_000).Draw(t, "hundredths"), rapid.Int64Range(50, 9_999).Draw(t,
				"price")
			quantity := strconv.FormatInt(hundredths/100, 10) + "." + strconv.FormatInt(100+hundredths%100, 10)[1:]
			items = append(items, `{"description":"a","quantity":"`+quantity+`","unit_price_cents":`+
				strconv.FormatInt(price, 10)+`}`)
			want += (hundredths*price + 50) / 100
		}
		p, err := invoicing.ParseProposal([]byte(`{"currency":"USD","description":"a","recipient_name":"a",` +
			`"recipient_email":"a@b","line_items":[` + strings.Join(items, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		inv := p.Invoice("inv_1", time.Time{})
		var sum int64
		for _, line := range inv.LineItems {
			sum += line.AmountCents
		}
		if inv.TotalCents != want || sum != want || inv.SubtotalCents+inv.TaxCents != inv.TotalCents {
			t.Fatalf("total %d of lines of %d, want %d", inv.TotalCents, sum, want)
		}
	})
}

// An accepted proposal obeys the rules and parses to the same proposal again. A refusal is one
// line without control characters.
func FuzzParseProposal(f *testing.F) {
	f.Add(proposal(f, nil))
	f.Add(proposal(f, object{"currency": "EUR", "notes": nil, "due_date": "2026-12-31"}))
	f.Add(proposal(f, object{"recipient_email": "Acme <a@b>", "notes": "a\x1bb"}))
	f.Add(proposal(f, lines(object{"quantity": "0.1", "unit_price_cents": 4})))
	f.Add([]byte(`{"currency":"USD","currency":"USD"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := invoicing.ParseProposal(body)
		if err != nil {
			if text := err.Error(); text == "" || len(text) > 300 || strings.ContainsAny(text, "\n\r\x00\x1b") {
				t.Errorf("%q", text)
			}
			return
		}
		if p.Currency != "USD" || len(p.Lines) == 0 || len(p.Lines) > 100 || p.TotalCents() < int64(len(p.Lines)) ||
			p.TotalCents() > invoicing.MaxCents {
			t.Errorf("%q: %+v", body, p)
		}
		again := object{"description": p.Description, "recipient_name": p.RecipientName, "recipient_email": p.RecipientEmail,
			"notes": p.Notes}
		for name, s := range again {
			if s := s.(string); s != strings.TrimSpace(s) || !utf8.ValidString(s) || s == "" && name != "notes" {
				t.Errorf("%q: %s is %q", body, name, s)
			}
		}
		if !p.DueDate.IsZero() {
			again["due_date"] = p.DueDate.String()
		}
		var items []any
		for _, l := range p.Lines {
			items = append(items, object{"description": l.Description, "quantity": l.Quantity,
				"unit_price_cents": l.UnitPriceCents})
		}
		again["line_items"] = items
		back, err := invoicing.ParseProposal(proposal(t, again))
		if err != nil || back.Fingerprint("tok_1") != p.Fingerprint("tok_1") {
			t.Errorf("%q reads back as %+v, %v", body, back, err)
		}
	})
}
