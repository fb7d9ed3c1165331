package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/proposal"
	"tarmac/client/state"
	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/plain"
	"tarmac/service/egress"
	"tarmac/ui"
)

// The dashboard, the line mode and the commands report the same fault in the same words, with
// the same advice.

// answering returns a handler that sends the same response to every request.
func answering(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		switch status {
		case http.StatusForbidden:
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="account:read"`)
		case http.StatusTooManyRequests:
			w.Header().Set("Retry-After", "600") // longer than any test waits
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// cut breaks off a response.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "500")
	_, _ = io.WriteString(w, `{"org_id":"org_1"`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// silent sends no response until the client gives up.
func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// faultyServer is a server with a fault.
type faultyServer struct{ url, token, caFile string }

func serveHTTP(t *testing.T, h http.Handler) faultyServer {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	server.Start()
	t.Cleanup(server.Close)
	return faultyServer{url: server.URL}
}

// parityTimeout is the timeout of a request in these tests.
const parityTimeout = 2 * time.Second

// client returns a client with the program's configuration.
func (f faultyServer) client(t *testing.T) *apiclient.Client {
	t.Helper()
	var authorities *x509.CertPool
	if f.caFile != "" {
		content, err := os.ReadFile(f.caFile)
		if err != nil {
			t.Fatal(err)
		}
		authorities = x509.NewCertPool()
		authorities.AppendCertsFromPEM(content)
	}
	transport := apiclient.NewTransport(authorities)
	t.Cleanup(transport.CloseIdleConnections)
	client, err := apiclient.New(f.url, apiclient.Token(cmp.Or(f.token, "svc_org_x")),
		apiclient.WithHTTPClient(&http.Client{Transport: transport}),
		apiclient.WithTimeout(parityTimeout), apiclient.WithRetry(apiclient.Policy{Tries: 1, Countdown: true}))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (f faultyServer) command(t *testing.T, args ...string) result {
	t.Helper()
	env := map[string]string{"TARMAC_BASE_URL": f.url, "TARMAC_TOKEN": cmp.Or(f.token, "svc_org_x"),
		"TARMAC_CA_FILE": f.caFile}
	return tarmac(t, env, append(args, "--timeout", parityTimeout.String())...)
}

// inLineMode returns the line mode's output for the typed lines.
func inLineMode(t *testing.T, client *apiclient.Client, typed ...string) string {
	t.Helper()
	var out bytes.Buffer
	err := plain.Run(t.Context(), plain.Options{
		In: strings.NewReader(strings.Join(typed, "\n") + "\n"), Out: &out, Now: time.Now, After: time.After,
		Timeout: parityTimeout, Entropy: rand.Reader,
		Drafts: state.Directory(t.TempDir()), Documents: t.TempDir(),
		Start: plain.Profile{Name: "work", Open: func(context.Context) (plain.Connection, error) {
			return plain.Connection{Client: client, Profile: "work"}, nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// screen drives a dashboard without a terminal.
type screen struct {
	t       *testing.T
	model   *ui.Model
	answers chan tea.Msg
	ahead   atomic.Int64 // offset of the dashboard's clock, which separates key presses
}

func onDashboard(t *testing.T, client *apiclient.Client) *screen {
	t.Helper()
	s := &screen{t: t, answers: make(chan tea.Msg, 1000)}
	s.model = ui.New(t.Context(), ui.Options{
		Now:     func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) },
		Timeout: parityTimeout, Drafts: state.Directory(t.TempDir()),
		Start: &ui.Profile{Name: "work", Open: func(context.Context) (ui.Connection, error) {
			return ui.Connection{Client: client, Profile: "work"}, nil
		}},
	})
	t.Cleanup(func() {
		if err := s.model.Close(); err != nil {
			t.Error(err)
		}
	})
	s.begin(s.model.Init())
	s.take(tea.WindowSizeMsg{Width: 200, Height: 60})
	return s
}

func (s *screen) begin(cmd tea.Cmd) {
	if cmd != nil {
		go func() { s.answers <- cmd() }()
	}
}

func (s *screen) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.begin(cmd)
		}
	default:
		_, cmd := s.model.Update(msg)
		s.begin(cmd)
	}
}

// text returns the screen with wrapped lines joined.
func (s *screen) text() string {
	return strings.Join(strings.FieldsFunc(ansi.Strip(s.model.View().Content),
		func(r rune) bool { return strings.ContainsRune(" \n│╭╮╰╯─", r) }), " ")
}

// until processes messages until the screen shows a text.
func (s *screen) until(text string) {
	s.t.Helper()
	text = strings.Join(strings.Fields(text), " ")
	for deadline := time.After(time.Minute); !strings.Contains(s.text(), text); {
		select {
		case msg := <-s.answers:
			s.take(msg)
		case <-deadline:
			s.t.Fatalf("the screen does not show %q:\n%s", text, ansi.Strip(s.model.View().Content))
		}
	}
}

func (s *screen) press(key rune) { s.take(tea.KeyPressMsg{Code: key, Text: string(key)}) }

// hit presses a special key, one second after the previous key.
func (s *screen) hit(key rune, mod tea.KeyMod) {
	s.ahead.Add(int64(time.Second))
	s.take(tea.KeyPressMsg{Code: key, Mod: mod})
}

// propose fills in a proposal and confirms it.
func (s *screen) propose(fields ...string) {
	s.t.Helper()
	s.until("live")
	s.press('5')
	s.until("n new")
	s.press('n')
	s.until("[ review ]") // the form is open
	for _, text := range fields {
		s.take(tea.PasteMsg{Content: text})
		s.hit(tea.KeyTab, 0)
	}
	s.hit('s', tea.ModCtrl)
	s.until("Total $")
	s.hit(tea.KeyEnter, 0)
	s.hit(tea.KeyEnter, 0)
}

// All three front ends report a failed read with the same reason, detail and advice.
func TestAllFrontEndsSayTheSameOfAFailedRead(t *testing.T) {
	now, year := time.Now(), 365*24*time.Hour
	good := testprogram.ScopedTokens(map[string][]string{"svc_org_x": testprogram.EveryScope()})
	trusted := func(host string, from, to time.Time) func(*testing.T) faultyServer {
		return func(t *testing.T) faultyServer {
			url, caFile := testprogram.Certified(t, good, host, from, to)
			return faultyServer{url: url, caFile: caFile}
		}
	}
	served := func(h http.HandlerFunc) func(*testing.T) faultyServer {
		return func(t *testing.T) faultyServer { return serveHTTP(t, h) }
	}
	const page, api, no = "text/html", "application/json", `{"error":"as the test wants it"}`
	for name, c := range map[string]struct {
		server func(*testing.T) faultyServer
		reason string
	}{
		"a self-signed certificate": {func(t *testing.T) faultyServer {
			url, _ := testprogram.Certified(t, good, "127.0.0.1", now.Add(-year), now.Add(year))
			return faultyServer{url: url}
		}, "the server's certificate is self-signed"},
		"an expired certificate": {trusted("127.0.0.1", now.Add(-year), now.Add(-time.Hour)),
			"the server's certificate has expired"},
		"a certificate of another host": {trusted("finance.example.com", now.Add(-year), now.Add(year)),
			"the server's certificate is for another host"},
		"a sign-in page":          {served(answering(200, page, "<html>")), "the response does not follow the API"},
		"a cut answer":            {served(cut), "the response was cut short"},
		"a field of another kind": {served(answering(200, api, `{"org_id":5}`)), "the response could not be read"},
		"401":                     {served(answering(401, api, no)), "the server refused the token"},
		"403":                     {served(answering(403, api, no)), "not allowed"},
		"409": {served(answering(409, api, `{"error":"conflict"}`)),
			"the current state does not allow it"},
		"422":              {served(answering(422, api, no)), "as the test wants it"},
		"429":              {served(answering(429, api, no)), "rate limited"},
		"500":              {served(answering(500, api, no)), "as the test wants it"},
		"502 of a gateway": {served(answering(502, page, "<html>")), "a gateway cannot reach the server"},
		"503":              {served(answering(503, api, no)), "as the test wants it"},
		"503 of a gateway": {served(answering(503, page, "<html>")), "the server is not available"},
		"504 of a gateway": {served(answering(504, page, "<html>")), "a gateway cannot reach the server"},
		"silence":          {served(silent), "no answer in time"},
		"a server that redirects": {served(http.RedirectHandler("https://sign-in.example", http.StatusFound).ServeHTTP),
			"the server redirects to another address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := c.server(t)
			_, err := server.client(t).Account(t.Context())
			want := problem.Of(err)
			if want.Reason != c.reason {
				t.Fatalf("the reason is %q, want %q", want.Reason, c.reason)
			}

			if r := server.command(t, "account"); r.code == 0 || !strings.Contains(r.stderr, want.Detail) ||
				!strings.Contains(r.stderr, want.Advice) {
				t.Errorf("the command says %q, want %+v", r.stderr, want)
			}
			if said := inLineMode(t, server.client(t)); !strings.Contains(said, "Account: "+want.Text()) &&
				!strings.Contains(said, "Overview: "+want.Text()) {
				t.Errorf("the line mode does not say %q:\n%s", want.Text(), said)
			}
			s := onDashboard(t, server.client(t))
			s.until(reasonOnScreen(want.Reason))
			s.take(tea.WindowSizeMsg{Width: 84, Height: 60}) // as wide as the box, so nothing is beside it
			s.press('!')
			s.until(problem.Sentence(want.Detail))
			if want.Advice != "" {
				s.until("What to do " + problem.Sentence(want.Advice))
			}
		})
	}
}

// reasonOnScreen returns how a panel begins a reason. Two reasons have their own wording.
func reasonOnScreen(reason string) string {
	switch reason {
	case "not allowed":
		return "Not allowed."
	case "the server refused the token":
		return "The server refused the token."
	}
	return "Could not load: " + reason
}

// All three front ends judge the outcome of a proposal in the same words, and list the same
// drafts in the same order.
func TestAllFrontEndsJudgeAProposalAlike(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	c.owner()
	what := apiclient.InvoiceProposal{
		RecipientName: "Acme LLC", RecipientEmail: "pay@acme.example", Description: "Consulting",
		LineItems: []apiclient.LineItem{{Description: "Workshop", Quantity: apiclient.MustQuantity("1.5"),
			UnitPriceCents: 120050}},
	}
	direct := faultyServer{url: c.env["TARMAC_BASE_URL"], token: c.env["TARMAC_TOKEN"]}.client(t)
	for _, email := range []string{"pay@acme.example", "PAY@acme.example", "other@acme.example"} {
		like := what
		like.RecipientEmail = email
		if _, err := direct.ProposeInvoice(t.Context(), like); err != nil {
			t.Fatal(err)
		}
	}
	among, err := proposal.Unanswered{Proposal: what, SentAt: time.Now()}.Search(t.Context(), direct)
	if err != nil || among.Likely != 2 {
		t.Fatalf("%d are likely, %v", among.Likely, err)
	}
	all := []faults.Fault{
		faults.Page(http.StatusOK), faults.Page(http.StatusBadGateway), faults.Page(http.StatusServiceUnavailable),
		faults.Page(http.StatusForbidden),
	}
	for _, status := range []int{401, 403, 409, 422, 429, 500, 502, 503, 504} {
		all = append(all, faults.Refusal(status))
	}
	for _, fault := range faults.Connections() {
		if fault.Name == "hung up" || fault.Name == "silence" {
			all = append(all, fault)
		}
	}
	for _, fault := range all {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			handler := faults.New(c.service.Handler(), faults.Options{Held: func(*http.Request) {}})
			handler.Script(faults.Rule{Requests: "POST /invoices", Fault: fault})
			server := serveHTTP(t, handler)
			server.token = c.env["TARMAC_TOKEN"]
			_, err := server.client(t).ProposeInvoice(t.Context(), what)
			outcome := proposal.OutcomeOf(err, false)
			want := []string{proposal.Refusal(err)}
			if outcome == proposal.Unknown {
				doubt := proposal.Unanswered{Reason: problem.Of(err).Detail}
				want = []string{doubt.UnknownText(), among.Text(), among.Drafts[0].Number, among.Drafts[1].Number}
			}

			s := onDashboard(t, server.client(t))
			s.propose("Acme LLC", "pay@acme.example", "Consulting", "", "", "Workshop", "1.5", "1,200.50")
			for _, text := range want {
				s.until(text)
			}
			containsInOrder(t, "the screen", s.text(), want)
			containsInOrder(t, "the line mode", inLineMode(t, server.client(t), "propose", "Acme LLC", "pay@acme.example",
				"Consulting",
				"", "", "Workshop", "1.5", "1,200.50", "no",
				"yes", "cancel"), want)
			r := server.command(t, "invoices", "propose", "--recipient-name", "Acme LLC", "--recipient-email",
				"pay@acme.example", "--description", "Consulting",
				"--line", "1.5 x 1,200.50 Workshop")
			if outcome == proposal.Refused {
				p := problem.Of(err)
				want = []string{p.Detail, p.Advice}
			} else if r.code != 1 {
				t.Errorf("the command ends with %d", r.code)
			}
			containsInOrder(t, "the command", r.stderr, want)
		})
	}
}

func containsInOrder(t *testing.T, who, said string, want []string) {
	t.Helper()
	rest := strings.Join(strings.Fields(said), " ")
	for _, text := range want {
		before, after, found := strings.Cut(rest, strings.Join(strings.Fields(text), " "))
		if !found {
			t.Errorf("%s does not say %q, or not after what comes before it:\n%s", who, text, said)
			return
		}
		_, rest = before, after
	}
}
