package contract

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Every event type of the feed has a webhook with an example delivery.
func TestEveryEventTypeHasAWebhook(t *testing.T) {
	c := Load(t)
	var types []string
	for _, name := range c.doc.Components.Schemas["EventType"].Value.Enum {
		types = append(types, name.(string))
	}
	slices.Sort(types)
	if got := c.EventTypes(); !slices.Equal(got, types) {
		t.Fatalf("webhooks are %v, event types %v", got, types)
	}
	for _, name := range types {
		header, body := deliveryOf(t, c, name)
		if err := c.CheckDelivery(http.MethodPost, header, body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeliveriesThatDoNotConformAreTold(t *testing.T) {
	c := Load(t)
	set := func(name, value string) func(http.Header, []byte) []byte {
		return func(h http.Header, body []byte) []byte {
			h.Set(name, value)
			return body
		}
	}
	replaced := func(old, by string) func(http.Header, []byte) []byte {
		return func(_ http.Header, body []byte) []byte { return bytes.Replace(body, []byte(old), []byte(by), 1) }
	}
	v1 := ",v1=" + strings.Repeat("a", 64)
	for name, change := range map[string]func(http.Header, []byte) []byte{
		"no signature":               func(h http.Header, body []byte) []byte { h.Del("X-Service-Signature"); return body },
		"no attempt":                 func(h http.Header, body []byte) []byte { h.Del("X-Service-Attempt"); return body },
		"a signature without v1":     set("X-Service-Signature", "t=1795262400"),
		"three signatures":           set("X-Service-Signature", "t=1795262400"+v1+v1+v1),
		"upper-case hex":             set("X-Service-Signature", "t=1795262400,v1="+strings.Repeat("A", 64)),
		"an attempt of nought":       set("X-Service-Attempt", "0"),
		"another user agent":         set("User-Agent", "Go-http-client/2.0"),
		"an unknown type":            set("X-Service-Event-Type", "invoice.refunded"),
		"the type of another event":  set("X-Service-Event-Type", "invoice.sent"),
		"the id of another event":    set("X-Service-Event-Id", "evt_2"),
		"a header that is not there": set("X-Service-Secret", "x"),
		"another media type":         set("Content-Type", "text/plain"),
		"a header twice": func(h http.Header, body []byte) []byte {
			h.Add("X-Service-Attempt", "2")
			return body
		},
		"a status of another type": replaced(`"paid"`, `"sent"`),
		"an amount as text":        replaced("240000", `"240000"`),
		"a field too many":         replaced(`"version":1`, `"version":1,"org_id":"org_1"`),
		"two values":               func(_ http.Header, body []byte) []byte { return append(body, "{}"...) },
	} {
		header, body := deliveryOf(t, c, "invoice.paid")
		body = change(header, body)
		if err := c.CheckDelivery(http.MethodPost, header, body); err == nil {
			t.Errorf("%s: nothing was told", name)
		}
	}
	header, body := deliveryOf(t, c, "invoice.paid")
	if err := c.CheckDelivery(http.MethodPut, header, body); err == nil {
		t.Error("a PUT: nothing was told")
	}
}

// deliveryOf returns the example delivery of an event type.
func deliveryOf(t *testing.T, c *Contract, eventType string) (http.Header, []byte) {
	t.Helper()
	example := c.doc.Webhooks[eventType].Post.RequestBody.Value.Content.Get("application/json").Examples["event"]
	body, err := json.Marshal(example.Value.Value)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "OrgFinance-Webhooks/1.0", "X-Service-Event-Type": eventType,
		"X-Service-Event-Id": "evt_01KAJ2N7Q3W8ZV5T0M4C9XRB6H", "X-Service-Delivery-Id": "whd_1", "X-Service-Attempt": "1",
		"X-Service-Signature": "t=1795262400,v1=" + strings.Repeat("a", 64),
	} {
		header.Set(name, value)
	}
	return header, body
}
