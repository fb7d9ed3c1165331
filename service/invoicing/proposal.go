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

// The limits of a proposed invoice (docs/api.md, Invoice proposal). maxLines limits line items; the
// others limit characters.
const (
	maxLines           = 100
	maxLineDescription = 500
	maxDescription     = 2000
	maxName            = 200
	maxEmail           = 254
	maxNotes           = 4000
)

// Limits of an organization's drafts: how many there may be, and the bytes of their texts. An
// operator can set others, up to MostDrafts, because each proposal counts the drafts.
const (
	DefaultMaxDrafts     = 2_000
	DefaultMaxDraftBytes = 32 << 20
	MostDrafts           = 50_000
)

// ResponseRetention is how long the response to a proposal is stored. During that time, a request
// with the same Idempotency-Key gets the stored response (docs/api.md, Idempotency key).
const ResponseRetention = 24 * time.Hour

// invoiceCurrency is the only currency of proposed invoices.
const invoiceCurrency = "USD"

// UnsupportedCurrencyError is returned for a proposal that is valid except for its currency.
// Code is the currency that was given: three ASCII letters.
type UnsupportedCurrencyError struct{ Code string }

func (e *UnsupportedCurrencyError) Error() string {
	return fmt.Sprintf("unsupported currency %q; only %s is supported", e.Code, invoiceCurrency)
}

// Proposal is a valid proposed invoice (docs/api.md, Invoice proposal). Its texts have no blanks
// around them. Amounts are in cents of Currency; the amount of each line is at least one cent.
type Proposal struct {
	Currency       string
	Description    string
	RecipientName  string
	RecipientEmail string
	Notes          string     // "" if there are none
	DueDate        civil.Date // zero if the invoice has no due date
	Lines          []LineItem
}

// ParseProposal parses the body of a request for a proposed invoice. The error is a
// *jsonbody.Error. If only the currency is wrong, it is an *UnsupportedCurrencyError.
func ParseProposal(body []byte) (Proposal, error) {
	fields, err := jsonbody.Parse(body, "currency", "description", "line_items", "recipient_name", "recipient_email",
		"notes", "due_date")
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
		return Proposal{}, &jsonbody.Error{Text: "the total is more than " + money.Text(MaxCents, "USD")}
	}
	if p.Currency != invoiceCurrency {
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
	if !isBareAddress(p.RecipientEmail) {
		return fields.Invalid("recipient_email", "must be an e-mail address such as pay@acme.example")
	}
	return nil
}

// isBareAddress reports whether s is an e-mail address without a display name, comments or quoted
// parts: net/mail must return all of s as the address. Blanks are checked here, because net/mail
// treats those beyond ASCII as letters.
func isBareAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && !strings.ContainsFunc(s, unicode.IsSpace)
}

func (p *Proposal) readNotes(fields *jsonbody.Object) error {
	notes, _, err := fields.OptionalText("notes")
	if err != nil {
		return err
	}
	p.Notes, err = trimText(fields, "notes", notes, maxNotes)
	return err
}

func (p *Proposal) readDueDate(fields *jsonbody.Object) error {
	text, given, err := fields.OptionalText("due_date")
	if err == nil && !given {
		return nil
	}
	// If the value is not a string, text is "", which is not a date either.
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
	// If the value is not a string, Quantity is "", which is not a decimal either.
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
		return LineItem{}, fields.Invalid("", "comes to more than "+money.Text(MaxCents, "USD"))
	case cents == 0:
		return LineItem{}, fields.Invalid("", "comes to less than one cent")
	}
	line.AmountCents = cents
	return line, nil
}

// requiredText returns a field's text without the blanks around it. It returns an error unless the
// text has 1 to limit characters.
func requiredText(fields *jsonbody.Object, name string, limit int) (string, error) {
	s, err := fields.Text(name)
	if err != nil {
		return "", err
	}
	if s, err = trimText(fields, name, s, limit); err != nil {
		return "", err
	}
	if s == "" {
		return "", fields.Invalid(name, "must not be empty")
	}
	return s, nil
}

// trimText returns s without the blanks around it. A control character is an error even there: a
// line break after an address, for example, is not a typing mistake.
func trimText(fields *jsonbody.Object, name, s string, limit int) (string, error) {
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", fields.Invalid(name, "must not hold control characters")
	}
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > limit {
		return "", fields.Invalid(name, fmt.Sprintf("must not be longer than %d characters", limit))
	}
	return s, nil
}

// TotalCents returns the sum of the amounts of all lines, each of which is rounded to a cent
// (docs/api.md, Line amounts).
func (p Proposal) TotalCents() int64 {
	var sum int64
	for _, line := range p.Lines {
		sum += line.AmountCents
	}
	return sum
}

// Invoice returns the proposal as a draft invoice, which has no number yet.
func (p Proposal) Invoice(id string, now time.Time) Invoice {
	total := p.TotalCents()
	return Invoice{
		ID: id, Status: Draft, Currency: p.Currency, Description: p.Description,
		RecipientName: p.RecipientName, RecipientEmail: p.RecipientEmail,
		SubtotalCents: total, TotalCents: total, DueDate: p.DueDate,
		CreatedAt: now.UTC(), UpdatedAt: now.UTC(), Notes: p.Notes, LineItems: slices.Clone(p.Lines),
	}
}

// Fingerprint returns a hash of the proposal and of the ID of the credential that made it. It is
// the same for requests that differ only in the order of their fields or in insignificant blanks
// (docs/api.md, Idempotency key).
func (p Proposal) Fingerprint(credential string) [sha256.Size]byte {
	var b []byte
	add := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	for _, s := range [...]string{credential, p.Currency, p.Description, p.RecipientName, p.RecipientEmail, p.Notes,
		p.DueDate.String()} {
		add(s)
	}
	for _, line := range p.Lines {
		add(line.Description)
		add(line.Quantity)
		add(strconv.FormatInt(line.UnitPriceCents, 10))
	}
	return sha256.Sum256(b)
}
