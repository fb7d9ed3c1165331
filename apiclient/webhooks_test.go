package apiclient_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
)

const (
	signing     = apiclient.SecretPrefix + "4fQ9mX2cVb7Lr0TzKpYw3hNs8JdEa6Gu"
	webhookJSON = `{"id":"wh_1","url":"https://hooks.example.com/finance","event_types":["invoice.paid",` +
		`"payment.failed"],"status":"auto_disabled","created_at":"2026-11-20T12:00:00Z",` +
		`"updated_at":"2026-11-20T12:00:00Z","disabled_at":"2026-11-20T12:00:00Z","disabled_reason":"gone",` +
		`"previous_secret_expires_at":null}`
	deliveryJSON = `{"id":"whd_1","event_id":"evt_1","event_type":"invoice.paid","status":"pending","attempt_count":3,` +
		`"last_response_code":503,"last_error":"http_status","next_retry_at":"2026-11-20T12:00:00Z",` +
		`"created_at":"2026-11-20T12:00:00Z","last_attempt_at":"2026-11-20T12:00:00Z","delivered_at":null}`
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func disabledWebhook() apiclient.Webhook {
	return apiclient.Webhook{
		ID: "wh_1", URL: "https://hooks.example.com/finance",
		EventTypes: []apiclient.EventType{apiclient.EventInvoicePaid, apiclient.EventPaymentFailed},
		Status:     apiclient.WebhookAutoDisabled, CreatedAt: &noon, UpdatedAt: &noon, DisabledAt: &noon,
		DisabledReason: "gone",
	}
}

// asked responds with status and body and records the requests.
func asked(t testing.TB, status int, body string) (client *apiclient.Client, request *string) {
	request = new(string)
	client, _ = serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		*request = r.Method + " " + strings.TrimPrefix(r.URL.EscapedPath(), "/api/ext/v1") + " " + r.Header.Get(
			"Content-Type",
		) + " " + string(
			sent,
		)
		if status == http.StatusNoContent {
			w.WriteHeader(status)
			return
		}
		answer(w, status, body)
	})
	return client, request
}

func expect(t *testing.T, got *string, want string) {
	t.Helper()
	if *got != want {
		t.Errorf("asked %s\nwant  %s", *got, want)
	}
}

func TestWebhooks(t *testing.T) {
	ctx, want := t.Context(), disabledWebhook()
	client, request := asked(t, 200, "["+webhookJSON+"]")
	list, err := client.Webhooks(ctx)
	check(t, "list", list, err, []apiclient.Webhook{want})
	expect(t, request, "GET /webhooks  ")

	client, request = asked(t, 200, webhookJSON)
	one, err := client.Webhook(ctx, "wh/1")
	check(t, "one", one, err, &want)
	expect(t, request, "GET /webhooks/wh%2F1  ")

	for body, patch := range map[string]apiclient.WebhookPatch{
		`{}`: {},
		`{"url":"https://x.example/a?b=c\u0026d"}`: {URL: ptr("https://x.example/a?b=c&d")},
		`{"event_types":["invoice.sent","new.type"],"status":"active"}`: {
			EventTypes: []apiclient.EventType{"invoice.sent", "new.type"}, Status: ptr(apiclient.WebhookActive)},
		`{"event_types":[]}`: {EventTypes: []apiclient.EventType{}},
	} {
		updated, err := client.UpdateWebhook(ctx, "wh_1", patch)
		check(t, "update", updated, err, &want)
		expect(t, request, "PATCH /webhooks/wh_1 application/json "+body)
	}

	client, request = asked(t, 201, strings.TrimSuffix(webhookJSON, "}")+`,"secret":"`+signing+`"}`)
	created, err := client.CreateWebhook(ctx, "https://hooks.example.com/finance", []apiclient.EventType{"invoice.paid"})
	check(t, "create", created, err, &apiclient.CreatedWebhook{Webhook: want, Secret: signing})
	expect(t, request, `POST /webhooks application/json `+
		`{"url":"https://hooks.example.com/finance","event_types":["invoice.paid"]}`)
	if _, err := client.CreateWebhook(ctx, "", nil); err != nil {
		t.Error(err)
	}
	expect(t, request, `POST /webhooks application/json {"url":"","event_types":[]}`)

	client, request = asked(t, 204, "")
	if err := client.DeleteWebhook(ctx, "wh_1"); err != nil {
		t.Error(err)
	}
	expect(t, request, "DELETE /webhooks/wh_1  ")

	client, request = asked(t, 200, `{"secret":"`+signing+`","previous_secret_expires_at":"2026-11-20T12:00:00Z"}`)
	rotated, err := client.RotateWebhookSecret(ctx, "wh_1")
	check(t, "rotate", rotated, err, &apiclient.RotatedSecret{Secret: signing, PreviousSecretExpiresAt: &noon})
	expect(t, request, "POST /webhooks/wh_1/rotate-secret  ")

	client, request = asked(t, 202, `{"event_id":"evt_1","delivery_id":"whd_1"}`)
	queued, err := client.VerifyWebhook(ctx, "wh_1")
	check(t, "verify", queued, err, &apiclient.QueuedTest{EventID: "evt_1", DeliveryID: "whd_1"})
	expect(t, request, "POST /webhooks/wh_1/verify  ")

	client, request = asked(t, 200, "["+deliveryJSON+"]")
	deliveries, err := client.WebhookDeliveries(ctx, "wh_1")
	check(t, "deliveries", deliveries, err, []apiclient.WebhookDelivery{{
		ID: "whd_1", EventID: "evt_1", EventType: apiclient.EventInvoicePaid, Status: apiclient.DeliveryPending,
		Attempts: ptr(int64(3)), LastResponseCode: ptr(int64(503)),
		LastError: "http_status", NextRetryAt: &noon, CreatedAt: &noon, LastAttemptAt: &noon,
	}})
	expect(t, request, "GET /webhooks/wh_1/deliveries  ")
}

