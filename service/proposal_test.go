package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/service/access"
	"tarmac/service/invoicing"
	"tarmac/service/store"
)

// proposed holds the fields of an invoice that the tests read.
type proposed struct {
	ID            string  `json:"id"`
	Number        string  `json:"number"`
	Status        string  `json:"status"`
	Description   string  `json:"description"`
	SubtotalCents int64   `json:"subtotal_cents"`
	TaxCents      int64   `json:"tax_cents"`
	TotalCents    int64   `json:"total_cents"`
	DueDate       *string `json:"due_date"`
	SentAt        *string `json:"sent_at"`
}

func (f *fixture) propose(a tenant, body string, pairs ...string) answer {
	f.t.Helper()
	return f.send(a.secret, http.MethodPost, prefix+"/invoices", body, pairs...)
}

func TestAProposalCreatesADraftAndNothingElse(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	got := f.propose(a, goodProposal)
	var draft proposed
	f.decode(got, &draft)
	if got.status != http.StatusCreated || got.header.Get("Location") != prefix+"/invoices/"+draft.ID {
		t.Errorf("%d, Location %q for %s", got.status, got.header.Get("Location"), draft.ID)
	}
	if draft.Number != "INV-000001" || draft.Status != "draft" || draft.TotalCents != 240_000 ||
		draft.SubtotalCents != 240_000 || draft.TaxCents != 0 ||
		draft.DueDate == nil || *draft.DueDate != "2026-12-31T00:00:00Z" || draft.SentAt != nil {
		t.Errorf("draft %+v", draft)
	}
	if read := f.get(a.secret, prefix+"/invoices/"+draft.ID); !bytes.Equal(read.body, got.body) {
		t.Errorf("read again it is\n%s, was\n%s", read.body, got.body)
	}
	var feed struct{ Data []json.RawMessage }
	f.decode(f.get(a.secret, prefix+"/events"), &feed)
	if len(feed.Data) != 0 {
		t.Errorf("a draft has the events %s", feed.Data)
	}
	if inv := f.invoice(a, draft.ID); inv.OwnerName != "Ada Lovelace" || inv.OwnerEmail != "ada@example.com" {
		t.Errorf("attributed to %q %q", inv.OwnerName, inv.OwnerEmail)
	}
}

