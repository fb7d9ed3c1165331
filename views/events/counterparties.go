package events

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
)

// paymentSource is the part of *apiclient.Client that names the counterparties of payments.
type paymentSource interface {
	PaymentIntent(ctx context.Context, id string) (*apiclient.PaymentIntent, error)
}

// Limits of the requests for counterparties, which keep a client below fifty requests a minute.
const (
	counterpartyBurst = 12 // requests one after the other
	ticksPerRequest   = 4  // seconds between requests after these
)

// counterparties fetches the payment intents of visible events, one at a time, because events
// contain only their IDs.
type counterparties struct {
	source    paymentSource // nil without a server
	requested map[string]bool
	waiting   bool
	refused   bool // the token may not read payment intents
	allowance int  // number of requests that may be sent now
	ticks     int
}

func newCounterparties(source paymentSource) counterparties {
	return counterparties{source: source, requested: map[string]bool{}, allowance: counterpartyBurst}
}

// tick adds to the allowance. It is called once a second.
func (c *counterparties) tick() {
	if c.ticks++; c.ticks%ticksPerRequest == 0 {
		c.allowance = min(c.allowance+1, counterpartyBurst)
	}
}

// counterpartyResponse is the response to a request for a payment intent.
type counterpartyResponse struct {
	id, name string
	err      error
}

// fetchCounterparty returns the command that fetches the payment intent of the first visible event
// without a known counterparty, or nil.
func (s *Screen) fetchCounterparty() tea.Cmd {
	c := &s.counterparties
	if c.source == nil || c.waiting || c.refused || c.allowance == 0 || s.Snapshot.Unreachable() {
		return nil
	}
	for row, end := s.list.Table.Visible(); row < end; row++ {
		e := s.list.Item(row)
		if e == nil {
			continue
		}
		d, ok := e.PaymentData()
		if !ok || c.requested[d.PaymentIntentID] || s.Snapshot.Counterparty(d.PaymentIntentID) != "" {
			continue
		}
		id, parent, timeout, source := d.PaymentIntentID, s.Context, s.Timeout, c.source
		c.requested[id], c.waiting = true, true
		c.allowance--
		return func() tea.Msg {
			ctx, cancel := context.WithTimeout(parent, timeout)
			defer cancel()
			intent, err := source.PaymentIntent(ctx, id)
			if err != nil {
				return counterpartyResponse{id: id, err: err}
			}
			return counterpartyResponse{id: id, name: intent.CounterpartyName}
		}
	}
	return nil
}

// storeCounterparty stores the name in a response. It requests a payment intent again only after a
// failure, and then after a pause; a missing one, and one without a name, stay without.
func (s *Screen) storeCounterparty(r counterpartyResponse) {
	c := &s.counterparties
	c.waiting = false
	switch {
	case r.err == nil && r.name != "":
		s.Snapshot.SetCounterparty(r.id, r.name)
		s.named()
	case errors.Is(r.err, apiclient.ErrForbidden), errors.Is(r.err, apiclient.ErrUnauthorized):
		c.refused = true
	case r.err != nil && !errors.Is(r.err, apiclient.ErrNotFound):
		delete(c.requested, r.id)
		c.allowance = 0
	}
}
