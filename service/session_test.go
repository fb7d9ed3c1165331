package service_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"tarmac/service/access"
	"tarmac/service/httpapi"
	"tarmac/service/ids"
	"tarmac/service/store"
)

// sshKey adds an SSH key of the tenant and returns its ID and internal key.
func (f *fixture) sshKey(of tenant, expires *time.Time, scopes ...access.Scope) (string, store.SSHKeyKey) {
	f.t.Helper()
	k := access.SSHKey{
		PublicID: f.id(ids.SSHKey), Name: "Ada", Algorithm: "ssh-ed25519", Fingerprint: "SHA256:" + rand.Text(),
		Scopes: scopes, CreatedAt: f.clock.now(), ExpiresAt: expires,
	}
	f.write(func(tx *store.Tx) error { return tx.InsertSSHKey(of.key, k, []byte(k.Fingerprint)) })
	all, err := f.service.Store().SSHKeysByFingerprint(context.Background(), k.Fingerprint)
	if err != nil || len(all) != 1 {
		f.t.Fatal(all, err)
	}
	return k.PublicID, all[0].Key
}

// inSession returns a client whose requests belong to a session of the SSH key.
func (f *fixture) inSession(key store.SSHKeyKey, id string) *http.Client {
	session := httpapi.Session{Key: key, ID: id, Connection: id}
	transport := f.service.SessionTransport(session, netip.MustParseAddrPort("192.0.2.7:40000"))
	return &http.Client{Transport: f.referee.Transport(f.t, transport)}
}

func (f *fixture) statusOf(client *http.Client, method, path, body string) (int, string) {
	f.t.Helper()
	request, err := http.NewRequest(method, "http://localhost"+prefix+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	return response.StatusCode, string(content)
}

func TestASessionMayDoWhatItsKeyAllows(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	_, reads := f.sshKey(a, nil, access.InvoicesRead)
	_, proposes := f.sshKey(b, nil, access.InvoicesRead, access.InvoicesPropose)
	for _, check := range []struct {
		name   string
		key    store.SSHKeyKey
		method string
		path   string
		body   string
		status int
		text   string
	}{
		{"its own organization", reads, "GET", "/ping", "", 200, a.id},
		{"another key's organization", proposes, "GET", "/ping", "", 200, b.id},
		{"a scope that the key has", reads, "GET", "/invoices", "", 200, `[]`},
		{"a scope that it lacks", reads, "GET", "/account", "", 403, string(access.AccountRead)},
		{"a write that it lacks", reads, "POST", "/invoices", goodProposal, 403, string(access.InvoicesPropose)},
		{"a write that it has", proposes, "POST", "/invoices", goodProposal, 201, `"status":"draft"`},
	} {
		status, text := f.statusOf(f.inSession(check.key, "s"), check.method, check.path, check.body)
		if status != check.status || !strings.Contains(text, check.text) {
			t.Errorf("%s: %d %s", check.name, status, text)
		}
	}
}

func TestAnEndedKeyIsRefusedAtTheNextRequest(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	revoked, key := f.sshKey(a, nil, access.InvoicesRead)
	expires := f.clock.now().Add(time.Hour)
	_, expiring := f.sshKey(a, &expires, access.InvoicesRead)
	for _, k := range []store.SSHKeyKey{key, expiring} {
		if status, text := f.statusOf(f.inSession(k, "s"), "GET", "/ping", ""); status != http.StatusOK {
			t.Fatalf("before its end: %d %s", status, text)
		}
	}

	f.write(func(tx *store.Tx) error { return tx.RevokeSSHKey(revoked, f.clock.now()) })
	f.clock.advance(time.Hour)

	for name, k := range map[string]store.SSHKeyKey{"revoked": key, "expired": expiring, "unknown": key + 1000} {
		if status, text := f.statusOf(f.inSession(k, "s"), "GET", "/ping", ""); status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
}

func TestEachSessionHasItsOwnRateLimit(t *testing.T) {
	f := start(t, 1)
	_, key := f.sshKey(f.tenant("a"), nil, access.InvoicesRead)
	for _, session := range []string{"one", "two"} {
		client := f.inSession(key, session)
		if status, _ := f.statusOf(client, "GET", "/ping", ""); status != http.StatusOK {
			t.Errorf("the first request of %s: %d", session, status)
		}
		if status, _ := f.statusOf(client, "GET", "/ping", ""); status != http.StatusTooManyRequests {
			t.Errorf("the second request of %s: %d", session, status)
		}
	}
}

// A context alone makes a request one of a session, so nothing that a client sends over the network
// does.
func TestTheNetworkCannotClaimASession(t *testing.T) {
	f := start(t, 0)
	_, key := f.sshKey(f.tenant("a"), nil, access.InvoicesRead)
	ctx := httpapi.WithSession(context.Background(), httpapi.Session{Key: key, ID: "s"})
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.server.URL+prefix+"/ping", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := f.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("it is answered %d", response.StatusCode)
	}
}

func TestARequestOfASessionThatHasEndedIsNotAnswered(t *testing.T) {
	f := start(t, 0)
	_, key := f.sshKey(f.tenant("a"), nil, access.InvoicesRead)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+prefix+"/ping", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := f.service.SessionTransport(httpapi.Session{Key: key, ID: "s"}, netip.AddrPort{}).RoundTrip(request)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("it is answered %v, %v", response, err)
	}
}

// A request that was repeated with its idempotency key made one invoice, whether or not its answer
// arrived. One that was refused made none.
func TestASessionCountsTheInvoicesThatWereProposedInIt(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	_, key := f.sshKey(a, nil, access.InvoicesPropose)
	f.write(func(tx *store.Tx) error {
		return tx.StartSSHSession(store.SSHSession{ID: "s", Key: key, Process: "p", BeganAt: f.clock.now()})
	})
	transport := f.service.SessionTransport(httpapi.Session{Key: key, ID: "s", Connection: "c"}, netip.AddrPort{})
	propose := func(idempotencyKey, body string) {
		t.Helper()
		request, err := http.NewRequest(http.MethodPost, "http://localhost"+prefix+"/invoices",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", idempotencyKey)
		if response, err := transport.RoundTrip(request); err == nil {
			_ = response.Body.Close()
		}
	}

	propose("one", goodProposal)
	propose("one", goodProposal)
	propose("two", goodProposal)
	propose("three", `{"nonsense":true}`)
	propose("four", strings.Replace(goodProposal, "USD", "EUR", 1))

	sessions, err := f.service.SSHSessions(t.Context(), a.id, 9)
	if err != nil || len(sessions) != 1 || sessions[0].Proposed != 2 {
		t.Errorf("SSHSessions = %+v, %v", sessions, err)
	}
}