func (f *fixture) invoice(a tenant, id string) (inv invoicing.Invoice) {
	f.t.Helper()
	err := f.service.Store().Read(context.Background(), func(snap *store.Snapshot) (err error) {
		inv, err = snap.Invoice(a.key, id)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return inv
}

func TestTheErrorOfAnInvalidProposalNamesTheFieldAndTheRule(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	with := func(old, new string) string { return strings.Replace(goodProposal, old, new, 1) }
	for _, c := range []struct {
		what, body string
		status     int
		text       string
	}{
		{"no object", `[]`, 400, "body must be a single JSON object"},
		{"two objects", goodProposal + goodProposal, 400, "body must be a single JSON object"},
		{
			"a number for a quantity", with(`"1.5"`, `1.5`), 400,
			"line_items[0].quantity must be a decimal string greater than zero",
		},
		{
			"no quantity at all", with(`"1.5"`, `"0"`), 400, "line_items[0].quantity must be a decimal string greater than zero",
		},
		{"a cent and a half", with(`160000`, `1`), 201, ""},
		{
			"nothing after rounding", strings.Replace(with(`"1.5"`, `"0.4"`), `160000`, `1`, 1), 400,
			"line_items[0] comes to less than one cent",
		},
		{"a free line", with(`160000`, `0`), 400, "line_items[0].unit_price_cents must be positive"},
		{
			"a day that there is not", with(`2026-12-31`, `2026-02-30`), 400,
			"due_date must be a calendar date in the form YYYY-MM-DD",
		},
		{"a field of another name", with(`"unit_price_cents"`, `"price"`), 400, `unknown field "line_items[0].price"`},
		{"euros", with(`USD`, `EUR`), 422, `unsupported currency "EUR"; only USD is supported`},
		{
			"euros with a fault", strings.Replace(with(`USD`, `EUR`), `160000`, `0`, 1), 400,
			"line_items[0].unit_price_cents must be positive",
		},
		{"no currency", with(`USD`, ``), 400, "currency must be a three-letter code"},
		{"twice the same", with(`"notes":""`, `"currency":"USD"`), 400, `field "currency" was given more than once`},
	} {
		got := f.propose(a, c.body)
		if c.status == http.StatusCreated {
			if got.status != c.status {
				t.Errorf("%s: %d %s", c.what, got.status, got.body)
			}
			continue
		}
		f.refused(c.what, got, c.status, c.text)
	}
}

// Even a due date that is centuries ago is allowed.
func TestADueDateIsAnyDayOfTheCalendar(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	for _, day := range []string{"0001-01-01", "1899-12-31", "2259-01-01", "9999-12-31"} {
		var draft, read proposed
		f.decode(f.propose(a, strings.Replace(goodProposal, "2026-12-31", day, 1)), &draft)
		if _, err := f.service.SendInvoice(t.Context(), draft.ID); err != nil {
			t.Fatal(err)
		}
		f.decode(f.get(a.secret, prefix+"/invoices/"+draft.ID), &read)
		if read.DueDate == nil || *read.DueDate != day+"T00:00:00Z" {
			t.Errorf("due on %s: %+v", day, read)
		}
	}
	var aging struct {
		Top []struct {
			Oldest int `json:"oldest_days_past_due"`
		} `json:"top_overdue_customers"`
	}
	f.decode(f.get(a.secret, prefix+"/receivables/aging"), &aging)
	if len(aging.Top) != 1 || aging.Top[0].Oldest != 739_940 {
		t.Errorf("overdue since the year 1: %+v", aging.Top)
	}
}

// These checks apply to requests with bodies only.
func TestABodyIsCheckedInTheDocumentedOrder(t *testing.T) {
	f := start(t, 0)
	a, ownerless := f.tenant("a"), f.tenant("ownerless")
	f.write(func(tx *store.Tx) error { return tx.SetOwner(ownerless.key, "", "") })
	reader := f.token(a, access.InvoicesRead)
	huge := strings.Repeat("x", 1<<20+1)
	f.refused("no token, huge body", f.send("", "POST", prefix+"/invoices", huge), 401, "missing API token")
	f.refused(
		"no scope, huge body", f.send(reader, "POST", prefix+"/invoices", huge), 403,
		"token lacks the required scope invoices:propose",
	)
	f.refused(
		"huge body of another type", f.propose(a, huge, "Content-Type", "text/plain"), 413, "body is larger than 1 MiB",
	)
	f.refused(
		"another type, bad query", f.send(a.secret, "POST", prefix+"/invoices?x=1", "{}", "Content-Type", "text/json"), 415,
		"content type must be application/json",
	)
	f.refused(
		"bad query, bad body", f.send(a.secret, "POST", prefix+"/invoices?x=1", "{}"), 400, `unknown query parameter "x"`,
	)
	f.refused("euros without an owner", f.propose(
		ownerless, strings.Replace(goodProposal, "USD", "EUR", 1),
	), 422, `unsupported currency "EUR"; only USD is supported`)
	f.refused(
		"no owner", f.propose(ownerless, goodProposal), 409,
		"the organization has no active owner to attribute the invoice to",
	)
	f.refused(
		"a bad body for no record", f.send(a.secret, "PATCH", prefix+"/webhooks/wh_none", `{"status":"on"}`), 400,
		"status must be active or paused",
	)
	for _, kind := range []string{
		"", "application/json; charset=latin1", "application/problem+json", "application/json, text/plain",
	} {
		f.refused(
			"type "+kind, f.propose(a, goodProposal, "Content-Type", kind), 415, "content type must be application/json",
		)
	}
	got := f.propose(a, goodProposal, "Content-Type", `Application/JSON; charset="UTF-8"`)
	if got.status != http.StatusCreated {
		t.Errorf("%d %s", got.status, got.body)
	}
	// A body of unknown length.
	got = f.doWith("POST", prefix+"/invoices", http.Header{
		"Authorization": {"Bearer " + a.secret}, "Content-Type": {"application/json"},
	},
		struct{ *strings.Reader }{strings.NewReader(huge)})
	f.refused("a huge body of unknown length", got, 413, "body is larger than 1 MiB")
}

func TestConcurrentProposalsGetConsecutiveNumbers(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	const n = 100
	numbers := make([]string, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			answer := f.propose(a, goodProposal)
			for answer.status == http.StatusTooManyRequests { // waited in vain; nothing was begun
				answer = f.propose(a, goodProposal)
			}
			var draft proposed
			if err := json.Unmarshal(answer.body, &draft); err != nil {
				t.Error(err)
			}
			numbers[i] = draft.Number
		})
	}
	wg.Wait()
	slices.Sort(numbers)
	for i, number := range numbers {
		if want := fmt.Sprintf("INV-%06d", i+1); number != want {
			t.Fatalf("number %d is %s, want %s", i, number, want)
		}
	}
}

