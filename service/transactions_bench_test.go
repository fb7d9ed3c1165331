package service_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
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

// BenchmarkTransactions measures whole requests for a page of a hundred rows
// with its summary, without the network. TARMAC_BENCH_ROWS sets the ledger's
// size (20,000 otherwise).
func BenchmarkTransactions(b *testing.B) {
	total := 20_000
	if text := os.Getenv("TARMAC_BENCH_ROWS"); text != "" {
		var err error
		if total, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	s, err := service.Open(context.Background(), service.Config{
		Database: filepath.Join(b.TempDir(), "tarmac.db"), Ephemeral: true, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	secret := benchTenant(b, s, total)
	for _, c := range []struct{ name, query string }{
		{"head", ""}, {"outflow", "?direction=outflow"}, {"month", "?from=2024-03-01&to=2024-03-31"}, {"keyword", "?keyword=vendor+7"},
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
				ID: id, Date: date, Direction: ledger.Direction(done & 1), AmountMinor: int64(done), AmountKnown: true, USDCents: int64(done), USDKnown: true,
				Currency: "USD", Counterparty: fmt.Sprintf("Vendor %d", done%97), Memo: "card payment", Reference: fmt.Sprintf("ref-%07d", done), Method: "card",
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
