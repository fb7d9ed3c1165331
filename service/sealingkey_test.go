package service_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/service"
)

// beside opens the fixture's database as another process.
func (f *fixture) beside(keyFile string, operator bool) error {
	s, err := service.Open(f.t.Context(), service.Config{
		Database: f.database, KeyFile: keyFile, Operator: operator, Ephemeral: true,
		Logger: slog.New(slog.DiscardHandler), Now: f.clock.now, Entropy: rand.Reader,
	})
	if err == nil {
		err = s.Close()
	}
	return err
}

// A command without --key-file must not create a second key: the service would continue to seal
// with the first, and could not start with it again.
func TestAnOperatorCommandNeverReplacesTheKey(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	other := filepath.Join(t.TempDir(), "key")
	if err := f.beside(other, true); err != nil {
		t.Errorf("without the key file: %v", err)
	}
	if _, err := os.Lstat(other); !os.IsNotExist(err) {
		t.Errorf("a second key file: %v", err)
	}
	wrong := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(wrong, []byte(strings.Repeat("5", 64)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.beside(wrong, true); err == nil || !strings.Contains(err.Error(), "is not the one") {
		t.Errorf("with another key: %v", err)
	}
	f.endpoint(a, goodEndpoint)
	f.restart()
	f.endpoint(a, goodEndpoint)
}

func TestALostKeyIsReplacedWhileNothingIsSealed(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	second := filepath.Join(t.TempDir(), "key")
	if err := f.beside(second, false); err != nil {
		t.Fatal(err)
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest(
		http.MethodPost, prefix+"/webhooks", strings.NewReader(goodEndpoint),
	)
	r.Header.Set("Authorization", "Bearer "+a.secret)
	r.Header.Set("Content-Type", "application/json")
	f.service.Handler().ServeHTTP(w, r) // no contract has this answer
	if w.Code != http.StatusInternalServerError || !strings.Contains(f.logs.String(), "with another key") {
		t.Errorf("sealed with a key that was replaced: %d %s", w.Code, w.Body)
	}
	f.restart() // with the first key, which nothing is sealed with either
	f.endpoint(a, goodEndpoint)
	for name, path := range map[string]string{
		"is not the one that the webhook secrets": second, "is missing and": second + ".none",
	} {
		if err := f.beside(path, false); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("after something was sealed: %v, want %q", err, name)
		}
	}
}

func TestResettingALostKeyPausesEndpointsAndLosesNoEvent(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	made := f.endpoint(a, goodEndpoint)
	f.emitInvoicePaid(a)
	if err := os.Remove(f.keyFile); err != nil {
		t.Fatal(err)
	}
	if err := f.beside(f.keyFile, false); err == nil || !strings.Contains(err.Error(), "admin key reset") {
		t.Fatalf("without the key: %v", err)
	}
	if n, tokens, err := f.service.ResetKey(t.Context()); n != 1 || tokens != 0 || err != nil {
		t.Errorf("%d paused, %d tokens, %v", n, tokens, err)
	}
	f.restart()
	var read endpoint
	f.decode(f.get(a.secret, endpoints+"/"+made.ID), &read)
	if read.Status != "paused" {
		t.Errorf("the endpoint is %s", read.Status)
	}
	rotated := f.send(a.secret, http.MethodPost, endpoints+"/"+made.ID+"/rotate-secret", "")
	if rotated.status != http.StatusOK {
		t.Errorf("rotating: %d %s", rotated.status, rotated.body)
	}
	f.decode(f.patch(a, made.ID, `{"status":"active"}`), &read)
	var listed []struct{ Status string }
	f.decode(f.get(a.secret, endpoints+"/"+made.ID+"/deliveries"), &listed)
	if len(listed) != 1 || listed[0].Status != "pending" {
		t.Errorf("deliveries %+v", listed)
	}
}

// emitInvoicePaid sends and pays an invoice.
func (f *fixture) emitInvoicePaid(a tenant) {
	f.t.Helper()
	var draft proposed
	f.decode(f.propose(a, goodProposal), &draft)
	for _, move := range []func(context.Context, string) error{
		func(ctx context.Context, id string) error { _, err := f.service.SendInvoice(ctx, id); return err },
		func(ctx context.Context, id string) error { _, err := f.service.PayInvoice(ctx, id, 0); return err },
	} {
		if err := move(f.t.Context(), draft.ID); err != nil {
			f.t.Fatal(err)
		}
	}
}
