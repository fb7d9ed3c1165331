package cli_test

import (
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"tarmac/service/egress"
)

// received is a delivery as it arrived.
type received struct{ header, body string }

func hookReceiver(t *testing.T) (address string, trusted egress.Config, all chan received) {
	t.Helper()
	all = make(chan received, 100)
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		all <- received{r.Header.Get("X-Service-Signature"), string(body)}
	}))
	t.Cleanup(server.Close)
	authorities := x509.NewCertPool()
	authorities.AddCert(server.Certificate())
	return server.URL, egress.Config{Allow: []string{server.Listener.Addr().String()}, RootCAs: authorities}, all
}

func next(t testing.TB, all chan received) received {
	t.Helper()
	select {
	case got := <-all:
		return got
	case <-time.After(patience):
		t.Fatal("nothing was delivered")
		panic("unreachable")
	}
}

func TestAnEndpointLivesItsLifeOnTheCommandLine(t *testing.T) {
	t.Parallel()
	address, trusted, all := hookReceiver(t)
	c := newConcurrentCommands(t, trusted)
	made := c.run("webhooks", "create", "--url", address+"/finance", "--types", "invoice.sent,invoice.paid")
	if made.code != 0 || !regexp.MustCompile(`^svc_whsec_\S+\n$`).MatchString(made.stdout) ||
		strings.Contains(made.stderr, "svc_whsec_") {
		t.Fatalf("create: exit %d, %q, %q", made.code, made.stdout, made.stderr)
	}
	id := regexp.MustCompile(`wh_[0-9A-Z]{26}`).FindString(made.stderr)
	secretFile := privateFile(t, made.stdout)

	queued := decoded(t, c.must("webhooks", "verify", id, "--json")).(map[string]any)
	got := next(t, all)
	body := privateFile(t, got.body)
	out := c.must("webhooks", "check-signature", "--secret-file", secretFile, "--header", got.header, "--body", body)
	if !strings.HasPrefix(out, "genuine  "+queued["event_id"].(string)+"  test.event") {
		t.Errorf("check-signature printed %q", out)
	}

	// After a rotation, deliveries are signed with both secrets.
	rotated := c.run("webhooks", "rotate-secret", id)
	if rotated.code != 0 || rotated.stdout == made.stdout || !strings.HasPrefix(rotated.stdout, "svc_whsec_") ||
		!strings.Contains(rotated.stderr, "stays valid until 2") {
		t.Errorf("rotate-secret: %+v", rotated)
	}
	printed := regexp.MustCompile(`^Event id +evt_\S+\nDelivery id +\S+\n$`)
	if out := c.must("webhooks", "verify", id); !printed.MatchString(out) {
		t.Errorf("verify printed %q", out)
	}
	got = next(t, all)
	for _, secret := range []string{made.stdout, rotated.stdout} {
		event := decoded(t, c.must("webhooks", "check-signature", "--secret-file", privateFile(t, secret), "--header",
			got.header,
			"--body", privateFile(t, got.body), "--json"))
		if event.(map[string]any)["type"] != "test.event" {
			t.Errorf("%v", event)
		}
	}
	again := decoded(t, c.must("webhooks", "rotate-secret", id, "--json")).(map[string]any)
	if !strings.HasPrefix(again["secret"].(string), "svc_whsec_") || again["previous_secret_expires_at"] == nil {
		t.Errorf("rotate-secret --json: %v", again)
	}
	c.endpointCommands(id, address)
}

func (c apiCommands) endpointCommands(id, address string) {
	t := c.t
	t.Helper()
	// The service records the outcome after the receiver's response.
	for deadline := time.Now().Add(patience); strings.Contains(c.must("webhooks", "deliveries", id), " pending "); {
		if time.Now().After(deadline) {
			t.Fatal("a delivery stays pending")
		}
	}
	if out := c.must("webhooks", "deliveries", id); strings.Count(out, "\n") != 3 ||
		!regexp.MustCompile(`(?m)test\.event +delivered +1 +200 `).MatchString(out) {
		t.Errorf("deliveries printed\n%s", out)
	}
	if out := c.must("webhooks", "deliveries", id, "--csv"); !strings.HasPrefix(out,
		"id,event_id,event_type,status,attempt_count,last_response_code,") ||
		strings.Count(out, ",delivered,1,200,") != 2 {
		t.Errorf("deliveries --csv printed\n%s", out)
	}
	for command, path := range map[string]string{"webhooks deliveries " + id: "/webhooks/" + id + "/deliveries",
		"webhooks get " + id: "/webhooks/" + id, "webhooks": "/webhooks"} {
		got := c.must(append(strings.Fields(command), "--json")...)
		if want := c.api(path); string(mustJSON(t, decoded(t, got))) != string(mustJSON(t, want)) {
			t.Errorf("tarmac %s --json printed %s where the API answers %v", command, got, want)
		}
	}
	paused := regexp.MustCompile(`(?m)^Status +paused$`)
	if out := c.must("webhooks", "update", id, "--status", "paused"); !paused.MatchString(out) {
		t.Errorf("update printed\n%s", out)
	}
	changed := decoded(t, c.must("webhooks", "update", id, "--status", "active", "--url", address+"/other", "--types",
		"payment.held", "--json")).(map[string]any)
	if changed["status"] != "active" || changed["url"] != address+"/other" ||
		string(mustJSON(t, changed["event_types"])) != `["payment.held"]` {
		t.Errorf("update --json: %v", changed)
	}
	if out := c.must("webhooks"); strings.Count(out, "\n") != 2 || !strings.Contains(out, "payment.held  active") {
		t.Errorf("webhooks printed\n%s", out)
	}
	printed := c.must("webhooks", "create", "--url", address, "--types", "invoice.paid", "--json")
	made := decoded(t, printed).(map[string]any)
	if !strings.HasPrefix(made["secret"].(string), "svc_whsec_") || made["status"] != "active" {
		t.Errorf("create --json: %v", made)
	}
	if r := c.run("webhooks", "delete", id, "--yes"); r.code != 0 || r.stdout != "" ||
		!strings.Contains(r.stderr, id+" deleted") {
		t.Errorf("delete: %+v", r)
	}
	refused(t, c.run("webhooks", "delete", id, "--yes"), 4, "(404)")
	got := decoded(t, c.must("webhooks", "delete", made["id"].(string), "--yes", "--json")).(map[string]any)
	if got["deleted"] != true {
		t.Errorf("delete --json: %v", got)
	}
}
