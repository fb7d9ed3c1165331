package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tarmac/internal/settings"
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

func TestResolveOrder(t *testing.T) {
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
			env:  map[string]string{"TARMAC_BASE_URL": "https://env", "TARMAC_TOKEN": secret + "\n", "TARMAC_TOKEN_FILE": "/nowhere"},
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
		got, err := settings.Resolve(c.flags, func(k string) string { return c.env[k] })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.BaseURL != c.base || got.Token.Reveal() != c.token || got.BaseURLSource != c.baseSource || got.TokenSource != c.tokenSource {
			t.Errorf("%s: base %s from %s, token from %s, right token %v", name, got.BaseURL, got.BaseURLSource, got.TokenSource, got.Token.Reveal() == c.token)
		}
		if printed := fmt.Sprintf("%v %+v %#v %s %q", got, got, got, got.Token, got.Token); strings.Contains(printed, secret) {
			t.Errorf("%s: a printed connection shows the token: %s", name, printed)
		}
	}
}

func TestNothingSetIsToldApart(t *testing.T) {
	if _, err := settings.Resolve(settings.Flags{}, func(string) string { return "" }); !errors.Is(err, settings.ErrNotConfigured) {
		t.Errorf("nothing set: %v", err)
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		flags settings.Flags
		env   map[string]string
		want  string
	}{
		"no token":       {env: map[string]string{"TARMAC_BASE_URL": "https://x"}, want: "TARMAC_BASE_URL is set but there is no token: set TARMAC_TOKEN or TARMAC_TOKEN_FILE"},
		"no token, flag": {flags: settings.Flags{BaseURL: "https://x"}, want: "--base-url is set but there is no token: set TARMAC_TOKEN or TARMAC_TOKEN_FILE"},
		"no base":        {env: map[string]string{"TARMAC_TOKEN": secret}, want: "TARMAC_TOKEN is set but there is no base URL: set TARMAC_BASE_URL or --base-url"},
		"bad token":      {env: map[string]string{"TARMAC_BASE_URL": "https://x", "TARMAC_TOKEN": secret + " " + secret}, want: "TARMAC_TOKEN: the token has a space or an unprintable character at position 35"},
	} {
		_, err := settings.Resolve(c.flags, func(k string) string { return c.env[k] })
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
		_, err := settings.Resolve(settings.Flags{BaseURL: "https://x", TokenFile: c.path}, func(string) string { return "" })
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "--token-file: ") {
			t.Errorf("%s: %v does not say where the file was named", name, err)
		}
	}
}
