package cli_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/service/egress"
)

// private writes a file that only its owner can read.
func private(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (c commanded) owner() {
	c.t.Helper()
	if _, err := c.service.SetOwner(c.t.Context(), c.orgID, "Ada Palmer", "ada@example.com"); err != nil {
		c.t.Fatal(err)
	}
}

var proposing = []string{
	"invoices", "propose", "--recipient-name", "Acme LLC", "--recipient-email", "pay@acme.example", "--description",
	"Consulting, May",
	"--line", "12.5 x 180.00 Hours", "--line", "1 x 1,200 Workshop x 2", "--due", "2026-06-30", "--notes", "internal",
}

const proposalJSON = `{"currency":"USD","description":"Seats","recipient_name":"Łukasz",
	"recipient_email":"l@example.com","notes":"","due_date":"2026-06-30",
	"line_items":[{"description":"Seat","quantity":"1.5","unit_price_cents":999}]}`

func TestProposingMakesADraftAndSaysThatNothingWasSent(t *testing.T) {
	c := newCommanded(t, egress.Config{})
	refused(t, c.run(proposing...), 1, "(409)")
	c.owner()
	out := c.must(proposing...)
	for _, want := range []string{`(?m)^Status +draft$`, `(?m)^Total +\$3,450.00$`, `(?m)^Due +2026-06-30$`,
		`Draft INV-\d+ created\. Nothing was sent to the customer`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	// The same proposal in words, and the output repeats how they were understood.
	out = c.must("invoices", "propose", "--recipient-name", "Acme LLC", "--recipient-email", "pay@acme.example",
		"--description", "Consulting",
		"--line", "12.5 hours x $1.8k Consulting", "--line", "2 x 5 m cable", "--due", "in 2 weeks")
	due := time.Now().UTC().AddDate(0, 0, 14).Format(time.DateOnly)
	for _, want := range []string{`(?m)^Total +\$22,510.00$`, `(?m)^Due +` + due + `$`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	file := private(t, proposalJSON)
	seats := []string{"invoices", "propose", "--file", file, "--json", "--idempotency-key", "seats"}
	first := decoded(t, c.must(seats...)).(map[string]any)
	again := decoded(t, c.must(seats...)).(map[string]any)
	if first["id"] != again["id"] || first["total_cents"] != 1499.0 || first["status"] != "draft" {
		t.Errorf("%v, then %v", first, again)
	}
	stdin, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), command.Env{
		Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string { return c.env[name] },
		Now: time.Now,
	}, []string{"invoices", "propose", "--file", "-", "--json"})
	if code != 0 || decoded(t, stdout.String()).(map[string]any)["total_cents"] != 1499.0 {
		t.Errorf("from standard input: exit %d, %s", code, stderr.String())
	}
}

func TestAProposalThatBreaksARuleIsNotSent(t *testing.T) {
	env, requests := ledger(t, 0)
	with := func(change ...string) []string { return append(append([]string{}, proposing...), change...) }
	for _, c := range []struct {
		args []string
		says string
	}{
		{with("--recipient-email", "Acme <pay@acme.example>"),
			"recipient_email must be an e-mail address such as pay@acme.example"},
		{with("--description", "", "--recipient-name", " "),
			"description must not be empty; recipient_name must not be empty"},
		{with("--line", "0 x 1 Nothing"), "the quantity must be a number such as 12.5"},
		{with("--line", "1 x 0 Nothing"), "line_items[2].unit_price_cents must be positive"},
		{with("--line", "1 x 1,20 Nothing"), "the price must be an amount"},
		{with("--line", "1 Nothing"), `--line must be like "12.5 x 180.00 Hours"`},
		{with("--due", "2026-02-30"), "--due must be a date such as 2026-12-31, 31 Dec, net 30 or in 2 weeks, not " +
			"\"2026-02-30\""},
		{with("--due", "03/04/2026"), "--due must be a date such as 2026-04-03 or 3 Apr 2026"},
		{with("--line", "1.5m x 1 Nothing"), "the quantity must be a number such as 12.5"},
		{with("--line", "1 x 1.234567k Nothing"), "the price must be an amount such as 1,200.50 or 1.5k; USD has 2 decimal " +
			"places"},
		{with("--line", "1 x 1.5 million Nothing"), "write the price in one word, such as 1.5M"},
		{with("--line", "1 x 100 USD Hours"), "leave out USD, since prices are in US dollars"},
		{proposing[:8], "the proposal has no lines"},
		{[]string{"invoices", "propose", "--file", private(t, "{}"), "--line", "1 x 1 x"}, "--line goes without it"},
		{[]string{"invoices", "propose", "--file", private(t, "{}")}, "line_items must not be empty"},
		{[]string{"invoices", "propose", "--file", private(t, `{"total":1}`)}, `unknown field "total"`},
		{[]string{"invoices", "propose", "--file", private(t, proposalJSON+"{}")}, "there is something after it"},
		{[]string{"invoices", "propose", "--file", private(t, strings.Replace(proposalJSON, "06-30", "06-31", 1))},
			"due_date must be a calendar date"},
		{[]string{"invoices", "propose", "--file", private(t, strings.Replace(proposalJSON, "1.5", "1.5e3", 1))},
			"line_items[0].quantity must be a number"},
		{[]string{"invoices", "propose", "--file", private(t, strings.Replace(proposalJSON, "USD", "EUR", 1))},
			"only USD is supported"},
	} {
		refused(t, tarmac(t, env, c.args...), 2, c.says)
	}
	refused(t, tarmac(t, env, "invoices", "propose", "--file", filepath.Join(t.TempDir(), "none")), 1, "cannot read")
	if n := requests.Load(); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// lossy returns a proxy to the service that breaks the connection of every POST, before or
// after passing it on.
func lossy(t *testing.T, service string, passOn bool) (address string, posts *int) {
	t.Helper()
	target, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	posts = new(int)
	proxy := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			proxy.ServeHTTP(w, r)
			return
		}
		*posts++
		if passOn {
			proxy.ServeHTTP(httptest.NewRecorder(), r)
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		conn.Close()
	}))
	t.Cleanup(server.Close)
	return server.URL, posts
}

