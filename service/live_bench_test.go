package service_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/service/providers"
	"tarmac/service/providers/wire"
)

// timedProvider adds up the time that a provider takes for balances.
type timedProvider struct {
	providers.Provider
	spent *atomic.Int64
}

func (p timedProvider) Balance(ctx context.Context, account string) (providers.Balance, error) {
	began := time.Now()
	defer func() { p.spent.Add(int64(time.Since(began))) }()
	return p.Provider.Balance(ctx, account)
}

// BenchmarkLiveBalance measures requests for an account, without the network of the API: one that
// is not live, one whose balance is fresh, and one whose balance is asked for at the provider. The
// metric beside-µs is the time of a request without that of the provider.
func BenchmarkLiveBalance(b *testing.B) {
	l := newLiveBank(b)
	var spent atomic.Int64
	open := l.banks[0].Open
	l.banks[0].Open = func(client *wire.Client, token wire.Secret) (providers.Provider, error) {
		p, err := open(client, token)
		return timedProvider{p, &spent}, err
	}
	l.durable = true
	l.restart()
	other := l.fixture.tenant("b")
	for _, c := range []struct {
		name, secret string
		age          time.Duration
	}{{"stored", other.secret, 0}, {"fresh", l.secret, 0}, {"asked", l.secret, time.Minute}} {
		req := httptest.NewRequest(http.MethodGet, prefix+"/account", nil)
		req.Header.Set("Authorization", "Bearer "+c.secret)
		b.Run(c.name, func(b *testing.B) {
			spent.Store(0)
			for b.Loop() {
				l.clock.advance(c.age)
				rec := httptest.NewRecorder()
				if l.service.Handler().ServeHTTP(rec, req); rec.Code != http.StatusOK {
					b.Fatalf("%d %s", rec.Code, rec.Body)
				}
			}
			b.ReportMetric(float64(b.Elapsed()-time.Duration(spent.Load()))/float64(b.N)/1000, "beside-µs")
		})
	}
}
