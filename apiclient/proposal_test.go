package apiclient_test

import (
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
)

var quantityText = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$`)

func TestQuantitiesAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "1.5": "1.5", "1.50": "1.5", "2.000000": "2", "0.000001": "0.000001",
		"999999999.999999": "999999999.999999", "10": "10", "0.10": "0.1",
		"": "", "0": "", "0.0": "", "00": "", "01": "", ".5": "", "5.": "", "1,5": "", "-1": "", "+1": "", "1e3": "",
		" 1": "", "1 ": "", "1\n": "", "NaN": "", "0x1": "", "1_0": "",
		"1000000000": "", "0.0000001": "", "1.2.3": "", "١": "", "１": "", "1.-5": "", "1. 5": "", "\x00": "",
	} {
		q, err := apiclient.ParseQuantity(text)
		switch {
		case want == "" && (!errors.Is(err, apiclient.ErrQuantity) || !q.IsZero()):
			t.Errorf("%q was read as %s, %v", text, q, err)
		case want != "" && (err != nil || q.String() != want):
			t.Errorf("%q: %s, %v, want %s", text, q, err, want)
		}
	}
	if got := (apiclient.Quantity{}).String(); got != "" {
		t.Errorf("the zero value is %q", got)
	}
}

func FuzzParseQuantity(f *testing.F) {
	for _, seed := range []string{"1", "1.5", "0", "0.000001", "999999999.999999", "01", "1e3", "-1", ".5", "5.",
		"1.0000000", "٣", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := apiclient.ParseQuantity(s)
		var exact *big.Rat
		if quantityText.MatchString(s) {
			exact, _ = new(big.Rat).SetString(s)
		}
		if valid := exact != nil && exact.Sign() > 0; valid != (err == nil) {
			t.Fatalf("%q: %v", s, err)
		}
		if err != nil {
			return
		}
		again, err := apiclient.ParseQuantity(q.String())
		if err != nil || again != q {
			t.Fatalf("%q is %s, and that is %s, %v", s, q, again, err)
		}
		if same, ok := new(big.Rat).SetString(q.String()); !ok || same.Cmp(exact) != 0 {
			t.Fatalf("%q became %s", s, q)
		}
	})
}

func TestAmountsOfLines(t *testing.T) {
	for _, c := range []struct {
		quantity string
		price    int64
		want     int64
		problem  string
	}{
		{"1.5", 160000, 240000, ""}, {"0.5", 1, 1, ""}, {"0.499999", 1, 0, "the line comes to less than one cent"},
		{"1.5", 1, 2, ""}, {"2.5", 1, 3, ""}, {"0.333333", 3, 1, ""},
		{"0.000001", 500000, 1, ""}, {"0.000001", 499999, 0, "the line comes to less than one cent"},
		{"999999999", 1000, 999999999000, ""},
		{"1", apiclient.MaxCents, apiclient.MaxCents, ""},
		{"1", apiclient.MaxCents + 1, 0, "the line comes to more than $10,000,000,000.00"},
		{"1.000001", apiclient.MaxCents, 0, "the line comes to more than $10,000,000,000.00"},
		{"999999999.999999", 1<<63 - 1, 0, "the line comes to more than $10,000,000,000.00"},
		{"1", 0, 0, "unit_price_cents must be positive"}, {"1", -5, 0, "unit_price_cents must be positive"},
		{"1", -1 << 63, 0, "unit_price_cents must be positive"},
	} {
		got, err := apiclient.LineItem{Quantity: apiclient.MustQuantity(c.quantity), UnitPriceCents: c.price}.Amount()
		if got != c.want || (err == nil) != (c.problem == "") || err != nil && err.Error() != c.problem {
			t.Errorf("%s × %d: %d, %v, want %d, %s", c.quantity, c.price, got, err, c.want, c.problem)
		}
	}
	var field apiclient.FieldError
	if _, err := (apiclient.LineItem{UnitPriceCents: 1}).Amount(); !errors.As(err, &field) || field.Field != "quantity" {
		t.Errorf("no quantity: %v", err)
	}
}

// rounded returns quantity × price rounded half up to a cent, computed with exact
// fractions.
func rounded(t *rapid.T, quantity string, price int64) *big.Int {
	exact, ok := new(big.Rat).SetString(quantity)
	if !ok {
		t.Fatalf("%q is no number", quantity)
	}
	exact.Mul(exact, new(big.Rat).SetInt64(price))
	exact.Add(exact, big.NewRat(1, 2))
	return new(big.Int).Div(exact.Num(), exact.Denom())
}

func TestTheTotalIsTheSumOfRoundedLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p apiclient.InvoiceProposal
		sum, sound := new(big.Int), true
		most := big.NewInt(apiclient.MaxCents)
		for range rapid.IntRange(0, 5).Draw(t, "lines") {
			quantity := rapid.StringMatching(`(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?`).Draw(t, "quantity")
			price := rapid.OneOf(rapid.Int64Range(1, 100), rapid.Int64Range(1, apiclient.MaxCents), rapid.Int64Min(1)).
				Draw(t, "price")
			q, err := apiclient.ParseQuantity(quantity)
			if err != nil {
				continue // zero
			}
			line := apiclient.LineItem{Quantity: q, UnitPriceCents: price}
			p.LineItems = append(p.LineItems, line)
			want := rounded(t, quantity, price)
			got, err := line.Amount()
			fits := want.Sign() > 0 && want.Cmp(most) <= 0
			if fits != (err == nil) || fits && got != want.Int64() {
				t.Fatalf("%s × %d: %d, %v, want %s", quantity, price, got, err, want)
			}
			sum.Add(sum, want)
			sound = sound && fits
		}
		got, err := p.Total()
		fits := sound && sum.Cmp(most) <= 0
		if fits != (err == nil) || fits && got != sum.Int64() {
			t.Fatalf("total %d, %v, want %s", got, err, sum)
		}
	})
}

func TestRulesOfAProposal(t *testing.T) {
	line := proposal().LineItems[0]
	long := func(n int) string { return strings.Repeat("é", n) }
	type p = apiclient.InvoiceProposal
	for name, c := range map[string]struct {
		change func(*p)
		want   []string // messages; each begins with its field unless field says otherwise
		field  string
	}{
		"nothing": {change: func(*p) {}},
		"currency lower case": {change: func(p *p) { p.Currency = "usd" },
			want: []string{`unsupported currency "usd"; only USD is supported`}, field: "currency"},
		"currency other": {change: func(p *p) { p.Currency = "EUR" },
			want: []string{`unsupported currency "EUR"; only USD is supported`}, field: "currency"},
		"currency no code": {change: func(p *p) { p.Currency = "U$D" },
			want: []string{"currency must be a three-letter code"}},
		"currency in blanks": {change: func(p *p) { p.Currency = " USD" },
			want: []string{"currency must be a three-letter code"}},
		"description empty": {change: func(p *p) { p.Description = " \u00a0 " },
			want: []string{"description must not be empty"}},
		"description longest": {change: func(p *p) { p.Description = " " + long(2000) + " " }},
		"description too long": {change: func(p *p) { p.Description = long(2001) },
			want: []string{"description must not be longer than 2000 characters"}},
		"description with line": {change: func(p *p) { p.Description = "a\nb" },
			want: []string{"description must not hold control characters"}},
		"description, C1": {change: func(p *p) { p.Description = "a\u009bb" },
			want: []string{"description must not hold control characters"}},
		"description no UTF-8": {change: func(p *p) { p.Description = "a\xffb" },
			want: []string{"description must be valid UTF-8"}},
		"name empty": {change: func(p *p) { p.RecipientName = "" },
			want: []string{"recipient_name must not be empty"}},
		"name longest": {change: func(p *p) { p.RecipientName = long(200) }},
		"name too long": {change: func(p *p) { p.RecipientName = long(201) },
			want: []string{"recipient_name must not be longer than 200 characters"}},
		"notes longest": {change: func(p *p) { p.Notes = long(4000) }},
		"notes too long": {change: func(p *p) { p.Notes = long(4001) },
			want: []string{"notes must not be longer than 4000 characters"}},
		"notes with tab": {change: func(p *p) { p.Notes = "a\tb" },
			want: []string{"notes must not hold control characters"}},
		"date past": {change: func(p *p) { p.DueDate = apiclient.NewDate(2001, 1, 1) }},
		"date none": {change: func(p *p) { p.DueDate = apiclient.Date{} }},
		"date beyond the form": {change: func(p *p) { p.DueDate = apiclient.NewDate(12026, 1, 1) },
			want: []string{"due_date must be a calendar date in the form YYYY-MM-DD"}},
		"no lines":   {change: func(p *p) { p.LineItems = nil }, want: []string{"line_items must not be empty"}},
		"most lines": {change: func(p *p) { p.LineItems = slices.Repeat([]apiclient.LineItem{line}, 100) }},
		"too many lines": {change: func(p *p) { p.LineItems = slices.Repeat([]apiclient.LineItem{line}, 101) },
			want: []string{"line_items must not have more than 100 items"}},
		"line without text": {change: func(p *p) { p.LineItems[1].Description = "" },
			want: []string{"line_items[1].description must not be empty"}},
		"line too long": {change: func(p *p) { p.LineItems[0].Description = long(501) },
			want: []string{"line_items[0].description must not be longer than 500 characters"}},
		"line longest": {change: func(p *p) { p.LineItems[0].Description = long(500) }},
		"line without quantity": {change: func(p *p) { p.LineItems[1].Quantity = apiclient.Quantity{} },
			want: []string{"line_items[1].quantity must be a decimal string greater than zero"}},
		"line without price": {change: func(p *p) { p.LineItems[0].UnitPriceCents = 0 },
			want: []string{"line_items[0].unit_price_cents must be positive"}},
		"line below a cent": {change: func(p *p) {
			p.LineItems[0] = apiclient.LineItem{Description: "x", Quantity: apiclient.MustQuantity("0.1"), UnitPriceCents: 4}
		}, want: []string{"line_items[0] comes to less than one cent"}},
		"line too large": {change: func(p *p) { p.LineItems[1].UnitPriceCents = apiclient.MaxCents },
			want: []string{"line_items[1] comes to more than $10,000,000,000.00"}},
		"total too large": {change: func(p *p) { p.LineItems[1].UnitPriceCents = apiclient.MaxCents / 2 },
			want: []string{"the total is more than $10,000,000,000.00"}, field: "line_items"},
		"several": {change: func(p *p) { *p = apiclient.InvoiceProposal{LineItems: []apiclient.LineItem{{}}} },
			want: []string{
				"description must not be empty", "line_items[0].description must not be empty",
				"line_items[0].quantity must be a decimal string greater than zero",
				"recipient_name must not be empty", "recipient_email must not be empty",
			}},
	} {
		p := proposal()
		c.change(&p)
		var texts []string
		for _, found := range p.Check() {
			texts = append(texts, found.Text)
			if c.field == "" && !strings.HasPrefix(found.Text, found.Field+" ") || c.field != "" && found.Field != c.field {
				t.Errorf("%s: field %q, text %q", name, found.Field, found.Text)
			}
		}
		if !slices.Equal(texts, c.want) {
			t.Errorf("%s: %q, want %q", name, texts, c.want)
		}
	}
}

func TestRecipientsAreBareAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"a@b.c": true, " ap@acme.example ": true, "a+b@acme.example": true, "a.b-c_d@sub.acme.example": true,
		"a@localhost": true, "jörg@exämple.com": true,
		strings.Repeat("a", 242) + "@acme.exampl": true, strings.Repeat("a", 243) + "@acme.exampl": false,
		"": false, "a": false, "@b": false, "a@": false, "a@b@c": false, "Acme <a@b.c>": false, "<a@b.c>": false,
		"a@b.c (Acme)": false, "a@b.c, d@e.f": false,
		"a b@c.d": false, `"a b"@c.d`: false, "a@b.c\r\nBcc: x@y.z": false, "a@b.c\n": false, "a\u00a0b@c.d": false,
		"mailto:a@b.c": false,
	} {
		p := proposal()
		p.RecipientEmail = address
		found := p.Check()
		if (len(found) == 0) != ok || len(found) > 1 || !ok && found[0].Field != "recipient_email" {
			t.Errorf("%q (%d bytes): %v", address, len(address), found)
		}
	}
}
