package invoicing

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/jsonbody"
)

// The limits of a proposal (docs/api.md, Invoice proposal). Lengths are in
// characters.
const (
	maxLines           = 100
	maxLineDescription = 500
	maxDescription     = 2000
	maxName            = 200
	maxEmail           = 254
	maxNotes           = 4000
)

// AnswersKept is for how long a repeated proposal with the same Idempotency-Key gets
// the first answer again (docs/api.md, Idempotency key).
const AnswersKept = 24 * time.Hour

// currencyOfInvoices is the only currency that invoices are proposed in.
const currencyOfInvoices = "USD"

// UnsupportedCurrencyError is the error of a proposal that is valid but for its
// currency. Code is the three ASCII letters that were given.
type UnsupportedCurrencyError struct{ Code string }

func (e *UnsupportedCurrencyError) Error() string {
	return fmt.Sprintf("unsupported currency %q; only %s is supported", e.Code, currencyOfInvoices)
}

// Proposal is an invoice as it is proposed (docs/api.md, Invoice proposal), all
// rules kept: text is trimmed, and every line comes to a cent at least. Money is
// integer cents of Currency.
type Proposal struct {
	Currency       string
	Description    string
	RecipientName  string
	RecipientEmail string
	Notes          string     // "" when there are none
	DueDate        civil.Date // zero when there is none
	Lines          []LineItem
}

// ParseProposal reads the body of a request. Its error is a *jsonbody.Error, or
// an *UnsupportedCurrencyError when nothing else is wrong.
func ParseProposal(body []byte) (Proposal, error) {
	fields, err := jsonbody.Parse(body, "currency", "description", "line_items", "recipient_name", "recipient_email", "notes", "due_date")
	if err != nil {
		return Proposal{}, err
	}
	var p Proposal
	for _, read := range [...]func(*jsonbody.Object) error{
		p.readCurrency, p.readDescription, p.readLines, p.readRecipient, p.readNotes, p.readDueDate,
	} {
		if err := read(fields); err != nil {
			return Proposal{}, err
		}
	}
	if p.TotalCents() > MaxCents {
		return Proposal{}, &jsonbody.Error{Text: "the total is more than " + money.USD(MaxCents)}
	}
	if p.Currency != currencyOfInvoices {
		return Proposal{}, &UnsupportedCurrencyError{Code: p.Currency}
	}
	return p, nil
}

func (p *Proposal) readCurrency(fields *jsonbody.Object) error {
	code, err := fields.Text("currency")
	if err != nil || len(code) != 3 || strings.ContainsFunc(code, notLetter) {
		return fields.Invalid("currency", "must be a three-letter code")
	}
	p.Currency = code
	return nil
}

func notLetter(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }

func (p *Proposal) readDescription(fields *jsonbody.Object) (err error) {
	p.Description, err = requiredText(fields, "description", maxDescription)
	return err
}

func (p *Proposal) readRecipient(fields *jsonbody.Object) (err error) {
	if p.RecipientName, err = requiredText(fields, "recipient_name", maxName); err != nil {
		return err
	}
	if p.RecipientEmail, err = requiredText(fields, "recipient_email", maxEmail); err != nil {
		return err
	}
	if !bareAddress(p.RecipientEmail) {
		return fields.Invalid("recipient_email", "must be an e-mail address such as pay@acme.example")
	}
	return nil
}

// bareAddress reports whether s is an e-mail address as it is written to and
// nothing else: what net/mail reads in it must be all of it. That refuses names,
// comments and quoted parts; net/mail takes blanks that are not ASCII for letters.
func bareAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && !strings.ContainsFunc(s, unicode.IsSpace)
}

func (p *Proposal) readNotes(fields *jsonbody.Object) error {
	notes, _, err := fields.OptionalText("notes")
	if err != nil {
		return err
	}
	p.Notes, err = trimmed(fields, "notes", notes, maxNotes)
	return err
}

