package examples_test

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/service/events"
	"tarmac/service/webhooks"
)

// program is a running receiver.
type program struct {
	url        string
	secretFile string
	client     *http.Client
	lines      <-chan string
}

// receivers are the programs in docs/webhooks.md.
var receivers = []struct {
	name  string
	start func(t *testing.T, secretFile string) *program
}{
	{"Go with the package", func(t *testing.T, secretFile string) *program {
		caFile := filepath.Join(t.TempDir(), "ca.pem")
		lines := started(t, built(t, "./receiver"), "-addr", "127.0.0.1:0", "-ca-file", caFile, "-secret-file", secretFile)
		url, _, _ := strings.Cut(awaited(t, lines, "listening on "), ";")
		pem, err := os.ReadFile(caFile)
		if err != nil {
			t.Fatal(err)
		}
		authorities := x509.NewCertPool()
		authorities.AppendCertsFromPEM(pem)
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}}}
		return &program{url, secretFile, client, lines}
	}},
	{"Go without it", func(t *testing.T, secretFile string) *program {
		return behindProxy(t, secretFile, built(t, "./receiver/stdlib"), "0", secretFile)
	}},
	{"Node", func(t *testing.T, secretFile string) *program {
		return behindProxy(t, secretFile, interpreter(t, "node"), "receiver/receiver.js", "0", secretFile)
	}},
	{"Python", func(t *testing.T, secretFile string) *program {
		return behindProxy(t, secretFile, interpreter(t, "python3"), "receiver/receiver.py", "0", secretFile)
	}},
}

// behindProxy starts a receiver that leaves TLS to a proxy.
func behindProxy(t *testing.T, secretFile, path string, args ...string) *program {
	t.Helper()
	lines := started(t, path, args...)
	return &program{awaited(t, lines, "listening on "), secretFile, &http.Client{Transport: &http.Transport{}}, lines}
}

func (p *program) keeps(t *testing.T, secrets ...string) {
	t.Helper()
	if err := os.WriteFile(p.secretFile, []byte(strings.Join(secrets, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// mostBody is the size in bytes up to which receivers must read a body.
const mostBody = 1 << 20

// post posts a delivery and returns the response's status. An empty header is not sent.
func (p *program) post(t *testing.T, header string, body []byte) int {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, p.url+"/hook", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if header != "" {
		req.Header.Set(webhooks.SignatureHeader, header)
	}
	p.client.Timeout = patience
	resp, err := p.client.Do(req)
	if len(body) > mostBody && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)) {
		return http.StatusRequestEntityTooLarge // refused before all of it was sent
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func newSecret(t *testing.T) string {
	t.Helper()
	secret, err := webhooks.NewSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func newEvent(t *testing.T, id string) events.Event {
	t.Helper()
	e, err := events.ForTest(id, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The service's own code makes the signatures.
func TestReceiversTakeWhatIsGenuineAndNothingElse(t *testing.T) {
	for _, r := range receivers {
		t.Run(r.name, func(t *testing.T) {
			p := r.start(t, filepath.Join(t.TempDir(), "secrets"))
			current, previous, other := newSecret(t), newSecret(t), newSecret(t)
			now := time.Now()
			body := newEvent(t, "evt_1").Body
			good := webhooks.Sign(now, body, current)
			moment, v1, _ := strings.Cut(good, ",")
			p.keeps(t, current)
			for _, c := range []struct {
				name   string
				header string
				body   []byte
				want   int
			}{
				{"good", good, body, 204},
				{"rotated, the new secret known", webhooks.Sign(now, body, current, other), body, 204},
				{"rotated, the old secret known", webhooks.Sign(now, body, other, current), body, 204},
				{"almost too old", webhooks.Sign(now.Add(-4*time.Minute), body, current), body, 204},
				{"a clock ahead", webhooks.Sign(now.Add(4*time.Minute), body, current), body, 204},
				{"entries of other names", good + ",v0=abc,v2=def", body, 204},
				{"stale", webhooks.Sign(now.Add(-6*time.Minute), body, current), body, 400},
				{"of the future", webhooks.Sign(now.Add(6*time.Minute), body, current), body, 400},
				{"another body", good, bytes.Replace(body, []byte("evt_1"), []byte("evt_2"), 1), 400},
				{"a line end more", good, append(bytes.Clone(body), '\n'), 400},
				{"nothing", good, nil, 400},
				{"another secret", webhooks.Sign(now, body, other), body, 400},
				{"the secret without its prefix", webhooks.Sign(now, body, strings.TrimPrefix(current, webhooks.SecretPrefix)),
					body, 400},
				{"another time than was signed", webhooks.Sign(now.Add(-time.Minute), body, current)[:len(moment)] + "," + v1, body,
					400},
				{"no header", "", body, 400},
				{"no time", v1, body, 400},
				{"no signature", moment, body, 400},
				{"two times", moment + "," + good, body, 400},
				{"an empty time", "t=," + v1, body, 400},
				{"a time in words", "t=now," + v1, body, 400},
				{"a time that is not whole", moment + ".0," + v1, body, 400},
				{"a time without end", "t=" + strings.Repeat("9", 3000) + "," + v1, body, 400},
				{"a time below nothing", "t=-" + moment[2:] + "," + v1, body, 400},
				{"an empty signature", moment + ",v1=", body, 400},
				{"half a signature", moment + "," + v1[:40], body, 400},
				{"a longer signature", good + "00", body, 400},
				{"a signature in capitals", moment + ",v1=" + strings.ToUpper(v1[3:]), body, 400},
				{"blanks", moment + ", " + v1, body, 400},
				{"a semicolon", moment + ";" + v1, body, 400},
				{"no ASCII", moment + ",v1=\u00e9" + strings.Repeat("a", 63), body, 400},
				{"noise", ",,=,==,t,v1", body, 400},
			} {
				if got := p.post(t, c.header, c.body); got != c.want {
					t.Errorf("%s: answered %d, want %d", c.name, got, c.want)
				}
			}
			large := bytes.Repeat([]byte(" "), mostBody+1)
			if got := p.post(t, webhooks.Sign(now, large, current), large); got != 400 && got != 413 {
				t.Errorf("more than a megabyte: answered %d", got)
			}
			p.keeps(t, previous, current)
			if got := p.post(t, good, body); got != 204 {
				t.Errorf("with a second secret in the file: answered %d", got)
			}
			p.keeps(t, previous)
			if got := p.post(t, good, body); got != 400 {
				t.Errorf("with the secret taken out of the file: answered %d", got)
			}
		})
	}
}

// The receiver that uses the package leaves duplicates to its caller.
func TestReceiversActOnAnEventOnce(t *testing.T) {
	for _, r := range receivers[1:] {
		t.Run(r.name, func(t *testing.T) {
			p := r.start(t, filepath.Join(t.TempDir(), "secrets"))
			secret := newSecret(t)
			p.keeps(t, secret)
			for _, id := range []string{"evt_1", "evt_1", "evt_2"} {
				body := newEvent(t, id).Body
				if got := p.post(t, webhooks.Sign(time.Now(), body, secret), body); got != 204 {
					t.Fatalf("%s: answered %d", id, got)
				}
			}
			for _, want := range []string{"verified test.event evt_1", "verified test.event evt_2"} {
				if rest := awaited(t, p.lines, want); rest != "" {
					t.Errorf("%s was followed by %q", want, rest)
				}
			}
		})
	}
}
