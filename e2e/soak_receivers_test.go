//go:build long && unix

package e2e_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/apiclient/webhook"
	"tarmac/internal/testsupport/testprogram"
)

// receivers are the webhook receivers, each with its own behaviour.
type receivers struct {
	s      *soak
	server *httptest.Server
	caFile string
	all    []*soakReceiver
}

// soakReceiver is one receiver and the deliveries that it acknowledged.
type soakReceiver struct {
	s    *soak
	name string // path of its URL
	// owed is set if everything must arrive before the soak ends.
	owed   bool
	answer func(r *soakReceiver, w http.ResponseWriter, req *http.Request, e apiclient.Event) (acknowledged bool)

	mu         sync.Mutex
	id         string
	secrets    []apiclient.Secret
	doubtUntil time.Time         // until then deliveries may have signatures of unknown secrets
	got        map[string]string // event data by type and id
	requests   int
	failed     map[string]int // deliberately failed attempts by event
}

func newReceivers(s *soak) *receivers {
	rs := &receivers{s: s}
	take := func(_ *soakReceiver, w http.ResponseWriter, _ *http.Request, _ apiclient.Event) bool {
		w.WriteHeader(http.StatusNoContent)
		return true
	}
	refuse := func(status int) func(*soakReceiver, http.ResponseWriter, *http.Request, apiclient.Event) bool {
		return func(_ *soakReceiver, w http.ResponseWriter, _ *http.Request, _ apiclient.Event) bool {
			w.WriteHeader(status)
			return false
		}
	}
	hang := func(_ *soakReceiver, w http.ResponseWriter, req *http.Request, _ apiclient.Event) bool {
		if s.long() {
			<-req.Context().Done()
			return false
		}
		select { // the service waits for this during shutdown
		case <-req.Context().Done():
		case <-time.After(time.Second):
			w.WriteHeader(http.StatusGatewayTimeout)
		}
		return false
	}
	for name, answer := range map[string]func(*soakReceiver, http.ResponseWriter, *http.Request, apiclient.Event) bool{
		"steady": take, "rotating": take, "paused": take, "flaky": stumble, "failing": refuse(http.StatusInternalServerError),
		"gone": refuse(http.StatusGone), "hanging": hang,
	} {
		rs.all = append(rs.all, &soakReceiver{
			s: s, name: name, answer: answer, owed: slices.Contains([]string{"steady", "rotating", "flaky", "paused"}, name) &&
				(name != "paused" || s.long()),
			got: map[string]string{}, failed: map[string]int{},
		})
	}
	rs.server = httptest.NewUnstartedServer(rs)
	rs.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	rs.server.StartTLS()
	s.t.Cleanup(rs.server.Close)
	rs.caFile = filepath.Join(s.t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rs.server.Certificate().Raw})
	if err := os.WriteFile(rs.caFile, certificate, 0o600); err != nil {
		s.t.Fatal(err)
	}
	return rs
}

func (rs *receivers) address() string { return rs.server.Listener.Addr().String() }

func (rs *receivers) named(name string) *soakReceiver {
	for _, r := range rs.all {
		if r.name == name {
			return r
		}
	}
	return nil
}

// everyType is what all receivers subscribe to.
var everyType = []apiclient.EventType{
	apiclient.EventInvoiceSent, apiclient.EventInvoiceOverdue, apiclient.EventInvoicePaid, apiclient.EventInvoiceVoided,
	apiclient.EventPaymentHeld, apiclient.EventPaymentCompleted, apiclient.EventPaymentFailed,
	apiclient.EventPaymentCanceled,
}

func (rs *receivers) subscribe() {
	rs.s.t.Helper()
	for _, r := range rs.all {
		made := insist(rs.s, func(ctx context.Context) (*apiclient.CreatedWebhook, error) {
			return rs.s.witness.CreateWebhook(ctx, "https://"+rs.address()+"/"+r.name, everyType)
		})
		if made == nil {
			rs.s.t.FailNow()
		}
		r.id, r.secrets = made.ID, []apiclient.Secret{made.Secret}
	}
}

// owed returns the endpoints that must receive everything.
func (rs *receivers) owed() (ids []string) {
	for _, r := range rs.all {
		if r.owed {
			ids = append(ids, r.id)
		}
	}
	return ids
}

