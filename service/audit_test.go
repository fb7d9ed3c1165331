package service_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/service/access"
	"tarmac/service/httpapi"
	"tarmac/service/store"
)

func (f *fixture) audit() []store.AuditEntry {
	f.t.Helper()
	entries, err := f.service.Store().AuditEntries(f.t.Context(), "", time.Time{}, store.AuditEntry{}, 1000)
	if err != nil {
		f.t.Fatal(err)
	}
	return entries
}

// Each operation of the API that can write leaves one line, with the token's id and the address.
func TestEachOperationThatWritesLeavesALine(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a", access.Scopes[:]...)
	requests := map[string]func() answer{}
	var endpoint string
	created := func() answer {
		got := f.send(a.secret, http.MethodPost, prefix+"/webhooks",
			`{"url":"https://hooks.example.com/x","event_types":["invoice.sent"]}`)
		var made struct{ ID string }
		if err := json.Unmarshal(got.body, &made); err == nil {
			endpoint = made.ID
		}
		return got
	}
	requests["proposeInvoice"] = func() answer {
		return f.send(a.secret, http.MethodPost, prefix+"/invoices", goodProposal)
	}
	requests["updateWebhook"] = func() answer {
		return f.send(a.secret, http.MethodPatch, prefix+"/webhooks/"+endpoint, `{"status":"paused"}`)
	}
	requests["rotateWebhookSecret"] = func() answer {
		return f.send(a.secret, http.MethodPost, prefix+"/webhooks/"+endpoint+"/rotate-secret", "")
	}
	requests["verifyWebhook"] = func() answer {
		return f.send(a.secret, http.MethodPost, prefix+"/webhooks/"+endpoint+"/verify", "")
	}
	requests["deleteWebhook"] = func() answer {
		return f.send(a.secret, http.MethodDelete, prefix+"/webhooks/"+endpoint, "")
	}
	requests["createWebhook"] = created

	for _, op := range httpapi.Operations() {
		if op.Method == http.MethodGet {
			continue
		}
		request := requests[op.ID]
		if request == nil {
			t.Errorf("%s writes and this test does not call it", op.ID)
			continue
		}
		if op.ID != "createWebhook" {
			created()
		}
		before := len(f.audit())
		got := request()
		lines := f.audit()[before:]
		if got.status > 299 || len(lines) != 1 {
			t.Errorf("%s: %d %s left %d lines", op.ID, got.status, got.body, len(lines))
			continue
		}
		e := lines[0]
		if e.Action != op.ID || e.Way != store.WayAPI || e.Actor != a.token.PublicID || e.Address != "127.0.0.1" ||
			e.OrgPublicID != a.id || e.Outcome != store.AuditDone || e.Target == "" {
			t.Errorf("%s: %+v", op.ID, e)
		}
	}
	for _, e := range f.audit() {
		if strings.Contains(e.Actor+e.Target+e.Action, a.secret) {
			t.Errorf("the token is in %+v", e)
		}
	}
}

// A change in a dashboard over SSH has the fingerprint of the person's key, and the address.
func TestAChangeOverSSHHasTheFingerprintOfItsKey(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	_, key := f.sshKey(a, nil, access.InvoicesPropose)
	before := len(f.audit())

	status, text := f.statusOf(f.inSession(key, "s"), http.MethodPost, "/invoices", goodProposal)

	lines := f.audit()
	if status != http.StatusCreated || len(lines) != before+1 {
		t.Fatalf("%d %s left %d lines", status, text, len(lines)-before)
	}
	credential, err := f.service.Store().SSHCredential(t.Context(), key)
	if e := lines[before]; err != nil || e.Way != store.WaySSH || e.Actor != credential.Fingerprint ||
		!strings.HasPrefix(e.Actor, "SHA256:") || e.Address != "192.0.2.7" || e.OrgPublicID != a.id ||
		e.Action != "proposeInvoice" || e.Outcome != store.AuditDone || !strings.HasPrefix(e.Target, "inv_") {
		t.Errorf("%+v, %v", e, err)
	}
}

// Lines come in the order of their times, also if a copy has brought older ones.
func TestTheAuditIsReadInTheOrderOfTimes(t *testing.T) {
	f := start(t, 0)
	for _, hours := range []int{3, 1, 2} {
		entry := store.AuditEntry{At: noon.Add(time.Duration(hours) * time.Hour), Action: strconv.Itoa(hours)}
		ctx := store.WithAudit(t.Context(), &store.Audit{AuditEntry: entry})
		if err := f.service.Store().BeginAudit(ctx); err != nil {
			t.Fatal(err)
		}
	}

	var read []string
	for last := (store.AuditEntry{}); ; {
		page, err := f.service.Store().AuditEntries(t.Context(), "", noon, last, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		last = page[0]
		read = append(read, last.Action)
	}

	if !slices.Equal(read, []string{"1", "2", "3"}) {
		t.Errorf("the lines are %v", read)
	}
}
