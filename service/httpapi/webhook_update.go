package httpapi

import (
	"slices"

	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// endpointUpdate holds the fields of a PATCH request for a webhook endpoint. A nil field stays
// unchanged.
type endpointUpdate struct {
	url    *string
	types  []events.Type
	status *webhooks.Status
}

// updateWebhook changes a webhook endpoint in one transaction (docs/api.md, Webhook update).
func updateWebhook(c *call) (any, error) {
	update, err := c.endpointUpdate()
	if err != nil {
		return nil, err
	}
	var e webhooks.Endpoint
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) (err error) {
		if e, err = tx.Endpoint(c.credential.Org, c.pathParam); err != nil {
			return err
		}
		before := e
		update.apply(&e)
		if sameEndpoint(before, e) {
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
			return tx.ReleaseDeliveries(c.credential.Org, e.ID, c.now, c.now.Add(-webhooks.MaxHeldAge), webhooks.ReleaseSpread)
		}
		return nil
	})
	if err != nil {
		return nil, lookupError(err, webhookEndpoint)
	}
	return c.newEndpointResponse(e), nil
}

func (c *call) endpointUpdate() (update endpointUpdate, err error) {
	fields, err := c.fields("url", "event_types", "status")
	if err != nil {
		return endpointUpdate{}, err
	}
	if fields.Has("url") {
		to, err := c.deliverableURL(fields)
		if err != nil {
			return endpointUpdate{}, err
		}
		update.url = &to
	}
	if fields.Has("event_types") {
		if update.types, err = subscription(fields); err != nil {
			return endpointUpdate{}, err
		}
	}
	if fields.Has("status") {
		name, err := fields.Text("status")
		status := webhooks.Status(name)
		if err != nil || status != webhooks.Active && status != webhooks.Paused {
			return endpointUpdate{}, invalid("status must be active or paused")
		}
		update.status = &status
	}
	return update, nil
}

func (update endpointUpdate) apply(e *webhooks.Endpoint) {
	if update.url != nil {
		e.URL = *update.url
	}
	if update.types != nil {
		e.EventTypes = update.types
	}
	if update.status == nil {
		return
	}
	e.Status, e.DisabledAt, e.DisabledReason = *update.status, nil, ""
	if e.Status == webhooks.Active {
		// An endpoint is disabled after it has failed for a certain time. Activating it restarts
		// that time.
		e.FailingSince = nil
	}
}

func sameEndpoint(a, b webhooks.Endpoint) bool {
	return a.URL == b.URL && a.Status == b.Status && slices.Equal(a.EventTypes, b.EventTypes) &&
		(a.FailingSince == nil) == (b.FailingSince == nil)
}
