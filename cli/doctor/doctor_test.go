package doctor_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/client/filters"
	"tarmac/client/state"
	"tarmac/internal/testsupport/testprogram"
)

func TestDoctorFindsNothingWhereAllIsWell(t *testing.T) {
	p, url := testprogram.NewPerson(t), testprogram.GoodServer(t)
	p.Does("", "config", "init")
	p.Does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	all, problems := p.Doctor()
	if len(problems) != 0 {
		t.Errorf("problems: %+v", problems)
	}
	for _, want := range [][2]string{{"settings file", ", 1 profile"}, {"server", url},
		{"token", "profile default, kept in "}, {"connection", "answers"}, {"clock", "agrees"}, {"API", "org_01"},
		{"scopes", "invoices:propose"}, {"locale", "C.UTF-8"}} {
		if !testprogram.Has(all, "ok", want[0], want[1]) {
			t.Errorf("no ok of %s with %q in %+v", want[0], want[1], all)
		}
	}
	text := p.Does("", "doctor")
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
		_, problems := testprogram.NewPerson(t).Configure(server.URL, "svc_org_good").Doctor()
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
		_, problems := testprogram.NewPerson(t).Configure(c.url, "svc_org_good").Doctor()
		if len(problems) != 1 || problems[0].Check != c.check || !strings.Contains(problems[0].Found, c.says) {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

func TestDoctorLooksAtTheCertificate(t *testing.T) {
	now, year := time.Now(), 365*24*time.Hour
	good := testprogram.ScopedTokens(map[string][]string{"svc_org_good": testprogram.EveryScope()})
	signIn := func(url, caFile string) *testprogram.Person {
		p := testprogram.NewPerson(t)
		config := "default_profile = \"a\"\n[profiles.a]\nbase_url = \"" + url + "\"\n"
		if caFile != "" {
			config += "ca_file = '" + caFile + "'\n"
		}
		if err := os.MkdirAll(p.File("tokens"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, content := range map[string]string{"config.toml": config, "tokens/a": "svc_org_good\n"} {
			if err := os.WriteFile(p.File(name), []byte(content), 0o600); err != nil {
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
		url, caFile := testprogram.Certified(t, good, c.host, c.from, c.to)
		if !c.trusted {
			caFile = ""
		}
		_, problems := signIn(url, caFile).Doctor()
		if len(problems) != 1 || problems[0].Check != "TLS" || !strings.Contains(problems[0].Found, c.says) ||
			problems[0].Advice == "" {
			t.Errorf("%s: %+v", name, problems)
		}
	}
	url, caFile := testprogram.Certified(t, good, "127.0.0.1", now.Add(-year), now.Add(year))
	if all, problems := signIn(url, caFile).Doctor(); len(problems) != 0 ||
		!testprogram.Has(all, "ok", "TLS", "good until "+now.Add(year).UTC().Format("2006-01-02")) ||
		!testprogram.Has(all, "ok", "API", "org_01") {
		t.Errorf("a good one: %+v", all)
	}
	url, caFile = testprogram.Certified(t, good, "127.0.0.1", now.Add(-year), now.Add(48*time.Hour))
	if all, problems := signIn(url, caFile).Doctor(); len(problems) != 0 ||
		!testprogram.Has(all, "note", "TLS", "good until") {
		t.Errorf("one that expires soon: %+v", all)
	}
	plain := httptest.NewServer(good)
	defer plain.Close()
	if _, problems := signIn(strings.Replace(plain.URL, "http:", "https:", 1), "").Doctor(); len(problems) != 1 ||
		!strings.Contains(problems[0].Found, "does not speak TLS") {
		t.Errorf("without TLS: %+v", problems)
	}
	// Other commands trust the profile's authorities.
	if out := signIn(url, caFile).Does("", "whoami"); !strings.Contains(out, "org_01") {
		t.Errorf("whoami printed %q", out)
	}
	if _, problems := signIn(url, filepath.Join(t.TempDir(), "none")).Doctor(); len(problems) != 1 ||
		problems[0].Check != "certificate authorities" {
		t.Errorf("no such authority: %+v", problems)
	}
}

func TestDoctorLooksAtFilesAndTheirModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes there")
	}
	url := testprogram.GoodServer(t)
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
		p := testprogram.NewPerson(t)
		p.Does("svc_org_good", "login", "--base-url", url, "--token-stdin")
		if err := os.Chmod(p.File(c.path), c.mode); err != nil {
			t.Fatal(err)
		}
		_, problems := p.Doctor()
		if len(problems) != 1 || problems[0].Check != c.check ||
			!strings.Contains(problems[0].Found, c.says+p.File(c.path)) || problems[0].Advice == "" {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}

func TestDoctorLooksAtSavedFilters(t *testing.T) {
	url := testprogram.GoodServer(t)
	p := testprogram.NewPerson(t)
	p.Does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	home := t.TempDir()
	p.Env["XDG_STATE_HOME"] = home
	file := filepath.Join(home, "tarmac", "filters-org_1.json")
	saved := filters.NewFile(state.Directory(filepath.Dir(file)), "org_1")
	if err := saved.Save(1, filters.Set{"events": {Text: "rent"}}); err != nil {
		t.Fatal(err)
	}

	if _, problems := p.Doctor(); len(problems) > 0 {
		t.Errorf("all is well, but it reports %+v", problems)
	}
	if err := os.WriteFile(file, []byte(`{"severance`), 0o600); err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(home, "tarmac", "annotations-org_1.json")
	if err := os.WriteFile(notes, []byte(`{"version":1,"transactions":{"txn_1":{"note":"due"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, problems := p.Doctor()
	if len(problems) != 1 || problems[0].Check != "saved filters" || !strings.Contains(problems[0].Found, file) ||
		strings.Contains(problems[0].Found, "severance") {
		t.Errorf("a damaged file: %+v", problems)
	}
	if err := errors.Join(os.Remove(file), os.WriteFile(notes, []byte(`{"severance`), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, problems := p.Doctor(); len(problems) != 1 || problems[0].Check != "categories and notes" ||
		strings.Contains(problems[0].Found, "severance") {
		t.Errorf("damaged notes: %+v", problems)
	}
}

func TestDoctorLooksAtWhatIsSet(t *testing.T) {
	url := testprogram.GoodServer(t)
	nothing := testprogram.NewPerson(t)
	if _, problems := nothing.Doctor(); len(problems) != 1 || problems[0].Check != "server" ||
		!strings.Contains(problems[0].Advice, "tarmac login") {
		t.Errorf("nothing set: %+v", problems)
	}
	half := testprogram.NewPerson(t)
	half.Env["TARMAC_BASE_URL"] = url
	if _, problems := half.Doctor(); len(problems) != 1 || !strings.Contains(problems[0].Found, "there is no token") {
		t.Errorf("no token: %+v", problems)
	}
	p := testprogram.NewPerson(t)
	p.Does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	if _, problems := p.Doctor("--profile", "none"); len(problems) != 1 ||
		!strings.Contains(problems[0].Found, `there is no profile "none"; there are: default`) {
		t.Errorf("a profile that is not there: %+v", problems)
	}
	p.Env["TARMAC_TOKEN"] = "svc_org_good"
	if all, problems := p.Doctor(); len(problems) != 0 ||
		!testprogram.Has(all, "note", "token", "TARMAC_TOKEN is used in place of the token of profile default") {
		t.Errorf("an override: %+v", all)
	}
	delete(p.Env, "TARMAC_TOKEN")
	p.Does("", "logout")
	if _, problems := p.Doctor(); len(problems) != 1 ||
		!strings.Contains(problems[0].Found, "tarmac login --profile default") {
		t.Errorf("after a logout: %+v", problems)
	}
	if err := os.WriteFile(p.File("config.toml"), []byte("theme = \"dark\"\nrefesh = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, problems := p.Doctor(); len(problems) != 1 || problems[0].Check != "settings file" ||
		!strings.Contains(problems[0].Found, "line 2: refesh is not a setting") {
		t.Errorf("an unknown key: %+v", problems)
	}
}