func (p *Proposal) readDueDate(fields *jsonbody.Object) error {
	text, given, err := fields.OptionalText("due_date")
	if err == nil && !given {
		return nil
	}
	// What is no string came as "", which is no date either.
	if p.DueDate, err = civil.Parse(text); err != nil {
		return fields.Invalid("due_date", "must be a calendar date in the form YYYY-MM-DD")
	}
	return nil
}

func (p *Proposal) readLines(fields *jsonbody.Object) error {
	lines, err := fields.Objects("line_items", maxLines, "description", "quantity", "unit_price_cents")
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return fields.Invalid("line_items", "must not be empty")
	}
	p.Lines = make([]LineItem, len(lines))
	for i, line := range lines {
		if p.Lines[i], err = readLine(line); err != nil {
			return err
		}
	}
	return nil
}

func readLine(fields *jsonbody.Object) (line LineItem, err error) {
	if line.Description, err = requiredText(fields, "description", maxLineDescription); err != nil {
		return LineItem{}, err
	}
	// Text that is no string is no decimal either.
	line.Quantity, _ = fields.Text("quantity")
	quantity, err := ParseQuantity(line.Quantity)
	if err != nil {
		return LineItem{}, fields.Invalid("quantity", "must be a decimal string greater than zero")
	}
	if line.UnitPriceCents, err = fields.Integer("unit_price_cents"); err != nil {
		return LineItem{}, err
	}
	if line.UnitPriceCents <= 0 {
		return LineItem{}, fields.Invalid("unit_price_cents", "must be positive")
	}
	cents, ok := quantity.Times(line.UnitPriceCents)
	switch {
	case !ok:
		return LineItem{}, fields.Invalid("", "comes to more than "+money.USD(MaxCents))
	case cents == 0:
		return LineItem{}, fields.Invalid("", "comes to less than one cent")
	}
	line.AmountCents = cents
	return line, nil
}

// requiredText returns text of one to most characters.
func requiredText(fields *jsonbody.Object, name string, most int) (string, error) {
	s, err := fields.Text(name)
	if err != nil {
		return "", err
	}
	if s, err = trimmed(fields, name, s, most); err != nil {
		return "", err
	}
	if s == "" {
		return "", fields.Invalid(name, "must not be empty")
	}
	return s, nil
}

// trimmed returns s without the space around it. A control character is refused
// there too: a line break after an address is no slip of the pen.
func trimmed(fields *jsonbody.Object, name, s string, most int) (string, error) {
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", fields.Invalid(name, "must not hold control characters")
	}
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > most {
		return "", fields.Invalid(name, fmt.Sprintf("must not be longer than %d characters", most))
	}
	return s, nil
}

// TotalCents returns the sum of the lines, each rounded before (docs/api.md, Line
// amounts).
func (p Proposal) TotalCents() int64 {
	var sum int64
	for _, line := range p.Lines {
		sum += line.AmountCents
	}
	return sum
}

// Invoice returns the draft that is proposed. It has no number yet.
func (p Proposal) Invoice(id string, now time.Time) Invoice {
	total := p.TotalCents()
	return Invoice{
		ID: id, Status: Draft, Currency: p.Currency, Description: p.Description,
		RecipientName: p.RecipientName, RecipientEmail: p.RecipientEmail,
		SubtotalCents: total, TotalCents: total, DueDate: p.DueDate,
		CreatedAt: now.UTC(), UpdatedAt: now.UTC(), Notes: p.Notes, LineItems: slices.Clone(p.Lines),
	}
}

// Fingerprint tells proposals apart by what they say, whatever the order of
// their fields and the blanks between them (docs/api.md, Idempotency key).
func (p Proposal) Fingerprint() [sha256.Size]byte {
	var b []byte
	add := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	for _, s := range [...]string{p.Currency, p.Description, p.RecipientName, p.RecipientEmail, p.Notes, p.DueDate.String()} {
		add(s)
	}
	for _, line := range p.Lines {
		add(line.Description)
		add(line.Quantity)
		add(strconv.FormatInt(line.UnitPriceCents, 10))
	}
	return sha256.Sum256(b)
}
