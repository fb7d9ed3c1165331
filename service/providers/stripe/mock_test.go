package stripe_test

import (
	"bufio"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/service/providers"
	"tarmac/service/providers/wire"
)

// sent is an open invoice as stripe-mock answers with it, besides the fields that its own fixtures
// have.
const sent = `{"resources":{"invoice":{` +
	`"id":"in_1Sesame","object":"invoice","number":"A-1","status":"open","livemode":false,"created":1760000000,` +
	`"currency":"isk","customer":"cus_1","customer_name":"Harbor Bakery","customer_email":"pay@harbor.example",` +
	`"total":150000,"amount_due":150000,"amount_paid":50000,"amount_remaining":100000,"due_date":1790000000,` +
	`"status_transitions":{"finalized_at":1760000000,"marked_uncollectible_at":null,"paid_at":null,"voided_at":null}}}}`

// startMock builds and starts stripe-mock, Stripe's own fake of its API. It checks requests against
// Stripe's description of the API. It returns a client that reaches it.
func startMock(t *testing.T, fixtures string) *wire.Client {
	t.Helper()
	if testing.Short() {
		t.Skip("stripe-mock is not built in short mode")
	}
	find := exec.CommandContext(t.Context(), "go", "tool", "-modfile=.ci/stripe.mod", "-n", "stripe-mock")
	find.Dir = filepath.Join("..", "..", "..")
	program, err := find.Output()
	if err != nil {
		t.Skipf("stripe-mock cannot be built: %v", err)
	}
	dir := t.TempDir()
	// With a socket for HTTPS, it does not listen on all interfaces.
	arguments := []string{
		"-http-addr", "127.0.0.1:0", "-https-unix", filepath.Join(dir, "https"), "-strict-version-check",
	}
	if fixtures != "" {
		file := filepath.Join(dir, "fixtures.json")
		if err := os.WriteFile(file, []byte(fixtures), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, "-fixtures", file)
	}
	mock := exec.Command(strings.TrimSpace(string(program)), arguments...)
	output, err := mock.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = mock.Process.Kill()
		_ = mock.Wait()
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "Listening for HTTP at address: "); ok {
			go func() {
				for lines.Scan() { // it prints a line for each request
				}
			}()
			return reach(t, httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address}))
		}
	}
	t.Fatal("stripe-mock did not start")
	return nil
}

func TestStripesOwnFakeAcceptsTheRequestsAndItsInvoicesAreRead(t *testing.T) {
	p := open(t, startMock(t, sent), "rk_test_123")

	_, err := p.Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reading := read(t, p, "in_1Sesame")

	open := reading.Invoices.Open
	if len(open) != 1 || open[0].Number != "A-1" || open[0].Currency != "ISK" || open[0].Minor != 1000 ||
		open[0].TotalMinor != 1500 || open[0].Email != "pay@harbor.example" || open[0].Due.String() != "2026-09-21" {
		t.Errorf("read %+v", reading.Invoices)
	}
}

func TestTheAnswersOfStripesOwnFakeAreCheckedLikeAllOthers(t *testing.T) {
	client := startMock(t, "")

	_, live := open(t, client, "rk_live_1").Read(t.Context(), providers.Request{Now: now})
	_, test := open(t, client, "rk_test_123").Read(t.Context(), providers.Request{Now: now})

	// It takes test keys only, and repeats other keys in its answer.
	if f := failureOf(t, live); f.Cause != providers.Denied || strings.Contains(f.Text, "rk_live_1") {
		t.Errorf("a live key: %+v", f)
	}
	// It answers with a draft, whatever the request says.
	if f := failureOf(t, test); f.Cause != providers.Malformed || !strings.Contains(f.Text, `is "draft"`) {
		t.Errorf("a test key: %+v", f)
	}
}
