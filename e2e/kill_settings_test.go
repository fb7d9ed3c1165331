//go:build long && unix

package e2e_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tarmac/client/settings"
	"tarmac/internal/testsupport/testprogram"
)

func TestSettingsThatAreWrittenAndKilledAreWhole(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "tarmac")
	path := filepath.Join(dir, "config.toml")
	environ := []string{"XDG_CONFIG_HOME=" + home}
	begun := time.Now()
	if out, err := testprogram.Command(t, environ, "config", "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(begun)
	there := 0
	for range kills() {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		killed(t, testprogram.Command(t, environ, "config", "init"), func(*bufio.Reader) {}, took+took/4)
		content, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue
		}
		if there++; err != nil || string(content) != settings.Example() {
			t.Errorf("%d bytes of %d are written (%v)", len(content), len(settings.Example()), err)
		}
	}
	t.Logf("%d of %d were written, %d parts were left", there, kills(), len(parts(t, dir)))
	_ = os.Remove(path)
	leave(t, dir, ".config.toml-1")
	if out, err := testprogram.Command(t, environ, "config", "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if left := parts(t, dir); left != nil {
		t.Errorf("%q are left", left)
	}
}

// startPingServer starts a server that accepts one token and reports the time of each request.
func startPingServer(t *testing.T, token string, asked chan<- time.Time) string {
	t.Helper()
	known := testprogram.ScopedTokens(map[string][]string{token: testprogram.EveryScope()})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		known.ServeHTTP(w, r)
		asked <- time.Now()
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A profile that is moved between two servers never has the other server's token or a partial
// one.
func TestALoginThatIsKilledLeavesNoTokenOfAnother(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, "tarmac")
	environ := []string{"XDG_CONFIG_HOME=" + home}
	asked := make(chan time.Time, 100)
	tokens := map[string]string{} // by server
	var urls []string
	for _, token := range []string{"svc_org_of_the_one", "svc_org_of_the_other"} {
		url := startPingServer(t, token, asked)
		tokens[url], urls = token, append(urls, url)
	}
	// stored returns the profile's server and its stored token.
	stored := func() (url, token string) {
		t.Helper()
		file, err := settings.Load(func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] })
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(dir, "tokens", "default"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return file.Settings.Profiles["default"].BaseURL, string(content)
	}
	login := func(url string) []string { return []string{"login", "--token-stdin", "--base-url", url} }
	whole := func(url string) time.Duration {
		t.Helper()
		cmd := testprogram.Command(t, environ, login(url)...)
		cmd.Stdin = strings.NewReader(tokens[url] + "\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		took := time.Since(<-asked)
		if got, token := stored(); got != url || token != tokens[url]+"\n" {
			t.Errorf("%s has the token %q", got, token)
		}
		return took
	}
	took, seen := whole(urls[0]), map[string]int{}
	for range kills() {
		url := urls[rand.IntN(2)]
		cmd := testprogram.Command(t, environ, login(url)...)
		cmd.Stdin = strings.NewReader(tokens[url] + "\n")
		killed(t, cmd, func(*bufio.Reader) { <-asked }, took+took/2)
		url, token := stored()
		if token != "" && token != tokens[url]+"\n" {
			t.Errorf("%s has the token %q", url, token)
		}
		seen[fmt.Sprint(url == urls[0], token != "")]++
		if rand.IntN(3) == 0 {
			killed(t, testprogram.Command(t, environ, "logout"), func(*bufio.Reader) {}, took)
			if _, token := stored(); token != "" && token != tokens[url]+"\n" {
				t.Errorf("after leaving there is the token %q", token)
			}
		}
	}
	t.Logf("by server and whether there is a token: %v", seen)
	leave(t, dir, ".config.toml-1")
	leave(t, filepath.Join(dir, "tokens"), ".default-1")
	whole(urls[0])
	whole(urls[1]) // another server rewrites the settings
	for _, d := range []string{dir, filepath.Join(dir, "tokens")} {
		if left := parts(t, d); left != nil {
			t.Errorf("%q are left in %s", left, d)
		}
	}
	if config, err := os.ReadFile(filepath.Join(dir, "config.toml")); err != nil ||
		regexp.MustCompile(`svc_org`).Match(config) {
		t.Errorf("the settings hold a token (%v)", err)
	}
}