// Another server of the same API sends only some of these fields.
func TestWebhooksOfAnotherServer(t *testing.T) {
	ctx := t.Context()
	client, _ := asked(
		t,
		200,
		`[{"webhook_id":"w","url":"https://x.example/`+strings.Repeat("p", 1500)+
			`","events":["a.b","c\u001b[2Jd"],"status":"sleeping","owner":{"b":[1, `+
			`2]},"note":"a\u202eb","created_at":"yesterday"}]`,
	)
	list, err := client.Webhooks(ctx)
	check(t, "list", list, err, []apiclient.Webhook{{
		ID: "w", URL: "https://x.example/" + strings.Repeat("p", 1500), EventTypes: []apiclient.EventType{"a.b", "cd"},
		Status: "sleeping",
		Extra: []apiclient.Field{
			{Name: "owner", Value: `{"b":[1,2]}`},
			{Name: "note", Value: "ab"},
			{Name: "created_at", Value: "yesterday"},
		},
	}})
	if len(list) == 1 && list[0].Status.Known() {
		t.Error("sleeping is known")
	}
	client, _ = asked(t, 200, `[{"status":"stuck","attempts":2,"response_code":null,"hint":"x"},{"status":"delivered"}]`)
	deliveries, err := client.WebhookDeliveries(ctx, "w")
	check(
		t,
		"deliveries",
		deliveries,
		err,
		[]apiclient.WebhookDelivery{
			{Status: "stuck", Attempts: ptr(int64(2)), Extra: []apiclient.Field{{Name: "hint", Value: "x"}}},
			{Status: "delivered"},
		},
	)
	if len(deliveries) == 2 && (deliveries[0].Status.Known() || !deliveries[1].Status.Known()) {
		t.Error("the wrong status is known")
	}
	for _, body := range []string{
		`{"id":"w","status":"active","signing_secret":"` + signing + `"}`, `{"id":"w","status":"active","once":"` + signing +
			`","secret":null}`,
		`{"webhook":{"id":"w","status":"active"},"secret":"` + signing + `"}`,
		`{"endpoint":{"id":"w","status":"active","key":"` + signing + `"}}`,
	} {
		client, _ = asked(t, 201, body)
		created, err := client.CreateWebhook(ctx, "https://x.example", nil)
		check(t, body, created, err, &apiclient.CreatedWebhook{
			Webhook: apiclient.Webhook{ID: "w", Status: apiclient.WebhookActive}, Secret: signing})
	}
	client, _ = asked(t, 200, `{"secret_hint":"6Gu","new":"`+signing+`"}`)
	rotated, err := client.RotateWebhookSecret(ctx, "w")
	check(t, "rotate", rotated, err,
		&apiclient.RotatedSecret{Secret: signing, Extra: []apiclient.Field{{Name: "secret_hint", Value: "6Gu"}}})
	client, _ = asked(t, 202, `{"queued":true}`)
	queued, err := client.VerifyWebhook(ctx, "w")
	check(t, "verify", queued, err, &apiclient.QueuedTest{Extra: []apiclient.Field{{Name: "queued", Value: "true"}}})
}

