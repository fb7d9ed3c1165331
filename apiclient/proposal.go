package apiclient

import (
	"fmt"
	"net/mail"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/money"
)

// Limits of an invoice proposal (docs/api.md, Invoice proposal). Lengths are in characters.
const (
	MaxLineItems       = 100
	MaxLineDescription = 500
	MaxDescription     = 2000
	MaxName            = 200
	MaxEmail           = 254
	MaxNotes           = 4000
)

// InvoiceCurrency is the only currency in which invoices can be proposed (docs/api.md, Invoice
// currency).
const InvoiceCurrency = "USD"

// InvoiceProposal is an invoice to be proposed (docs/api.md, Invoice proposal). Leading and
// trailing spaces of its texts are not sent.
type InvoiceProposal struct {
	Currency       string // "USD", or "" with the same meaning
	Description    string
	RecipientName  string
	RecipientEmail string
	Notes          string     // internal, not shown to the customer; may be ""
	DueDate        Date       // zero for an invoice without a due date
	LineItems      []LineItem // at least one line item
}

// LineItem is a line of a proposal.
type LineItem struct {
	Description    string
	Quantity       Quantity
	UnitPriceCents int64
}

// FieldError says that a proposal breaks a rule. Field is the name of the field in the API, such as
// line_items[2].quantity; line_items[2] means the amount of one line, and line_items the number of
// lines or their total. Text is the message that the service would send (docs/api.md, Errors).
type FieldError struct{ Field, Text string }

// Error returns Text.
func (e FieldError) Error() string { return e.Text }

func fieldError(field, rule string) FieldError {
	return FieldError{Field: field, Text: field + " " + rule}
}

// Amount returns quantity times unit price in cents, rounded half up, as the service computes it
// (docs/api.md, Line amounts). The error is a FieldError without the line's index. It says that the
// quantity is missing, that the price is not positive, or that the amount is below one cent or
// above MaxCents.
func (l LineItem) Amount() (cents int64, err error) {
	cents, field, rule := l.amount()
	switch {
	case rule == "":
		return cents, nil
	case field == "":
		return 0, FieldError{Text: "the line " + rule}
	}
	return 0, fieldError(field, rule)
}

// amount returns the amount of the line in cents. If the line breaks a rule, it returns the rule
// and the field that breaks it; "" means the whole line.
func (l LineItem) amount() (cents int64, field, rule string) {
	cents, ok := l.Quantity.times(l.UnitPriceCents)
	switch {
	case l.Quantity.IsZero():
		return 0, "quantity", "must be a decimal string greater than zero"
	case l.UnitPriceCents <= 0:
		return 0, "unit_price_cents", "must be positive"
	case !ok:
		return 0, "", "comes to more than " + money.Text(MaxCents, InvoiceCurrency)
	case cents == 0:
		return 0, "", "comes to less than one cent"
	}
	return cents, "", ""
}

// Total returns the sum of the rounded line amounts, in cents. The error is the FieldError of the
// first invalid line, or says that the total exceeds MaxCents.
func (p InvoiceProposal) Total() (cents int64, err error) {
	cents, found := total(p.LineItems)
	if len(found) > 0 {
		return 0, found[0]
	}
	return cents, nil
}

// total returns the sum of the line amounts in cents, and the rules broken by lines or by the sum.
func total(lines []LineItem) (cents int64, found rules) {
	for i, line := range lines {
		amount, field, rule := line.amount()
		if rule != "" {
			found.add(lineError(i, field, rule))
		}
		// Limit the sum, so that it cannot overflow however many lines there are.
		cents = min(cents+amount, MaxCents+1)
	}
	if len(found) == 0 && cents > MaxCents {
		found.add(FieldError{Field: "line_items", Text: "the total is more than " + money.Text(MaxCents, InvoiceCurrency)})
	}
	return cents, found
}

// lineError returns the error that the line with index i breaks a rule.
func lineError(i int, field, rule string) FieldError {
	place := "line_items[" + strconv.Itoa(i) + "]"
	if field != "" {
		place += "." + field
	}
	return fieldError(place, rule)
}

// Check returns the rules that the proposal breaks, at most one per field (docs/api.md, Invoice
// proposal). For a valid proposal it returns none.
func (p InvoiceProposal) Check() []FieldError {
	var found rules
	if p.Currency != "" && p.Currency != InvoiceCurrency {
		found.add(currencyProblem(p.Currency))
	}
	found.required("description", p.Description, MaxDescription)
	found.lines(p.LineItems)
	found.required("recipient_name", p.RecipientName, MaxName)
	if found.required("recipient_email", p.RecipientEmail, MaxEmail) && !bareAddress(strings.TrimSpace(p.RecipientEmail)) {
		found.add(fieldError("recipient_email", "must be an e-mail address such as pay@acme.example"))
	}
	found.text("notes", p.Notes, MaxNotes)
	if !p.DueDate.IsZero() {
		if again, err := ParseDate(p.DueDate.String()); err != nil || again != p.DueDate {
			found.add(fieldError("due_date", "must be a calendar date in the form YYYY-MM-DD"))
		}
	}
	return found
}

// rules collects the broken rules.
type rules []FieldError

func (r *rules) add(e FieldError) { *r = append(*r, e) }

func (r *rules) lines(lines []LineItem) {
	switch {
	case len(lines) == 0:
		r.add(fieldError("line_items", "must not be empty"))
		return
	case len(lines) > MaxLineItems:
		r.add(fieldError("line_items", fmt.Sprintf("must not have more than %d items", MaxLineItems)))
		return
	}
	for i, line := range lines {
		r.required("line_items["+strconv.Itoa(i)+"].description", line.Description, MaxLineDescription)
	}
	_, found := total(lines)
	*r = append(*r, found...)
}

// required checks a text of 1 to maxLength characters and reports whether it is valid.
func (r *rules) required(field, s string, maxLength int) bool {
	if !r.text(field, s, maxLength) {
		return false
	}
	if strings.TrimSpace(s) == "" {
		r.add(fieldError(field, "must not be empty"))
		return false
	}
	return true
}

// text checks the length and the characters of a text and reports whether it is valid. It refuses
// control characters even in leading and trailing white space, because a line break after an e-mail
// address may be an attack.
func (r *rules) text(field, s string, most int) bool {
	switch {
	case !utf8.ValidString(s):
		r.add(fieldError(field, "must be valid UTF-8"))
	case strings.ContainsFunc(s, unicode.IsControl):
		r.add(fieldError(field, "must not hold control characters"))
	case utf8.RuneCountInString(strings.TrimSpace(s)) > most:
		r.add(fieldError(field, fmt.Sprintf("must not be longer than %d characters", most)))
	default:
		return true
	}
	return false
}

func currencyProblem(code string) FieldError {
	letters := len(code) == 3 && !strings.ContainsFunc(code, func(r rune) bool {
		return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if !letters {
		return fieldError("currency", "must be a three-letter code")
	}
	return FieldError{
		Field: "currency",
		Text:  fmt.Sprintf("unsupported currency %q; only %s is supported", code, InvoiceCurrency),
	}
}

// bareAddress reports whether s is an e-mail address without anything else, such as a name. It
// refuses non-ASCII spaces, which net/mail accepts as letters.
func bareAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && !strings.ContainsFunc(s, unicode.IsSpace)
}
