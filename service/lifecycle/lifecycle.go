// Package lifecycle changes the status of invoices, payments and accounts (docs/api.md, Invoice
// status, Payment status). It writes the record, its event and the webhook deliveries of the event
// in one database transaction, so that each change has exactly one event. The methods CanBecome of
// invoicing.Status and payments.Status define the allowed transitions.
//
// An error is store.ErrNotFound if the organization has no such record, *Conflict if the record's
// status does not allow the transition, *Overpayment if a payment exceeds the outstanding amount,
// *Invalid if an argument is not valid for any record, or else a database error.
package lifecycle

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/store"
)

// Transitions changes the statuses of records in one database transaction. All changes get the same
// time.
type Transitions struct {
	tx  *store.Tx
	ids *ids.Source
	now time.Time
}

// New returns Transitions that write to tx. Changed records and new events get the time now,
// truncated to microseconds. Ids of new records and events come from source.
func New(tx *store.Tx, source *ids.Source, now time.Time) Transitions {
	return Transitions{tx: tx, ids: source, now: now.UTC().Truncate(time.Microsecond)}
}

// Conflict is returned for a transition that the record's status does not allow.
type Conflict struct {
	Record string   // record in words, such as "the invoice INV-000042 (inv_…)"
	Status string   // current status of the record
	Next   string   // status that was requested
	Others []string // statuses to which the record can change; empty if Status is final
}

func (c *Conflict) Error() string {
	refused := fmt.Sprintf("%s is %s and cannot become %s", c.Record, c.Status, c.Next)
	if c.Status == c.Next {
		refused = fmt.Sprintf("%s is %s already", c.Record, c.Status)
	}
	if len(c.Others) == 0 {
		return refused + "; that is final"
	}
	return refused + "; it can become " + plural.List(c.Others, "or")
}

// Overpayment is returned for a payment that exceeds the outstanding amount of an invoice.
type Overpayment struct {
	Record           string // invoice in words, like Conflict.Record
	OutstandingCents int64  // outstanding amount in minor units of Currency
	Currency         string
}

func (e *Overpayment) Error() string {
	return fmt.Sprintf("%s has %s %s outstanding; a payment cannot exceed that",
		e.Record, money.Format(e.OutstandingCents, e.Currency), e.Currency)
}

// Invalid is returned for an argument that is not valid for any record.
type Invalid struct{ Text string }

func (e *Invalid) Error() string { return e.Text }

func invalidf(format string, args ...any) error { return &Invalid{fmt.Sprintf(format, args...)} }

// status is a constraint that invoicing.Status and payments.Status satisfy.
type status[S any] interface {
	~string
	CanBecome(next S) bool
}

// checkTransition returns a *Conflict if CanBecome does not allow the change of a record's status.
// statuses lists all statuses of that kind of record.
func checkTransition[S status[S]](record string, from, next S, statuses []S) error {
	if from.CanBecome(next) {
		return nil
	}
	c := &Conflict{Record: record, Status: string(from), Next: string(next)}
	for _, other := range statuses {
		if from.CanBecome(other) {
			c.Others = append(c.Others, string(other))
		}
	}
	return c
}

// appendEvent appends an event to the organization's event feed. build returns the event with the
// id that it is given.
func (m Transitions) appendEvent(org store.OrgKey, build func(id string) (events.Event, error)) error {
	e, err := m.newEvent(build)
	if err != nil {
		return err
	}
	return m.tx.AppendEvents(org, []events.Event{e})
}

func (m Transitions) newEvent(build func(id string) (events.Event, error)) (events.Event, error) {
	id, err := m.ids.New(ids.Event, m.now)
	if err != nil {
		return events.Event{}, fmt.Errorf("making an event's id: %w", err)
	}
	return build(id)
}

// checkLine returns text without the blanks around it. The error is *Invalid if the text is empty,
// longer than maximum characters, or contains control characters. That error names the text by
// name.
func checkLine(name, text string, maximum int) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < 1 || n > maximum || !utf8.ValidString(text) ||
		strings.ContainsFunc(text, unicode.IsControl) {
		return "", invalidf("the %s must have 1 to %d characters and no control characters", name, maximum)
	}
	return text, nil
}
