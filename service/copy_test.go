package service_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service"
	"tarmac/service/demodata"
	"tarmac/service/egress"
	"tarmac/service/store"
	"tarmac/service/store/dbcopy"
	"tarmac/service/webhooks"
)

// openOn returns a service openOn another database with the same key file, clock and contract.
func (f *fixture) openOn(database string) *fixture {
	f.t.Helper()
	g := &fixture{
		t: f.t, clock: f.clock, logs: &syncBuffer{}, ids: f.ids, referee: f.referee, webhooks: f.webhooks,
		database: database, keyFile: f.keyFile,
	}
	g.open()
	f.t.Cleanup(g.close)
	return g
}

const proposedOne = `{"currency":"USD","description":"d","recipient_name":"n","recipient_email":"a@b.example",` +
	`"line_items":[{"description":"l","quantity":"1","unit_price_cents":100}]}`

// usedTenant returns a tenant with records of every kind, and the secrets of its endpoints.
func (f *fixture) usedTenant(receiver string) (a tenant, secrets []string) {
	t := f.t
	t.Helper()
	other := f.tenant("another, so that keys differ")
	a = f.tenant("Northlight Labs")
	options := demodata.Options{Seed: 3, Today: noon}
	if _, err := demodata.Generate(t.Context(), f.service.Store(), a.key, options, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		made := f.endpoint(a, fmt.Sprintf(`{"url":"%s/%d","event_types":["invoice.sent","invoice.paid"]}`, receiver, i))
		if secrets = append(secrets, made.Secret); i == 1 {
			var rotated endpoint
			f.decode(f.send(a.secret, http.MethodPost, endpoints+"/"+made.ID+"/rotate-secret", `{}`), &rotated)
			secrets[i] = rotated.Secret
		}
		if i == 2 {
			defer f.patch(a, made.ID, `{"status":"paused"}`)
		}
	}
	f.endpoint(other, goodEndpoint)
	for i := range 4 {
		var made struct{ ID string }
		f.decode(
			f.send(a.secret, http.MethodPost, prefix+"/invoices", proposedOne, "Idempotency-Key", fmt.Sprint("key-", i)), &made,
		)
		if i == 3 {
			break
		}
		if _, err := f.service.SendInvoice(t.Context(), made.ID); err != nil {
			t.Fatal(err)
		}
	}
	f.write(func(tx *store.Tx) error {
		claimed, err := tx.ClaimDeliveries(1, noon, noon.Add(30*time.Second), 3, 9)
		if err != nil || len(claimed) != 3 {
			return errors.Join(err, fmt.Errorf("%d claimed", len(claimed)))
		}
		_, err = tx.FinishAttempt(claimed[0], noon, 204, webhooks.NoProblem, func(webhooks.Endpoint) webhooks.Consequence {
			return webhooks.Consequence{Status: webhooks.Delivered, StopFailing: true}
		})
		if err == nil {
			_, err = tx.FinishAttempt(claimed[1], noon, 500, webhooks.BadStatus, func(webhooks.Endpoint) webhooks.Consequence {
				return webhooks.Consequence{Status: webhooks.Pending, RetryIn: time.Hour, StartFailing: true}
			})
		}
		return err // the third attempt is in progress when its process dies
	})
	return a, secrets
}

var linked = map[string]*regexp.Regexp{
	"/invoices/":        regexp.MustCompile(`inv_[0-9A-Z]{26}`),
	"/transactions/":    regexp.MustCompile(`txn_[0-9A-Z]{26}`),
	"/payment-intents/": regexp.MustCompile(`pi_[0-9A-Z]{26}`),
	"/events/":          regexp.MustCompile(`evt_[0-9A-Z]{26}`),
	"/webhooks/":        regexp.MustCompile(`wh_[0-9A-Z]{26}`),
}

// mostRecords bounds the single records of each kind that are read; lists hold the others.
const mostRecords = 60

