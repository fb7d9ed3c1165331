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

// The limits of a proposal (docs/api.md, Invoice proposal). Lengths are in
// characters.
const (
	MaxLineItems       = 100
	MaxLineDescription = 500
	MaxDescription     = 2000
	MaxName            = 200
	MaxEmail           = 254
	MaxNotes           = 4000
)

// currencyOfInvoices is the only currency that invoices are proposed in
// (docs/api.md, Invoice currency).
const currencyOfInvoices = "USD"

// InvoiceProposal is an invoice to be proposed (docs/api.md, Invoice proposal).
// Blanks around its text are not sent.
type InvoiceProposal struct {
	Currency       string // "USD", or "" for it
	Description    string
	RecipientName  string
	RecipientEmail string
	Notes          string     // internal; "" for none
	DueDate        Date       // zero for none
	LineItems      []LineItem // at least one
}

// LineItem is a line of a proposal.
type LineItem struct {
	Description    string
	Quantity       Quantity
	UnitPriceCents int64
}

// FieldError is a rule that a proposal breaks: the field by its name in the API,
// such as line_items[2].quantity, line_items[2] for what a line comes to and
// line_items for their number and total; and a sentence as the service would say it
// (docs/api.md, Errors).
type FieldError struct{ Field, Text string }

// Error returns the sentence.
func (e FieldError) Error() string { return e.Text }

func broken(field, rule string) FieldError { return FieldError{Field: field, Text: field + " " + rule} }

// Amount returns what the line comes to in cents: quantity times unit price,
// rounded half up, as the service has it (docs/api.md, Line amounts). Its error is a
// FieldError without the line's place: no quantity, no positive price, less than a
// cent, or more than MaxCents.
func (l LineItem) Amount() (cents int64, err error) {
	cents, field, rule := l.amount()
	switch {
	case rule == "":
		return cents, nil
	case field == "":
		return 0, FieldError{Text: "the line " + rule}
	}
	return 0, broken(field, rule)
}

// amount returns the rule that the line breaks, and of which field, "" for all of it.
func (l LineItem) amount() (cents int64, field, rule string) {
	cents, ok := l.Quantity.times(l.UnitPriceCents)
	switch {
	case l.Quantity.IsZero():
		return 0, "quantity", "must be a decimal string greater than zero"
	case l.UnitPriceCents <= 0:
		return 0, "unit_price_cents", "must be positive"
	case !ok:
		return 0, "", "comes to more than " + money.USD(MaxCents)
	case cents == 0:
		return 0, "", "comes to less than one cent"
	}
	return cents, "", ""
}

// Total returns the sum of the lines in cents, each rounded before. Its error is
// the first FieldError of a line, or that of a total above MaxCents.
func (p InvoiceProposal) Total() (cents int64, err error) {
	cents, found := total(p.LineItems)
	if len(found) > 0 {
		return 0, found[0]
	}
	return cents, nil
}

// total returns the sum of the lines and the rules that their amounts break.
func total(lines []LineItem) (cents int64, found rules) {
	for i, line := range lines {
		amount, field, rule := line.amount()
		if rule != "" {
			found.add(inLine(i, field, rule))
		}
		// Capped, so that no number of lines overflows.
		cents = min(cents+amount, MaxCents+1)
	}
	if len(found) == 0 && cents > MaxCents {
		found.add(FieldError{Field: "line_items", Text: "the total is more than " + money.USD(MaxCents)})
	}
	return cents, found
}

// inLine is a rule that a line breaks, with the line's place.
func inLine(i int, field, rule string) FieldError {
	place := "line_items[" + strconv.Itoa(i) + "]"
	if field != "" {
		place += "." + field
	}
	return broken(place, rule)
}

// Check returns every rule that the proposal breaks (docs/api.md, Invoice proposal),
// at most one for a field; none when it may be sent.
func (p InvoiceProposal) Check() []FieldError {
	var found rules
	if p.Currency != "" && p.Currency != currencyOfInvoices {
		found.add(currencyProblem(p.Currency))
	}
	found.required("description", p.Description, MaxDescription)
	found.lines(p.LineItems)
	found.required("recipient_name", p.RecipientName, MaxName)
	if found.required("recipient_email", p.RecipientEmail, MaxEmail) && !bareAddress(strings.TrimSpace(p.RecipientEmail)) {
		found.add(broken("recipient_email", "must be an e-mail address such as pay@acme.example"))
	}
	found.text("notes", p.Notes, MaxNotes)
	if !p.DueDate.IsZero() {
		if again, err := ParseDate(p.DueDate.String()); err != nil || again != p.DueDate {
			found.add(broken("due_date", "must be a calendar date in the form YYYY-MM-DD"))
		}
	}
	return found
}

// rules collects the rules that are broken.
type rules []FieldError

func (r *rules) add(e FieldError) { *r = append(*r, e) }

func (r *rules) lines(lines []LineItem) {
	switch {
	case len(lines) == 0:
		r.add(broken("line_items", "must not be empty"))
		return
	case len(lines) > MaxLineItems:
		r.add(broken("line_items", fmt.Sprintf("must not have more than %d items", MaxLineItems)))
		return
	}
	for i, line := range lines {
		r.required("line_items["+strconv.Itoa(i)+"].description", line.Description, MaxLineDescription)
	}
	_, found := total(lines)
	*r = append(*r, found...)
}

// required checks text of one to most characters, and reports whether it is sound.
func (r *rules) required(field, s string, most int) bool {
	if !r.text(field, s, most) {
		return false
	}
	if strings.TrimSpace(s) == "" {
		r.add(broken(field, "must not be empty"))
		return false
	}
	return true
}

// text checks text of at most so many characters. A control character is refused
// in the blanks around it too: a line break after an address is no slip of the pen.
func (r *rules) text(field, s string, most int) bool {
	switch {
	case !utf8.ValidString(s):
		r.add(broken(field, "must be valid UTF-8"))
	case strings.ContainsFunc(s, unicode.IsControl):
		r.add(broken(field, "must not hold control characters"))
	case utf8.RuneCountInString(strings.TrimSpace(s)) > most:
		r.add(broken(field, fmt.Sprintf("must not be longer than %d characters", most)))
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
		return broken("currency", "must be a three-letter code")
	}
	return FieldError{
		Field: "currency",
		Text:  fmt.Sprintf("unsupported currency %q; only %s is supported", code, currencyOfInvoices),
	}
}

// bareAddress reports whether s is an e-mail address as it is written to and
// nothing else: what net/mail reads in it must be all of it. net/mail takes blanks
// that are not ASCII for letters.
func bareAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && !strings.ContainsFunc(s, unicode.IsSpace)
}