func TestAnswersAboutWebhooksThatAreNone(t *testing.T) {
	ctx := t.Context()
	for name, c := range map[string]struct {
		status int
		body   string
		want   string
		call   func(*apiclient.Client) error
	}{
		"null list": {200, `null`, "is null instead of a list",
			func(c *apiclient.Client) error { _, err := c.Webhooks(ctx); return err }},
		"object": {200, `{"data":[]}`, "object",
			func(c *apiclient.Client) error { _, err := c.Webhooks(ctx); return err }},
		"list of null": {200, `[null]`, "null", func(c *apiclient.Client) error { _, err := c.Webhooks(ctx); return err }},
		"no status": {200, `[{"id":"wh_2"}]`, "field [0].status of the answer is missing",
			func(c *apiclient.Client) error { _, err := c.Webhooks(ctx); return err }},
		"one, no status": {200, `{"id":"wh_2"}`, "field status of the answer is missing",
			func(c *apiclient.Client) error { _, err := c.Webhook(ctx, "wh_2"); return err }},
		"no delivery": {200, `[{}]`, "field [0].status of the answer is missing",
			func(c *apiclient.Client) error { _, err := c.WebhookDeliveries(ctx, "wh_2"); return err }},
		"no secret": {201, webhookJSON, "field secret of the answer is missing",
			func(c *apiclient.Client) error { _, err := c.CreateWebhook(ctx, "", nil); return err }},
		"bare prefix": {201, `{"status":"active","secret":"svc_whsec_"}`, "field secret",
			func(c *apiclient.Client) error { _, err := c.CreateWebhook(ctx, "", nil); return err }},
		"dirty secret": {200, `{"secret":"svc_whsec_a\u001b[2Jb"}`, "field secret",
			func(c *apiclient.Client) error { _, err := c.RotateWebhookSecret(ctx, "wh_1"); return err }},
		"token, no secret": {200, `{"secret":"` + secret + `"}`, "field secret",
			func(c *apiclient.Client) error { _, err := c.RotateWebhookSecret(ctx, "wh_1"); return err }},
		"secret, no status": {201, `{"id":"wh_1","secret":"` + signing + `"}`, "field status of the answer is missing",
			func(c *apiclient.Client) error { _, err := c.CreateWebhook(ctx, "", nil); return err }},
		"deleted with 200": {200, `{}`, "has status 200 instead of 204",
			func(c *apiclient.Client) error { return c.DeleteWebhook(ctx, "wh_1") }},
	} {
		client, request := asked(t, c.status, c.body)
		err := c.call(client)
		var contract *apiclient.ContractError
		if !errors.As(err, &contract) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) ||
			strings.Contains(err.Error(), signing) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
		if errors.Is(err, apiclient.ErrOutcomeUnknown) == strings.HasPrefix(*request, "GET") {
			t.Errorf("%s: %v", name, err)
		}
	}
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("an id that is none was sent") })
	for _, id := range []string{"", ".", "..", strings.Repeat("x", 300)} {
		_, one := client.Webhook(ctx, id)
		_, updated := client.UpdateWebhook(ctx, id, apiclient.WebhookPatch{})
		_, deliveries := client.WebhookDeliveries(ctx, id)
		_, rotated := client.RotateWebhookSecret(ctx, id)
		_, verified := client.VerifyWebhook(ctx, id)
		for i, err := range []error{one, updated, deliveries, rotated, verified, client.DeleteWebhook(ctx, id)} {
			if err == nil || errors.Is(err, apiclient.ErrOutcomeUnknown) {
				t.Errorf("%d: id %q: %v", i, id, err)
			}
		}
	}
}

