package admin_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/events"
	"tarmac/service/ids"
	"tarmac/service/invoicing"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// operated is a database with one organization, operated through admin commands.
type operated struct {
	testing.TB
	db, org string
}

func newOperated(t testing.TB) operated {
	t.Helper()
	o := operated{TB: t, db: migrated.File(t)}
	o.org = o.must("org", "create", "Northlight Labs")
	return o
}

// result is the exit code and output of a command.
type result struct {
	code           int
	stdout, stderr string
}

// run runs an admin command on the database.
func (o operated) run(args ...string) result {
	o.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(o.Context(), command.Env{
		Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Now: time.Now,
	}, append([]string{"admin", "--db", o.db}, args...))
	return result{code, stdout.String(), stderr.String()}
}

// must runs an admin command that has to succeed, and returns its output without the final
// newline.
func (o operated) must(args ...string) string {
	o.Helper()
	r := o.run(args...)
	if r.code != 0 {
		o.Fatalf("tarmac admin %s: exit %d, %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return strings.TrimSuffix(r.stdout, "\n")
}

// object and list run an admin command with --json and decode its output.
func (o operated) object(args ...string) (v map[string]any) {
	o.Helper()
	o.decode(&v, args...)
	return v
}

func (o operated) list(args ...string) (v []map[string]any) {
	o.Helper()
	o.decode(&v, args...)
	if v == nil {
		o.Errorf("tarmac admin %s printed null", strings.Join(args, " "))
	}
	return v
}

func (o operated) decode(v any, args ...string) {
	o.Helper()
	out := o.must(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), v); err != nil || strings.Contains(out, "\n") {
		o.Fatalf("tarmac admin %s --json printed %q: %v", strings.Join(args, " "), out, err)
	}
}

// refused runs an admin command that has to fail with the exit code and an error that contains
// says.
func (o operated) refused(code int, says string, args ...string) {
	o.Helper()
	r := o.run(args...)
	lines := 1
	if code == 2 {
		lines = 2 // the second line points to the help
	}
	if r.code != code || !strings.Contains(r.stderr, says) || strings.Count(r.stderr, "\n") != lines || r.stdout != "" {
		o.Errorf("tarmac admin %s: exit %d, %q, %q; want exit %d and %q", strings.Join(args, " "), r.code, r.stderr, r.stdout,
			code, says)
	}
}

// with opens the service on the database, as serve does.
func (o operated) with(do func(*service.Service, store.OrgKey)) {
	o.Helper()
	svc, err := service.Open(context.Background(), service.Config{
		Database: o.db, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader, Version: "test",
	})
	if err != nil {
		o.Fatal(err)
	}
	defer svc.Close()
	_, key, err := svc.Organization(context.Background(), o.org)
	if err != nil {
		o.Fatal(err)
	}
	do(svc, key)
}

// draft creates a draft invoice over 1,200.50 in a currency and returns its id.
func (o operated) draft(currency string) string {
	o.Helper()
	id, err := ids.NewSource(rand.Reader).New(ids.Invoice, time.Now())
	if err != nil {
		o.Fatal(err)
	}
	o.with(func(svc *service.Service, org store.OrgKey) {
		now := time.Now().UTC().Truncate(time.Microsecond)
		err := svc.Store().Write(context.Background(), func(tx *store.Tx) error {
			_, err := tx.InsertInvoice(org, invoicing.Invoice{
				ID: id, Status: invoicing.Draft, Currency: currency, Description: "Consulting", RecipientName: "Acme\x1b[2J & Sons",
				RecipientEmail: "pay@acme.example", SubtotalCents: 1200_50, TotalCents: 1200_50, CreatedAt: now, UpdatedAt: now,
				DueDate: civil.New(2026, 12, 31), OwnerName: "Ada Palmer", OwnerEmail: "ada@northlight.example",
			})
			return err
		})
		if err != nil {
			o.Fatal(err)
		}
	})
	return id
}

// fromAPI returns the service's response for a path.
func (o operated) fromAPI(path string) (v map[string]any) {
	o.Helper()
	o.with(func(svc *service.Service, _ store.OrgKey) {
		secret, _, err := svc.CreateToken(context.Background(), o.org, access.Scopes[:], time.Hour)
		if err != nil {
			o.Fatal(err)
		}
		req := httptest.NewRequest(http.MethodGet, "/api/ext/v1"+path, nil)
		req.Header.Set("Authorization", "Bearer "+secret)
		answer := httptest.NewRecorder()
		svc.Handler().ServeHTTP(answer, req)
		if err := json.Unmarshal(answer.Body.Bytes(), &v); err != nil || answer.Code != http.StatusOK {
			o.Fatalf("GET %s: %d %s", path, answer.Code, answer.Body)
		}
	})
	return v
}

// sameAsAPI checks that a record has every field of the API's response, and otherwise only the
// extra fields.
func (o operated) sameAsAPI(got map[string]any, path string, extra ...string) {
	o.Helper()
	want := o.fromAPI(path)
	for name, value := range want {
		if !reflect.DeepEqual(got[name], value) {
			o.Errorf("%s: %s is %v; the API has %v", path, name, got[name], value)
		}
	}
	for name := range got {
		if _, known := want[name]; !known && !slices.Contains(extra, name) {
			o.Errorf("%s: the API has no %s", path, name)
		}
	}
	for _, name := range extra {
		if _, there := got[name]; !there {
			o.Errorf("%s: there is no %s", path, name)
		}
	}
}

func TestOperatorOpensAndClosesTheAccount(t *testing.T) {
	o := newOperated(t)
	if got := o.object("account", "show", "--org", o.org); !reflect.DeepEqual(got, map[string]any{
		"org_id": o.org, "status": "not_open", "balance": nil, "synced_at": nil, "fault": false,
	}) {
		t.Errorf("show --json before there is one: %v", got)
	}
	o.refused(4, "has no account yet, open one first", "account", "fault", "on", "--org", o.org)
	if got := o.must("account", "open", "--org", o.org, "--available", "250,000", "--holding", "1.5", "--locked", "2",
		"--pending", "1,200.50"); got != o.org+" account open" {
		t.Errorf("open printed %q", got)
	}
	o.refused(1, "is open already", "account", "open", "--org", o.org)
	o.sameAsAPI(o.object("account", "show", "--org", o.org), "/account", "fault")
	if got := o.must("account", "show", "--org", o.org); !regexp.MustCompile(`\n` + o.org +
		` +open +250,000.00 USD +1.50 USD +2.00 USD +1,200.50 USD +2.*Z +off$`).MatchString(got) {
		t.Errorf("show printed:\n%s", got)
	}
	if got := o.must("account", "fault", "on", "--org", o.org); got != o.org+" account fault on" {
		t.Errorf("fault on printed %q", got)
	}
	if got := o.object("account", "show", "--org", o.org); got["fault"] != true || got["status"] != "open" {
		t.Errorf("with a fault: %v", got)
	}
	if got := o.object("account", "fault", "off", "--org", o.org); got["fault"] != false {
		t.Errorf("fault off --json: %v", got)
	}
	o.sameAsAPI(o.object("account", "close", "--org", o.org), "/account", "fault")
	o.refused(1, "is not_open already", "account", "close", "--org", o.org)
	if got := o.must("account", "show", "--org", o.org); !regexp.MustCompile(`\n` + o.org +
		` +not_open +- +- +- +- +- +off$`).MatchString(got) {
		t.Errorf("show of a closed one printed:\n%s", got)
	}
}

func TestWebhookEndpointsAreListedForTheOperator(t *testing.T) {
	o := newOperated(t)
	if got := o.list("webhook", "list", "--org", o.org); len(got) != 0 {
		t.Errorf("none are listed as %v", got)
	}
	at := time.Now().UTC().Truncate(time.Microsecond)
	o.with(func(svc *service.Service, org store.OrgKey) {
		e := webhooks.Endpoint{
			ID: "wh_1", URL: "https://hooks.example.com/a", EventTypes: []events.Type{events.InvoiceSent, events.InvoicePaid},
			Status: webhooks.Active, CreatedAt: at, UpdatedAt: at,
		}
		err := svc.Store().Write(context.Background(), func(tx *store.Tx) error {
			if err := tx.InsertEndpoint(org, e, []byte("sealed-secret")); err != nil {
				return err
			}
			e.ID, e.Status, e.DisabledAt, e.DisabledReason, e.FailingSince = "wh_2", webhooks.AutoDisabled, &at, webhooks.Gone,
				&at
			if err := tx.InsertEndpoint(org, e, []byte("sealed-secret")); err != nil {
				return err
			}
			if err := tx.UpdateEndpoint(org, e); err != nil {
				return err
			}
			old := at.Add(-time.Hour)
			return tx.SetEndpointSecrets(org, "wh_1",
				store.Secrets{Current: []byte("sealed-secret"), Previous: []byte("x"), PreviousExpiresAt: &old}, at)
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	o.must("invoice", "send", o.draft("USD"))
	list := o.list("webhook", "list", "--org", o.org)
	if len(list) != 2 {
		t.Fatalf("list --json: %v", list)
	}
	for _, e := range list {
		o.sameAsAPI(e, "/webhooks/"+e["id"].(string), "failing_since", "pending_count", "held_count")
	}
	if list[1]["pending_count"] != 1.0 || list[0]["pending_count"] != 0.0 || list[0]["disabled_reason"] != "gone" ||
		list[0]["failing_since"] == nil {
		t.Errorf("list --json: %v", list)
	}
	table := o.must("webhook", "list", "--org", o.org)
	for _, want := range []string{
		`\nwh_2 +auto_disabled +0 +0 +2\S+ \S+Z +gone, 2\S+ \S+Z +https://hooks.example.com/a +invoice.sent,invoice.paid`,
		`\nwh_1 +active +1 +0 +- +- +https://hooks.example.com/a +invoice.sent,invoice.paid$`,
	} {
		if !regexp.MustCompile(want).MatchString(table) {
			t.Errorf("the table has no %s:\n%s", want, table)
		}
	}
	if strings.Contains(table, "sealed") {
		t.Errorf("the table shows a secret:\n%s", table)
	}
}