func (rs *receivers) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r := rs.named(strings.TrimPrefix(req.URL.Path, "/"))
	r.mu.Lock()
	secrets, inDoubt := slices.Clone(r.secrets), time.Now().Before(r.doubtUntil)
	r.requests++
	r.mu.Unlock()
	event, err := webhook.ReadRequest(req, secrets)
	if err != nil {
		switch {
		case req.Header.Get("X-Forged") != "":
		case inDoubt:
			rs.s.tally.add("deliveries", "refused while a rotation was in doubt")
		default:
			rs.s.tally.add("deliveries that are not signed as they should be", fmt.Sprintf("at %s: %v", r.name, err))
		}
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if req.Header.Get("X-Forged") != "" {
		rs.s.t.Error("a forged delivery was taken")
	}
	if !r.answer(r, w, req, event) {
		rs.s.tally.add("deliveries", "not acknowledged by "+r.name)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	data := string(event.Type) + " " + string(event.Data)
	if before, again := r.got[event.ID]; again {
		rs.s.tally.add("deliveries", "come again")
		if before != data {
			rs.s.t.Errorf("%s came as %s and as %s", event.ID, before, data)
		}
		return
	}
	r.got[event.ID] = data
	rs.s.tally.add("deliveries", "acknowledged by "+r.name)
}

// secondRetry exceeds the delay after a delivery's second failure. The end of a soak is too
// short for that delay.
const secondRetry = 7 * time.Minute

// stumble fails one attempt in five, and one in five of its retries, in random ways.
func stumble(r *soakReceiver, w http.ResponseWriter, _ *http.Request, e apiclient.Event) bool {
	r.mu.Lock()
	failures := r.failed[e.ID]
	again := failures == 0 || failures == 1 && time.Until(r.s.began.Add(r.s.length)) > secondRetry
	fail := again && rand.IntN(5) == 0
	if fail {
		r.failed[e.ID]++
	}
	r.mu.Unlock()
	if !fail {
		w.WriteHeader(http.StatusOK)
		return true
	}
	switch rand.IntN(4) {
	case 0:
		panic(http.ErrAbortHandler)
	case 1:
		w.Header().Set("Location", "https://"+r.s.receivers.address()+"/steady")
		w.WriteHeader(http.StatusFound)
	case 2:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	return false
}

// manageWebhooks rotates secrets, pauses and resumes an endpoint, and requests test events.
func (s *soak) manageWebhooks(rng *rand.Rand) {
	least, most := time.Second, 8*time.Second
	if !s.long() {
		least, most = 200*time.Millisecond, time.Second
	}
	rotating, paused := s.receivers.named("rotating"), s.receivers.named("paused")
	for s.rest(rng, least, most) {
		switch rng.IntN(4) {
		case 0:
			rotated := insist(s, func(ctx context.Context) (*apiclient.RotatedSecret, error) {
				rotated, err := s.witness.RotateWebhookSecret(ctx, rotating.id)
				if err != nil { // rotations without an answer may have replaced both secrets that are known
					rotating.mu.Lock()
					rotating.doubtUntil = time.Now().Add(testprogram.Patience)
					rotating.mu.Unlock()
				}
				return rotated, err
			})
			if rotated != nil {
				rotating.mu.Lock()
				rotating.secrets = append([]apiclient.Secret{rotated.Secret}, rotating.secrets[:min(7, len(rotating.secrets))]...)
				rotating.mu.Unlock()
				s.tally.add("changes of endpoints", "secret rotated")
			}
		case 1:
			if !s.long() {
				continue // deliveries of a resumed endpoint are spread over half a minute
			}
			status := []apiclient.WebhookStatus{apiclient.WebhookPaused, apiclient.WebhookActive}[rng.IntN(2)]
			insist(s, func(ctx context.Context) (*apiclient.Webhook, error) {
				return s.witness.UpdateWebhook(ctx, paused.id, apiclient.WebhookPatch{Status: &status})
			})
			s.tally.add("changes of endpoints", string(status))
		default:
			_, err := s.witness.VerifyWebhook(s.load, s.receivers.named("steady").id)
			s.books.mu.Lock()
			if err == nil {
				s.books.tests[0]++
			}
			s.books.tests[1]++
			s.books.mu.Unlock()
		}
	}
	status := apiclient.WebhookActive
	insist(s, func(ctx context.Context) (*apiclient.Webhook, error) {
		s.served.ensure()
		return s.witness.UpdateWebhook(ctx, paused.id, apiclient.WebhookPatch{Status: &status})
	})
}

// forge sends a receiver deliveries without a signature or signed with a wrong secret.
func (s *soak) forge(rng *rand.Rand) {
	roots := s.receivers.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	defer client.CloseIdleConnections()
	body := []byte(`{"id":"evt_forged","type":"invoice.paid","version":1,` +
		`"occurred_at":"2026-11-21T00:00:00Z","data":{"invoice_id":"inv_1"}}`)
	for s.rest(rng, 100*time.Millisecond, s.pace()) {
		req, err := http.NewRequest(http.MethodPost, "https://"+s.receivers.address()+"/steady", bytes.NewReader(body))
		if err != nil {
			s.t.Error(err)
			return
		}
		req.Header.Set("X-Forged", "yes")
		header := webhook.Sign(body, time.Now(), apiclient.Secret("svc_whsec_"+strings.Repeat("x", 32)))
		if rng.IntN(4) == 0 {
			header = strings.Replace(header, "v1", "v0", 1)
		}
		req.Header.Set(webhook.SignatureHeader, header)
		res, err := client.Do(req)
		if err != nil {
			s.t.Error(err)
			return
		}
		_ = res.Body.Close()
		s.tally.add("forged deliveries", fmt.Sprintf("answered %d", res.StatusCode))
	}
}

// check compares the deliveries with the feed. Receivers that are always up get everything; the
// paused one gets what was queued for it.
func (rs *receivers) check(feed []apiclient.Event) {
	t := rs.s.t
	t.Helper()
	for _, r := range rs.all {
		r.mu.Lock()
		switch r.name {
		case "steady", "rotating", "flaky":
			arrivals := 0
			for _, e := range feed {
				data, arrived := r.got[e.ID]
				if e.Type == apiclient.EventTest {
					if arrived != (r.name == "steady") {
						t.Errorf("the test event %s at %s: %t", e.ID, r.name, arrived)
					}
				} else if data != string(e.Type)+" "+string(e.Data) {
					t.Errorf("%s has %q of %s", r.name, data, e.ID)
				}
				if arrived {
					arrivals++
				}
				delete(r.got, e.ID)
			}
			for id, data := range r.got {
				t.Errorf("%s has %s, %s, which is not in the feed", r.name, id, data)
			}
			rs.s.tally.addN("events owed to "+r.name, "arrived as in the feed", arrivals)
		case "paused":
			queued := rs.s.rows("SELECT d.event_id, '', d.status, 0, 0 FROM webhook_deliveries d JOIN webhook_endpoints e ON " +
				"e.id = d.endpoint_id WHERE e.public_id = '" + r.id + "'")
			for id, rows := range queued {
				if _, arrived := r.got[id]; len(rows) != 1 || r.owed && !arrived || arrived && rows[0].status == "failed" {
					t.Errorf("%s for %s: %+v, arrived %t", id, r.name, rows, arrived)
				}
				delete(r.got, id)
			}
			if len(r.got) > 0 {
				t.Errorf("%d events came to %s that were not queued for it", len(r.got), r.name)
			}
			rs.s.tally.addN("events queued for "+r.name, "arrived", len(queued))
		default:
			if len(r.got) > 0 {
				t.Errorf("%s acknowledged %d events", r.name, len(r.got))
			}
		}
		r.mu.Unlock()
	}
	status := insist(rs.s, func(ctx context.Context) (*apiclient.Webhook, error) {
		return rs.s.witness.Webhook(ctx, rs.named("gone").id)
	})
	if status == nil || string(status.Status) != "auto_disabled" {
		t.Errorf("the endpoint that is gone is %+v", status)
	}
	if unsigned := rs.s.tally.triedOf("deliveries that are not signed as they should be"); unsigned > 0 {
		t.Errorf("%d deliveries were not signed as they should be", unsigned)
	}
}
