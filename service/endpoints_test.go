package service_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/service/egress"
	"tarmac/service/events"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// endpoint holds the fields of a webhook endpoint that the tests read.
type endpoint struct {
	ID                      string   `json:"id"`
	URL                     string   `json:"url"`
	EventTypes              []string `json:"event_types"`
	Status                  string   `json:"status"`
	UpdatedAt               string   `json:"updated_at"`
	DisabledAt              *string  `json:"disabled_at"`
	DisabledReason          *string  `json:"disabled_reason"`
	PreviousSecretExpiresAt *string  `json:"previous_secret_expires_at"`
	Secret                  string   `json:"secret"`
}

const endpoints = prefix + "/webhooks"

func (f *fixture) endpoint(a tenant, body string) (e endpoint) {
	f.t.Helper()
	f.decode(f.send(a.secret, http.MethodPost, endpoints, body), &e)
	return e
}

func (f *fixture) patch(a tenant, id, body string) answer {
	f.t.Helper()
	return f.send(a.secret, http.MethodPatch, endpoints+"/"+id, body)
}

func TestAnEndpointsSecretIsShownOnce(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	got := f.send(
		a.secret, http.MethodPost, endpoints,
		`{"url":"https://hooks.example.com/x","event_types":["payment.failed","invoice.paid","payment.failed"]}`,
	)
	var made endpoint
	f.decode(got, &made)
	if got.status != http.StatusCreated || got.header.Get("Location") != endpoints+"/"+made.ID ||
		!strings.HasPrefix(made.ID, "wh_") {
		t.Errorf("%d %v %s", got.status, got.header, made.ID)
	}
	if !regexp.MustCompile(`^svc_whsec_[0-9A-Za-z]{32}$`).MatchString(made.Secret) {
		t.Errorf("the secret looks like %q", made.Secret)
	}
	if !slices.Equal(made.EventTypes, []string{"payment.failed", "invoice.paid"}) || made.Status != "active" {
		t.Errorf("%+v", made)
	}
	for _, path := range []string{endpoints, endpoints + "/" + made.ID} {
		if read := f.get(a.secret, path); strings.Contains(string(read.body), "secret\"") ||
			strings.Contains(string(read.body), "svc_whsec_") {
			t.Errorf("%s shows %s", path, read.body)
		}
	}
	if strings.Contains(f.logs.String(), made.Secret) {
		t.Error("the secret is in the log")
	}
	second := f.endpoint(a, goodEndpoint)
	var all []endpoint
	f.decode(f.get(a.secret, endpoints), &all)
	if len(all) != 2 || all[0].ID != second.ID || all[1].ID != made.ID {
		t.Errorf("listed %+v", all)
	}
}

func TestTheErrorOfAnInvalidEndpointNamesTheRule(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for body, text := range map[string]string{
		`{"event_types":["invoice.paid"]}`:                                  "url is missing",
		`{"url":"http://hooks.example.com","event_types":["invoice.paid"]}`: "url must be an https URL",

		`{"url":"https://127.0.0.1/x","event_types":["invoice.paid"]}`: "url must be publicly routable",

		`{"url":"https://[::ffff:10.0.0.1]/x","event_types":["invoice.paid"]}`: "url must be publicly routable",

		`{"url":"https://localhost/x","event_types":["invoice.paid"]}`: "url must be publicly routable",

		`{"url":"https://hooks.example.com","event_types":["invoice.refunded"]}`: `unknown event type "invoice.refunded"`,
		`{"url":"https://hooks.example.com","event_types":["` + a.secret + `"]}`: "unknown event type",

		`{"url":"https://hooks.example.com","event_types":["invoice.paid"],"status":"paused"}`: `unknown field "status"`,

		`{"url":"https://hooks.example.com","event_types":["invoice.paid"],"secret":"svc_whse"}`: `unknown field "secret"`,
	} {
		f.refused(body, f.send(a.secret, http.MethodPost, endpoints, body), 400, text)
	}
	for _, types := range []string{`[]`, `["*"]`, `null`, `"invoice.paid"`, `[null]`, `[1]`} {
		got := f.send(a.secret, http.MethodPost, endpoints, `{"url":"https://hooks.example.com","event_types":`+types+`}`)
		if got.status != http.StatusBadRequest {
			t.Errorf("types %s: %d %s", types, got.status, got.body)
		}
	}
}

