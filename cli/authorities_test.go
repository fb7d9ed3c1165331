package cli_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// serveWithAuthority starts a server whose certificate is signed by an authority that no system
// trusts.
func serveWithAuthority(t *testing.T) (url, caFile, tokenFile string) {
	t.Helper()
	handler := testprogram.ScopedTokens(map[string][]string{"svc_org_good": testprogram.EveryScope()})
	url, caFile = testprogram.Certified(t, handler, "127.0.0.1", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	tokenFile = filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte("svc_org_good\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return url, caFile, tokenFile
}

// A script without a profile names its authorities in a flag or a variable.
func TestAScriptNamesItsOwnAuthority(t *testing.T) {
	url, caFile, tokenFile := serveWithAuthority(t)
	for name, c := range map[string]struct {
		args     []string
		variable string
		code     int
		says     string
	}{
		"nothing named":               {nil, "", 5, "certificate"},
		"a flag":                      {[]string{"--ca-file", caFile}, "", 0, ""},
		"a variable":                  {nil, caFile, 0, ""},
		"the flag before a variable":  {[]string{"--ca-file", caFile}, "/nowhere", 0, ""},
		"a file that is not there":    {nil, "/nowhere", 1, "cannot read the certificate authorities of TARMAC_CA_FILE"},
		"a file without certificates": {[]string{"--ca-file", tokenFile}, "", 1, "holds no certificate in PEM form"},
	} {
		p := newPerson(t)
		p.env["TARMAC_BASE_URL"], p.env["TARMAC_TOKEN_FILE"], p.env["TARMAC_CA_FILE"] = url, tokenFile, c.variable
		for _, command := range []string{"ping", "whoami"} {
			r := p.types("", append([]string{command}, c.args...)...)
			if r.code != c.code || !strings.Contains(r.stderr, c.says) {
				t.Errorf("%s, %s: exit %d, %s", command, name, r.code, r.stderr)
			}
		}
	}
}

func TestTheDoctorSaysWhichAuthoritiesAreTrusted(t *testing.T) {
	url, caFile, tokenFile := serveWithAuthority(t)
	p := newPerson(t)
	p.env["TARMAC_BASE_URL"], p.env["TARMAC_TOKEN_FILE"], p.env["TARMAC_CA_FILE"] = url, tokenFile, caFile

	all, problems := p.Doctor()

	if len(problems) != 0 || !testprogram.Has(all, "ok", "certificate authorities", "TARMAC_CA_FILE") ||
		!testprogram.Has(all, "ok", "API", "org_01") {
		t.Errorf("%+v", all)
	}
	p.env["TARMAC_CA_FILE"] = ""
	if _, problems = p.Doctor(); len(problems) != 1 || !strings.Contains(problems[0].Advice, "TARMAC_CA_FILE") {
		t.Errorf("without it: %+v", problems)
	}
}

func TestLoginKeepsTheAuthorityOfTheEnvironment(t *testing.T) {
	url, caFile, _ := serveWithAuthority(t)
	p := newPerson(t)
	p.env["TARMAC_CA_FILE"] = caFile

	p.does("svc_org_good\n", "login", "--base-url", url, "--token-stdin")

	p.env["TARMAC_CA_FILE"] = ""
	if out := p.does("", "whoami"); !strings.Contains(out, "org_01") {
		t.Errorf("whoami printed %q", out)
	}
}

// SSL_CERT_FILE, which other programs read too, applies to tarmac.
func TestTheSystemsVariableOfAuthoritiesIsHeeded(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("authorities are the system's there")
	}
	url, caFile, tokenFile := serveWithAuthority(t)
	environ := []string{"TARMAC_BASE_URL=" + url, "TARMAC_TOKEN_FILE=" + tokenFile, "XDG_CONFIG_HOME=" + t.TempDir()}
	if output, err := program(t, environ, "ping").CombinedOutput(); err == nil {
		t.Fatalf("an authority that nobody named is trusted: %s", output)
	}
	if output, err := program(t, append(environ, "SSL_CERT_FILE="+caFile), "ping").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
