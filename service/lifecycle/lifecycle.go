// Package lifecycle moves invoices, payments and accounts from one status to the
// next (docs/api.md, Invoice status, Payment status). A move is one transaction: the
// record, its event and the deliveries of that event are written together, so that
// each is told exactly once. Which moves there are is said by invoicing.Status and
// payments.Status.
//
// An error is store.ErrNotFound where the organization has no such record,
// *Conflict where the record cannot make the move, *Excess where it cannot take
// that much money, *Invalid where what was asked for can be done to no record, and
// otherwise one of the database.
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

// Moves are moves in one transaction, all at one moment.
type Moves struct {
	tx  *store.Tx
	ids *ids.Source
	now time.Time
}

// At returns the moves of a transaction. Records and events bear the time now,
// events get their ids from source.
func At(tx *store.Tx, source *ids.Source, now time.Time) Moves {
	return Moves{tx: tx, ids: source, now: now.UTC().Truncate(time.Microsecond)}
}

// Conflict is the error of a move that a record cannot make from where it stands.
type Conflict struct {
	Record string   // "the invoice INV-000042 (inv_…)"
	Status string   // where it stands
	Next   string   // what it was to become
	Others []string // what it can become instead
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

// Excess is the error of a payment of more than is outstanding, in minor units.
type Excess struct {
	Record           string // as in Conflict
	OutstandingCents int64
	Currency         string
}

func (e *Excess) Error() string {
	return fmt.Sprintf("%s has %s %s outstanding, and a payment cannot be more than that",
		e.Record, money.Format(e.OutstandingCents, e.Currency), e.Currency)
}

// Invalid is the error of what no record can be given.
type Invalid struct{ Text string }

func (e *Invalid) Error() string { return e.Text }

func invalidf(format string, args ...any) error { return &Invalid{fmt.Sprintf(format, args...)} }

// status is a status of a record of either kind.
type status[S any] interface {
	~string
	CanBecome(next S) bool
}

// check returns a *Conflict unless a record in status from may become next.
func check[S status[S]](record string, from, next S, all []S) error {
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

// tell adds the event of a move to the organization's feed.
func (m Moves) tell(org store.OrgKey, seal func(id string) (events.Event, error)) error {
	e, err := m.seal(seal)
	if err != nil {
		return err
	}
	return m.tx.AppendEvents(org, []events.Event{e})
}

func (m Moves) seal(seal func(id string) (events.Event, error)) (events.Event, error) {
	id, err := m.ids.New(ids.Event, m.now)
	if err != nil {
		return events.Event{}, fmt.Errorf("making an event's id: %w", err)
	}
	return seal(id)
}

// line checks text of one line that people and the API will read.
func line(what, text string, most int) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < 1 || n > most || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return "", invalidf("the %s must have 1 to %d characters and no control characters", what, most)
	}
	return text, nil
}