// Without a response, the command looks for drafts and sends nothing again.
func TestAnUnknownOutcomeIsLookedUpAndNeverSentAgain(t *testing.T) {
	c := newCommanded(t, egress.Config{})
	c.owner()
	service := c.env["TARMAC_BASE_URL"]
	for _, r := range []struct {
		passOn bool
		says   string
	}{
		{false, "matches the recipient, total and time sent. The request may still be in progress."},
		{true, "One of the newest drafts has the same recipient and total and was created after sending. INV-"},
	} {
		before := len(c.api("/invoices?status=draft&limit=200").([]any))
		address, posts := lossy(t, service, r.passOn)
		c.env["TARMAC_BASE_URL"] = address
		refused(t, c.run(proposing...), 1, r.says)
		c.env["TARMAC_BASE_URL"] = service
		made := len(c.api("/invoices?status=draft&limit=200").([]any)) - before
		if *posts != 1 || (made == 1) != r.passOn {
			t.Errorf("%d requests made %d drafts", *posts, made)
		}
	}
	// Other writes exit with code 1 too: code 5 means that a retry is safe.
	address, _ := lossy(t, service, false)
	c.env["TARMAC_BASE_URL"] = address
	refused(t, c.run("webhooks", "create", "--url", "https://example.com/x", "--types", "invoice.paid"), 1,
		"check before sending it again")
}

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
	address, trusted, all := hookReceiver(t)
	c := newCommanded(t, trusted)
	made := c.run("webhooks", "create", "--url", address+"/finance", "--types", "invoice.sent,invoice.paid")
	if made.code != 0 || !regexp.MustCompile(`^svc_whsec_\S+\n$`).MatchString(made.stdout) ||
		strings.Contains(made.stderr, "svc_whsec_") {
		t.Fatalf("create: exit %d, %q, %q", made.code, made.stdout, made.stderr)
	}
	id := regexp.MustCompile(`wh_[0-9A-Z]{26}`).FindString(made.stderr)
	secretFile := private(t, made.stdout)

	queued := decoded(t, c.must("webhooks", "verify", id, "--json")).(map[string]any)
	got := next(t, all)
	body := private(t, got.body)
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
		event := decoded(t, c.must("webhooks", "check-signature", "--secret-file", private(t, secret), "--header", got.header,
			"--body", private(t, got.body), "--json"))
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