func TestAnUpdateOfAnEndpointAppliesAllFieldsOrNone(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	made := f.endpoint(a, goodEndpoint)
	f.clock.advance(time.Minute)
	for _, body := range []string{
		`{"status":"paused","url":"https://10.0.0.1/"}`, `{"status":"auto_disabled"}`, `{"status":null}`, `{"url":null}`,
		`{"event_types":null}`,
		`{"url":"https://x.example.com/","event_types":[]}`, `{"status":"paused","x":1}`, `[]`, ``,
	} {
		got := f.send(a.secret, http.MethodPatch, endpoints+"/"+made.ID, body, "Content-Type", "application/json")
		if got.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
	var read endpoint
	f.decode(f.patch(a, made.ID, `{}`), &read)
	if read.URL != made.URL || read.Status != "active" || read.UpdatedAt != made.UpdatedAt {
		t.Errorf("changed to %+v", read)
	}
	f.refused("another organization's", f.patch(b, made.ID, `{"status":"paused"}`), 404, "no such webhook endpoint")
	f.decode(
		f.patch(a, made.ID, `{"url":"https://other.example.com/y","event_types":["test.event"],"status":"paused"}`), &read,
	)
	if read.URL != "https://other.example.com/y" || !slices.Equal(read.EventTypes, []string{"test.event"}) ||
		read.Status != "paused" || read.UpdatedAt == made.UpdatedAt {
		t.Errorf("updated to %+v", read)
	}
}

func TestADisabledEndpointCanBeActivatedAgain(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for _, to := range []string{"active", "paused"} {
		made := f.endpoint(a, goodEndpoint)
		at := f.clock.now()
		f.write(func(tx *store.Tx) error {
			e, err := tx.Endpoint(a.key, made.ID)
			if err != nil {
				return err
			}
			e.Status, e.DisabledAt, e.DisabledReason, e.FailingSince = webhooks.AutoDisabled, &at, webhooks.Failing, &at
			return tx.UpdateEndpoint(a.key, e)
		})
		var read endpoint
		f.decode(f.get(a.secret, endpoints+"/"+made.ID), &read)
		if read.Status != "auto_disabled" || read.DisabledAt == nil || read.DisabledReason == nil ||
			*read.DisabledReason != "failing" {
			t.Errorf("given up: %+v", read)
		}
		f.decode(f.patch(a, made.ID, `{"status":"`+to+`"}`), &read)
		if read.Status != to || read.DisabledAt != nil || read.DisabledReason != nil {
			t.Errorf("set to %s: %+v", to, read)
		}
	}
}

func TestConcurrentRequestsCreateNoMoreThanTwentyEndpoints(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	f.endpoint(b, goodEndpoint)
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		counts = map[int]int{}
	)
	for range 50 {
		wg.Go(func() {
			got := f.send(a.secret, http.MethodPost, endpoints, goodEndpoint)
			mu.Lock()
			defer mu.Unlock()
			counts[got.status]++
		})
	}
	wg.Wait()
	if counts[201] != webhooks.MaxEndpoints || counts[409] != 50-webhooks.MaxEndpoints {
		t.Errorf("answers %v", counts)
	}
	var all []endpoint
	f.decode(f.get(a.secret, endpoints), &all)
	if len(all) != webhooks.MaxEndpoints {
		t.Errorf("%d endpoints", len(all))
	}
	if got := f.send(a.secret, http.MethodDelete, endpoints+"/"+all[0].ID, ""); got.status != http.StatusNoContent ||
		len(got.body) != 0 {
		t.Errorf("delete: %d %s", got.status, got.body)
	}
	f.refused(
		"deleted twice", f.send(a.secret, http.MethodDelete, endpoints+"/"+all[0].ID, ""), 404, "no such webhook endpoint",
	)
	f.endpoint(a, goodEndpoint)
}

