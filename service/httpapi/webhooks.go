package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/jsonbody"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// URLGuard decides whether a webhook may be sent to a URL. Its error is told to
// the caller when it is one of package webhooks.
type URLGuard interface {
	Check(context.Context, *url.URL) error
}

// endpointAnswer is an endpoint (docs/api.md, Webhook endpoint). No secret is in it.
type endpointAnswer struct {
	ID                      string          `json:"id"`
	URL                     string          `json:"url"`
	EventTypes              []events.Type   `json:"event_types"`
	Status                  webhooks.Status `json:"status"`
	CreatedAt               time.Time       `json:"created_at"`
	UpdatedAt               time.Time       `json:"updated_at"`
	DisabledAt              *time.Time      `json:"disabled_at"`
	DisabledReason          *string         `json:"disabled_reason"`
	PreviousSecretExpiresAt *time.Time      `json:"previous_secret_expires_at"`
}

type endpointWithSecret struct {
	endpointAnswer
	Secret string `json:"secret"`
}

func (c *call) endpointOf(e webhooks.Endpoint) endpointAnswer {
	answer := endpointAnswer{
		ID: e.ID, URL: e.URL, EventTypes: e.EventTypes, Status: e.Status,
		CreatedAt: timestamp(e.CreatedAt), UpdatedAt: timestamp(e.UpdatedAt), DisabledAt: nullableTime(e.DisabledAt),
		DisabledReason: nullableText(string(e.DisabledReason)),
	}
	if e.PreviousSecretExpiresAt != nil && c.now.Before(*e.PreviousSecretExpiresAt) {
		answer.PreviousSecretExpiresAt = nullableTime(e.PreviousSecretExpiresAt)
	}
	return answer
}

func nullableText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// listWebhooks answers with the organization's endpoints, newest first.
func listWebhooks(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var all []webhooks.Endpoint
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		all, err = snap.Endpoints(c.credential.Org)
		return err
	})
	if err != nil {
		return nil, err
	}
	answer := make([]endpointAnswer, len(all))
	for i, e := range all {
		answer[i] = c.endpointOf(e)
	}
	return answer, nil
}

// createWebhook creates an endpoint. The secret is shown this once.
func createWebhook(c *call) (any, error) {
	fields, err := c.fields("url", "event_types")
	if err != nil {
		return nil, err
	}
	e := webhooks.Endpoint{Status: webhooks.Active, CreatedAt: c.now, UpdatedAt: c.now}
	if e.URL, err = c.deliverableURL(fields); err != nil {
		return nil, err
	}
	if e.EventTypes, err = subscription(fields); err != nil {
		return nil, err
	}
	if e.ID, err = c.api.IDs.New(ids.Webhook, c.now); err != nil {
		return nil, err
	}
	secret, sealed, err := c.newSecret(e.ID)
	if err != nil {
		return nil, err
	}
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) error { return tx.InsertEndpoint(c.credential.Org, e, sealed) })
	if errors.Is(err, store.ErrFull) {
		return nil, &problem{status: http.StatusConflict, text: fmt.Sprintf("the organization already has %d webhook endpoints", webhooks.MaxEndpoints)}
	}
	if err != nil {
		return nil, err
	}
	return reply{
		status: http.StatusCreated, header: [][2]string{{"Location", Prefix + "/webhooks/" + e.ID}},
		body: endpointWithSecret{c.endpointOf(e), secret},
	}, nil
}

// newSecret makes an endpoint's secret, in clear and sealed.
func (c *call) newSecret(endpointID string) (secret string, sealed []byte, err error) {
	if secret, err = webhooks.NewSecret(c.api.Entropy); err != nil {
		return "", nil, err
	}
	sealed, err = c.api.Seal(c.ctx, secret, endpointID)
	return secret, sealed, err
}

// fields reads a body that may have the named fields, of a request without query.
func (c *call) fields(names ...string) (*jsonbody.Object, error) {
	body, err := c.body()
	if err != nil {
		return nil, err
	}
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	fields, err := jsonbody.Parse(body, names...)
	return fields, refusedBody(err)
}

func (c *call) deliverableURL(fields *jsonbody.Object) (string, error) {
	raw, err := fields.Text("url")
	if err != nil {
		return "", refusedBody(err)
	}
	u, err := webhooks.CheckURL(raw)
	if err != nil {
		return "", invalid("%s", err)
	}
	if err := c.api.Guard.Check(c.ctx, u); err != nil {
		if c.ctx.Err() != nil {
			return "", err
		}
		return "", invalid("%s", err)
	}
	return raw, nil
}

func subscription(fields *jsonbody.Object) ([]events.Type, error) {
	names, err := fields.Texts("event_types")
	if err != nil {
		return nil, refusedBody(err)
	}
	types, err := webhooks.ParseTypes(names)
	if unknown, ok := errors.AsType[*webhooks.UnknownTypeError](err); ok {
		return nil, invalid("unknown event type%s", echo(unknown.Name))
	}
	if err != nil {
		return nil, invalid("%s", err)
	}
	return types, nil
}

// getWebhook answers with one endpoint.
func getWebhook(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var e webhooks.Endpoint
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		e, err = snap.Endpoint(c.credential.Org, c.variable)
		return err
	})
	if err != nil {
		return nil, lookup(err, webhookEndpoint)
	}
	return c.endpointOf(e), nil
}

const webhookEndpoint = "webhook endpoint"

// deleteWebhook deletes an endpoint, and what is pending with it (docs/api.md,
// Webhook deletion).
func deleteWebhook(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) error { return tx.DeleteEndpoint(c.credential.Org, c.variable) })
	if err != nil {
		return nil, lookup(err, webhookEndpoint)
	}
	return reply{status: http.StatusNoContent}, nil
}

type rotatedAnswer struct {
	Secret                  string    `json:"secret"`
	PreviousSecretExpiresAt time.Time `json:"previous_secret_expires_at"`
}

// rotateWebhookSecret replaces an endpoint's secret. The secret before the last ends
// at once: a delivery never has more than two signatures (docs/api.md, Secret
// rotation).
func rotateWebhookSecret(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	secret, sealed, err := c.newSecret(c.variable)
	if err != nil {
		return nil, err
	}
	expires := c.now.Add(webhooks.RotationOverlap)
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) error {
		before, err := tx.EndpointSecrets(c.credential.Org, c.variable)
		if err != nil {
			return err
		}
		next := store.Secrets{Current: sealed, Previous: before.Current, PreviousExpiresAt: &expires}
		return tx.SetEndpointSecrets(c.credential.Org, c.variable, next, c.now)
	})
	if err != nil {
		return nil, lookup(err, webhookEndpoint)
	}
	return rotatedAnswer{secret, timestamp(expires)}, nil
}

type testAnswer struct {
	EventID    string `json:"event_id"`
	DeliveryID string `json:"delivery_id"`
}

// verifyWebhook queues one test event (docs/api.md, Test event), for this endpoint
// alone, whatever its status.
func verifyWebhook(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	id, err := c.api.IDs.New(ids.Event, c.now)
	if err != nil {
		return nil, err
	}
	event, err := events.ForTest(id, c.now)
	if err != nil {
		return nil, err
	}
	answer := testAnswer{EventID: id}
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) (err error) {
		answer.DeliveryID, err = tx.QueueTest(c.credential.Org, c.variable, event)
		return err
	})
	if err != nil {
		return nil, lookup(err, webhookEndpoint)
	}
	return reply{status: http.StatusAccepted, body: answer}, nil
}
