// Package lifecycle changes the status of invoices, payments and accounts (docs/api.md,
// Invoice status, Payment status). The record, its event and the deliveries of that event
// are written in one database transaction, so each change is announced exactly once.
// invoicing.Status and payments.Status define the allowed transitions.
//
// An error is store.ErrNotFound if the organization has no such record, *Conflict if the
// record's status does not allow the transition, *Overpayment if a payment exceeds what is
// outstanding, *Invalid if an argument is not valid for any record, or else a database
// error.
package lifecycle

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/money"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/store"
)

// Transitions changes statuses in one database transaction. All its changes have the same time.
type Transitions struct {
	tx  *store.Tx
	ids *ids.Source
	now time.Time
}

// New returns Transitions that use tx. Changed records and new events get the time now,
// truncated to microseconds. New ids come from source.
func New(tx *store.Tx, source *ids.Source, now time.Time) Transitions {
	return Transitions{tx: tx, ids: source, now: now.UTC().Truncate(time.Microsecond)}
}

// Conflict is the error of a transition that the record's status does not allow.
type Conflict struct {
	Record string   // "the invoice INV-000042 (inv_…)"
	Status string   // the record's current status
	Next   string   // the status that was requested
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
	return refused + "; it can become " + strings.Join(c.Others, " or ")
}

// Overpayment is the error of a payment that exceeds what is outstanding.
type Overpayment struct {
	Record           string // names the invoice, as Conflict.Record does
	OutstandingCents int64  // minor units of Currency
	Currency         string
}

func (e *Overpayment) Error() string {
	return fmt.Sprintf("%s has %s %s outstanding; a payment cannot exceed that",
		e.Record, money.Format(e.OutstandingCents, e.Currency), e.Currency)
}

// Invalid is the error of an argument that is not valid for any record.
type Invalid struct{ Text string }

func (e *Invalid) Error() string { return e.Text }

func invalidf(format string, args ...any) error { return &Invalid{fmt.Sprintf(format, args...)} }

// status is implemented by invoicing.Status and payments.Status.
type status[S any] interface {
	~string
	CanBecome(next S) bool
}

// checkTransition returns a *Conflict unless the status from can become next.
func checkTransition[S status[S]](record string, from, next S, all []S) error {
	if from.CanBecome(next) {
		return nil
	}
	c := &Conflict{Record: record, Status: string(from), Next: string(next)}
	for _, other := range all {
		if from.CanBecome(other) {
			c.Others = append(c.Others, string(other))
		}
	}
	return c
}

// appendEvent appends an event with a new id to the organization's feed.
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

// checkLine returns a line of text without the blanks around it. The error is an *Invalid that
// names the text by what, if it is empty, has more than maximum characters, or has control
// characters.
func checkLine(what, text string, maximum int) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < 1 || n > maximum || !utf8.ValidString(text) ||
		strings.ContainsFunc(text, unicode.IsControl) {
		return "", invalidf("the %s must have 1 to %d characters and no control characters", what, maximum)
	}
	return text, nil
}
