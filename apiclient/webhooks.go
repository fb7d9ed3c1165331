package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"tarmac/internal/termtext"
)

// WebhookStatus is the state of a webhook endpoint (docs/api.md, Webhook endpoint
// status).
type WebhookStatus string

// The statuses of a webhook endpoint. Only the server sets the last.
const (
	WebhookActive       WebhookStatus = "active"
	WebhookPaused       WebhookStatus = "paused"
	WebhookAutoDisabled WebhookStatus = "auto_disabled"
)

// Known reports whether s is one of the API's.
func (s WebhookStatus) Known() bool {
	switch s {
	case WebhookActive, WebhookPaused, WebhookAutoDisabled:
		return true
	}
	return false
}

// Webhook is an endpoint that events are delivered to (docs/api.md, Webhook
// endpoint). Only its status is certain; what the server does not send is "" or nil,
// and what else it sends is in Extra, in its order. Times are UTC.
type Webhook struct {
	ID                      string
	URL                     string
	EventTypes              []EventType
	Status                  WebhookStatus
	CreatedAt               *time.Time
	UpdatedAt               *time.Time
	DisabledAt              *time.Time
	DisabledReason          string     // such as gone or failing
	PreviousSecretExpiresAt *time.Time // while the previous secret signs too
	Extra                   []Field
	// Unreadable is why all but the id and the URL could not be read; nil where it
	// could. Only lists have such records.
	Unreadable *ContractError
}

// CreatedWebhook is a new endpoint with its signing secret, which the server never
// shows again.
type CreatedWebhook struct {
	Webhook
	Secret Secret
}

// RotatedSecret is the new signing secret of an endpoint, which the server never
// shows again.
type RotatedSecret struct {
	Secret                  Secret
	PreviousSecretExpiresAt *time.Time // until when the previous one signs too
	Extra                   []Field
}

// WebhookPatch is what to change of an endpoint; nil leaves it as it is. Status is
// WebhookActive, which also re-enables an endpoint that is auto-disabled, or
// WebhookPaused.
type WebhookPatch struct {
	URL        *string        `json:"url,omitzero"`
	EventTypes []EventType    `json:"event_types,omitzero"`
	Status     *WebhookStatus `json:"status,omitzero"`
}

// QueuedTest names the test event that is on its way, where the server does.
type QueuedTest struct {
	EventID    string
	DeliveryID string
	Extra      []Field
}

const oneWebhook = "/webhooks/{webhookId}"

// Webhooks returns the organization's endpoints, newest first.
func (c *Client) Webhooks(ctx context.Context) ([]Webhook, error) {
	call := read("/webhooks", nil)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	return decodeList(call, body, (*object).webhook, Webhook.reduced)
}

// Webhook returns one endpoint, or ErrNotFound.
func (c *Client) Webhook(ctx context.Context, id string) (*Webhook, error) {
	call, err := readOne(oneWebhook, id)
	if err != nil {
		return nil, err
	}
	return c.webhook(ctx, call)
}

// CreateWebhook makes an endpoint that events of the given types are delivered to;
// ErrConflict says that the organization has as many as it may have
// (docs/api.md, Endpoint limit). The request is sent once; after ErrOutcomeUnknown
// the endpoint may be there, and its secret is lost.
func (c *Client) CreateWebhook(ctx context.Context, url string, types []EventType) (*CreatedWebhook, error) {
	call := write(http.MethodPost, "/webhooks", http.StatusCreated)
	var err error
	if call.body, err = json.Marshal(WebhookPatch{URL: &url, EventTypes: append([]EventType{}, types...)}); err != nil {
		return nil, err
	}
	answer, err := c.object(ctx, call)
	if err != nil {
		return nil, err
	}
	created := CreatedWebhook{Secret: answer.secret()}
	record := answer.within("webhook", "endpoint", "data")
	if created.Secret == "" {
		created.Secret = record.secret()
	}
	if created.Secret.Check() != nil {
		return nil, call.broken("secret", "is missing, or not a signing secret")
	}
	f := call.fields()
	created.Webhook = record.webhook(f)
	if err := f.failure(); err != nil {
		return nil, err
	}
	return &created, nil
}

