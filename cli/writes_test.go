package cli_test

import (
	"bytes"
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/apiclient/webhook"
	"tarmac/internal/civil"
	"tarmac/service/egress"
)

// deliveries is a receiver that verifies deliveries with the client's own package and its
// current secrets.
type deliveries struct {
	server *httptest.Server
	events chan apiclient.Event

	mu      sync.Mutex
	secrets []apiclient.Secret
}

func newDeliveries(t *testing.T) *deliveries {
	t.Helper()
	d := &deliveries{events: make(chan apiclient.Event, 100)}
	d.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		secrets := slices.Clone(d.secrets)
		d.mu.Unlock()
		event, err := webhook.ReadRequest(r, secrets)
		if err != nil {
			t.Errorf("a delivery was not accepted: %v", err)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		d.events <- event
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(d.server.Close)
	return d
}

func (d *deliveries) accept(secrets ...apiclient.Secret) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.secrets = secrets
}

func (d *deliveries) next(t *testing.T) apiclient.Event {
	t.Helper()
	select {
	case e := <-d.events:
		return e
	case <-time.After(patience):
		t.Fatal("nothing was delivered")
		panic("unreachable")
	}
}

// The service accepts the client's writes, and the client's package verifies the service's
// deliveries.
func TestTheClientWritesWhatTheServiceTakes(t *testing.T) {
	t.Parallel()
	d := newDeliveries(t)
	authorities := x509.NewCertPool()
	authorities.AddCert(d.server.Certificate())
	b := newBothWith(t, egress.Config{Allow: []string{d.server.Listener.Addr().String()}, RootCAs: authorities})
	ctx := t.Context()
	if _, err := b.service.SetOwner(ctx, b.orgID, "Ada Palmer", "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	made, err := b.client.CreateWebhook(ctx, d.server.URL+"/finance", []apiclient.EventType{apiclient.EventInvoiceSent})
	if err != nil {
		t.Fatal(err)
	}
	d.accept(made.Secret)
	queued, err := b.client.VerifyWebhook(ctx, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.next(t); got.ID != queued.EventID || got.Type != apiclient.EventTest {
		t.Errorf("delivered %+v, queued %+v", got, queued)
	}

	proposal := apiclient.InvoiceProposal{
		Description: "Platform subscription", RecipientName: "Łukasz", RecipientEmail: "l@example.com", Notes: "internal",
		DueDate: civil.Of(time.Now().AddDate(0, 1, 0)),
		LineItems: []apiclient.LineItem{
			{Description: "Hours", Quantity: apiclient.MustQuantity("1.005"), UnitPriceCents: 1_00},
			{Description: "Seats", Quantity: apiclient.MustQuantity("12"), UnitPriceCents: 45_00},
		},
	}
	preview, err := proposal.Total()
	if err != nil {
		t.Fatal(err)
	}
	draft, err := b.client.ProposeInvoice(ctx, proposal, apiclient.IdempotencyKey("one"))
	if err != nil {
		t.Fatal(err)
	}
	if cents, known := draft.Total.Minor(); !known || cents != preview || draft.Status != apiclient.InvoiceDraft {
		t.Errorf("the preview said %d, the draft is %+v", preview, draft)
	}
	again, err := b.client.ProposeInvoice(ctx, proposal, apiclient.IdempotencyKey("one"))
	if err != nil || again.ID != draft.ID {
		t.Errorf("the same key: %+v, %v", again, err)
	}
	var page bytes.Buffer
	pdf, err := b.client.InvoicePDF(ctx, draft.ID, &page)
	if err != nil || pdf.FileName != draft.Number+".pdf" || !strings.HasPrefix(page.String(), "%PDF-") {
		t.Errorf("PDF %+v, %v", pdf, err)
	}

	// After a rotation, the receiver accepts either secret.
	rotated, err := b.client.RotateWebhookSecret(ctx, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.service.SendInvoice(ctx, draft.ID); err != nil {
		t.Fatal(err)
	}
	if got := d.next(t); got.Type != apiclient.EventInvoiceSent {
		t.Errorf("delivered %+v", got)
	}
	d.accept(rotated.Secret)
	if _, err := b.client.VerifyWebhook(ctx, made.ID); err != nil {
		t.Fatal(err)
	}
	d.next(t)
	b.endpointLifecycle(made.ID)
}

// endpointLifecycle changes, lists and deletes an endpoint with three deliveries.
func (b *both) endpointLifecycle(id string) {
	t, ctx := b.t, b.t.Context()
	t.Helper()
	paused := apiclient.WebhookPaused
	updated, err := b.client.UpdateWebhook(ctx, id, apiclient.WebhookPatch{Status: &paused})
	if err != nil || updated.Status != apiclient.WebhookPaused || updated.PreviousSecretExpiresAt == nil {
		t.Errorf("updated %+v, %v", updated, err)
	}
	all, err := b.client.Webhooks(ctx)
	if err != nil || len(all) != 1 || all[0].ID != id {
		t.Errorf("listed %+v, %v", all, err)
	}
	read, err := b.client.Webhook(ctx, id)
	if err != nil || read.URL != updated.URL {
		t.Errorf("read %+v, %v", read, err)
	}
	listed, err := b.client.WebhookDeliveries(ctx, id)
	if err != nil || len(listed) != 3 {
		t.Fatalf("deliveries %+v, %v", listed, err)
	}
	for _, d := range listed {
		if d.Attempts == nil || *d.Attempts != 1 {
			t.Errorf("delivery %+v", d)
		}
	}
	if err := b.client.DeleteWebhook(ctx, id); err != nil {
		t.Error(err)
	}
	if err := b.client.DeleteWebhook(ctx, id); !errors.Is(err, apiclient.ErrNotFound) ||
		errors.Is(err, apiclient.ErrOutcomeUnknown) {
		t.Errorf("deleted twice: %v", err)
	}
}
