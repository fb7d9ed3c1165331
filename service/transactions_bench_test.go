package service_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// BenchmarkTransactions measures requests for a page of a hundred rows with its summary, without
// the network. TARMAC_BENCH_ROWS sets the ledger's size, by default 20,000.
func BenchmarkTransactions(b *testing.B) {
	s, secret, _ := benchService(b, benchRows)
	for _, c := range []struct{ name, query string }{
		{"head", ""}, {"outflow", "?direction=outflow"}, {"month", "?from=2024-03-01&to=2024-03-31"},
		{"keyword", "?keyword=vendor+7"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				req := httptest.NewRequest(http.MethodGet, prefix+"/transactions"+c.query, nil)
				req.Header.Set("Authorization", "Bearer "+secret)
				rec := httptest.NewRecorder()
				s.Handler().ServeHTTP(rec, req)
				if rec.Code != http.StatusOK {
					b.Fatalf("%d %s", rec.Code, rec.Body)
				}
			}
		})
	}
}

// BenchmarkPageRequest compares a request for a page of a hundred rows over a real connection
// with its lower bounds: the same bytes from net/http alone, and the query alone.
func BenchmarkPageRequest(b *testing.B) {
	s, secret, database := benchService(b, benchRows)
	served := httptest.NewServer(s.Handler())
	defer served.Close()
	page := benchAsk(b, served, secret)
	static := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		_, _ = w.Write(page)
	}))
	defer static.Close()
	for _, c := range []struct {
		name   string
		server *httptest.Server
	}{{"service", served}, {"same-bytes", static}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if got := benchAsk(b, c.server, secret); len(got) != len(page) {
					b.Fatalf("%d bytes, want %d", len(got), len(page))
				}
			}
		})
	}
	b.Run("query", func(b *testing.B) { benchQuery(b, database) })
}

func benchAsk(b *testing.B, server *httptest.Server, secret string) []byte {
	b.Helper()
	req, err := http.NewRequest(http.MethodGet, server.URL+prefix+"/transactions", nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	return benchGet(b, server.Client(), req)
}

func benchGet(b *testing.B, client *http.Client, req *http.Request) []byte {
	b.Helper()
	res, err := client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%d %s, %v", res.StatusCode, body, err)
	}
	return body
}

// benchQuery reads the page's rows with the bare database driver.
func benchQuery(b *testing.B, database string) {
	db, err := sql.Open("sqlite", database)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for b.Loop() {
		rows, err := db.Query(`SELECT id, public_id, direction, source, amount_minor, amount_known, usd_cents, usd_known,
			has_receipt, currency,
			counterparty, category, logo_url, memo, method, reference FROM transactions WHERE id BETWEEN 1 AND ?
			ORDER BY id DESC LIMIT 101`, int64(math.MaxInt64))
		if err != nil {
			b.Fatal(err)
		}
		var t ledger.Transaction
		var key int64
		found := 0
		for rows.Next() {
			if err := rows.Scan(&key, &t.ID, &t.Direction, &t.Source, &t.AmountMinor, &t.AmountKnown, &t.USDCents, &t.USDKnown,
				&t.HasReceipt,
				&t.Currency, &t.Counterparty, &t.Category, &t.LogoURL, &t.Memo, &t.Method, &t.Reference); err != nil {
				b.Fatal(err)
			}
			found++
		}
		if err := rows.Err(); err != nil || found != 101 {
			b.Fatalf("%d rows, %v", found, err)
		}
	}
}

// benchRows is the default size of a ledger, which is generated quickly.
const benchRows = 20_000

// benchService opens a service with a ledger of total rows, or of TARMAC_BENCH_ROWS, and returns
// it with a token and the path of its database.
func benchService(b *testing.B, total int) (*service.Service, string, string) {
	b.Helper()
	if text := os.Getenv("TARMAC_BENCH_ROWS"); text != "" {
		var err error
		if total, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	database := filepath.Join(b.TempDir(), "tarmac.db")
	s, err := service.Open(context.Background(), service.Config{
		Database: database, Ephemeral: true, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s, benchTenant(b, s, total), database
}

func benchTenant(b *testing.B, s *service.Service, total int) string {
	b.Helper()
	ctx := context.Background()
	o, err := s.CreateOrganization(ctx, "bench")
	if err != nil {
		b.Fatal(err)
	}
	_, org, err := s.Store().Organization(ctx, o.PublicID)
	if err != nil {
		b.Fatal(err)
	}
	source := ids.NewSource(rand.Reader)
	const batch, span = 10_000, 1000
	for done := 0; done < total; {
		rows := make([]ledger.Transaction, min(batch, total-done))
		for i := range rows {
			date := civil.New(2024, 1, 1+done*span/total)
			id, err := source.New(ids.Transaction, date.Time())
			if err != nil {
				b.Fatal(err)
			}
			rows[i] = ledger.Transaction{
				ID: id, Date: date, Direction: ledger.Direction(done & 1), AmountMinor: int64(done), AmountKnown: true,
				USDCents: int64(done), USDKnown: true,
				Currency: "USD", Counterparty: fmt.Sprintf("Vendor %d", done%97), Memo: "card payment",
				Reference: fmt.Sprintf("ref-%07d", done), Method: "card",
			}
			done++
		}
		if err := s.Store().Write(ctx, func(tx *store.Tx) error { return tx.InsertTransactions(org, rows) }); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Store().Optimize(ctx); err != nil {
		b.Fatal(err)
	}
	secret, _, err := s.CreateToken(ctx, o.PublicID, []access.Scope{access.PaymentsRead}, 0)
	if err != nil {
		b.Fatal(err)
	}
	return secret
}
