package outbox_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
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

// BenchmarkPosts is the floor of BenchmarkThroughput: the same number of requests
// with bodies of the same length, over the same kind of connections, as many at a
// time as one endpoint gets or as a process has, and nothing written anywhere.
func BenchmarkPosts(b *testing.B) {
	for _, at := range []int{webhooks.EndpointConcurrency, webhooks.PromptAttempts} {
		b.Run(fmt.Sprintf("%d at a time", at), func(b *testing.B) {
			r := newReceiver(b, nil)
			f := durable(b, r)
			body := strings.Repeat("x", 260)
			sent := 0
			for b.Loop() {
				var posting sync.WaitGroup
				for range at {
					posting.Go(func() {
						for range 400 / at {
							post(b, f.config.Transport, r.URL+"/answer/0", body)
						}
					})
				}
				r.gather(b, 400/at*at)
				posting.Wait()
				sent += 400 / at * at
			}
			b.ReportMetric(float64(sent)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}

func post(b *testing.B, transport http.RoundTripper, url, body string) {
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		b.Error(err)
		return
	}
	_ = res.Body.Close()
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