func TestAPreviousSecretExpiresADayAfterRotation(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	made := f.endpoint(a, goodEndpoint)
	path := endpoints + "/" + made.ID
	var rotated struct {
		Secret                  string    `json:"secret"`
		PreviousSecretExpiresAt time.Time `json:"previous_secret_expires_at"`
	}
	f.decode(f.send(a.secret, http.MethodPost, path+"/rotate-secret", ""), &rotated)
	if rotated.Secret == made.Secret || !strings.HasPrefix(rotated.Secret, "svc_whsec_") ||
		!rotated.PreviousSecretExpiresAt.Equal(noon.Add(24*time.Hour)) {
		t.Errorf("rotated %+v", rotated)
	}
	f.clock.advance(23 * time.Hour)
	f.decode(f.send(a.secret, http.MethodPost, path+"/rotate-secret", ""), &rotated)
	if !rotated.PreviousSecretExpiresAt.Equal(noon.Add(47 * time.Hour)) {
		t.Errorf("rotated again: until %s", rotated.PreviousSecretExpiresAt)
	}
	f.clock.advance(24*time.Hour - time.Second)
	var read endpoint
	f.decode(f.get(a.secret, path), &read)
	if read.PreviousSecretExpiresAt == nil {
		t.Error("the overlap ended early")
	}
	f.clock.advance(time.Second)
	f.decode(f.get(a.secret, path), &read)
	if read.PreviousSecretExpiresAt != nil {
		t.Errorf("the overlap goes on until %s", *read.PreviousSecretExpiresAt)
	}
}

func TestVerifyQueuesOneTestEventForThatEndpointOnly(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	one, two := f.endpoint(a, goodEndpoint), f.endpoint(
		a, `{"url":"https://two.example.com/","event_types":["test.event"]}`,
	)
	f.patch(a, one.ID, `{"status":"paused"}`)
	var queued struct {
		EventID    string `json:"event_id"`
		DeliveryID string `json:"delivery_id"`
	}
	got := f.send(a.secret, http.MethodPost, endpoints+"/"+one.ID+"/verify", "")
	f.decode(got, &queued)
	if got.status != http.StatusAccepted {
		t.Errorf("%d", got.status)
	}
	event := f.get(a.secret, prefix+"/events/"+queued.EventID)
	if !strings.Contains(string(event.body), `"type":"test.event","version":1`) {
		t.Errorf("in the feed: %s", event.body)
	}
	var listed []struct {
		ID          string  `json:"id"`
		EventID     string  `json:"event_id"`
		Status      string  `json:"status"`
		Attempts    int     `json:"attempt_count"`
		NextRetryAt *string `json:"next_retry_at"`
	}
	f.decode(f.get(a.secret, endpoints+"/"+one.ID+"/deliveries"), &listed)
	if len(listed) != 1 || listed[0].ID != queued.DeliveryID || listed[0].EventID != queued.EventID ||
		listed[0].Status != "pending" || listed[0].Attempts != 0 || listed[0].NextRetryAt == nil {
		t.Errorf("deliveries %+v", listed)
	}
	f.decode(f.get(a.secret, endpoints+"/"+two.ID+"/deliveries"), &listed)
	if len(listed) != 0 {
		t.Errorf("the other endpoint got %+v", listed)
	}
	f.refused(
		"another organization's", f.send(b.secret, http.MethodPost, endpoints+"/"+one.ID+"/verify", ""), 404,
		"no such webhook endpoint",
	)
}

func TestTheNewestHundredDeliveriesAreListed(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	made := f.endpoint(a, goodEndpoint)
	var last string
	f.write(func(tx *store.Tx) error {
		for i := range 130 {
			last = fmt.Sprintf("evt_%026d", i)
			e, err := events.ForTest(last, f.clock.now())
			if err != nil {
				return err
			}
			if _, err := tx.QueueTest(a.key, made.ID, e); err != nil {
				return err
			}
		}
		return nil
	})
	var listed []struct {
		EventID string `json:"event_id"`
	}
	f.decode(f.get(a.secret, endpoints+"/"+made.ID+"/deliveries"), &listed)
	if len(listed) != 100 || listed[0].EventID != last {
		t.Errorf("%d listed, the first %+v", len(listed), listed[0])
	}
}

func TestAnExemptHostAndPortIsAcceptedInAURL(t *testing.T) {
	f := start(t, 0)
	f.server.Close()
	if err := f.service.Close(); err != nil {
		t.Fatal(err)
	}
	f.webhooks = egress.Config{Allow: []string{"127.0.0.1:9443"}}
	f.open()
	a := f.tenant("a")
	f.endpoint(a, `{"url":"https://127.0.0.1:9443/x","event_types":["invoice.paid"]}`)
	f.refused("another port", f.send(
		a.secret, http.MethodPost, endpoints, `{"url":"https://127.0.0.1:9444/x","event_types":["invoice.paid"]}`,
	),
		400, "url must be publicly routable")
}
