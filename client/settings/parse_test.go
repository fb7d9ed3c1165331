package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/client/settings"
)

func TestEverySettingIsRead(t *testing.T) {
	got, err := settings.Parse(`
default_profile = "a.b"
theme = "colour-blind"
mouse = true
notifications = "bell"
keys.refresh = ["f5", "r"]
[runway]
comfortable = 18.5
healthy = 9
caution = 4
[refresh]
latest = "2s"
account = "1m30s"
figures = "1h"
ping = "24h"
[demo]
transactions = 1_000_000
seed = -3
[profiles."a.b"]
base_url = "https://a.example"
token_file = "/t"
ca_file = "/c"
read_only = true
`)
	want := settings.Settings{
		DefaultProfile: "a.b", Theme: "colour-blind", Mouse: true, Notifications: "bell",
		Profiles: map[string]settings.Profile{
			"a.b": {BaseURL: "https://a.example", TokenFile: "/t", CAFile: "/c", ReadOnly: true},
		},
		Runway: settings.Runway{Comfortable: 185, Healthy: 90, Caution: 40},
		Refresh: settings.Refresh{
			Latest:  2 * time.Second,
			Account: 90 * time.Second,
			Figures: time.Hour,
			Ping:    24 * time.Hour,
		},
		Keys: map[string][]string{"refresh": {"f5", "r"}},
		Demo: settings.Demo{Transactions: 1_000_000, Seed: -3},
	}
	if !got.Has("theme") || !got.Has("demo.seed") || got.Has("keys") {
		t.Errorf("the file has %v", got.Given)
	}
	got.Given = nil
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
	}
}

