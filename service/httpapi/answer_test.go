package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/access"
	"tarmac/service/accounts"
	"tarmac/service/admission"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// wireTransaction lists a transaction's JSON fields (docs/api.md, Transaction).
type wireTransaction struct {
	ID               string `json:"id"`
	AmountCents      int64  `json:"amount_cents"`
	AmountKnown      bool   `json:"amount_known"`
	AmountUSDCents   int64  `json:"amount_usd_cents"`
	USDKnown         bool   `json:"usd_known"`
	Currency         string `json:"currency"`
	Direction        string `json:"direction"`
	Date             string `json:"date"`
	CounterpartyName string `json:"counterparty_name"`
	HasReceipt       bool   `json:"has_receipt"`
	Source           string `json:"source"`
	SourceLabel      string `json:"source_label"`
	LogoURL          string `json:"logo_url,omitempty"`
	Memo             string `json:"memo,omitempty"`
	Method           string `json:"method,omitempty"`
	Reference        string `json:"reference,omitempty"`
}

type wirePage struct {
	Data       []wireTransaction `json:"data"`
	NextCursor string            `json:"next_cursor"`
	Summary    struct {
		Count       int64 `json:"count"`
		Inflow      int64 `json:"inflow_usd_cents"`
		Outflow     int64 `json:"outflow_usd_cents"`
		Net         int64 `json:"net_usd_cents"`
		Unconverted int64 `json:"unconverted_count"`
	} `json:"summary"`
}

func TestATransactionPageIsEncodedAsEncodingJSONDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := transactionPage{next: rapid.StringMatching("[A-Za-z0-9_-]{0,9}").Draw(t, "next")}
		want := wirePage{Data: []wireTransaction{}, NextCursor: page.next}
		page.summary = ledger.Summary{
			Count: rapid.Int64().Draw(t, "count"), Inflow: rapid.Int64Min(0).Draw(t, "in"),
			Outflow: rapid.Int64Min(0).Draw(t, "out"), Unconverted: 3,
		}
		want.Summary.Count, want.Summary.Unconverted = page.summary.Count, 3
		want.Summary.Inflow, want.Summary.Outflow = page.summary.Inflow, page.summary.Outflow
		want.Summary.Net = page.summary.Inflow - page.summary.Outflow
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			row := ledger.Transaction{
				ID:          rapid.String().Draw(t, "id"),
				AmountMinor: rapid.Int64().Draw(t, "amount"), AmountKnown: rapid.Bool().Draw(t, "known"),
				USDCents: rapid.Int64().Draw(t, "usd"), USDKnown: rapid.Bool().Draw(t, "usd known"), Currency: "EUR",
				Direction: ledger.Direction(rapid.IntRange(0, 1).Draw(t, "direction")),
				Source:    rapid.SampledFrom(ledger.Sources[:]).Draw(t, "source"),
				Date:      civil.New(2026, 1, rapid.IntRange(1, 365).Draw(t, "day")), HasReceipt: rapid.Bool().Draw(t, "receipt"),
				Counterparty: string(rapid.SliceOf(rapid.Byte()).Draw(t, "counterparty")), Category: "never shown",
				LogoURL: rapid.SampledFrom([]string{"", "https://example.com/?a=1&b=<2>"}).Draw(t, "logo"),
				Memo:    rapid.String().Draw(t, "memo"), Method: rapid.String().Draw(t, "method"),
				Reference: "\u2028\"\\\x00" + rapid.String().Draw(t, "reference"),
			}
			page.rows = append(page.rows, row)
			want.Data = append(want.Data, wireTransaction{
				row.ID, row.AmountMinor, row.AmountKnown, row.USDCents, row.USDKnown, row.Currency,
				row.Direction.String(), row.Date.String(), row.Counterparty, row.HasReceipt,
				row.Source.String(), row.Source.Label(), row.LogoURL, row.Memo, row.Method, row.Reference,
			})
		}
		var expected bytes.Buffer
		enc := json.NewEncoder(&expected)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(want); err != nil {
			t.Fatal(err)
		}
		if got := string(page.appendJSON(nil)) + "\n"; got != expected.String() {
			t.Fatalf("\n got %s\nwant %s", got, expected.String())
		}
	})
}

func TestTenthsAreWrittenWithoutATrailingZero(t *testing.T) {
	for n, want := range map[tenths]string{0: "0", 5: "0.5", 10: "1", 142: "14.2", 10000: "1000"} {
		if got, err := json.Marshal(n); err != nil || string(got) != want {
			t.Errorf("%d tenths are %s, %v; want %s", int64(n), got, err, want)
		}
	}
}

// panicking reads balances and has a bug.
type panicking struct{}

