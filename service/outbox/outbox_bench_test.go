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

// newDurableFixture returns a fixture whose database syncs to disk, as a service's does.
func newDurableFixture(b *testing.B, r *receiver) *fixture {
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
	// One receiver stands for many hosts, each with its own idle connections.
	f.config.Transport.(*http.Transport).MaxIdleConns = 0
	f.config.Transport.(*http.Transport).MaxIdleConnsPerHost = webhooks.PromptAttempts
	return f
}

// startWithEndpoints runs a dispatcher for hanging and responding endpoints. It returns once
// the hanging ones have slow slots and the others are known to be healthy.
func startWithEndpoints(b *testing.B, hanging, responding int) (*fixture, *receiver) {
	b.Helper()
	r := hangingReceiver(b)
	f := newDurableFixture(b, r)
	f.addEndpoints(r, hanging, responding)
	f.start(func(d *outbox.Dispatcher) { d.SetDrain(0) })
	f.clock.set(time.Now().UTC())
	f.emitToAll(1)
	r.awaitResponding(b, responding)
	f.waitUntil("hanging attempts have slow slots", func() bool {
		prompt, slow, _ := f.roundRecorder.counts()
		return prompt == 0 && slow == hanging
	})
	return f, r
}

// BenchmarkThroughput measures deliveries from the commit that queues them to their
// arrival.
func BenchmarkThroughput(b *testing.B) {
	for _, c := range []struct{ hanging, responding int }{{0, 1}, {0, 200}, {50, 150}} {
		b.Run(fmt.Sprintf("%d answer, %d hang", c.responding, c.hanging), func(b *testing.B) {
			f, r := startWithEndpoints(b, c.hanging, c.responding)
			sent, each := 0, max(2, 400/c.responding)
			for b.Loop() {
				f.clock.set(time.Now().UTC())
				f.emitToAll(each)
				r.awaitResponding(b, each*c.responding)
				sent += each * c.responding
			}
			b.ReportMetric(float64(sent)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}

// BenchmarkPosts is the upper bound for BenchmarkThroughput: the same number of requests of
// the same size over the same kind of connections, without a database. As many run at a time
// as one endpoint or one process may have.
func BenchmarkPosts(b *testing.B) {
	for _, at := range []int{webhooks.EndpointConcurrency, webhooks.PromptAttempts} {
		b.Run(fmt.Sprintf("%d at a time", at), func(b *testing.B) {
			r := newReceiver(b, nil)
			f := newDurableFixture(b, r)
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
				r.awaitResponding(b, 400/at*at)
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

// BenchmarkCommitToSend measures one event at a time, from the end of its commit to its
// arrival at the endpoint.
func BenchmarkCommitToSend(b *testing.B) {
	f, r := startWithEndpoints(b, 0, 1)
	var all latencies
	for b.Loop() {
		all = f.send(r, f.orgs[0], 1, all)
	}
	all.report(b, "")
}

// BenchmarkHanging measures events that go to twenty endpoints, in two services in turn: in
// one all endpoints respond ("calm"), in the other five of the twenty hang. Only arrivals at
// responding endpoints count. "of-calm" is the ratio of their 95th percentiles.
func BenchmarkHanging(b *testing.B) {
	calm, calmReceiver := startWithEndpoints(b, 0, 200)
	hung, hanging := startWithEndpoints(b, 50, 150)
	var without, with latencies
	for n := 0; b.Loop(); n++ {
		without = calm.send(calmReceiver, calm.orgs[n%len(calm.orgs)], 20, without)
		with = hung.send(hanging, hung.orgs[n%len(hung.orgs)], 15, with)
	}
	without.report(b, "-calm")
	with.report(b, "")
	b.ReportMetric(float64(with.at(95))/float64(without.at(95)), "of-calm")
}

// latencies holds one duration for each arrival.
type latencies []time.Duration

// send emits an event and appends the latency of each arrival.
func (f *fixture) send(r *receiver, org store.OrgKey, arrivals int, all latencies) latencies {
	f.t.Helper()
	f.clock.set(time.Now().UTC())
	f.emitFor(org, 1)
	committed := time.Now()
	for range arrivals {
		r.awaitResponding(f.t, 1)
		all = append(all, time.Since(committed))
	}
	return all
}

func (s latencies) at(percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)*percent/100]
}

func (s latencies) report(b *testing.B, of string) {
	for _, percent := range []int{50, 95, 99} {
		b.ReportMetric(float64(s.at(percent).Microseconds()), fmt.Sprintf("µs-p%d%s", percent, of))
	}
}
