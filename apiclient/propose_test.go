package apiclient_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
)

func proposal() apiclient.InvoiceProposal {
	return apiclient.InvoiceProposal{
		Description: " Platform subscription ", RecipientName: "Łukasz & Søn", RecipientEmail: "ap@acme.example",
		DueDate: apiclient.NewDate(2026, 12, 31),
		LineItems: []apiclient.LineItem{
			{Description: "November", Quantity: apiclient.MustQuantity("1.50"), UnitPriceCents: 160000},
			{Description: "Setup\u00a0", Quantity: apiclient.MustQuantity("2"), UnitPriceCents: 5},
		},
	}
}

const draftJSON = `{"id":"inv_1","number":"INV-000042","status":"draft","currency":"USD","description":"Platform ` +
	`subscription","recipient_name":"Łukasz & ` +
	`Søn","recipient_email":"ap@acme.example","subtotal_cents":240010,"tax_cents":0,"total_cents":240010,` +
	`"created_at":"2026-11-20T12:00:00Z","updated_at":"2026-11-20T12:00:00Z","due_date":"2026-12-31T00:00:00Z",` +
	`"sent_at":null,"paid_at":null,"voided_at":null}`

func TestProposeInvoice(t *testing.T) {
	var body, key, kind string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body, key, kind = string(b), r.Header.Get("Idempotency-Key"), r.Header.Get("Content-Type")
		if r.Method != http.MethodPost || r.URL.Path != "/api/ext/v1/invoices" || r.URL.RawQuery != "" {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		answer(w, 201, draftJSON)
	})
	day := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	got, err := client.ProposeInvoice(t.Context(), proposal(), apiclient.IdempotencyKey("k-1"))
	check(t, "draft", got, err, &apiclient.Invoice{
		ID: "inv_1", Number: "INV-000042", Status: apiclient.InvoiceDraft, Description: "Platform subscription",
		RecipientName: "Łukasz & Søn", RecipientEmail: "ap@acme.example",
		Subtotal: apiclient.NewAmount(240010, "USD"), Tax: apiclient.NewAmount(0, "USD"),
		Total:     apiclient.NewAmount(240010, "USD"),
		CreatedAt: day, UpdatedAt: day, DueDate: ptr(time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)),
	})
	want := `{"currency":"USD","description":"Platform ` +
		`subscription","line_items":[{"description":"November","quantity":"1.5","unit_price_cents":160000},` +
		`{"description":"Setup","quantity":"2","unit_price_cents":5}],"recipient_name":"Łukasz \u0026 ` +
		`Søn","recipient_email":"ap@acme.example","notes":"","due_date":"2026-12-31"}`
	if body != want || key != "k-1" || kind != "application/json" {
		t.Errorf("key %q, %s\n got %s\nwant %s", key, kind, body, want)
	}

	// An empty date is left out; empty notes are sent.
	p := proposal()
	p.DueDate, p.Notes, p.Currency = apiclient.Date{}, " internal ", "USD"
	if _, err := client.ProposeInvoice(t.Context(), p); err != nil {
		t.Error(err)
	}
	if !strings.Contains(body, `"notes":"internal"`) || strings.Contains(body, "due_date") || key != "" {
		t.Errorf("key %q, %s", key, body)
	}
}

func TestAProposalThatBreaksARuleIsNotSent(t *testing.T) {
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") })
	p := proposal()
	p.RecipientEmail = "nobody"
	_, err := client.ProposeInvoice(t.Context(), p)
	var broken *apiclient.ProposalError
	if !errors.As(err, &broken) || len(broken.Fields) != 1 || broken.Fields[0].Field != "recipient_email" ||
		errors.Is(err, apiclient.ErrOutcomeUnknown) {
		t.Errorf("%v", err)
	}
	if got := err.Error(); got != "the proposal was not sent: recipient_email must be an e-mail address such as "+
		"pay@acme.example" {
		t.Error(got)
	}
	for _, key := range []string{"", "a b", "a\r\nX: y", "ü", strings.Repeat("x", 256)} {
		if _, err := client.ProposeInvoice(t.Context(), proposal(), apiclient.IdempotencyKey(key)); err == nil ||
			errors.Is(err, apiclient.ErrOutcomeUnknown) {
			t.Errorf("key %q: %v", key, err)
		}
	}
}

func TestEveryRefusalOfAProposal(t *testing.T) {
	for status, want := range map[int]error{
		400: apiclient.ErrInvalid, 401: apiclient.ErrUnauthorized, 403: apiclient.ErrForbidden, 404: apiclient.ErrNotFound,
		405: apiclient.ErrInvalid, 409: apiclient.ErrConflict,
		413: apiclient.ErrInvalid, 415: apiclient.ErrInvalid, 422: apiclient.ErrUnprocessable, 429: apiclient.ErrRateLimited,
	} {
		client, clock := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, status, `{"error":"no \u001b[1mfor `+secret+` and svc_whsec_abc"}`)
		})
		_, err := client.ProposeInvoice(t.Context(), proposal())
		if !errors.Is(err, want) || errors.Is(err, apiclient.ErrOutcomeUnknown) || len(clock.slept) > 0 {
			t.Errorf("%d: %v", status, err)
		}
		if text := fmt.Sprintf("POST /invoices: no for [token] and [secret] (%d)", status); err.Error() != text {
			t.Errorf("%q, want %q", err, text)
		}
	}
}
