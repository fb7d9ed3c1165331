package httpapi

import (
	"slices"

	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// change is what a PATCH asks for; what is nil stays as it is.
type change struct {
	url    *string
	types  []events.Type
	status *webhooks.Status
}

// updateWebhook changes an endpoint (docs/api.md, Webhook update): all of the change
// or none of it.
func updateWebhook(c *call) (any, error) {
	wanted, err := c.change()
	if err != nil {
		return nil, err
	}
	var e webhooks.Endpoint
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) (err error) {
		if e, err = tx.Endpoint(c.credential.Org, c.variable); err != nil {
			return err
		}
		before := e
		wanted.apply(&e)
		if same(before, e) {
			return nil
		}
		e.UpdatedAt = c.now
		if err := tx.UpdateEndpoint(c.credential.Org, e); err != nil {
			return err
		}
		switch {
		case e.Status == webhooks.Paused && before.Status != webhooks.Paused:
			return tx.HoldDeliveries(c.credential.Org, e.ID)
		case e.Status == webhooks.Active && before.Status != webhooks.Active:
			return tx.ReleaseDeliveries(c.credential.Org, e.ID, c.now, c.now.Add(-webhooks.HeldFor), webhooks.ReleaseSpread)
		}
		return nil
	})
	if err != nil {
		return nil, lookup(err, webhookEndpoint)
	}
	return c.endpointOf(e), nil
}

func (c *call) change() (wanted change, err error) {
	fields, err := c.fields("url", "event_types", "status")
	if err != nil {
		return change{}, err
	}
	if fields.Has("url") {
		to, err := c.deliverableURL(fields)
		if err != nil {
			return change{}, err
		}
		wanted.url = &to
	}
	if fields.Has("event_types") {
		if wanted.types, err = subscription(fields); err != nil {
			return change{}, err
		}
	}
	if fields.Has("status") {
		name, err := fields.Text("status")
		status := webhooks.Status(name)
		if err != nil || status != webhooks.Active && status != webhooks.Paused {
			return change{}, invalid("status must be active or paused")
		}
		wanted.status = &status
	}
	return wanted, nil
}

func (wanted change) apply(e *webhooks.Endpoint) {
	if wanted.url != nil {
		e.URL = *wanted.url
	}
	if wanted.types != nil {
		e.EventTypes = wanted.types
	}
	if wanted.status == nil {
		return
	}
	e.Status, e.DisabledAt, e.DisabledReason = *wanted.status, nil, ""
	if e.Status == webhooks.Active {
		// Whoever turns an endpoint on vouches for it: its time to fail begins anew.
		e.FailingSince = nil
	}
}

func same(a, b webhooks.Endpoint) bool {
	return a.URL == b.URL && a.Status == b.Status && slices.Equal(a.EventTypes, b.EventTypes) &&
		(a.FailingSince == nil) == (b.FailingSince == nil)
}