func (panicking) Balance(context.Context, store.OrgKey) (bool, accounts.Balance, error) {
	panic("a secret detail")
}

// The panic's own text may hold somebody's data, so it must not show anywhere.
func TestAPanicIsAnsweredAsAnInternalErrorAndLoggedWithItsPlace(t *testing.T) {
	st, secret := oneToken(t)
	var logs bytes.Buffer
	api := New(Config{
		Store: st, Balances: panicking{}, Logger: slog.New(slog.NewTextHandler(&logs, nil)), Now: time.Now,
		OnTokenUsed: func(store.TokenKey, time.Time) {}, OnResponse: func(string, int, time.Duration) {},
	})
	req := httptest.NewRequest(http.MethodGet, Prefix+"/account", nil)
	req.Header.Set("Authorization", "Bearer "+secret)
	rec := httptest.NewRecorder()
	api.ServeHTTP(rec, req)
	body, err := io.ReadAll(rec.Body)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Code != http.StatusInternalServerError || string(body) != `{"error":"internal error"}`+"\n" {
		t.Errorf("%d %s", rec.Code, body)
	}
	id := rec.Header().Get("X-Request-Id")
	log := logs.String()
	if id == "" || !strings.Contains(log, id) || !strings.Contains(log, "panicking.Balance") {
		t.Errorf("the log does not have the place of the panic of %q: %s", id, log)
	}
	if strings.Contains(log, "a secret detail") {
		t.Errorf("the log has the panic's text: %s", log)
	}
}

// oneToken returns a store with one organization, and its token.
func oneToken(t *testing.T) (*store.Store, string) {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "tarmac.db"), store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	secret, err := access.NewSecret(strings.NewReader(strings.Repeat("any bytes will do here. ", 20)))
	if err != nil {
		t.Fatal(err)
	}
	err = st.Write(t.Context(), func(tx *store.Tx) error {
		org, err := tx.CreateOrganization(store.Organization{PublicID: "org_a", Name: "a"})
		if err != nil {
			return err
		}
		return tx.InsertToken(org, access.Token{PublicID: "tok_a", Scopes: access.Scopes[:]}, access.Hash(secret))
	})
	if err != nil {
		t.Fatal(err)
	}
	return st, secret
}

func TestRequestsBeyondTheCapAreRefusedButNotTheProbes(t *testing.T) {
	st, secret := oneToken(t)
	api := New(Config{
		Store: st, Balances: StoredBalances{Store: st}, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		MaxConcurrent: 1,
		OnTokenUsed:   func(store.TokenKey, time.Time) {}, OnResponse: func(string, int, time.Duration) {},
	})
	patience := time.Minute
	get := func(path, remote, token string) int {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		req := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
		req.Header.Set("Authorization", "Bearer "+token)
		req.RemoteAddr = remote
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, req)
		return rec.Code
	}
	const busyAddress, otherAddress, proxy = "192.0.2.1:1", "192.0.2.2:1", "127.0.0.1:1"
	var slots []*admission.Slot
	fill := func(group string) { // a quarter of sixteen, by two members
		for i := range 4 {
			slot, err := api.open.Acquire(t.Context(), admission.Key{Group: group, Member: strconv.Itoa(i / 3)})
			if err != nil {
				t.Fatal(err)
			}
			slots = append(slots, slot)
		}
	}
	fill("192.0.2.1")
	for _, c := range []struct {
		remote, token string
		want          int
	}{
		{busyAddress, secret, 429}, {otherAddress, secret, 200}, {proxy, secret, 200},
		{busyAddress, secret, 200}, // the token is known by now and counts for its organization
		{busyAddress, "svc_org_guess", 429}, {proxy, "svc_org_guess", 401},
	} {
		patience = time.Minute
		if c.want == http.StatusTooManyRequests {
			patience = time.Millisecond // in place of queueTimeout
		}
		if got := get(Prefix+"/ping", c.remote, c.token); got != c.want {
			t.Errorf("with a crowd of one address, %s: %d, want %d", c.remote, got, c.want)
		}
	}
	fill("another")
	fill("a third")
	fill("a fourth")
	for _, remote := range []string{busyAddress, otherAddress, proxy} {
		patience = time.Millisecond
		if got := get(Prefix+"/ping", remote, secret); got != http.StatusTooManyRequests {
			t.Errorf("with all in, %s: %d", remote, got)
		}
		patience = time.Minute
		if got := get("/healthz", remote, secret) + get("/readyz", remote, secret); got != 400 {
			t.Errorf("with all in, the probes from %s: %d", remote, got)
		}
	}
	for _, slot := range slots {
		slot.Release()
	}
	if got := get(Prefix+"/ping", busyAddress, secret); got != http.StatusOK {
		t.Errorf("afterwards: %d", got)
	}
}
