package cli_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/client/filters"
	"tarmac/client/state"
	"tarmac/internal/testsupport/testprogram"
)

// finding is a line of the doctor's report.
type finding struct{ Status, Check, Found, Advice string }

// doctor returns all findings of the doctor, and the problems among them.
func (p *person) doctor(args ...string) (all, problems []finding) {
	p.t.Helper()
	r := p.types("", append([]string{"doctor", "--json", "--timeout", "10s"}, args...)...)
	var report struct {
		Problems int
		Findings []finding
	}
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		p.t.Fatalf("%v: %q, %q", err, r.stdout, r.stderr)
	}
	for _, f := range report.Findings {
		if f.Status == "problem" {
			problems = append(problems, f)
		}
	}
	if len(problems) != report.Problems || (r.code == 0) != (len(problems) == 0) || r.code > 1 {
		p.t.Errorf("exit %d with %d problems of %d", r.code, len(problems), report.Problems)
	}
	return report.Findings, problems
}

// configure sets the environment to a server and token.
func (p *person) configure(url, token string) *person {
	p.env["TARMAC_BASE_URL"], p.env["TARMAC_TOKEN"] = url, token
	return p
}

func has(all []finding, status, check, found string) bool {
	return slices.ContainsFunc(all, func(f finding) bool {
		return f.Status == status && f.Check == check && strings.Contains(f.Found, found)
	})
}

func TestDoctorFindsNothingWhereAllIsWell(t *testing.T) {
	p, url := newPerson(t), goodServer(t)
	p.does("", "config", "init")
	p.does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	all, problems := p.doctor()
	if len(problems) != 0 {
		t.Errorf("problems: %+v", problems)
	}
	for _, want := range [][2]string{{"settings file", ", 1 profile"}, {"server", url},
		{"token", "profile default, kept in "}, {"connection", "answers"}, {"clock", "agrees"}, {"API", "org_01"},
		{"scopes", "invoices:propose"}, {"locale", "C.UTF-8"}} {
		if !has(all, "ok", want[0], want[1]) {
			t.Errorf("no ok of %s with %q in %+v", want[0], want[1], all)
		}
	}
	text := p.does("", "doctor")
	if !strings.Contains(text, "ok       API: the token belongs to org_01\n") ||
		!strings.Contains(text, "note     keyring: no keyring answers") {
		t.Errorf("as text:\n%s", text)
	}
}