func (c commanded) endpointCommands(id, address string) {
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

// signedDelivery is an old delivery signed with this secret.
const (
	signingSecret = "svc_whsec_0123456789abcdefghijklmnopqrstuvwxyz"
	signedBody    = `{"id":"evt_1","type":"test.event","version":1,` +
		`"occurred_at":"2026-01-02T03:04:05Z","data":{"message":"hello"}}`
)

func TestCheckSignatureSaysWhichPartIsWrong(t *testing.T) {
	secret, other := private(t, signingSecret+"\n"), private(t, signingSecret+"x")
	now := time.Now().Unix()
	right, old := signature(now, signedBody), signature(now-3600, signedBody)
	for _, c := range []struct {
		name, secret, header, body, says string
	}{
		{"another secret", other, right, signedBody, "no signature of the delivery matches a secret: another secret"},
		{"a changed body", secret, right, signedBody + " ", "or a body or time that was changed"},
		{"a line end too many", secret, right, signedBody + "\n", "without the line end at the end of the body one does"},
		{"a line end too few", secret, signature(now, signedBody+"\n"), signedBody,
			"with a line end at the end of the body one does"},
		{"an old one", secret, old, signedBody, "signed too long ago, or in the future: the signature is right"},
		{"a header without a time", secret, "v1=" + strings.Repeat("0a", 32), signedBody, "malformed: it has no t"},
		{"a header without a signature", secret, "t=1", signedBody, "has no v1 signature"},
		{"no event", secret, signature(now, "{}"), "{}", "is signed, but holds no event"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tarmac(t, nil, "webhooks", "check-signature", "--secret-file", c.secret, "--header", c.header, "--body",
				private(t, c.body))
			refused(t, r, 1, c.says)
		})
	}
	for _, args := range [][]string{
		{"--secret-file", secret, "--secret-file", other, "--header", right},
		{"--secret-file", secret, "--header", " " + old + " ", "--tolerance", "2h"},
	} {
		args = append(append([]string{"webhooks", "check-signature"}, args...), "--body", private(t, signedBody))
		if r := tarmac(t, nil, args...); r.code != 0 || r.stdout != "genuine  evt_1  test.event  hello\n" {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestASecretComesFromAFileThatItsReaderAloneCanRead(t *testing.T) {
	check := func(path string) result {
		return tarmac(t, nil, "webhooks", "check-signature", "--secret-file", path, "--header", "t=1", "--body",
			private(t, "{}"))
	}
	open := private(t, signingSecret)
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	if filepath.Separator == '/' {
		refused(t, check(open), 1, "chmod 600")
	}
	refused(t, check(filepath.Join(t.TempDir(), "none")), 1, "none")
	refused(t, check(t.TempDir()), 1, "is not a regular file")
	refused(t, check(private(t, "svc_org_x")), 1, "does not begin with svc_whsec_")
	refused(t, check(private(t, strings.Repeat("x", 10<<10))), 1, "larger than")
	refused(t, tarmac(t, nil, "webhooks", "check-signature", "--header", "t=1"), 2, "--secret-file is missing")
	refused(t, tarmac(t, nil, "webhooks", "check-signature", "--secret-file", open), 2, "--header is missing")
}

func FuzzProposalsFromFilesAreSentAsTheyAreOrRefused(f *testing.F) {
	f.Add(proposalJSON)
	f.Add(`{"line_items":[{"quantity":"1"}]}`)
	f.Add(`[]`)
	f.Add(`{"due_date":"2026-13-01"}`)
	sent := make(chan []byte, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent <- body
		w.WriteHeader(http.StatusConflict)
	}))
	f.Cleanup(server.Close)
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
	f.Fuzz(func(t *testing.T, content string) {
		r := tarmac(t, env, "invoices", "propose", "--file", private(t, content))
		switch r.code {
		case 2:
		case 1:
			var want, got map[string]any
			if json.Unmarshal([]byte(content), &want) != nil || json.Unmarshal(<-sent, &got) != nil {
				t.Fatalf("%q was sent", content)
			}
			if n := len(want["line_items"].([]any)); n != len(got["line_items"].([]any)) {
				t.Errorf("%q was sent with other lines", content)
			}
		default:
			t.Fatalf("exit %d, %q", r.code, r.stderr)
		}
	})
}

// signature signs a body (docs/api.md, Signature): HMAC-SHA256 of t.body.
func signature(at int64, body string) string {
	t := strconv.FormatInt(at, 10)
	mac := hmac.New(sha256.New, []byte(signingSecret))
	mac.Write([]byte(t + "." + body))
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}
