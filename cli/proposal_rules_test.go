package cli_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/service/invoicing"
)

// proposalWith returns a valid proposal with one change applied.
func proposalWith(change func(*apiclient.InvoiceProposal)) apiclient.InvoiceProposal {
	p := apiclient.InvoiceProposal{
		Currency: "USD", Description: "Platform subscription", RecipientName: "Acme LLC", RecipientEmail: "ap@acme.example",
		LineItems: []apiclient.LineItem{{Description: "November", Quantity: apiclient.MustQuantity("1"),
			UnitPriceCents: 100}},
	}
	change(&p)
	return p
}

// asSent returns the proposal as an unnormalized request body, blanks included, so that the
// service judges the same input as the client.
func asSent(t *testing.T, p apiclient.InvoiceProposal) []byte {
	t.Helper()
	lines := []map[string]any{}
	for _, line := range p.LineItems {
		lines = append(lines, map[string]any{
			"description": line.Description, "quantity": line.Quantity.String(), "unit_price_cents": line.UnitPriceCents,
		})
	}
	fields := map[string]any{
		"currency": p.Currency, "description": p.Description, "recipient_name": p.RecipientName,
		"recipient_email": p.RecipientEmail,
		"notes":           p.Notes, "line_items": lines,
	}
	if !p.DueDate.IsZero() {
		fields["due_date"] = p.DueDate.String()
	}
	body, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

type rulesCase struct {
	name string
	// want is the error of both, or "" if both accept the proposal.
	want   string
	change func(*apiclient.InvoiceProposal)
}

func firstItem(change func(*apiclient.LineItem)) func(*apiclient.InvoiceProposal) {
	return func(p *apiclient.InvoiceProposal) { change(&p.LineItems[0]) }
}

func someLines(n int) func(*apiclient.InvoiceProposal) {
	return func(p *apiclient.InvoiceProposal) {
		for len(p.LineItems) < n {
			p.LineItems = append(p.LineItems, p.LineItems[0])
		}
	}
}

// textCases returns the rules of one text field with a maximum length in characters.
func textCases(field string, most int, required bool, set func(*apiclient.InvoiceProposal, string)) []rulesCase {
	to := func(s string) func(*apiclient.InvoiceProposal) {
		return func(p *apiclient.InvoiceProposal) { set(p, s) }
	}
	tooLong := fmt.Sprintf("%s must not be longer than %d characters", field, most)
	control := field + " must not hold control characters"
	empty := ""
	if required {
		empty = field + " must not be empty"
	}
	return []rulesCase{
		{field + " at its limit", "", to(strings.Repeat("x", most))},
		{field + " at its limit, of wide characters", "", to(strings.Repeat("株", most))},
		{field + " at its limit, within blanks", "", to("  " + strings.Repeat("x", most) + "\u00a0\u3000 ")},
		{field + " above its limit", tooLong, to(strings.Repeat("x", most+1))},
		{field + " above its limit, of wide characters", tooLong, to(strings.Repeat("株", most+1))},
		{field + " left empty", empty, to("")},
		{field + " of blanks alone", empty, to(" \u00a0\u2003 ")},
		{field + " with a line break", control, to("a\nb")},
		{field + " with a line break at its end", control, to("a\n")},
		{field + " of a tab alone", control, to("\t")},
		{field + " with a NUL", control, to("a\x00b")},
		{field + " with DEL", control, to("a\x7fb")},
		{field + " with a control character of C1", control, to("a\u0085")},
		{field + " with marks of direction", "", to("a\u202eb\u200fc")},
		{field + " with a line separator", "", to("a\u2028b")},
		{field + " with the replacement character", "", to("a\ufffdb")},
	}
}

func rulesCases() []rulesCase {
	quantity := func(s string) func(*apiclient.InvoiceProposal) {
		return firstItem(func(l *apiclient.LineItem) { l.Quantity = apiclient.MustQuantity(s) })
	}
	price := func(cents int64) func(*apiclient.InvoiceProposal) {
		return firstItem(func(l *apiclient.LineItem) { l.UnitPriceCents = cents })
	}
	amount := func(q string, cents int64) func(*apiclient.InvoiceProposal) {
		return firstItem(func(l *apiclient.LineItem) { l.Quantity, l.UnitPriceCents = apiclient.MustQuantity(q), cents })
	}
	currency := func(code string) func(*apiclient.InvoiceProposal) {
		return func(p *apiclient.InvoiceProposal) { p.Currency = code }
	}
	due := func(year int, month, day int) func(*apiclient.InvoiceProposal) {
		return func(p *apiclient.InvoiceProposal) {
			p.DueDate = civil.MustParse(fmt.Sprintf("%04d-%02d-%02d", year, month, day))
		}
	}
	const (
		unsupported = "unsupported currency %q; only USD is supported"
		notCode     = "currency must be a three-letter code"
		noQuantity  = "line_items[0].quantity must be a decimal string greater than zero"
		noPrice     = "line_items[0].unit_price_cents must be positive"
		tooLittle   = "line_items[0] comes to less than one cent"
		tooMuch     = "line_items[0] comes to more than $10,000,000,000.00"
		tooMuchAll  = "the total is more than $10,000,000,000.00"
	)
	cases := []rulesCase{
		{"nothing changed", "", func(*apiclient.InvoiceProposal) {}},
		{"another currency", fmt.Sprintf(unsupported, "EUR"), currency("EUR")},
		{"the currency in small letters", fmt.Sprintf(unsupported, "usd"), currency("usd")},
		{"a currency of two letters", notCode, currency("US")},
		{"a currency of four letters", notCode, currency("USDX")},
		{"a currency with blanks", notCode, currency(" USD")},
		{"a currency of digits", notCode, currency("840")},
		{"a currency of three bytes and one letter", notCode, currency("株")},
		{"a currency with a letter that is not ASCII", notCode, currency("ÜS")},

		{"no lines", "line_items must not be empty", func(p *apiclient.InvoiceProposal) { p.LineItems = nil }},
		{"as many lines as there may be", "", someLines(100)},
		{"one line too many", "line_items must not have more than 100 items", someLines(101)},

		{"no quantity", noQuantity, firstItem(func(l *apiclient.LineItem) { l.Quantity = apiclient.Quantity{} })},
		{"the largest quantity", "", amount("999999999.999999", 1)},
		{"the smallest quantity that comes to a cent", "", amount("0.000001", 500_000)},
		{"the smallest quantity that does not", tooLittle, amount("0.000001", 499_999)},
		{"half a cent", "", amount("0.5", 1)},
		{"less than half a cent", tooLittle, quantity("0.004999")},
		{"no price", noPrice, price(0)},
		{"a negative price", noPrice, price(-1)},
		{"the most negative price", noPrice, price(-1 << 63)},
		{"the largest price", tooMuch, price(1<<63 - 1)},
		{"the largest line", "", price(1_000_000_000_000)},
		{"a line above the largest", tooMuch, price(1_000_000_000_001)},
		{"a line that rounds down to the largest", "", amount("0.1", 10_000_000_000_004)},
		{"a line that rounds up above the largest", tooMuch, amount("0.1", 10_000_000_000_005)},
		{"the largest of both", tooMuch, amount("999999999.999999", 1<<63-1)},
		{"the largest total", "", func(p *apiclient.InvoiceProposal) {
			price(500_000_000_000)(p)
			someLines(2)(p)
		}},
		{"a total above the largest", tooMuchAll, func(p *apiclient.InvoiceProposal) {
			price(500_000_000_000)(p)
			someLines(2)(p)
			p.LineItems[1].UnitPriceCents++
		}},
		{"the total of the largest lines", tooMuchAll, func(p *apiclient.InvoiceProposal) {
			price(1_000_000_000_000)(p)
			someLines(100)(p)
		}},
		{"a fault in the last line", "line_items[99].unit_price_cents must be positive", func(p *apiclient.InvoiceProposal) {
			someLines(100)(p)
			p.LineItems[99].UnitPriceCents = 0
		}},

		{"a due date in the past", "", due(1999, 12, 31)},
		{"a leap day", "", due(2028, 2, 29)},
		{"the first day of the calendar", "", due(1, 1, 1)},
		{"a day before 1900", "", due(1899, 12, 31)},
		{"the first day of 1900", "", due(1900, 1, 1)},
		{"the last day of 2258", "", due(2258, 12, 31)},
		{"a day after 2258", "", due(2259, 1, 1)},
		{"the last day of the calendar", "", due(9999, 12, 31)},
	}
	for _, fields := range [...][]rulesCase{
		textCases("description", 2000, true, func(p *apiclient.InvoiceProposal, s string) { p.Description = s }),
		textCases("recipient_name", 200, true, func(p *apiclient.InvoiceProposal, s string) { p.RecipientName = s }),
		textCases("notes", 4000, false, func(p *apiclient.InvoiceProposal, s string) { p.Notes = s }),
		textCases("line_items[0].description", 500, true,
			func(p *apiclient.InvoiceProposal, s string) { p.LineItems[0].Description = s }),
		addressCases(),
	} {
		cases = append(cases, fields...)
	}
	return cases
}

func addressCases() []rulesCase {
	const refused = "recipient_email must be an e-mail address such as pay@acme.example"
	of := func(n int) string { return strings.Repeat("a", n-len("@acme.example")) + "@acme.example" }
	var cases []rulesCase
	for _, c := range []struct{ address, want string }{
		{"a@b", ""},
		{"  ap@acme.example\u00a0", ""},
		{"ap+tag@acme.example", ""},
		{"ö@börse.example", ""},
		{of(254), ""},
		{of(255), "recipient_email must not be longer than 254 characters"},
		{"", "recipient_email must not be empty"},
		{" ", "recipient_email must not be empty"},
		{"ap@acme.example\n", "recipient_email must not hold control characters"},
		{"ap@acme.example\r\nBcc: all@acme.example", "recipient_email must not hold control characters"},
		{"acme.example", refused},
		{"@acme.example", refused},
		{"ap@", refused},
		{"ap@@acme.example", refused},
		{"ap@acme..example", refused},
		{"Acme <ap@acme.example>", refused},
		{"<ap@acme.example>", refused},
		{`"a p"@acme.example`, refused},
		{`"ap"@acme.example`, refused},
		{"ap@acme.example (office)", refused},
		{"ap@acme.example, b@acme.example", refused},
		{"a p@acme.example", refused},
		{"a\u00a0p@acme.example", refused},
		{"a\u2003p@acme.example", refused},
		{"=?utf-8?q?ap?=@acme.example", ""},
		{"ap@[192.0.2.1]", ""},
	} {
		cases = append(cases, rulesCase{"the address " + c.address, c.want,
			func(p *apiclient.InvoiceProposal) { p.RecipientEmail = c.address }})
	}
	return cases
}

// The client rejects an invalid proposal before sending it, with the service's error text
// (docs/api.md, Errors).
func TestClientAndServiceJudgeProposalsAlike(t *testing.T) {
	for _, c := range rulesCases() {
		t.Run(c.name, func(t *testing.T) {
			p := proposalWith(c.change)
			client := ""
			if found := p.Check(); len(found) > 0 {
				client = found[0].Text
			}
			service := ""
			if _, err := invoicing.ParseProposal(asSent(t, p)); err != nil {
				service = err.Error()
			}
			if client != c.want || service != c.want {
				t.Errorf("the client says %q, the service %q, want %q", client, service, c.want)
			}
		})
	}
}

// The service reports one of two mistakes. The client reports all, including the service's one,
// and nothing if the two cancel each other out.
func TestOfTwoMistakesTheClientTellsTheServicesToo(t *testing.T) {
	t.Parallel()
	cases := slices.DeleteFunc(rulesCases(), func(c rulesCase) bool { return c.want == "" })
	for i, a := range cases {
		for _, b := range cases[i+1:] {
			p := proposalWith(func(p *apiclient.InvoiceProposal) {
				a.change(p)
				if len(p.LineItems) > 0 {
					b.change(p)
				}
			})
			found := p.Check()
			if _, err := invoicing.ParseProposal(asSent(t, p)); err != nil {
				told := func(e apiclient.FieldError) bool { return e.Text == err.Error() }
				if !slices.ContainsFunc(found, told) {
					t.Errorf("%s and %s: the service says %q, the client %v", a.name, b.name, err, found)
				}
			} else if len(found) > 0 {
				t.Errorf("%s and %s: the service takes it, the client says %v", a.name, b.name, found)
			}
		}
	}
}

// The service accepts every proposal that Check accepts, and computes the total that the client
// shows.
func TestTheServiceTakesWhatTheClientHasChecked(t *testing.T) {
	t.Parallel()
	b := newBoth(t)
	if _, err := b.service.SetOwner(t.Context(), b.orgID, "Ada", "ada@northlight.example"); err != nil {
		t.Fatal(err)
	}
	for _, c := range rulesCases() {
		p := proposalWith(c.change)
		if len(p.Check()) > 0 {
			continue
		}
		invoice, err := b.client.ProposeInvoice(t.Context(), p)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		due, total := civil.Date{}, int64(0)
		if invoice.DueDate != nil {
			due = civil.Of(*invoice.DueDate)
		}
		total, _ = invoice.Total.Minor()
		if sum, err := p.Total(); err != nil || total != sum || due != p.DueDate {
			t.Errorf("%s: the invoice is over %d, due %v; the client said %d (%v), due %v", c.name, total, due, sum, err,
				p.DueDate)
		}
	}
}
