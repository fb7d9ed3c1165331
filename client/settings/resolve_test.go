package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/secretstore"
	"tarmac/client/settings"
)

const secret = "svc_org_abcdefghijklmnopqrstuvwxyz"

func write(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

func TestFlagsComeBeforeTheEnvironment(t *testing.T) {
	fromFlag, fromEnv := write(t, secret+"FLAG\n", 0o600), write(t, secret+"FILE\r\n", 0o400)
	for name, c := range map[string]struct {
		flags                   settings.Flags
		env                     map[string]string
		base, token             string
		baseSource, tokenSource string
	}{
		"environment": {
			env:  map[string]string{"TARMAC_BASE_URL": "https://env", "TARMAC_TOKEN": secret},
			base: "https://env", token: secret, baseSource: "TARMAC_BASE_URL", tokenSource: "TARMAC_TOKEN",
		},
		"token before token file": {
			env: map[string]string{"TARMAC_BASE_URL": "https://env", "TARMAC_TOKEN": secret + "\n",
				"TARMAC_TOKEN_FILE": "/nowhere"},
			base: "https://env", token: secret, baseSource: "TARMAC_BASE_URL", tokenSource: "TARMAC_TOKEN",
		},
		"token file of the environment": {
			env:  map[string]string{"TARMAC_BASE_URL": "https://env", "TARMAC_TOKEN": " ", "TARMAC_TOKEN_FILE": fromEnv},
			base: "https://env", token: secret + "FILE", baseSource: "TARMAC_BASE_URL", tokenSource: "TARMAC_TOKEN_FILE",
		},
		"flags first": {
			flags: settings.Flags{BaseURL: "https://flag", TokenFile: fromFlag},
			env:   map[string]string{"TARMAC_BASE_URL": "https://env", "TARMAC_TOKEN": secret, "TARMAC_TOKEN_FILE": fromEnv},
			base:  "https://flag", token: secret + "FLAG", baseSource: "--base-url", tokenSource: "--token-file",
		},
	} {
		got, err := settings.Defaults().Resolve(c.flags, environment(c.env), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.BaseURL != c.base || got.Token.Reveal() != c.token || got.BaseURLSource != c.baseSource ||
			got.TokenSource != c.tokenSource {
			t.Errorf("%s: base %s from %s, token from %s, right token %v", name, got.BaseURL, got.BaseURLSource, got.TokenSource,
				got.Token.Reveal() == c.token)
		}
		if printed := fmt.Sprintf("%v %+v %#v %s %q", got, got, got, got.Token, got.Token); strings.Contains(printed,
			secret) {
			t.Errorf("%s: a printed connection shows the token: %s", name, printed)
		}
	}
}

func TestNothingSetIsToldApart(t *testing.T) {
	if _, err := settings.Defaults().Resolve(settings.Flags{}, environment(nil), nil); !errors.Is(err,
		settings.ErrNotConfigured) {
		t.Errorf("nothing set: %v", err)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		flags settings.Flags
		env   map[string]string
		want  string
	}{
		"no token": {env: map[string]string{"TARMAC_BASE_URL": "https://x"},
			want: "TARMAC_BASE_URL is set but there is no token: set TARMAC_TOKEN or TARMAC_TOKEN_FILE, or run `tarmac login`"},
		"no token, flag": {flags: settings.Flags{BaseURL: "https://x"},
			want: "--base-url is set but there is no token: set TARMAC_TOKEN or TARMAC_TOKEN_FILE, or run `tarmac login`"},
		"no base": {env: map[string]string{"TARMAC_TOKEN": secret},
			want: "TARMAC_TOKEN is set but there is no base URL: set TARMAC_BASE_URL or --base-url"},
		"bad token": {env: map[string]string{"TARMAC_BASE_URL": "https://x", "TARMAC_TOKEN": secret + " " + secret},
			want: "TARMAC_TOKEN: the token has a space or an unprintable character at position 35"},
	} {
		_, err := settings.Defaults().Resolve(c.flags, environment(c.env), nil)
		if err == nil || err.Error() != c.want || errors.Is(err, settings.ErrNotConfigured) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestTokenFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	open := write(t, secret, 0o640)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(open, link); err != nil {
		t.Skip("no symbolic links here")
	}
	spaced := filepath.Join(dir, "it's mine")
	if err := os.WriteFile(spaced, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(spaced, 0o604); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct{ path, want string }{
		"missing":   {filepath.Join(dir, "none"), "cannot be read"},
		"directory": {dir, "is not a regular file"},
		"large":     {write(t, strings.Repeat("x", 4097), 0o600), "is larger than 4 KiB"},
		"empty":     {write(t, "\n", 0o600), "the token is empty"},
		"two lines": {write(t, secret+"\n"+secret, 0o600), "position 35"},
	}
	if runtime.GOOS != "windows" {
		cases["group can read"] = struct{ path, want string }{open, "(mode 0640): chmod 600 " + open}
		cases["through a link"] = struct{ path, want string }{link, "chmod 600 " + link}
		cases["others can read"] = struct{ path, want string }{spaced, `chmod 600 '` + dir + `/it'\''s mine'`}
		cases["device"] = struct{ path, want string }{"/dev/null", "is not a regular file"}
	}
	for name, c := range cases {
		_, err := settings.Defaults().Resolve(settings.Flags{BaseURL: "https://x", TokenFile: c.path}, environment(nil), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "--token-file: ") {
			t.Errorf("%s: %v does not say where the file was named", name, err)
		}
	}
}

// keeper stores the tokens of profiles in memory.
type keeper map[string]apiclient.Token

func (k keeper) Get(profile string) (apiclient.Token, secretstore.Location, error) {
	token, kept := k[profile]
	if !kept {
		return "", secretstore.Location{}, secretstore.ErrNone
	}
	return token, secretstore.Location{File: "/tokens/" + profile}, nil
}

const twoProfiles = `
default_profile = "acme"
[profiles.acme]
base_url = "https://acme.example"
ca_file = "/etc/acme.pem"
[profiles.north]
base_url = "https://north.example/"
read_only = true
[profiles.empty]
base_url = "https://empty.example"
`

func TestProfilesAreResolved(t *testing.T) {
	set, err := settings.Parse(twoProfiles)
	if err != nil {
		t.Fatal(err)
	}
	tokens := keeper{"acme": "svc_org_acme", "north": "svc_org_north"}
	file := write(t, "svc_org_file\n", 0o600)
	for name, c := range map[string]struct {
		flags settings.Flags
		env   map[string]string
		want  settings.Connection
	}{
		"the default profile": {
			want: settings.Connection{Profile: "acme", BaseURL: "https://acme.example", BaseURLSource: "profile acme",
				Token: "svc_org_acme", TokenSource: "profile acme", TokenLocation: "/tokens/acme", CAFile: "/etc/acme.pem",
				CAFileSource: "profile acme"},
		},
		"one that the environment names": {
			env: map[string]string{"TARMAC_PROFILE": "north"},
			want: settings.Connection{Profile: "north", BaseURL: "https://north.example/", BaseURLSource: "profile north",
				Token: "svc_org_north", TokenSource: "profile north", TokenLocation: "/tokens/north", ReadOnly: true},
		},
		"a flag before the environment's": {
			flags: settings.Flags{Profile: "north"},
			env: map[string]string{"TARMAC_PROFILE": "acme", "TARMAC_BASE_URL": "https://env.example",
				"TARMAC_TOKEN": "svc_org_env", "TARMAC_TOKEN_FILE": file},
			want: settings.Connection{Profile: "north", BaseURL: "https://north.example/", BaseURLSource: "profile north",
				Token: "svc_org_north", TokenSource: "profile north", TokenLocation: "/tokens/north", ReadOnly: true},
		},
		"the environment before the default profile": {
			env: map[string]string{"TARMAC_BASE_URL": "https://env.example", "TARMAC_TOKEN": "svc_org_env"},
			want: settings.Connection{BaseURL: "https://env.example", BaseURLSource: "TARMAC_BASE_URL", Token: "svc_org_env",
				TokenSource: "TARMAC_TOKEN"},
		},
		"the environment before the profile it names": {
			env: map[string]string{"TARMAC_PROFILE": "north", "TARMAC_BASE_URL": "https://env.example",
				"TARMAC_TOKEN": "svc_org_env"},
			want: settings.Connection{Profile: "north", BaseURL: "https://env.example", BaseURLSource: "TARMAC_BASE_URL",
				Token: "svc_org_env", TokenSource: "TARMAC_TOKEN", ReadOnly: true},
		},
		"the environment's token for the profile's server": {
			env: map[string]string{"TARMAC_TOKEN_FILE": file},
			want: settings.Connection{Profile: "acme", BaseURL: "https://acme.example", BaseURLSource: "profile acme",
				Token: "svc_org_file", TokenSource: "TARMAC_TOKEN_FILE", TokenLocation: file, CAFile: "/etc/acme.pem",
				CAFileSource: "profile acme"},
		},
		"the same server by a flag": {
			flags: settings.Flags{BaseURL: "https://acme.example/", ReadOnly: true},
			want: settings.Connection{Profile: "acme", BaseURL: "https://acme.example/", BaseURLSource: "--base-url",
				Token: "svc_org_acme", TokenSource: "profile acme", TokenLocation: "/tokens/acme", CAFile: "/etc/acme.pem",
				CAFileSource: "profile acme", ReadOnly: true},
		},
		"a token file for a profile": {
			flags: settings.Flags{Profile: "north", TokenFile: file},
			want: settings.Connection{Profile: "north", BaseURL: "https://north.example/", BaseURLSource: "profile north",
				Token: "svc_org_file", TokenSource: "--token-file", TokenLocation: file, ReadOnly: true},
		},
	} {
		got, err := set.Resolve(c.flags, environment(c.env), tokens)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n got %+v (%s)\nwant %+v (%s)", name, err, got, got.Token.Reveal(), c.want, c.want.Token.Reveal())
		}
	}
}

func TestOwnBooksTakeThePlaceOfAProfile(t *testing.T) {
	own := settings.Connection{Profile: settings.OwnBooks}
	server := settings.Connection{BaseURL: "https://env.example", BaseURLSource: "TARMAC_BASE_URL",
		Token: "svc_org_env", TokenSource: "TARMAC_TOKEN"}
	environ := map[string]string{"TARMAC_BASE_URL": "https://env.example", "TARMAC_TOKEN": "svc_org_env"}
	named := map[string]string{"TARMAC_PROFILE": settings.OwnBooks}
	for name, c := range map[string]struct {
		flags   settings.Flags
		env     map[string]string
		content string
		want    settings.Connection
	}{
		"by the flag":                          {settings.Flags{Profile: "own books"}, environ, twoProfiles, own},
		"by the environment":                   {settings.Flags{}, named, twoProfiles, own},
		"by default":                           {settings.Flags{}, nil, `default_profile = "own books"`, own},
		"the environment's server before that": {settings.Flags{}, environ, `default_profile = "own books"`, server},
		"a profile before the default": {settings.Flags{Profile: "acme"}, nil,
			strings.Replace(twoProfiles, `"acme"`, `"own books"`, 1),
			settings.Connection{Profile: "acme", BaseURL: "https://acme.example", BaseURLSource: "profile acme",
				Token: "svc_org_acme", TokenSource: "profile acme", TokenLocation: "/tokens/acme",
				CAFile: "/etc/acme.pem", CAFileSource: "profile acme"}},
	} {
		set, err := settings.Parse(c.content)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := set.Resolve(c.flags, environment(c.env), keeper{"acme": "svc_org_acme"})
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, flags := range []settings.Flags{{BaseURL: "https://x"}, {TokenFile: "token"}, {CAFile: "ca.pem"}} {
		flags.Profile = settings.OwnBooks
		if _, err := settings.Defaults().Resolve(flags, environment(nil), nil); err == nil ||
			!strings.Contains(err.Error(), "cannot be combined") {
			t.Errorf("%+v: %v", flags, err)
		}
	}
}

// Setting a base URL must not redirect another server's token to it.
func TestAProfilesTokenGoesToItsServerAlone(t *testing.T) {
	set, err := settings.Parse(twoProfiles)
	if err != nil {
		t.Fatal(err)
	}
	tokens := keeper{"acme": "svc_org_acme", "north": "svc_org_north"}
	for name, c := range map[string]struct {
		flags settings.Flags
		env   map[string]string
		want  string
	}{
		"by a flag": {settings.Flags{BaseURL: "https://other.example"}, nil,
			"--base-url is set but there is no token"},
		"by the environment": {settings.Flags{}, map[string]string{"TARMAC_BASE_URL": "https://other.example"},
			"TARMAC_BASE_URL is set but there is no token"},
		"beside --profile": {settings.Flags{BaseURL: "https://other.example", Profile: "north"}, nil,
			"--base-url names another server than profile north, whose token is not sent there"},
		"beside TARMAC_PROFILE": {settings.Flags{},
			map[string]string{"TARMAC_BASE_URL": "http://acme.example", "TARMAC_PROFILE": "acme"},
			"TARMAC_BASE_URL names another server than profile acme"},
		"no such profile": {settings.Flags{Profile: "nort"}, nil,
			`--profile: there is no profile "nort"; there are: acme, empty, north`},
		"a token as profile": {settings.Flags{Profile: secret}, nil, "something like a token"},
		"a profile without token": {settings.Flags{Profile: "empty"}, nil,
			"profile empty: no token is kept: run `tarmac login --profile empty`"},
		"no such profile, by name": {settings.Flags{},
			map[string]string{"TARMAC_PROFILE": "x", "TARMAC_BASE_URL": "https://x", "TARMAC_TOKEN": secret},
			`TARMAC_PROFILE: there is no profile "x"`},
	} {
		got, err := set.Resolve(c.flags, environment(c.env), tokens)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "svc_org") ||
			got != (settings.Connection{}) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestAuthoritiesAreTrustedWhereTheyAreMeant(t *testing.T) {
	set, err := settings.Parse(twoProfiles)
	if err != nil {
		t.Fatal(err)
	}
	tokens := keeper{"acme": "svc_org_acme", "north": "svc_org_north"}
	elsewhere := map[string]string{"TARMAC_BASE_URL": "https://env.example", "TARMAC_TOKEN": "svc_org_env"}
	trusting := map[string]string{
		"TARMAC_BASE_URL": "https://env.example",
		"TARMAC_TOKEN":    "svc_org_env",
		"TARMAC_CA_FILE":  " env.pem\n",
	}
	for name, c := range map[string]struct {
		flags        settings.Flags
		env          map[string]string
		file, source string
	}{
		"no authorities":                       {env: elsewhere},
		"the environment's, without a profile": {env: trusting, file: "env.pem", source: "TARMAC_CA_FILE"},
		"a flag before the environment":        {settings.Flags{CAFile: "flag.pem"}, trusting, "flag.pem", "--ca-file"},
		"the profile's":                        {file: "/etc/acme.pem", source: "profile acme"},
		"the environment before the profile": {env: map[string]string{"TARMAC_CA_FILE": "env.pem"}, file: "env.pem",
			source: "TARMAC_CA_FILE"},
		"a profile that a flag names before both": {settings.Flags{Profile: "acme"}, trusting, "/etc/acme.pem",
			"profile acme"},
		"the environment, where that has none": {settings.Flags{Profile: "north"}, trusting, "env.pem", "TARMAC_CA_FILE"},
		"the profile's are not for another server": {flags: settings.Flags{BaseURL: "https://x.example"},
			env: map[string]string{"TARMAC_TOKEN": "svc_org_x"}},
	} {
		got, err := set.Resolve(c.flags, environment(c.env), tokens)
		if err != nil || got.CAFile != c.file || got.CAFileSource != c.source {
			t.Errorf("%s: %q of %q, %v; want %q of %q", name, got.CAFile, got.CAFileSource, err, c.file, c.source)
		}
	}
}

// A plan of the working directory must not be read in place of the person's own.
func TestWithoutADirectoryThereIsNoFileOfAPlan(t *testing.T) {
	own := settings.Connection{Profile: settings.OwnBooks}
	if path, err := own.PlanFile(func(string) string { return "" }); err == nil || path != "" {
		t.Errorf("%q, %v", path, err)
	}
}

func TestNamesOfProfilesHaveAtMost63Characters(t *testing.T) {
	for name, want := range map[string]bool{
		strings.Repeat("a", 63): true, strings.Repeat("a", 64): false, "": false, "-a": false, "a b": false,
	} {
		if err := settings.CheckProfileName(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}
