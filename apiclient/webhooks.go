package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"tarmac/internal/termtext"
)

// WebhookStatus is the status of a webhook endpoint (docs/api.md, Webhook endpoint status).
type WebhookStatus string

// Values of WebhookStatus. Only the server sets WebhookAutoDisabled.
const (
	WebhookActive       WebhookStatus = "active"
	WebhookPaused       WebhookStatus = "paused"
	WebhookAutoDisabled WebhookStatus = "auto_disabled"
)

// Known reports whether s is one of the values that the API defines.
func (s WebhookStatus) Known() bool {
	switch s {
	case WebhookActive, WebhookPaused, WebhookAutoDisabled:
		return true
	}
	return false
}

// Webhook is an endpoint that receives events (docs/api.md, Webhook endpoint). Only the status is
// always present; missing fields are "" or nil. Extra holds the fields that the API does not
// define, in the server's order. Times are in UTC.
type Webhook struct {
	ID                      string
	URL                     string
	EventTypes              []EventType
	Status                  WebhookStatus
	CreatedAt               *time.Time
	UpdatedAt               *time.Time
	DisabledAt              *time.Time
	DisabledReason          string     // such as "gone" or "failing"
	PreviousSecretExpiresAt *time.Time // set as long as deliveries are also signed with the previous secret
	Extra                   []Field
	// Unreadable says why the endpoint could not be decoded. If it is set, only ID and URL are
	// valid. Only endpoints of a list can be unreadable.
	Unreadable *ContractError
}

// CreatedWebhook is a new endpoint with its signing secret, which the server shows only
// once.
type CreatedWebhook struct {
	Webhook
	Secret Secret
}

// RotatedSecret is the new signing secret of an endpoint, which the server shows only once.
type RotatedSecret struct {
	Secret                  Secret
	PreviousSecretExpiresAt *time.Time // until then, deliveries are also signed with the previous secret
	Extra                   []Field
}

// WebhookPatch is a change of an endpoint; nil fields remain unchanged. Status may be WebhookPaused
// or WebhookActive. WebhookActive also enables an endpoint that was disabled automatically.
type WebhookPatch struct {
	URL        *string        `json:"url,omitzero"`
	EventTypes []EventType    `json:"event_types,omitzero"`
	Status     *WebhookStatus `json:"status,omitzero"`
}

// QueuedTest is a test event that the server has queued for delivery. Its IDs are "" if the server
// does not send them.
type QueuedTest struct {
	EventID    string
	DeliveryID string
	Extra      []Field
}

const oneWebhook = "/webhooks/{webhookId}"

// Webhooks returns the endpoints of the organization, newest first.
func (c *Client) Webhooks(ctx context.Context) ([]Webhook, error) {
	return fetchList(ctx, c, read("/webhooks", nil), (*object).webhook, Webhook.asUnreadable)
}

// Webhook returns the endpoint with this ID. It returns ErrNotFound if there is none.
func (c *Client) Webhook(ctx context.Context, id string) (*Webhook, error) {
	call, err := readOne(oneWebhook, id)
	if err != nil {
		return nil, err
	}
	return fetch(ctx, c, call, (*object).webhook)
}

// CreateWebhook creates an endpoint that receives events of the given types. It returns ErrConflict
// if the organization already has the maximum number of endpoints (docs/api.md, Endpoint limit).
// The request is never retried, because a second one would create a second endpoint. After
// ErrOutcomeUnknown the endpoint may exist, but its secret is lost.
func (c *Client) CreateWebhook(ctx context.Context, url string, types []EventType) (*CreatedWebhook, error) {
	call := write(http.MethodPost, "/webhooks", http.StatusCreated)
	var err error
	if call.body, err = json.Marshal(WebhookPatch{URL: &url, EventTypes: append([]EventType{}, types...)}); err != nil {
		return nil, err
	}
	response, err := c.object(ctx, call)
	if err != nil {
		return nil, err
	}
	created := CreatedWebhook{Secret: response.secret()}
	record := response.child("webhook", "endpoint", "data")
	if created.Secret == "" {
		created.Secret = record.secret()
	}
	if created.Secret.Check() != nil {
		return nil, call.contractError("secret", "is missing, or not a signing secret")
	}
	f := call.fields()
	created.Webhook = record.webhook(f)
	if err := f.failure(); err != nil {
		return nil, err
	}
	return &created, nil
}

