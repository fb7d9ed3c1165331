package apiclient_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
)

func TestEvent(t *testing.T) {
	got, err := fixed(t, eventJSON).Event(t.Context(), "evt_1")
	check(t, "event", got, err, &apiclient.Event{
		ID: "evt_1", Type: apiclient.EventInvoicePaid, Version: 1, OccurredAt: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		Data: []byte(`{"invoice_id":"inv_1","number":"INV-1","status":"paid","total_cents":120,"currency":"USD"}`),
	})
	data, ok := got.InvoiceData()
	if want := (apiclient.InvoiceData{InvoiceID: "inv_1", Number: "INV-1", Status: apiclient.InvoicePaid,
		Total: apiclient.NewAmount(120, "USD")}); data != want ||
		!ok {
		t.Errorf("%+v, %v", data, ok)
	}
	if _, ok := got.PaymentData(); ok || got.Message() != "" {
		t.Error("an invoice event has the data of others")
	}
}

func TestEventData(t *testing.T) {
	payment := apiclient.Event{
		Type: apiclient.EventPaymentHeld,
		Data: []byte(`{"payment_intent_id":"pi_1","amount_cents":5,"currency":"EUR"}`),
	}
	if data, ok := payment.PaymentData(); !ok ||
		data != (apiclient.PaymentData{PaymentIntentID: "pi_1", Amount: apiclient.NewAmount(5, "EUR")}) {
		t.Errorf("%+v, %v", data, ok)
	}
	test := apiclient.Event{Type: apiclient.EventTest, Data: []byte(`{"message":"hel\u001b[2Jlo"}`)}
	if got := test.Message(); got != "hello" {
		t.Error(got)
	}
	for _, data := range []string{"", "[]", "{}", "null", `{"payment_intent_id":7}`, "\x00"} {
		payment.Data = []byte(data)
		if got, ok := payment.PaymentData(); ok {
			t.Errorf("%q was read as %+v", data, got)
		}
	}
	missing := apiclient.Event{Type: apiclient.EventPaymentHeld, Data: []byte(`{"payment_intent_id":"pi_1"}`)}
	if data, ok := missing.PaymentData(); !ok || data.Amount.Known() {
		t.Errorf("an amount was made up: %+v, %v", data, ok)
	}
	pretty := apiclient.Event{Data: []byte("{\"b\":\"x\u009b31m\u202ey\",\"a\":[1]}")}
	if got := pretty.PrettyData(); got != "{\n  \"b\": \"xy\",\n  \"a\": [\n    1\n  ]\n}" {
		t.Errorf("%q", got)
	}
}

func TestDataThatIsTooLargeIsNotKept(t *testing.T) {
	got, err := fixed(t, strings.Replace(eventJSON, "INV-1", strings.Repeat("x", 70<<10), 1)).Event(t.Context(), "evt_1")
	if err != nil || got.Data != nil || got.Omitted < 70<<10 || !strings.Contains(got.PrettyData(), "bytes of data") {
		t.Errorf("%v, %d bytes kept, %d omitted", err, len(got.Data), got.Omitted)
	}
}

// The API leaves the container of the event list open; the likely ones are read.
func TestEventContainers(t *testing.T) {
	one := strings.ReplaceAll(eventJSON, "evt_1", "evt_2") + "," + eventJSON
	for name, c := range map[string]struct{ body, next string }{
		"data, next_cursor":  {`{"data":[` + one + `],"next_cursor":"evt_1"}`, "evt_1"},
		"last page":          {`{"data":[` + one + `],"next_cursor":""}`, ""},
		"null cursor":        {`{"data":[` + one + `],"next_cursor":null}`, ""},
		"next":               {`{"events":[` + one + `],"next":"n"}`, "n"},
		"cursor":             {`{"items":[` + one + `],"cursor":"c"}`, "c"},
		"no cursor, full":    {`{"data":[` + one + `]}`, "evt_1"},
		"bare array, full":   {`[` + one + `]`, "evt_1"},
		"bare array, fewer":  {`[` + eventJSON + `]`, ""},
		"bare array, none":   {`[]`, ""},
		"data, none":         {`{"data":[],"next_cursor":""}`, ""},
		"white space before": {" \n[" + eventJSON + "]", ""},
	} {
		page, err := fixed(t, c.body).EventPage(t.Context(), apiclient.EventQuery{Limit: 2})
		if err != nil || page.NextCursor != c.next || len(page.Data) != strings.Count(c.body, `"id"`) {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
	if page, err := fixed(t, `{"rows":[]}`).EventPage(t.Context(), apiclient.EventQuery{}); err == nil {
		t.Errorf("an unknown container was read as %+v", page)
	}
}

func TestEventsFollowsCursors(t *testing.T) {
	var queries []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		n := 4 - len(queries)
		next := ""
		if n > 1 {
			next = fmt.Sprintf("evt_%d", n)
		}
		answer(w, 200, `{"data":[`+strings.Replace(eventJSON, "evt_1", fmt.Sprintf("evt_%d", n), 1)+`],"next_cursor":"`+next+
			`"}`)
	})
	var ids []string
	for event, err := range client.Events(t.Context(),
		apiclient.EventQuery{Types: []apiclient.EventType{"invoice.paid", "invoice.sent"}, Limit: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, event.ID)
	}
	if !reflect.DeepEqual(ids, []string{"evt_3", "evt_2", "evt_1"}) {
		t.Error(ids)
	}
	if want := []string{"limit=1&types=invoice.paid%2Cinvoice.sent",
		"limit=1&starting_after=evt_3&types=invoice.paid%2Cinvoice.sent",
		"limit=1&starting_after=evt_2&types=invoice.paid%2Cinvoice.sent"}; !reflect.DeepEqual(queries, want) {
		t.Errorf("%q", queries)
	}
}
