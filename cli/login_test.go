package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"tarmac/client/secretstore"
	"tarmac/client/settings"
	"tarmac/service/demodata"
)

func TestLoginKeepsATokenInAPrivateFileWhereThereIsNoKeyring(t *testing.T) {
	p, url := newPerson(t), goodServer(t)
	out := p.does("svc_org_good\n", "login", "--base-url", url, "--token-stdin")
	path := p.file(filepath.Join("tokens", "default"))
	for _, want := range []string{"Signed in to org_01 at " + url + " as profile default",
		"kept in " + path + ", which only you can read (no keyring answers: there is none)", "account:read, "} {
		if !strings.Contains(out, want) {
			t.Errorf("login printed %q, without %q", out, want)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || string(kept) != "svc_org_good\n" {
		t.Errorf("kept %q (%v)", kept, err)
	}
	config, err := os.ReadFile(p.file("config.toml"))
	if err != nil || strings.Contains(string(config), "svc_org") ||
		!strings.Contains(string(config), `default_profile = "default"`) {
		t.Errorf("the settings are %q (%v)", config, err)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700, "tokens": 0o700, "tokens/default": 0o600,
		"config.toml": 0o600} {
		if info, err := os.Stat(p.file(name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("%s: mode %v (%v), want %v", name, info.Mode(), err, mode)
		}
	}
	if out := p.does("", "whoami"); !strings.Contains(out, "org_01") ||
		!strings.Contains(out, "profile default, kept in "+path) {
		t.Errorf("whoami printed %q", out)
	}
}

// If login cannot edit the settings, the profile keeps its server and its token.
func TestATokenNeverStandsBesideAnotherServer(t *testing.T) {
	p, url, other := newPerson(t), goodServer(t), goodServer(t)
	if err := os.MkdirAll(p.file(""), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.file("config.toml"),
		[]byte("default_profile = \"acme\"\n[profiles]\nacme = { base_url = \""+url+"\" }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.does("svc_org_good\n", "login", "--token-stdin")
	r := p.types("svc_org_other\n", "login", "--token-stdin", "--base-url", other)
	if r.code != 1 || !strings.Contains(r.stderr, "nothing was stored: ") ||
		!strings.Contains(r.stderr, "cannot be changed from here") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if kept, err := os.ReadFile(p.file("tokens/acme")); err != nil || string(kept) != "svc_org_good\n" {
		t.Errorf("beside the first server's address is %q (%v)", kept, err)
	}
	if out := p.does("", "whoami"); !strings.Contains(out, "account:read, ") {
		t.Errorf("whoami printed %q", out)
	}
}

func TestLoginKeepsATokenInTheKeyring(t *testing.T) {
	keyring.MockInit()
	p, url := newPerson(t), goodServer(t)
	p.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
	p.Keyring = secretstore.System(func(name string) string { return p.env[name] })
	out := p.does("svc_org_good", "login", "--profile", "acme", "--base-url", url, "--token-stdin")
	if !strings.Contains(out, "The token is kept in the system keyring.") {
		t.Errorf("login printed %q", out)
	}
	if _, err := os.Stat(p.file("tokens")); !os.IsNotExist(err) {
		t.Errorf("there is a directory of token files (%v)", err)
	}
	if out := p.does("", "profiles"); !strings.Contains(out, "*  acme     "+url) ||
		!strings.Contains(out, "the system keyring") {
		t.Errorf("profiles printed %q", out)
	}
	if out := p.does("", "logout"); !strings.Contains(out, "Logged out of profile acme.") {
		t.Errorf("logout printed %q", out)
	}
	if r := p.types("", "whoami"); r.code != 2 ||
		!strings.Contains(r.stderr, "profile acme: no token is kept: run `tarmac login --profile acme`") {
		t.Errorf("whoami after it: exit %d, %q", r.code, r.stderr)
	}
}

func TestLoginStoresNothingThatTheServerRefuses(t *testing.T) {
	p, url := newPerson(t), goodServer(t)
	for name, c := range map[string]struct {
		stdin string
		args  []string
		code  int
		says  string
	}{
		"a wrong token": {"svc_org_wrong\n", []string{"--base-url", url, "--token-stdin"}, 3, "nothing was stored: "},
		"no token":      {"", []string{"--base-url", url, "--token-stdin"}, 1, "the token is empty"},
		"a wrong address": {"svc_org_good\n", []string{"--base-url", "http://finance.example.com", "--token-stdin"}, 1,
			"must begin with https://"},
		"nobody there": {"svc_org_good\n", []string{"--base-url", "http://127.0.0.1:1", "--token-stdin", "--timeout",
			"1s"}, 5, "nothing was stored: "},
		"no terminal to ask": {"svc_org_good\n", []string{"--base-url", url}, 2, "--token-stdin"},
		"no address":         {"svc_org_good\n", []string{"--token-stdin"}, 2, "--base-url is missing"},
		"a wrong name": {"svc_org_good\n", []string{"--base-url", url, "--token-stdin", "--profile", "../x"}, 2,
			"a profile's name"},
		"a token as profile": {"x", []string{"--base-url", url, "--token-stdin", "--profile", "svc_org_good"}, 2,
			"a profile's name does not begin with svc_"},
		"a token as address": {"svc_org_good\n", []string{"--base-url", "svc_org_good", "--token-stdin"}, 1,
			"the base URL is not a URL"},
		"a token as flag": {"", []string{"--base-url", url, "--token", "svc_org_good"}, 2, "unknown flag: --token"},
	} {
		r := p.types(c.stdin, append([]string{"login"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.stderr, c.says) {
			t.Errorf("%s: exit %d, %q; want exit %d and %q", name, r.code, r.stderr, c.code, c.says)
		}
	}
	if entries, err := os.ReadDir(p.env["XDG_CONFIG_HOME"]); err != nil || len(entries) != 0 {
		t.Errorf("stored: %v (%v)", entries, err)
	}
}

func TestProfilesAreToldApart(t *testing.T) {
	p, url := newPerson(t), goodServer(t)
	p.does("", "config", "init")
	p.does("svc_org_good", "login", "--profile", "acme", "--base-url", url, "--token-stdin")
	r := p.types("svc_org_other", "login", "--profile", "north", "--base-url", url+"/", "--token-stdin", "--read-only")
	if r.code != 0 || !strings.Contains(r.stderr, "Profile acme is still the default; run `tarmac profiles use north`") {
		t.Fatalf("second login: exit %d, %q", r.code, r.stderr)
	}
	var who struct {
		Scopes   []string
		Profile  *string
		ReadOnly bool `json:"read_only"`
	}
	for _, c := range []struct {
		args    []string
		env     string
		profile string
		scopes  int
	}{
		{nil, "", "acme", 6}, {[]string{"--profile", "north"}, "", "north", 1}, {nil, "north", "north", 1},
		{[]string{"--profile", "acme"}, "north", "acme", 6},
	} {
		p.env["TARMAC_PROFILE"] = c.env
		if err := json.Unmarshal([]byte(p.does("", append([]string{"whoami", "--json"}, c.args...)...)), &who); err != nil {
			t.Fatal(err)
		}
		if who.Profile == nil || *who.Profile != c.profile || len(who.Scopes) != c.scopes ||
			who.ReadOnly != (c.profile == "north") {
			t.Errorf("%v with TARMAC_PROFILE=%s: %+v", c.args, c.env, who)
		}
	}
	p.env["TARMAC_PROFILE"] = ""
	p.does("", "profiles", "use", "north")
	var listed []struct {
		Name, Token string
		Default     bool
		ReadOnly    bool `json:"read_only"`
	}
	if err := json.Unmarshal([]byte(p.does("", "profiles", "--json")), &listed); err != nil {
		t.Fatal(err)
	}
	if len(listed) != 2 || listed[0].Name != "acme" || listed[0].Default || listed[0].ReadOnly || !listed[1].Default ||
		!listed[1].ReadOnly || listed[1].Token != p.file("tokens/north") {
		t.Errorf("profiles: %+v", listed)
	}
	if r := p.types("", "profiles", "use", "none"); r.code != 2 || !strings.Contains(r.stderr, "there are: acme, north") {
		t.Errorf("using one that is not there: exit %d, %q", r.code, r.stderr)
	}
	if show := p.does("", "config", "show"); !strings.Contains(show,
		"[profiles.north]\nbase_url = \""+url+"/\"\nread_only = true\n") {
		t.Errorf("config show printed %q", show)
	}
}

func TestLoginSaysWhatHidesTheProfile(t *testing.T) {
	p, url := newPerson(t), goodServer(t)
	p.env["TARMAC_TOKEN"] = "svc_org_other"
	if r := p.types("svc_org_good", "login", "--base-url", url, "--token-stdin"); r.code != 0 ||
		!strings.Contains(r.stderr, "TARMAC_TOKEN is set and takes precedence over the profile: unset it, or add --profile "+
			"default.") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if out := p.does("", "whoami"); !strings.Contains(out, "from TARMAC_TOKEN") || strings.Contains(out, "invoices:read") {
		t.Errorf("whoami printed %q", out)
	}
	if out := p.does("", "whoami", "--profile", "default"); !strings.Contains(out, "invoices:read") {
		t.Errorf("whoami of the profile printed %q", out)
	}
}

func TestLogoutForgetsWhatLoginKept(t *testing.T) {
	p, url := newPerson(t), goodServer(t)
	if r := p.types("", "logout"); r.code != 1 || !strings.Contains(r.stderr, "no profile to log out of") {
		t.Errorf("before a login: exit %d, %q", r.code, r.stderr)
	}
	p.does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	p.does("", "logout")
	if _, err := os.Stat(p.file("tokens/default")); !os.IsNotExist(err) {
		t.Errorf("the file is still there (%v)", err)
	}
	if r := p.types("", "logout"); r.code != 1 || !strings.Contains(r.stderr, "profile default: no token is kept") {
		t.Errorf("twice: exit %d, %q", r.code, r.stderr)
	}
	// The profile still exists: login needs no server address.
	if out := p.does("svc_org_other", "login", "--token-stdin"); !strings.Contains(out, url) {
		t.Errorf("login again printed %q", out)
	}
}

// On a host without a session bus, the keyring is unreachable.
func TestLogoutForgetsAFileAlthoughTheKeyringIsSilent(t *testing.T) {
	keyring.MockInitWithError(errors.New("locked"))
	p, url := newPerson(t), goodServer(t)
	p.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
	p.Keyring = secretstore.System(func(name string) string { return p.env[name] })
	p.does("svc_org_good", "login", "--base-url", url, "--token-stdin")
	if r := p.types("", "logout"); r.code != 0 ||
		!strings.Contains(r.stderr, "An older token may still be in the keyring: no keyring answers: locked.") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
	if _, err := os.Stat(p.file("tokens/default")); !os.IsNotExist(err) {
		t.Errorf("the file is still there (%v)", err)
	}
	if r := p.types("", "logout"); r.code != 1 ||
		!strings.Contains(r.stderr, "no token is kept in a file, and no keyring answers: locked") {
		t.Errorf("twice: exit %d, %q", r.code, r.stderr)
	}
}

// `tarmac demo` and the settings have the same defaults.
func TestTheDemosDefaultsAreTheSettings(t *testing.T) {
	want := settings.Defaults().Demo
	help := newPerson(t).does("", "demo", "--help")
	if demodata.DefaultTransactions != want.Transactions || !strings.Contains(help, strconv.Itoa(want.Transactions)) {
		t.Errorf("the settings have %d transactions, the demo %d:\n%s", want.Transactions, demodata.DefaultTransactions, help)
	}
}

func TestConfigIsWrittenOnceAndFound(t *testing.T) {
	p := newPerson(t)
	if out := p.does("", "config", "path"); out != p.file("config.toml")+"\n" {
		t.Errorf("config path printed %q", out)
	}
	p.does("", "config", "init")
	if r := p.types("", "config", "init"); r.code != 1 ||
		!strings.Contains(r.stderr, "already exists and was not changed") {
		t.Errorf("init again: exit %d, %q", r.code, r.stderr)
	}
	if out := p.does("", "config", "show"); !strings.Contains(out, "comfortable = 12") {
		t.Errorf("config show printed %q", out)
	}
	if err := os.WriteFile(p.file("config.toml"), []byte("muose = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"config", "show"}, {"whoami"}, {"profiles"}, {"login"}, {"logout"}, nil} {
		if r := p.types("", args...); r.code == 0 || !strings.Contains(r.stderr,
			"config.toml, line 1: muose is not a setting; mouse is") {
			t.Errorf("tarmac %v: exit %d, %q", args, r.code, r.stderr)
		}
	}
	if out := p.does("", "config", "path"); out != p.file("config.toml")+"\n" {
		t.Errorf("config path of a wrong file printed %q", out)
	}
	delete(p.env, "XDG_CONFIG_HOME")
	if r := p.types("", "config", "path"); r.code != 1 || !strings.Contains(r.stderr, "set HOME or XDG_CONFIG_HOME") {
		t.Errorf("without a home: exit %d, %q", r.code, r.stderr)
	}
}
