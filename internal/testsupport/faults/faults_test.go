package faults_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"tarmac/internal/testsupport/faults"
)

const good = `{"data":[{"id":"txn_1","amount_cents":125,"known":true}],"next_cursor":"c1"}`

// rig is a faults.Handler with a real connection to its client and a counting service behind it.
type rig struct {
	*faults.Handler
	server *httptest.Server
	did    atomic.Int64
	held   chan struct{}
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{held: make(chan struct{}, 1)}
	service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		r.did.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, good)
	})
	r.Handler = faults.New(service, faults.Options{
		Elsewhere: "http://elsewhere.example", Held: func(*http.Request) { r.held <- struct{}{} },
	})
	r.server = httptest.NewUnstartedServer(r.Handler)
	r.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	r.server.Start()
	t.Cleanup(r.server.Close)
	return r
}

// most bounds how much of a response is read, in bytes.
const most = 1 << 20

// ask requests a path. It returns the status, the body as far as it could be read, and the error
// that ended it.
func (r *rig) ask(t *testing.T, path string) (int, []byte, error) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.server.URL+faults.Prefix+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, most))
	return resp.StatusCode, body, err
}

func TestWithoutAFaultEverythingPasses(t *testing.T) {
	r := newRig(t)
	if status, body, err := r.ask(t, "/transactions"); status != 200 || string(body) != good || err != nil {
		t.Errorf("%d %s %v", status, body, err)
	}
}

// Every fault damages its response and leaves the next request alone.
func TestEveryFaultSpoilsTheAnswerAndPasses(t *testing.T) {
	r := newRig(t)
	all := append(append(faults.Answers(), faults.Connections()...), faults.Refusal(403), faults.Refusal(429))
	seen := map[string]bool{}
	for _, fault := range all {
		if seen[fault.Name] {
			t.Errorf("two faults are called %q", fault.Name)
		}
		seen[fault.Name] = true
		if fault.Holds {
			continue
		}
		for _, f := range []faults.Fault{fault, fault.WithLostResponse()} {
			before, struck := r.did.Load(), r.Counts().Applied[f.Name]
			r.Script(faults.Rule{Fault: f, Times: 1})
			status, body, err := r.ask(t, "/transactions")
			if err == nil && status == 200 && string(body) == good && f.Name != "another content type" {
				t.Errorf("%s: the answer is good", f.Name)
			}
			if did := r.did.Load() - before; f.ReachesService() != (did == 1) {
				t.Errorf("%s: carried out %d times", f.Name, did)
			}
			if n := r.Counts().Applied[f.Name] - struck; n != 1 {
				t.Errorf("%s: struck %d times", f.Name, n)
			}
			if _, body, err := r.ask(t, "/transactions"); string(body) != good || err != nil {
				t.Errorf("%s: it goes on: %s, %v", f.Name, body, err)
			}
		}
	}
}

func TestWhatIsHeldEndsWithTheClient(t *testing.T) {
	for _, fault := range faults.Connections() {
		if !fault.Holds {
			continue
		}
		r := newRig(t)
		r.Script(faults.Rule{Fault: fault, Times: 1})
		client := &http.Transport{DisableKeepAlives: true}
		ctx, giveUp := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.server.URL+faults.Prefix+"/ping", nil)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() {
			resp, err := client.RoundTrip(req)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				_ = resp.Body.Close()
			}
			ended <- err
		}()
		<-r.held
		giveUp()
		if err := <-ended; err == nil {
			t.Errorf("%s: an answer came", fault.Name)
		}
	}
}

func TestARuleNamesOperationsAndTurns(t *testing.T) {
	r := newRig(t)
	r.Script(faults.Rule{Requests: "GET /invoices/*", After: 1, Times: 2, Fault: faults.Refusal(404)},
		faults.Rule{Requests: "* /webhooks", Fault: faults.Refusal(403)},
		faults.Rule{Requests: "POST /*", Fault: faults.Refusal(500)})
	for i, c := range []struct {
		path string
		want int
	}{
		{"/invoices/inv_1", 200}, {"/invoices/inv_2", 404}, {"/invoices", 200}, {"/invoices/inv_1", 404},
		{"/invoices/inv_1", 200},
		{"/webhooks", 403}, {"/webhooks/wh_1", 200}, {"/account", 200},
	} {
		if status, _, err := r.ask(t, c.path); status != c.want || err != nil {
			t.Errorf("request %d of %s: %d, %v", i, c.path, status, err)
		}
	}
	counts := r.Counts()
	if counts.Requests["GET /invoices/{id}"] != 4 || counts.Requests["GET /webhooks/{id}"] != 1 ||
		counts.Applied["404"] != 2 {
		t.Errorf("%+v", counts)
	}
}

func TestTheSameSeedBringsTheSameFaults(t *testing.T) {
	sequence := func(seed uint64) (statuses []byte) {
		r := newRig(t)
		r.Random(seed, 3, faults.Refusal(500), faults.Refusal(404))
		for range 60 {
			status, _, err := r.ask(t, "/account")
			if err != nil {
				t.Fatal(err)
			}
			statuses = append(statuses, byte(status/100)+byte(status%10))
		}
		return statuses
	}
	first := sequence(1)
	if !bytes.Equal(first, sequence(1)) {
		t.Error("the same seed brought others")
	}
	if bytes.Equal(first, sequence(2)) {
		t.Error("another seed brought the same")
	}
	if n := bytes.Count(first, []byte{2}); n == 0 || n == len(first) {
		t.Errorf("%d of %d requests were spared", n, len(first))
	}
}

func TestAListingThatLeadsBack(t *testing.T) {
	r := newRig(t)
	for _, fault := range faults.Cursors() {
		r.Script(faults.Rule{Fault: fault})
		_, body, err := r.ask(t, "/transactions?cursor=c7")
		want := `"next_cursor":"c7"`
		if fault.Name == "a first page for ever" {
			want = `"next_cursor":"c1"`
		}
		if !bytes.Contains(body, []byte(want)) || err != nil {
			t.Errorf("%s: %s, %v", fault.Name, body, err)
		}
	}
}