func TestTheSameIdempotencyKeyGetsTheSameResponse(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	first := f.propose(a, goodProposal, "Idempotency-Key", "k1")
	if first.status != http.StatusCreated || first.header.Get("Idempotent-Replayed") != "" {
		t.Fatalf("%d %v", first.status, first.header)
	}
	// White space and the order of fields do not matter.
	again := f.propose(
		a, strings.Replace(goodProposal, `{"currency":"USD",`, "{\n \"currency\" : \"USD\",", 1), "Idempotency-Key", "k1",
	)
	if again.status != http.StatusCreated || !bytes.Equal(again.body, first.body) ||
		again.header.Get("Idempotent-Replayed") != "true" ||
		again.header.Get("Location") != first.header.Get("Location") {
		t.Errorf("again: %d %v\n%s, first\n%s", again.status, again.header, again.body, first.body)
	}
	other := strings.Replace(goodProposal, "Advice", "Advice!", 1)
	f.refused(
		"another body", f.propose(a, other, "Idempotency-Key", "k1"), 422,
		"this Idempotency-Key was used with another body or by another token",
	)
	if got := f.propose(b, other, "Idempotency-Key", "k1"); got.status != http.StatusCreated {
		t.Errorf("another organization's key: %d %s", got.status, got.body)
	}
	f.clock.advance(24*time.Hour - time.Second)
	if got := f.propose(a, goodProposal, "Idempotency-Key", "k1"); got.header.Get("Idempotent-Replayed") != "true" {
		t.Error("forgotten within 24 hours")
	}
	f.clock.advance(time.Second)
	var fresh proposed
	got := f.propose(a, other, "Idempotency-Key", "k1")
	f.decode(got, &fresh)
	if fresh.Number != "INV-000002" || got.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("after 24 hours: %s %v", fresh.Number, got.header)
	}
	for _, key := range []string{"", strings.Repeat("k", 256), "käse"} {
		if got := f.propose(a, goodProposal, "Idempotency-Key", key); got.status != http.StatusBadRequest {
			t.Errorf("key %q: %d", key, got.status)
		}
	}
}

func TestConcurrentRequestsWithOneIdempotencyKeyCreateOneInvoice(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		replayed int
		bodies   = map[string]bool{}
	)
	for range 20 {
		wg.Go(func() {
			got := f.propose(a, goodProposal, "Idempotency-Key", "once")
			mu.Lock()
			defer mu.Unlock()
			bodies[string(got.body)] = true
			if got.header.Get("Idempotent-Replayed") == "true" {
				replayed++
			}
		})
	}
	wg.Wait()
	var all []proposed
	f.decode(f.get(a.secret, prefix+"/invoices"), &all)
	if len(all) != 1 || len(bodies) != 1 || replayed != 19 {
		t.Errorf("%d invoices, %d different answers, %d replayed", len(all), len(bodies), replayed)
	}
}

// The corrected proposal with the same key is accepted.
func TestARefusedProposalDoesNotUseItsIdempotencyKey(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.write(func(tx *store.Tx) error { return tx.SetOwner(a.key, "", "") })
	f.refused(
		"no owner", f.propose(a, goodProposal, "Idempotency-Key", "k"), 409,
		"the organization has no active owner to attribute the invoice to",
	)
	f.write(func(tx *store.Tx) error { return tx.SetOwner(a.key, "Ada", "ada@example.com") })
	var draft proposed
	f.decode(f.propose(a, goodProposal, "Idempotency-Key", "k"), &draft)
	if draft.Number != "INV-000001" {
		t.Errorf("the refused proposal took a number: %s", draft.Number)
	}
}

// sender is a connection whose body arrives late, unless the service has stopped reading.
type sender struct {
	*httptest.ResponseRecorder
	body     io.Reader
	took     time.Duration
	deadline time.Time
}

func (s *sender) SetReadDeadline(at time.Time) error {
	s.deadline = at
	return nil
}

func (s *sender) Read(p []byte) (int, error) {
	if !s.deadline.IsZero() && s.deadline.Before(time.Now().Add(s.took)) {
		return 0, os.ErrDeadlineExceeded
	}
	return s.body.Read(p)
}

// If the body used up the time of the whole request, the response would be 500, which leaves
// open whether anything was done.
func TestABodyThatArrivesTooLateIsABadRequest(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	post := func(took time.Duration) *sender {
		s := &sender{ResponseRecorder: httptest.NewRecorder(), body: strings.NewReader(goodProposal), took: took}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, prefix+"/invoices", s)
		req.Header.Set("Authorization", "Bearer "+a.secret)
		req.Header.Set("Content-Type", "application/json")
		f.service.Handler().ServeHTTP(s, req)
		return s
	}
	if s := post(12 * time.Second); s.Code != http.StatusBadRequest ||
		s.Body.String() != `{"error":"the body did not arrive within 10 seconds"}`+"\n" {
		t.Errorf("a slow sender: %d %s", s.Code, s.Body)
	}
	if s := post(8 * time.Second); s.Code != http.StatusCreated || !s.deadline.IsZero() {
		t.Errorf("a sender in time: %d %s, and until %v for the work", s.Code, s.Body, s.deadline)
	}
}