// A signing secret is printed, logged or returned nowhere but in its own field.
func TestSecretsAreNeverShown(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := apiclient.Secret(signing)
	created := apiclient.CreatedWebhook{Secret: s}
	rotated := &apiclient.RotatedSecret{Secret: s}
	logger.Info("secret", "secret", s, "created", created, "rotated", rotated)
	fmt.Fprintf(&out, "%v %+v %#v %s %q %x %d %v %+v %#v %v %+v", s, s, s, s, s, s, s, created, created, created, rotated,
		[]apiclient.Secret{s})
	if err := json.NewEncoder(&out).Encode(map[string]any{"secret": []any{s, &s, created, rotated}}); err != nil {
		t.Fatal(err)
	}
	for name, handler := range map[string]http.HandlerFunc{
		"refusal": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", signing)
			answer(w, 409, `{"error":"secret \"`+signing+`\" is, `+signing+`; taken"}`)
		},
		"content type": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/"+signing)
			w.WriteHeader(200)
		},
		"redirect":    func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/"+signing, http.StatusFound) },
		"no HTTP":     saying(t, signing+"\r\n\r\n"),
		"no JSON":     answering(signing),
		"not alone":   answering(`{"secret":"` + signing + `"}x`),
		"wrong shape": answering(`["` + signing + `"]`),
	} {
		client, _ := serve(t, handler, apiclient.WithLogger(logger))
		_, err := client.RotateWebhookSecret(t.Context(), "wh_1")
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		fmt.Fprintf(&out, "%v %+v %#v", err, err, err)
	}
	client, _ := asked(t, 200, `{"status":"active","signing":{"key":"`+signing+`"},"`+signing+`":1}`)
	webhook, err := client.Webhook(t.Context(), "wh_1")
	if err != nil || len(webhook.Extra) != 2 {
		t.Fatalf("%+v, %v", webhook, err)
	}
	fmt.Fprint(&out, webhook)
	for _, leak := range []string{signing[len(apiclient.SecretPrefix):], fmt.Sprintf("%x", signing)} {
		if at := strings.Index(out.String(), leak); at >= 0 {
			t.Errorf("%q is shown in %q", leak, out.String()[max(0, at-200):min(out.Len(), at+60)])
		}
	}
	if s.Reveal() != signing || s.Check() != nil {
		t.Error("the secret does not reveal itself")
	}
}

func TestSecretsAreChecked(t *testing.T) {
	for _, bad := range []string{"", "svc_whsec_", "whsec_abc", "SVC_WHSEC_abc", "svc_whsec_a b", "svc_whsec_a\n",
		"svc_whsec_ä", "svc_whsec_" + strings.Repeat("x", 5000), secret} {
		err := apiclient.Secret(bad).Check()
		if err == nil {
			t.Errorf("secret %q was taken", bad)
		}
		if rest := strings.TrimPrefix(bad, apiclient.SecretPrefix); rest != "" && err != nil &&
			strings.Contains(err.Error(), rest) {
			t.Errorf("the error shows the secret: %v", err)
		}
	}
}

func TestParseEvent(t *testing.T) {
	event, err := apiclient.ParseEvent([]byte(eventJSON))
	if err != nil || event.ID != "evt_1" || event.Type != apiclient.EventInvoicePaid {
		t.Errorf("%+v, %v", event, err)
	}
	for body, want := range map[string]string{
		``: "the event is not valid JSON", `[]`: "the event has a JSON array where another type belongs",
		`null`:     "field id of the event is missing",
		`{"id":7}`: "field id of the event has a JSON number where another type belongs",
		strings.Replace(eventJSON, `"id"`, `"di"`, 1):                  "field id of the event is missing",
		strings.Replace(eventJSON, `"version":1`, `"version":null`, 1): "field version of the event is missing",
		eventJSON + "x": "the event is not valid JSON",
	} {
		if _, err := apiclient.ParseEvent([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", body, err, want)
		}
	}
}
