package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/jsonbody"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// URLGuard decides which URLs webhook endpoints may have.
type URLGuard interface {
	// Check returns an error if the URL is not allowed. The response to the caller contains the
	// error's text.
	Check(context.Context, *url.URL) error
}

// endpointResponse is the JSON form of a webhook endpoint, without its secret (docs/api.md, Webhook
// endpoint).
type endpointResponse struct {
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
	endpointResponse
	Secret string `json:"secret"`
}

func (c *call) newEndpointResponse(e webhooks.Endpoint) endpointResponse {
	response := endpointResponse{
		ID: e.ID, URL: e.URL, EventTypes: e.EventTypes, Status: e.Status,
		CreatedAt: timestamp(e.CreatedAt), UpdatedAt: timestamp(e.UpdatedAt), DisabledAt: nullableTime(e.DisabledAt),
		DisabledReason: nullableText(string(e.DisabledReason)),
	}
	if e.PreviousSecretExpiresAt != nil && c.now.Before(*e.PreviousSecretExpiresAt) {
		response.PreviousSecretExpiresAt = nullableTime(e.PreviousSecretExpiresAt)
	}
	return response
}

func nullableText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// listWebhooks responds with the organization's webhook endpoints, newest first.
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
	response := make([]endpointResponse, len(all))
	for i, e := range all {
		response[i] = c.newEndpointResponse(e)
	}
	return response, nil
}

// createWebhook creates a webhook endpoint. Its secret is in this response and is never shown
// again.
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
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) error {
		return tx.InsertEndpoint(c.credential.Org, e, sealed)
	})
	if errors.Is(err, store.ErrFull) {
		return nil, conflict("the organization already has %d webhook endpoints", webhooks.MaxEndpoints)
	}
	if err != nil {
		return nil, err
	}
	return customResponse{
		status: http.StatusCreated, header: [][2]string{{"Location", Prefix + "/webhooks/" + e.ID}},
		body: endpointWithSecret{c.newEndpointResponse(e), secret},
	}, nil
}

// newSecret returns a new signing secret for a webhook endpoint, in plain text and encrypted for
// storage.
func (c *call) newSecret(endpointID string) (secret string, sealed []byte, err error) {
	if secret, err = webhooks.NewSecret(c.api.Entropy); err != nil {
		return "", nil, err
	}
	sealed, err = c.api.Seal(c.ctx, secret, endpointID)
	return secret, sealed, err
}

// fields parses the body as a JSON object with no fields other than names. It returns an error if
// the request has query parameters.
func (c *call) fields(names ...string) (*jsonbody.Object, error) {
	body, err := c.body()
	if err != nil {
		return nil, err
	}
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	fields, err := jsonbody.Parse(body, names...)
	return fields, bodyError(err)
}

func (c *call) deliverableURL(fields *jsonbody.Object) (string, error) {
	raw, err := fields.Text("url")
	if err != nil {
		return "", bodyError(err)
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
		return nil, bodyError(err)
	}
	types, err := webhooks.ParseTypes(names)
	if unknown, ok := errors.AsType[*webhooks.UnknownTypeError](err); ok {
		return nil, invalid("unknown event type%s", quoted(unknown.Name))
	}
	if err != nil {
		return nil, invalid("%s", err)
	}
	return types, nil
}

func getWebhook(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	var e webhooks.Endpoint
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		e, err = snap.Endpoint(c.credential.Org, c.pathParam)
		return err
	})
	if err != nil {
		return nil, lookupError(err, webhookEndpoint)
	}
	return c.newEndpointResponse(e), nil
}

const webhookEndpoint = "webhook endpoint"

// deleteWebhook deletes a webhook endpoint and its pending deliveries (docs/api.md, Webhook
// deletion).
func deleteWebhook(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	err := c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) error {
		return tx.DeleteEndpoint(c.credential.Org, c.pathParam)
	})
	if err != nil {
		return nil, lookupError(err, webhookEndpoint)
	}
	return customResponse{status: http.StatusNoContent}, nil
}

type rotationResponse struct {
	Secret                  string    `json:"secret"`
	PreviousSecretExpiresAt time.Time `json:"previous_secret_expires_at"`
}

// rotateWebhookSecret replaces a webhook endpoint's secret. The previous secret stays valid for
// webhooks.RotationOverlap. One from before that becomes invalid at once, so a delivery has at most
// two signatures (docs/api.md, Secret rotation).
func rotateWebhookSecret(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	secret, sealed, err := c.newSecret(c.pathParam)
	if err != nil {
		return nil, err
	}
	expires := c.now.Add(webhooks.RotationOverlap)
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) error {
		before, err := tx.EndpointSecrets(c.credential.Org, c.pathParam)
		if err != nil {
			return err
		}
		next := store.Secrets{Current: sealed, Previous: before.Current, PreviousExpiresAt: &expires}
		return tx.SetEndpointSecrets(c.credential.Org, c.pathParam, next, c.now)
	})
	if err != nil {
		return nil, lookupError(err, webhookEndpoint)
	}
	return rotationResponse{secret, timestamp(expires)}, nil
}

type testEventResponse struct {
	EventID    string `json:"event_id"`
	DeliveryID string `json:"delivery_id"`
}

// verifyWebhook queues a test event for one webhook endpoint, even if the endpoint is paused or
// disabled (docs/api.md, Test event).
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
	response := testEventResponse{EventID: id}
	err = c.api.Store.WriteOf(c.ctx, c.credential.Org, func(tx *store.Tx) (err error) {
		response.DeliveryID, err = tx.QueueTest(c.credential.Org, c.pathParam, event)
		return err
	})
	if err != nil {
		return nil, lookupError(err, webhookEndpoint)
	}
	return customResponse{status: http.StatusAccepted, body: response}, nil
}