// UpdateWebhook changes an endpoint and returns it as it is then (docs/api.md,
// Webhook update). The request is sent once.
func (c *Client) UpdateWebhook(ctx context.Context, id string, patch WebhookPatch) (*Webhook, error) {
	call, err := write(http.MethodPatch, oneWebhook, http.StatusOK).about(id)
	if err != nil {
		return nil, err
	}
	if call.body, err = json.Marshal(patch); err != nil {
		return nil, err
	}
	return c.webhook(ctx, call)
}

// DeleteWebhook deletes an endpoint; deliveries on their way to it are abandoned
// (docs/api.md, Webhook deletion). The request is sent once.
func (c *Client) DeleteWebhook(ctx context.Context, id string) error {
	call, err := write(http.MethodDelete, oneWebhook, http.StatusNoContent).about(id)
	if err != nil {
		return err
	}
	call.kind = noBody
	_, err = c.send(ctx, call)
	return err
}

// RotateWebhookSecret replaces an endpoint's signing secret (docs/api.md, Secret
// rotation). The request is sent once; after ErrOutcomeUnknown the secret may be
// another one than is known, and only rotating again makes one that is.
func (c *Client) RotateWebhookSecret(ctx context.Context, id string) (*RotatedSecret, error) {
	call, err := write(http.MethodPost, oneWebhook+"/rotate-secret", http.StatusOK).about(id)
	if err != nil {
		return nil, err
	}
	answer, err := c.object(ctx, call)
	if err != nil {
		return nil, err
	}
	rotated := &RotatedSecret{
		Secret:                  answer.secret(),
		PreviousSecretExpiresAt: answer.moment("previous_secret_expires_at"),
	}
	if rotated.Secret.Check() != nil {
		return nil, call.broken("secret", "is missing, or not a signing secret")
	}
	rotated.Extra = answer.rest()
	return rotated, nil
}

// VerifyWebhook has a test event delivered to one endpoint, whatever its status
// (docs/api.md, Test event). The request is sent once.
func (c *Client) VerifyWebhook(ctx context.Context, id string) (*QueuedTest, error) {
	call, err := write(http.MethodPost, oneWebhook+"/verify", http.StatusAccepted).about(id)
	if err != nil {
		return nil, err
	}
	answer, err := c.object(ctx, call)
	if err != nil {
		return nil, err
	}
	queued := &QueuedTest{EventID: answer.text("event_id"), DeliveryID: answer.text("delivery_id")}
	queued.Extra = answer.rest()
	return queued, nil
}

// webhook carries out a call that is answered with an endpoint.
func (c *Client) webhook(ctx context.Context, call call) (*Webhook, error) {
	answer, err := c.object(ctx, call)
	if err != nil {
		return nil, err
	}
	f := call.fields()
	webhook := answer.webhook(f)
	if err := f.failure(); err != nil {
		return nil, err
	}
	return &webhook, nil
}

// object carries out a call that is answered with a JSON object.
func (c *Client) object(ctx context.Context, call call) (*object, error) {
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer object
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	return &answer, nil
}

func (o *object) webhook(f *fields) Webhook {
	w := Webhook{
		ID:                      o.text("id", "webhook_id"),
		URL:                     o.address("url"),
		Status:                  WebhookStatus(o.text("status")),
		CreatedAt:               o.moment("created_at"),
		UpdatedAt:               o.moment("updated_at"),
		DisabledAt:              o.moment("disabled_at"),
		DisabledReason:          o.text("disabled_reason"),
		PreviousSecretExpiresAt: o.moment("previous_secret_expires_at"),
	}
	var types []string
	take(o, &types, "event_types", "events", "types")
	for _, t := range types {
		w.EventTypes = append(w.EventTypes, EventType(termtext.Line(t)))
	}
	if w.Status == "" {
		f.fail("status", "is missing")
	}
	w.Extra = o.rest()
	return w
}

func (w Webhook) reduced(why *ContractError) Webhook {
	return Webhook{ID: w.ID, URL: w.URL, Unreadable: why}
}

// decodeList reads a bare list of records whose field names are not certain.
func decodeList[T any](
	call call, body []byte, record func(*object, *fields) T, reduce func(T, *ContractError) T,
) ([]T, error) {
	var answer []element[object]
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	if answer == nil {
		return nil, call.broken("", "is null instead of a list")
	}
	list, err := readList(call, "", answer, record, reduce)
	if err != nil {
		return nil, err
	}
	return list, nil
}