// The doctor reports each fault as the only problem.
func TestDoctorFindsTheFaultAPersonHas(t *testing.T) {
	answer := func(status int, contentType, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
	for name, c := range map[string]struct {
		server              http.Handler
		check, says, advice string
	}{
		"wrong token": {testprogram.ScopedTokens(nil), "token", "(401)",
			"replace the token where it comes from: TARMAC_TOKEN"},
		"wrong scope": {testprogram.ScopedTokens(map[string][]string{"svc_org_good": {"payments:read", "invoices:read",
			"event_feed:read"}}), "scopes", "lacks account:read: cash and runway stay closed", "issued"},
		"no scope": {testprogram.ScopedTokens(map[string][]string{"svc_org_good": {}}), "scopes",
			"account:read, invoices:read, payments:read, event_feed:read", "issued"},
		"refused token": {answer(403, "application/json", `{"error":"no"}`), "token", "(403)",
			"ask the person who issued the token"},
		"a web page": {answer(200, "text/html", "<html>"), "API", "text/html instead of JSON",
			"check the base URL (TARMAC_BASE_URL)"},
		"another API": {answer(404, "application/json", `{"error":"not found"}`), "API", "(404)", "this is not the API"},
		"a redirect": {http.RedirectHandler("https://sign-in.example", http.StatusFound), "API", "redirects",
			"this is not the API"},
		"broken JSON": {answer(200, "application/json", `{"org_id":`), "API", "the response", "this is not the API"},
		"rate limit":  {answer(429, "application/json", `{"error":"slow down"}`), "API", "(429)", "wait"},
		"own trouble": {answer(503, "application/json", `{"error":"busy"}`), "API", "(503)",
			"tell the server's administrator"},
		"hanging up": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			panic(http.ErrAbortHandler)
		}), "API", "the connection closed", "try again"},
		"clock": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
			testprogram.ScopedTokens(map[string][]string{"svc_org_good": testprogram.EveryScope()}).ServeHTTP(w, r)
		}), "clock", "ahead of the server", "set the clock"},
	} {
		server := httptest.NewServer(c.server)
		_, problems := newPerson(t).configure(server.URL, "svc_org_good").doctor()
		server.Close()
		if len(problems) != 1 || problems[0].Check != c.check || !strings.Contains(problems[0].Found, c.says) ||
			!strings.Contains(problems[0].Advice, c.advice) {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

func TestDoctorFindsAServerThatIsNotThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ url, check, says string }{
		"nobody listens": {"http://" + listener.Addr().String(), "connection",
			"cannot connect to " + listener.Addr().String()},
		"no such name": {"https://finance.invalid", "name", "finance.invalid has no address"},
		"a password": {"https://ada:svc_org_good@finance.invalid", "base URL",
			"must not contain a user name or password"},
		"a token":       {"svc_org_good", "base URL", "is not a URL"},
		"not protected": {"http://finance.invalid", "base URL", "must begin with https://"},
	} {
		if c.check == "name" {
			if proxy, err := http.ProxyFromEnvironment(httptest.NewRequest(http.MethodGet, c.url, nil)); proxy != nil ||
				err != nil {
				continue // the proxy resolves names
			}
		}
		_, problems := newPerson(t).configure(c.url, "svc_org_good").doctor()
		if len(problems) != 1 || problems[0].Check != c.check || !strings.Contains(problems[0].Found, c.says) {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

// certified starts a server with a certificate for a name and a period, and returns its URL and
// its authority's PEM file.
func certified(t testing.TB, handler http.Handler, name string, from, to time.Time) (url, caFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: from, NotAfter: to,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	caFile = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(caFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return server.URL, caFile
}

func TestDoctorLooksAtTheCertificate(t *testing.T) {
	now, year := time.Now(), 365*24*time.Hour
	good := testprogram.ScopedTokens(map[string][]string{"svc_org_good": testprogram.EveryScope()})
	signIn := func(url, caFile string) *person {
		p := newPerson(t)
		config := "default_profile = \"a\"\n[profiles.a]\nbase_url = \"" + url + "\"\n"
		if caFile != "" {
			config += "ca_file = '" + caFile + "'\n"
		}
		if err := os.MkdirAll(p.file("tokens"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{"config.toml": config, "tokens/a": "svc_org_good\n"} {
			if err := os.WriteFile(p.file(name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return p
	}
	for name, c := range map[string]struct {
		host     string
		from, to time.Time
		trusted  bool
		says     string
	}{
		"unknown authority": {"127.0.0.1", now.Add(-year), now.Add(year), false, "the server's certificate is self-signed"},
		"expired":           {"127.0.0.1", now.Add(-year), now.Add(-time.Hour), true, "the server's certificate has expired"},
		"another name": {"finance.example.com", now.Add(-year), now.Add(year), true,
			"it is for finance.example.com, not for 127.0.0.1"},
	} {
		url, caFile := certified(t, good, c.host, c.from, c.to)
		if !c.trusted {
			caFile = ""
		}
		_, problems := signIn(url, caFile).doctor()
		if len(problems) != 1 || problems[0].Check != "TLS" || !strings.Contains(problems[0].Found, c.says) ||
			problems[0].Advice == "" {
			t.Errorf("%s: %+v", name, problems)
		}
	}
	url, caFile := certified(t, good, "127.0.0.1", now.Add(-year), now.Add(year))
	if all, problems := signIn(url, caFile).doctor(); len(problems) != 0 ||
		!has(all, "ok", "TLS", "good until "+now.Add(year).UTC().Format("2006-01-02")) || !has(all, "ok", "API", "org_01") {
		t.Errorf("a good one: %+v", all)
	}
	url, caFile = certified(t, good, "127.0.0.1", now.Add(-year), now.Add(48*time.Hour))
	if all, problems := signIn(url, caFile).doctor(); len(problems) != 0 || !has(all, "note", "TLS", "good until") {
		t.Errorf("one that expires soon: %+v", all)
	}
	plain := httptest.NewServer(good)
	defer plain.Close()
	if _, problems := signIn(strings.Replace(plain.URL, "http:", "https:", 1), "").doctor(); len(problems) != 1 ||
		!strings.Contains(problems[0].Found, "does not speak TLS") {
		t.Errorf("without TLS: %+v", problems)
	}
	// Other commands trust the profile's authorities.
	if out := signIn(url, caFile).does("", "whoami"); !strings.Contains(out, "org_01") {
		t.Errorf("whoami printed %q", out)
	}
	if _, problems := signIn(url, filepath.Join(t.TempDir(), "none")).doctor(); len(problems) != 1 ||
		problems[0].Check != "certificate authorities" {
		t.Errorf("no such authority: %+v", problems)
	}
}

func TestDoctorLooksAtFilesAndTheirModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes there")
	}
	url := goodServer(t)
	for name, c := range map[string]struct {
		path        string
		mode        os.FileMode
		check, says string
	}{
		"settings":  {"config.toml", 0o640, "settings file", "chmod 600 "},
		"token":     {"tokens/default", 0o604, "token", "chmod 600 "},
		"directory": {"", 0o770, "settings directory", "chmod 700 "},
		"tokens":    {"tokens", 0o702, "settings directory", "chmod 700 "},
	} {
		p := newPerson(t)
		p.does("svc_org_good", "login", "--base-url", url, "--token-stdin")
		if err := os.Chmod(p.file(c.path), c.mode); err != nil {
			t.Fatal(err)
		}
		_, problems := p.doctor()
		if len(problems) != 1 || problems[0].Check != c.check ||
			!strings.Contains(problems[0].Found, c.says+p.file(c.path)) || problems[0].Advice == "" {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

func TestDoctorLooksAtSavedFilters(t *testing.T) {
	url := goodServer(t)
	p := newPerson(t)
	p.does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	home := t.TempDir()
	p.env["XDG_STATE_HOME"] = home
	file := filepath.Join(home, "tarmac", "filters-org_1.json")
	saved := filters.NewFile(state.Directory(filepath.Dir(file)), "org_1")
	if err := saved.Save(1, filters.Set{"events": {Text: "rent"}}); err != nil {
		t.Fatal(err)
	}

	if _, problems := p.doctor(); len(problems) > 0 {
		t.Errorf("all is well, but it reports %+v", problems)
	}
	if err := os.WriteFile(file, []byte(`{"severance`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, problems := p.doctor()
	if len(problems) != 1 || problems[0].Check != "saved filters" || !strings.Contains(problems[0].Found, file) ||
		strings.Contains(problems[0].Found, "severance") {
		t.Errorf("a damaged file: %+v", problems)
	}
}

func TestDoctorLooksAtWhatIsSet(t *testing.T) {
	url := goodServer(t)
	nothing := newPerson(t)
	if _, problems := nothing.doctor(); len(problems) != 1 || problems[0].Check != "server" ||
		!strings.Contains(problems[0].Advice, "tarmac login") {
		t.Errorf("nothing set: %+v", problems)
	}
	half := newPerson(t)
	half.env["TARMAC_BASE_URL"] = url
	if _, problems := half.doctor(); len(problems) != 1 || !strings.Contains(problems[0].Found, "there is no token") {
		t.Errorf("no token: %+v", problems)
	}
	p := newPerson(t)
	p.does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	if _, problems := p.doctor("--profile", "none"); len(problems) != 1 ||
		!strings.Contains(problems[0].Found, `there is no profile "none"; there are: default`) {
		t.Errorf("a profile that is not there: %+v", problems)
	}
	p.env["TARMAC_TOKEN"] = "svc_org_good"
	if all, problems := p.doctor(); len(problems) != 0 ||
		!has(all, "note", "token", "TARMAC_TOKEN is used in place of the token of profile default") {
		t.Errorf("an override: %+v", all)
	}
	delete(p.env, "TARMAC_TOKEN")
	p.does("", "logout")
	if _, problems := p.doctor(); len(problems) != 1 ||
		!strings.Contains(problems[0].Found, "tarmac login --profile default") {
		t.Errorf("after a logout: %+v", problems)
	}
	if err := os.WriteFile(p.file("config.toml"), []byte("theme = \"dark\"\nrefesh = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, problems := p.doctor(); len(problems) != 1 || problems[0].Check != "settings file" ||
		!strings.Contains(problems[0].Found, "line 2: refesh is not a setting") {
		t.Errorf("an unknown key: %+v", problems)
	}
}