func TestMistakesAreNamedWithTheirLine(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"unknown key": {"\ntheme = \"dark\"\nmuose = true\n", "line 3: muose is not a setting; mouse is"},
		"unknown, nothing near": {"colour = 1",
			"line 1: colour is not a setting; `tarmac config show` lists all there are"},
		"unknown table": {"\n[refreshing]\nx = 1", "line 2: refreshing is not a setting"},
		"unknown key in a table": {"[refresh]\naccuont = \"5s\"",
			"line 2: refresh.accuont is not a setting; refresh.account is"},
		"without its table": {"comfortable = 3", "line 1: comfortable is not a setting; runway.comfortable is"},
		"unknown key of a profile": {"[profiles.a]\nbase_url = \"https://x\"\nbase-url = \"\"",
			"line 3: profiles.a.base-url is not a setting; base_url is"},
		"unknown inside a key": {"[profiles.a]\nbase_url.x = \"https://x\"", "profiles.a.base_url"},
		"unknown action":       {"[keys]\nrefesh = [\"x\"]", "line 2: keys.refesh is not a setting; refresh is"},
		"inline": {"runway = { comfortable = 12,\nhealty = 6 }",
			"runway.healty is not a setting; runway.healthy is"},
		"a token": {"[profiles.a]\ntoken = \"svc_org_x\"",
			"line 2: profiles.a.token is not kept here: run `tarmac login --profile a`"},
		"a token as key":      {"svc_org_abc = 1", "line 1: [something like a token] is not a setting"},
		"a token alone":       {"theme = \"dark\"\nsvc_org_abc\n", "line 2: "},
		"syntax":              {"theme = \"dark\"\nmouse = = 1\n", "line 2: "},
		"twice":               {"mouse = true\nmouse = false\n", "line 2: "},
		"theme":               {"theme = \"blue\"", "line 1: theme must be one of terminal, dark, light, colour-blind"},
		"type":                {"\nmouse = \"yes\"", "line 2: mouse must be true or false"},
		"a table for a value": {"[theme]\nx = 1", "line 1: theme must be text in quotes"},
		"interval too short":  {"[refresh]\nlatest = \"1s\"", `line 2: refresh.latest must be a time from "2s" to "24h"`},
		"interval a number":   {"[refresh]\nlatest = 5", "line 2: refresh.latest must be a time"},
		"thresholds":          {"mouse = true\n[runway]\nhealthy = 12", "line 2: runway must fall"},
		"not a number":        {"[runway]\nhealthy = nan", "line 2: runway.healthy must be a number of months"},
		"too many transactions": {"demo.transactions = 10_000_001",
			"line 1: demo.transactions must be a whole number from 1 to 10000000"},
		"profile's name": {"[profiles.Acme]\nbase_url = \"https://x\"",
			"line 1: profiles.Acme is no profile's: a profile's name is made of a-z"},
		"profile's name, dotted": {"profiles.\"../x\".base_url = \"https://x\"",
			"line 1: profiles.\"../x\".base_url is no profile's"},
		"profile without URL": {"[profiles.a]\nread_only = true", "line 1: profiles.a has no base_url"},
		"profile with a password": {"[profiles.a]\nbase_url = \"https://ada:secret@x\"",
			"line 2: profiles.a.base_url cannot be used: the base URL must not contain a user name or password"},
		"profile without TLS": {"[profiles.a]\nbase_url = \"http://x\"",
			"line 2: profiles.a.base_url cannot be used: the base URL must begin with https://"},
		"profiles, a list": {"[[profiles]]\nbase_url = \"https://x\"", "profiles must be a table"},
		"relative file": {"[profiles.a]\nbase_url = \"https://x\"\nca_file = \"ca.pem\"",
			"line 3: profiles.a.ca_file must be an absolute path"},
		"default profile": {"default_profile = \"b\"\n[profiles.a]\nbase_url = \"https://x\"",
			"line 1: default_profile names a profile that is not there; there are: a"},
		"no key":                 {"[keys]\nquit = [\"control q\"]", "line 2: keys.quit has something that is no key"},
		"no list":                {"[keys]\nquit = \"x\"", "line 2: keys.quit must be a list of keys"},
		"ctrl+z":                 {"[keys]\ncopy = [\"ctrl+z\"]", "line 2: keys.copy must not take ctrl+z"},
		"ctrl+c":                 {"[keys]\ncopy = [\"ctrl+c\"]", "line 2: keys.copy must not take ctrl+c"},
		"taken by default":       {"[keys]\nquit = [\"x\", \"y\"]", "line 2: keys.quit takes a key that copy has"},
		"taken, the earlier set": {"[keys]\nhelp = [\"q\"]", "line 2: keys.help takes a key that quit has"},
		"an alert, a table":      {"[alert]\nrule = \"x\"", "line 1: alert must be written as [[alert]]"},
		"an alert without rule":  {"[[alert]]\nlimit = 9", "alert no. 1 has no rule"},
		"an alert's word": {"[[alert]]\nrule = \"a\"\n[[alert]]\nrul = \"b\"",
			"alert no. 2 has a setting that is none: rul"},
		"a limit, a list": {"[[alert]]\nrule = \"a\"\nlimit = [9]", "alert no. 1: limit must be text in quotes"},
		"a channel twice": {"[[channel]]\nname = \"a\"\n[[channel]]\nname = \"a\"",
			"channel no. 2 has the name of another one, a"},
		"a channel of no kind": {"[[channel]]\nname = \"a\"\nkind = \"fax\"",
			"channel no. 1: kind must be one of mail, ntfy"},
		"control characters": {"\"a\\u001b[31mb\" = 1", "line 1: "},
	} {
		_, err := settings.Parse(c.content)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b") ||
			strings.Contains(err.Error(), "svc_org") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// uncommented turns the example's settings into real ones.
func uncommented() string {
	return regexp.MustCompile(`(?m)^# `).ReplaceAllString(settings.Example(), "")
}

func TestTheExampleIsTheDefaultsExplained(t *testing.T) {
	if got, err := settings.Parse(settings.Example()); err != nil || got.TOML() != settings.Defaults().TOML() {
		t.Errorf("as it is: %v\n%s", err, got.TOML())
	}
	got, err := settings.Parse(uncommented())
	if err != nil {
		t.Fatalf("with everything set: %v", err)
	}
	for _, line := range strings.Split(settings.Defaults().TOML(), "\n") {
		if !strings.Contains(uncommented(), line) {
			t.Errorf("the example lacks %q", line)
		}
	}
	delete(got.Profiles, "acme")
	got.DefaultProfile, got.Alerts, got.Channels, got.Digest = "", nil, nil, settings.Digest{}
	if got.TOML() != settings.Defaults().TOML() {
		t.Errorf("with everything set it is not the defaults:\n%s", got.TOML())
	}
}

func TestSettingsSurviveBeingWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := settings.Defaults()
		name := rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,20}`)
		for range rapid.IntRange(0, 4).Draw(t, "profiles") {
			s.Profiles[name.Draw(t, "name")] = settings.Profile{
				BaseURL: "https://x/" + rapid.StringMatching(`[a-zé\[\]"\\]{0,9}`).
					Draw(t, "url"),
				CAFile:   rapid.SampledFrom([]string{"", "/c\\\"\n\u0085"}).Draw(t, "ca"),
				ReadOnly: rapid.Bool().Draw(t, "read only"),
			}
		}
		for p := range s.Profiles {
			s.DefaultProfile = p
		}
		s.Runway.Comfortable = rapid.Int64Range(61, 1200).Draw(t, "comfortable")
		s.Refresh.Ping = time.Duration(rapid.IntRange(15, 86400).Draw(t, "ping")) * time.Second
		s.Demo.Seed = rapid.Int64().Draw(t, "seed")
		s.Theme = rapid.SampledFrom(settings.Themes[:]).Draw(t, "theme")
		got, err := settings.Parse(s.TOML())
		if err != nil || got.TOML() != s.TOML() || fmt.Sprint(got.Profiles) != fmt.Sprint(s.Profiles) ||
			got.Refresh != s.Refresh ||
			got.Runway != s.Runway {
			t.Fatalf("%v\n%s", err, s.TOML())
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", settings.Example(), uncommented(), settings.Defaults().TOML(), twoProfiles,
		"[[profiles]]\na=1", "profiles.a.b.c=1", "runway={}", "keys=[]", "[profiles.a]\nbase_url={x=1}",
		"a.b.c.d = 1979-05-27", "\"\" = 1", "[a]\n[a.b]\n[[a.c]]\nd=[{e=1}]",
		"refresh.latest = \"5s\"\nrefresh.account=\"9s\"", "profiles = {a = {base_url = \"https://x\"}}",
		"x = \"\"\"\n[profiles.a]\n\"\"\"", "\ufeffmouse=true", "mouse=true\r\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		s, err := settings.Parse(content)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b") || strings.Contains(err.Error(), "svc_") {
				t.Fatalf("error %q", err)
			}
			return
		}
		again, err := settings.Parse(s.TOML())
		if err != nil || again.TOML() != s.TOML() {
			t.Fatalf("what was read does not survive being written: %v\n%s", err, s.TOML())
		}
	})
}

// The page names every section; the file that `tarmac config init` writes explains each setting.
func TestTheDocumentationNamesEverySection(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	example, err := settings.Parse(uncommented())
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(example.TOML(), "\n") {
		section, _, _ := strings.Cut(line, ".")
		if strings.HasPrefix(line, "[") && !strings.Contains(string(page), section) {
			t.Errorf("it lacks %q", section)
		}
	}
}
