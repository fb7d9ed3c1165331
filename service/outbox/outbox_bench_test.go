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

// crowded runs a dispatcher for endpoints that hang and others that answer. What
// hangs is on the wire, and what answers is known, when it returns.
func crowded(b *testing.B, hanging, answering int) (*fixture, *receiver) {
	b.Helper()
	r := hangingReceiver(b)
	f := durable(b, r)
	f.crowd(r, hanging, answering)
	f.start(func(d *outbox.Dispatcher) { d.SetDrain(0) })
	f.clock.set(time.Now().UTC())
	f.flood(1)
	r.gather(b, answering)
	f.until("what hangs is out of the way", func() bool {
		prompt, slow, _ := f.watch.counts()
		return prompt == 0 && slow == hanging
	})
	return f, r
}

// BenchmarkThroughput measures deliveries, from the commits that queue them to
// their arrival.
func BenchmarkThroughput(b *testing.B) {
	for _, c := range []struct{ hanging, answering int }{{0, 1}, {0, 200}, {50, 150}} {
		b.Run(fmt.Sprintf("%d answer, %d hang", c.answering, c.hanging), func(b *testing.B) {
			f, r := crowded(b, c.hanging, c.answering)
			sent, each := 0, max(2, 400/c.answering)
			for b.Loop() {
				f.clock.set(time.Now().UTC())
				f.flood(each)
				r.gather(b, each*c.answering)
				sent += each * c.answering
			}
			b.ReportMetric(float64(sent)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
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
// returned to when it arrived at the endpoint.
func BenchmarkCommitToSend(b *testing.B) {
	f, r := crowded(b, 0, 1)
	var all spread
	for b.Loop() {
		all = f.send(r, f.orgs[0], 1, all)
	}
	all.report(b, "")
}

// BenchmarkHanging measures the same where every organization has twenty endpoints
// and an event goes to all of them: where all answer, and where five of the twenty
// hang. Both wait side by side and are measured in turns; arrivals at endpoints
// that answer count. "of-calm" is what the 95th percentile is of what it is where
// nothing hangs.
func BenchmarkHanging(b *testing.B) {
	calm, calmed := crowded(b, 0, 200)
	hung, hanging := crowded(b, 50, 150)
	var without, with spread
	for n := 0; b.Loop(); n++ {
		without = calm.send(calmed, calm.orgs[n%len(calm.orgs)], 20, without)
		with = hung.send(hanging, hung.orgs[n%len(hung.orgs)], 15, with)
	}
	without.report(b, "-calm")
	with.report(b, "")
	b.ReportMetric(float64(with.at(95))/float64(without.at(95)), "of-calm")
}

// spread is how long each of many took.
type spread []time.Duration

// send emits an event and adds how long each of its arrivals took.
func (f *fixture) send(r *receiver, org store.OrgKey, arrivals int, all spread) spread {
	f.t.Helper()
	f.clock.set(time.Now().UTC())
	f.emitFor(org, 1)
	committed := time.Now()
	for range arrivals {
		r.gather(f.t, 1)
		all = append(all, time.Since(committed))
	}
	return all
}

func (s spread) at(percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)*percent/100]
}

func (s spread) report(b *testing.B, of string) {
	for _, percent := range []int{50, 95, 99} {
		b.ReportMetric(float64(s.at(percent).Microseconds()), fmt.Sprintf("µs-p%d%s", percent, of))
	}
}
