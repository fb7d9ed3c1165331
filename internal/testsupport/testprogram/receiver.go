package testprogram

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"tarmac/service/webhooks"
)

// Receiver is an HTTPS server that acknowledges deliveries. One path rejects every event once,
// and another breaks some connections.
type Receiver struct {
	CAFile string        // the certificate of its authority
	Takes  time.Duration // time to respond

	server *httptest.Server

	mu       sync.Mutex
	requests int
	refused  map[string]bool
	got      map[string]bool
	under    map[string]bool // deliveries in progress
	twice    []string        // deliveries that arrived while in progress
}

// NewReceiver starts a receiver that ends with the test.
func NewReceiver(t testing.TB) *Receiver {
	t.Helper()
	r := &Receiver{refused: map[string]bool{}, got: map[string]bool{}, under: map[string]bool{}}
	r.server = httptest.NewUnstartedServer(r)
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0) // silence errors of killed processes' connections
	r.server.StartTLS()
	t.Cleanup(r.server.Close)
	r.CAFile = filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
	if err := os.WriteFile(r.CAFile, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// Address returns the host and port of the receiver.
func (r *Receiver) Address() string { return r.server.Listener.Addr().String() }

// Count returns how many deliveries arrived.
func (r *Receiver) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests
}

// Acknowledged reports whether an event arrived at a path and was accepted.
func (r *Receiver) Acknowledged(path, event string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got[path+" "+event]
}

// Twice returns the deliveries that arrived while they were in progress.
func (r *Receiver) Twice() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.twice)
}

// answering marks a delivery as in progress until done is called, and waits for the response
// time.
func (r *Receiver) answering(delivery string) (done func()) {
	r.mu.Lock()
	if r.under[delivery] {
		r.twice = append(r.twice, delivery)
	}
	r.under[delivery] = true
	r.mu.Unlock()
	<-time.After(r.Takes)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.under, delivery)
	}
}

func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var event struct{ ID string }
	if err := json.NewDecoder(req.Body).Decode(&event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	defer r.answering(req.Header.Get(webhooks.DeliveryIDHeader))()
	r.mu.Lock()
	r.requests++
	this := req.URL.Path + " " + event.ID
	first := !r.refused[this]
	r.refused[this] = true
	if first && (req.URL.Path == "/1" && r.requests%20 == 0 || req.URL.Path == "/2" && r.requests%50 == 0) {
		r.mu.Unlock()
		if req.URL.Path == "/2" {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	r.got[this] = true
	r.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}