// readAll reads all pages of all lists, and the first single records of each kind. It returns
// the responses by path.
func (f *fixture) readAll(secret string) map[string]string {
	f.t.Helper()
	strict := f.client
	f.client = f.server.Client() // other tests check responses against the contract
	defer func() { f.client = strict }()
	read, ahead := map[string]string{}, []string{
		"/ping", "/account", "/insights/cash-position", "/receivables/aging", "/invoices?limit=200", "/invoices?status=sent",
		"/webhooks",
		"/transactions?limit=70", "/transactions?direction=inflow&limit=40", "/transactions?keyword=a",
		"/transactions?keyword=pay&limit=20", "/events?limit=50",
	}
	pages, records := 0, map[string]int{}
	for len(ahead) > 0 {
		path := ahead[0]
		if ahead = ahead[1:]; read[path] != "" {
			continue
		}
		got := f.get(secret, prefix+path)
		read[path] = fmt.Sprint(got.status, " ", string(got.body))
		if got.status != http.StatusOK {
			f.t.Errorf("%s: %s", path, read[path])
		}
		if strings.HasSuffix(path, "/pdf") {
			continue
		}
		for kind, ids := range linked {
			for _, id := range ids.FindAllString(string(got.body), -1) {
				if _, again := records[id]; again || records[kind] == mostRecords {
					continue
				}
				records[kind]++
				records[id]++
				ahead = append(ahead, kind+id)
				if kind == "/webhooks/" {
					ahead = append(ahead, kind+id+"/deliveries")
				}
				if kind == "/invoices/" && pages < 2 {
					pages++
					ahead = append(ahead, kind+id+"/pdf")
				}
			}
		}
		if next := regexp.MustCompile(`"next_cursor":"([^"]+)"`).FindSubmatch(got.body); next != nil &&
			strings.HasPrefix(path, "/transactions?") {
			base, _, _ := strings.Cut(path, "&cursor=")
			ahead = append(ahead, base+"&cursor="+string(next[1]))
		}
		if strings.HasPrefix(path, "/events?") {
			if all := linked["/events/"].FindAllString(string(got.body), -1); len(all) == 50 {
				ahead = append(ahead, "/events?limit=50&starting_after="+all[49])
			}
		}
	}
	return read
}

func (f *fixture) checkResponses(what string, want map[string]string, secret string) {
	f.t.Helper()
	got := f.readAll(secret)
	if len(got) != len(want) {
		f.t.Errorf("%s: %d places, want %d", what, len(got), len(want))
	}
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if a, b := got[path], want[path]; a != b {
			i := 0
			for i < min(len(a), len(b)) && a[i] == b[i] {
				i++
			}
			f.t.Errorf("%s: %s answers …%.200q, want …%.200q", what, path, a[max(0, i-50):], b[max(0, i-50):])
			return
		}
	}
}

func copies(t testing.TB, config service.CopyConfig) (done []dbcopy.Result, skipped int, err error) {
	t.Helper()
	config.OnCopied = func(c dbcopy.Result) { done = append(done, c) }
	config.OnSkipped = func(dbcopy.Organization) { skipped++ }
	err = service.Copy(context.Background(), config)
	return done, skipped, err
}

// The organization is copied to another database and back. All responses are equal, byte for
// byte, and it can be used afterwards.
func TestACopyAnswersEveryRequestAsTheOriginalDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all that the API has of three databases")
	}
	t.Parallel()
	r := newReceiving(t)
	f := start(t, 0)
	f.webhooks = r.config()
	f.restart()
	a, secrets := f.usedTenant(r.server.URL)
	want := f.readAll(a.secret)
	f.server.Close()
	if err := f.service.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.open) // the fixture's cleanup closes the service again
	file, third := filepath.Join(t.TempDir(), "copy.db"), testdb.New(t)
	for _, direction := range [][2]string{{f.database, file}, {file, third}} {
		var last int64
		config := service.CopyConfig{From: direction[0], To: direction[1], KeyFile: f.keyFile, OnProgress: func(
			_ dbcopy.Organization, done, total int64,
		) {
			if done < last || done > total {
				t.Errorf("told %d after %d of %d", done, last, total)
			}
			last = done % total
		}}
		done, skipped, err := copies(t, config)
		if err != nil || len(done) != 2 || skipped != 0 {
			t.Fatalf("%d copied, %d skipped, %v", len(done), skipped, err)
		}
		if c := done[1]; c.PublicID != a.id || c.Rows["transactions"] < 300 || c.Days == 0 || c.Inflow == 0 ||
			c.Outflow == 0 || c.Overflow || c.FirstEvent != 1 || c.LastEvent < 3 ||
			c.Rows["webhook_deliveries"] != 9 || c.Rows["idempotency_keys"] != 4 || c.Rows["webhook_endpoints"] != 3 {
			t.Errorf("%+v", c)
		}
		if done, skipped, err = copies(t, config); err != nil || len(done) != 0 || skipped != 2 {
			t.Errorf("again: %d copied, %d skipped, %v", len(done), skipped, err)
		}
		config.Organization = a.id
		if _, _, err := copies(t, config); !errors.Is(err, dbcopy.ErrExists) {
			t.Errorf("one that is there: %v", err)
		}
	}
	alone := filepath.Join(t.TempDir(), "alone.db")
	if done, _, err := copies(t, service.CopyConfig{
		From: third, To: alone, KeyFile: f.keyFile, Organization: a.id,
	}); err != nil || len(done) != 1 {
		t.Fatalf("alone: %d copied, %v", len(done), err)
	}
	f.openOn(alone).checkResponses("by itself", want, a.secret)
	f.openOn(file).checkResponses("the file", want, a.secret)
	g := f.openOn(third)
	g.checkResponses("the third", want, a.secret)

	again := g.send(a.secret, http.MethodPost, prefix+"/invoices", proposedOne, "Idempotency-Key", "key-3")
	var before, next struct{ ID, Number string }
	g.decode(again, &before)
	if kept := want["/invoices/"+before.ID]; again.status != http.StatusCreated || !strings.Contains(kept, before.Number) {
		t.Errorf("a repeated proposal: %d %s", again.status, again.body)
	}
	g.decode(g.send(a.secret, http.MethodPost, prefix+"/invoices", proposedOne), &next)
	var number, wanted int
	_, err := fmt.Sscanf(before.Number+" "+next.Number, "INV-%d INV-%d", &wanted, &number)
	if err != nil || number != wanted+1 {
		t.Errorf("after %s comes %s, %v", before.Number, next.Number, err)
	}
	r.receiveAll(g, secrets)
}

