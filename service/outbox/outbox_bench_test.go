package outbox_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"tarmac/service/outbox"
	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// durable opens a fixture whose file waits for the disk, as a service's does.
func durable(b *testing.B, r *receiver) *fixture {
	b.Helper()
	f := newFixture(b, r)
	st, err := store.Open(b.Context(), f.path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := st.Close(); err != nil {
			b.Error(err)
		}
	})
	f.store, f.config.Store, f.config.Poll = st, st, 0
	// One receiver stands for many hosts, each of which may keep connections.
	f.config.Transport.(*http.Transport).MaxIdleConns = 0
	f.config.Transport.(*http.Transport).MaxIdleConnsPerHost = webhooks.PromptAttempts
	return f
}

func shapes(b *testing.B, run func(b *testing.B, f *fixture, r *receiver, answering int)) {
	for _, shape := range []struct{ hanging, answering int }{{0, 1}, {20, 180}} {
		b.Run(fmt.Sprintf("%d endpoints, %d hanging", shape.hanging+shape.answering, shape.hanging), func(b *testing.B) {
			r := hangingReceiver(b)
			f := durable(b, r)
			f.crowd(r, shape.hanging, shape.answering)
			f.start(func(d *outbox.Dispatcher) { d.SetDrain(0) })
			// What hangs is on the wire and what answers is known before the clock starts.
			f.clock.set(time.Now().UTC())
			f.flood(1)
			r.gather(b, shape.answering)
			f.until("what hangs is out of the way", func() bool {
				prompt, slow, _ := f.watch.counts()
				return prompt == 0 && slow == shape.hanging
			})
			run(b, f, r, shape.answering)
		})
	}
}

// BenchmarkThroughput measures deliveries, from the commits that queue them to
// their arrival.
func BenchmarkThroughput(b *testing.B) {
	shapes(b, func(b *testing.B, f *fixture, r *receiver, answering int) {
		sent := 0
		for b.Loop() {
			b.StopTimer()
			f.clock.set(time.Now().UTC())
			each := max(2, 400/answering)
			b.StartTimer()
			f.flood(each)
			r.gather(b, each*answering)
			sent += each * answering
		}
		b.ReportMetric(float64(sent)/b.Elapsed().Seconds(), "deliveries/s")
	})
}

// BenchmarkCommitToSend measures one event at a time: from when its commit
// returned to when it arrived at the endpoints that answer.
func BenchmarkCommitToSend(b *testing.B) {
	shapes(b, func(b *testing.B, f *fixture, r *receiver, answering int) {
		var took []time.Duration
		org := f.orgs[len(f.orgs)-1] // none of its endpoints hangs
		arrivals := min(answering, webhooks.MaxEndpoints)
		for b.Loop() {
			f.clock.set(time.Now().UTC())
			f.emitFor(org, 1)
			committed := time.Now()
			for range arrivals {
				r.next(b)
				took = append(took, time.Since(committed))
			}
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
	})
}
