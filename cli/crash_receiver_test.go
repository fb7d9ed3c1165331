package cli_test

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tarmac/service/webhooks"
)

// receiver is an HTTPS server that acknowledges deliveries. One path rejects every event once,
// and another breaks some connections.
type receiver struct {
	server *httptest.Server
	caFile string

	takes time.Duration // time to respond

	mu       sync.Mutex
	requests int
	refused  map[string]bool
	got      map[string]bool
	under    map[string]bool // deliveries in progress
	twice    []string        // deliveries that arrived while in progress
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{refused: map[string]bool{}, got: map[string]bool{}, under: map[string]bool{}}
	r.server = httptest.NewUnstartedServer(r)
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0) // silence errors of killed processes' connections
	r.server.StartTLS()
	t.Cleanup(r.server.Close)
	r.caFile = filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
	if err := os.WriteFile(r.caFile, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *receiver) address() string { return r.server.Listener.Addr().String() }

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests
}

func (r *receiver) acknowledged(path, event string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got[path+" "+event]
}

// answering marks a delivery as in progress until done is called, and waits for the response
// time.
func (r *receiver) answering(delivery string) (done func()) {
	r.mu.Lock()
	if r.under[delivery] {
		r.twice = append(r.twice, delivery)
	}
	r.under[delivery] = true
	r.mu.Unlock()
	<-time.After(r.takes)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.under, delivery)
	}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
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