// receiving is a webhook receiver that records deliveries.
type receiving struct {
	t      testing.TB
	server *httptest.Server
	got    chan *http.Request
}

func newReceiving(t testing.TB) *receiving {
	t.Helper()
	r := &receiving{t: t, got: make(chan *http.Request, 100)}
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		r.got <- req
		w.WriteHeader(http.StatusNoContent)
	}))
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.server.StartTLS()
	t.Cleanup(r.server.Close)
	return r
}

func (r *receiving) config() egress.Config {
	roots := x509.NewCertPool()
	roots.AddCert(r.server.Certificate())
	return egress.Config{Allow: []string{r.server.Listener.Addr().String()}, RootCAs: roots}
}

// receiveAll runs the service until all due deliveries have arrived: three of the second
// endpoint and, after its lease, the delivery that a crashed process had claimed.
func (r *receiving) receiveAll(g *fixture, secrets []string) {
	r.t.Helper()
	g.clock.advance(time.Minute)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.service.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			r.t.Error(err)
		}
	}()
	for range 4 {
		var req *http.Request
		select {
		case req = <-r.got:
		case <-time.After(20 * time.Second):
			r.t.Fatal("what was due is not delivered")
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			r.t.Fatal(err)
		}
		index := int(req.URL.Path[1] - '0')
		header := req.Header.Get("X-Service-Signature")
		at, _, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",")
		mac := hmac.New(sha256.New, []byte(secrets[index]))
		mac.Write([]byte(at + "." + string(body)))
		if want := "v1=" + hex.EncodeToString(mac.Sum(nil)); index == 2 || !strings.Contains(header, want) {
			r.t.Errorf("%s was sent %s, want %s", req.URL.Path, header, want)
		}
	}
}

// It is refused before anything is written.
func TestACopyThatCouldNotBeServedIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("is one client, with one request at a time")
	}
	t.Parallel()
	f := start(t, 0)
	a := f.tenant("a")
	f.endpoint(a, goodEndpoint)
	b := f.tenant("b")
	target := filepath.Join(t.TempDir(), "target.db")
	from := service.CopyConfig{From: f.database, To: target, KeyFile: f.keyFile}
	refused := func(what, says string, config service.CopyConfig) {
		t.Helper()
		if done, _, err := copies(t, config); err == nil || !strings.Contains(err.Error(), says) ||
			strings.Contains(err.Error(), "\n") || len(done) > 0 {
			t.Errorf("%s: %d copied, %v; want %q", what, len(done), err, says)
		}
	}
	refused("while it is served", "other processes use it: stop the service first", from)
	f.server.Close()
	if err := f.service.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.open)

	wrong := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(wrong, []byte(strings.Repeat("5", 64)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := from
	other.KeyFile = wrong
	refused("with another key", "is not the one that its secrets are encrypted with", other)
	other.KeyFile = filepath.Join(t.TempDir(), "none")
	refused("without the key", "is missing: name it with --key-file", other)
	other = from
	other.From = filepath.Join(t.TempDir(), "none.db")
	refused("from nothing", "to copy from: open ", other)
	if _, err := os.Stat(other.From); !os.IsNotExist(err) {
		t.Errorf("a file was made to copy from: %v", err)
	}
	other = from
	other.Organization = "org_01ARZ3NDEKTSV4RRFFQ69G5FAV"
	if _, _, err := copies(t, other); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("one that there is not: %v", err)
	}

	theirs, err := service.Open(t.Context(), service.Config{
		Database: target, KeyFile: wrong, Ephemeral: true, Logger: slog.New(slog.DiscardHandler), Now: f.clock.now,
		Entropy: strings.NewReader(strings.Repeat("x", 99)),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := theirs.Close(); err != nil {
		t.Fatal(err)
	}
	refused("to one that another key is used for", "the target uses another key", from)
	other = from
	other.Organization = b.id
	if done, _, err := copies(t, other); err != nil || len(done) != 1 || done[0].PublicID != b.id {
		t.Errorf("one without secrets: %v, %v", done, err)
	}
}