// UpdateWebhook changes an endpoint and returns the changed endpoint (docs/api.md, Webhook update).
// Like every write, the request is never retried.
func (c *Client) UpdateWebhook(ctx context.Context, id string, patch WebhookPatch) (*Webhook, error) {
	call, err := write(http.MethodPatch, oneWebhook, http.StatusOK).withID(id)
	if err != nil {
		return nil, err
	}
	if call.body, err = json.Marshal(patch); err != nil {
		return nil, err
	}
	return fetch(ctx, c, call, (*object).webhook)
}

// DeleteWebhook deletes an endpoint. Deliveries to it that are still pending are no longer
// attempted (docs/api.md, Webhook deletion). Like every write, the request is never retried.
func (c *Client) DeleteWebhook(ctx context.Context, id string) error {
	call, err := write(http.MethodDelete, oneWebhook, http.StatusNoContent).withID(id)
	if err != nil {
		return err
	}
	call.kind = noBody
	_, err = c.send(ctx, &call)
	return err
}

// RotateWebhookSecret replaces the signing secret of an endpoint (docs/api.md, Secret rotation).
// The request is never retried, because a second one would replace the secret again. After
// ErrOutcomeUnknown the secret may have changed; call RotateWebhookSecret again to get a known one.
func (c *Client) RotateWebhookSecret(ctx context.Context, id string) (*RotatedSecret, error) {
	call, err := write(http.MethodPost, oneWebhook+"/rotate-secret", http.StatusOK).withID(id)
	if err != nil {
		return nil, err
	}
	response, err := c.object(ctx, call)
	if err != nil {
		return nil, err
	}
	rotated := &RotatedSecret{
		Secret:                  response.secret(),
		PreviousSecretExpiresAt: response.timestamp("previous_secret_expires_at"),
	}
	if rotated.Secret.Check() != nil {
		return nil, call.contractError("secret", "is missing, or not a signing secret")
	}
	rotated.Extra = response.extra()
	return rotated, nil
}

// VerifyWebhook sends a test event to one endpoint, even if that endpoint is paused or disabled
// (docs/api.md, Test event). The request is never retried, because a second one would send a second
// event.
func (c *Client) VerifyWebhook(ctx context.Context, id string) (*QueuedTest, error) {
	call, err := write(http.MethodPost, oneWebhook+"/verify", http.StatusAccepted).withID(id)
	if err != nil {
		return nil, err
	}
	response, err := c.object(ctx, call)
	if err != nil {
		return nil, err
	}
	queued := &QueuedTest{EventID: response.text("event_id"), DeliveryID: response.text("delivery_id")}
	queued.Extra = response.extra()
	return queued, nil
}

// object sends the request of a call and decodes the JSON object in the response.
func (c *Client) object(ctx context.Context, call call) (*object, error) {
	body, err := c.send(ctx, &call)
	if err != nil {
		return nil, err
	}
	var response object
	if err := decode(call, body, &response); err != nil {
		return nil, err
	}
	return &response, nil
}

func (o *object) webhook(f *fields) Webhook {
	w := Webhook{
		ID:                      o.text("id", "webhook_id"),
		URL:                     o.urlText("url"),
		Status:                  WebhookStatus(o.text("status")),
		CreatedAt:               o.timestamp("created_at"),
		UpdatedAt:               o.timestamp("updated_at"),
		DisabledAt:              o.timestamp("disabled_at"),
		DisabledReason:          o.text("disabled_reason"),
		PreviousSecretExpiresAt: o.timestamp("previous_secret_expires_at"),
	}
	var types []string
	consume(o, &types, "event_types", "events", "types")
	for _, t := range types {
		w.EventTypes = append(w.EventTypes, EventType(termtext.Line(t)))
	}
	if w.Status == "" {
		f.fail("status", "is missing")
	}
	w.Extra = o.extra()
	return w
}

func (w Webhook) asUnreadable(reason *ContractError) Webhook {
	return Webhook{ID: w.ID, URL: w.URL, Unreadable: reason}
}
