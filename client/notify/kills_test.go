package notify_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/notify"
	"tarmac/client/settings"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/long"
)

// Environment variables of a watcher that the test kills: the URL of the server, the file with its
// certificate, and the file in which the watcher keeps its state.
const (
	worldVariable = "TARMAC_TEST_WORLD"
	caVariable    = "TARMAC_TEST_CA"
	stateVariable = "TARMAC_TEST_STATE"
)

// world counts payments and remembers which message told which of them.
type world struct {
	payments atomic.Int64 // so far
	mu       sync.Mutex
	told     map[string]map[string]bool // IDs of messages by payer
	arrived  []string                   // IDs of messages
}

var (
	payer     = regexp.MustCompile(`Payer \d+\.`)
	messageID = regexp.MustCompile(`Message \w+`)
)

// ServeHTTP answers a GET with the number of payments so far, one more each time, and takes
// messages.
func (w *world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(rw, w.payments.Add(1))
		return
	}
	content, _ := io.ReadAll(r.Body)
	var body struct{ Text string }
	_ = json.Unmarshal(content, &body)
	id := messageID.FindString(body.Text)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.arrived = append(w.arrived, id)
	for _, payer := range payer.FindAllString(body.Text, -1) {
		if w.told[payer] == nil {
			w.told[payer] = map[string]bool{}
		}
		w.told[payer][id] = true
	}
}

func (w *world) tells(payment int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.told[fmt.Sprint("Payer ", payment, ".")] != nil
}

// TestNothingIsLostWhenWatchersAreKilled kills watchers at random times while payments come. Each
// payment is told by messages of one ID, nearly all of which come once.
func TestNothingIsLostWhenWatchersAreKilled(t *testing.T) {
	if os.Getenv(worldVariable) != "" {
		watchForEver(t)
	}
	kills := long.Size(25, 1000)
	w := &world{told: map[string]map[string]bool{}}
	server := httptest.NewTLSServer(w)
	defer server.Close()
	environ := append(os.Environ(), worldVariable+"="+server.URL, caVariable+"="+certificates(t, server),
		stateVariable+"="+filepath.Join(t.TempDir(), "alerts.json"))
	for kill := range kills + 1 {
		watcher := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		watcher.Env = environ
		if err := watcher.Start(); err != nil {
			t.Fatal(err)
		}
		after := time.Duration(50+rand.IntN(200)) * time.Millisecond
		if kill == kills { // the last one tells what the others have left
			for last := w.payments.Load(); !w.tells(max(last, 3)) && after < time.Minute; after += 10 * time.Millisecond {
				<-time.After(10 * time.Millisecond)
			}
		} else {
			<-time.After(after)
		}
		_ = watcher.Process.Kill()
		_ = watcher.Wait()
	}
	w.check(t, kills)
}

func (w *world) check(t *testing.T, kills int) {
	first, last := int64(0), int64(0)
	for n := range w.payments.Load() {
		ids := len(w.told[fmt.Sprint("Payer ", n+1, ".")])
		if ids > 1 {
			t.Errorf("payment %d was told by messages with %d IDs", n+1, ids)
		}
		if ids > 0 && first == 0 {
			first = n + 1
		}
		if ids > 0 {
			last = n + 1
		}
	}
	lost := 0
	for n := first; n <= last; n++ {
		if !w.tells(n) {
			lost++
		}
	}
	once := map[string]bool{}
	for _, id := range w.arrived {
		once[id] = true
	}
	t.Logf("%d kills, payments %d to %d, %d lost, %d messages, %d came twice", kills, first, last, lost, len(once),
		len(w.arrived)-len(once))
	if lost > 0 || last == first {
		t.Errorf("%d of %d payments were lost", lost, last)
	}
}

// watchForEver is a watcher that is killed.
func watchForEver(t *testing.T) {
	path, base := os.Getenv(stateVariable), os.Getenv(worldVariable)
	address, _ := url.Parse(base)
	channel := settings.Channel{Kind: "slack", CAFile: os.Getenv(caVariable), Private: []string{address.Host},
		Amounts: true}
	sender, err := notify.Open(channel, notify.Options{Secret: apiclient.Token(base + "/hook")})
	if err != nil {
		t.Fatal(err)
	}
	alert, err := alerts.Parse(settings.Alert{Rule: "payment-above", Limit: "1"})
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	pem, _ := os.ReadFile(channel.CAFile)
	roots.AppendCertsFromPEM(pem)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	for {
		state, err := alerts.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Get(base)
		if err != nil {
			t.Fatal(err)
		}
		var count int
		_, _ = fmt.Fscan(answer.Body, &count)
		answer.Body.Close()
		state.Observe([]*alerts.Alert{alert}, paymentsUpTo(count), "Acme", []string{"chat"})
		save := func() error { return state.Save(path) }
		if err := save(); err != nil {
			t.Fatal(err)
		}
		if err := state.Deliver(t.Context(), map[string]alerts.Sender{"chat": sender}, time.Now, save); err != nil {
			t.Fatal(err)
		}
	}
}

// paymentsUpTo returns a reading with the newest of a number of payments.
func paymentsUpTo(count int) *alerts.Reading {
	now := time.Now()
	var rows []apiclient.Transaction
	for n := max(1, count-2000); n <= count; n++ {
		rows = append(rows, apiclient.Transaction{
			ID: fmt.Sprint("txn_", n), Date: civil.Of(now), Direction: apiclient.Inflow,
			CounterpartyName: fmt.Sprint("Payer ", n, "."), Amount: apiclient.NewAmount(5_00, "USD"),
			Reporting: apiclient.NewAmount(5_00, "USD"),
		})
	}
	return &alerts.Reading{Now: now, Latest: spending.NewLedger(rows, nil, nil)}
}
