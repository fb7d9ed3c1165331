package main

import (
	"fmt"
	"io"
	"time"

	"tarmac/service/webhooks"
)

// remote returns the costs of a database on a machine of its own, which has more cores. trip is the
// network time of a round trip.
func remote(trip time.Duration) database {
	db := commitCosts()
	db.cores, db.trip = 8, trip
	return db
}

// Limits of the service. requestsEach is the number of concurrent requests of an organization to a
// process, a quarter of service.DefaultLimits.Requests. lockPatience is the longest wait for a
// lock, and connections the number of writing connections, as in package store.
const (
	requestsEach = 16
	lockPatience = 8 * time.Second
	connections  = 8
)

func printLocksChecked(w io.Writer, seed uint64) {
	head(w, "writers, organizations", "commits/s simulated", "measured", "p50 simulated", "measured", "p99 simulated",
		"measured")
	for _, m := range measuredCommits {
		got := simulateLocks(
			seed,
			commitCosts(),
			load{
				processes:     2,
				connections:   connections,
				organizations: m.organizations,
				writers:       m.writers,
				length:        20 * time.Second,
			},
		)
		all := append(got.hot, got.cold...)
		row(w, fmt.Sprintf("%d, %d", m.writers, m.organizations), count(float64(len(all))/20), count(m.rate),
			ms(percentile(all, 50)), ms(m.p50), ms(percentile(all, 99)), ms(m.p99))
	}
}

func printBesideChecked(w io.Writer, seed uint64) {
	head(w, "requests of another organization", "p50 simulated", "measured", "times as long, simulated", "measured")
	var calm commits
	for i, m := range measuredBeside {
		got := simulateLocks(seed, commitCosts(), load{processes: 1, connections: connections, organizations: 2, writers: 1,
			crowd: m.crowd, length: 20 * time.Second})
		if i == 0 {
			calm = got
		}
		p50, was := percentile(got.cold, 50), percentile(calm.cold, 50)
		row(w, m.crowd, ms(p50), ms(m.p50), fmt.Sprintf("%.1f", float64(p50)/float64(was)),
			fmt.Sprintf("%.1f", float64(m.p50)/float64(measuredBeside[0].p50)))
	}
}

func printLocks(w io.Writer, seed uint64) {
	head(w, "round trip, load of one organization", "commits/s", "its p50", "its p99", "refused", "others' p50",
		"others' p99", "at most 4 each: its p99", "others' p99")
	for _, trip := range [...]time.Duration{0, tripBetween, time.Millisecond} {
		db := remote(trip)
		base := load{
			processes:     4,
			connections:   connections,
			each:          requestsEach,
			organizations: 500,
			every:         5 * time.Millisecond,
			patience:      lockPatience,
			length:        60 * time.Second,
		}
		// Two writers of one organization give the highest rate: one of them always waits for the
		// lock.
		full := simulateLocks(seed, db,
			load{processes: 1, connections: 2, organizations: 1, writers: 2, length: 60 * time.Second})
		most := float64(len(full.hot)) / 60
		for _, share := range [...]float64{0.5, 0.8, 0.95, 1.2} {
			l := base
			l.first = time.Duration(float64(time.Second) / (most * share))
			got := simulateLocks(seed, db, l)
			l.each = 4
			bounded := simulateLocks(seed, db, l)
			row(
				w,
				fmt.Sprintf("%s, %.0f %% of %.0f/s", ms(trip), 100*share, most),
				count(float64(len(got.hot))/60),
				ms(percentile(got.hot, 50)),
				ms(percentile(got.hot, 99)),
				count(
					float64(got.refused),
				),
				ms(percentile(got.cold, 50)),
				ms(percentile(got.cold, 99)),
				ms(percentile(bounded.hot, 99)),
				ms(percentile(bounded.cold, 99)),
			)
		}
	}
}

// onOneMachine returns the costs of delivering webhooks as in docs/performance.md: with SQLite, and
// with a receiver in the same process. write and post come from that document, from the p50 of one
// endpoint and the limit of 17,000 per second on two cores. claim and completion follow from its
// rate with 200 endpoints.
func onOneMachine() costs {
	return costs{
		cores: 2, scan: 100 * time.Microsecond, scanEach: 2 * time.Microsecond, write: 1080 * time.Microsecond,
		claim: 22 * time.Microsecond, completion: 22 * time.Microsecond, post: 118 * time.Microsecond,
		poll: time.Second, responseTime: 100 * time.Microsecond, timeout: webhooks.Timeout, lease: webhooks.Lease,
		prompt: webhooks.PromptAttempts, slowPlace: webhooks.SlowAttempts,
	}
}

// onPostgres returns the costs of delivering webhooks with a PostgreSQL database on 8 cores and
// processes on other machines, measured by BenchmarkDeliveries. Receivers respond as if they were
// across a continent.
func onPostgres() costs {
	c := onOneMachine()
	c.cores, c.scan, c.begin, c.write = 8, 100*time.Microsecond+4*tripBetween, 2*tripBetween,
		1100*time.Microsecond+2*tripBetween
	c.claim, c.completion, c.post = 390*time.Microsecond, 600*time.Microsecond, 0
	c.notifyDelay, c.responseTime = 5*time.Millisecond, 60*time.Millisecond
	return c
}

func printDeliveriesChecked(w io.Writer, seed uint64) {
	head(w, "one process, SQLite", "simulated", "measured on a calmer machine")
	flood := func(organizations, endpoints, hanging, events int) float64 {
		d := simulateDispatch(
			seed,
			onOneMachine(),
			traffic{processes: 1, organizations: organizations, endpoints: endpoints, hanging: hanging,
				every: 5 * time.Second, atOnce: true, events: organizations * events, ends: 20 * time.Second},
		)
		return float64(d.acknowledged) / (d.done - 5*time.Second).Seconds()
	}
	one := simulateDispatch(
		seed,
		onOneMachine(),
		traffic{
			processes:     1,
			organizations: 1,
			endpoints:     1,
			every:         100 * time.Millisecond,
			warm:          time.Second,
			length:        60 * time.Second,
			ends:          61 * time.Second,
		},
	)
	many := simulateDispatch(
		seed,
		onOneMachine(),
		traffic{
			processes:     1,
			organizations: 10,
			endpoints:     20,
			hanging:       20,
			every:         100 * time.Millisecond,
			warm:          20 * time.Second,
			length:        60 * time.Second,
			ends:          61 * time.Second,
		},
	)
	row(w, "deliveries/s, 1 endpoint", count(flood(1, 1, 0, 400)), "2,250")
	row(w, "deliveries/s, 200 endpoints, 20 hanging", count(flood(10, 20, 20, 4)), "4,170")
	row(w, "commit to arrival p50 / p99, 1 endpoint", ms(percentile(one.waits, 50))+" / "+ms(percentile(one.waits, 99)),
		"1.2 / 1.8 ms")
	row(w, "the same, 200 endpoints, 20 hanging", ms(percentile(many.waits, 50))+" / "+ms(percentile(many.waits, 99)),
		"4.3 / 15.6 ms")
}

// busyTraffic returns traffic of 400 deliveries per second to 2,000 endpoints of 100 organizations.
func busyTraffic(processes, hanging int) traffic {
	return traffic{processes: processes, organizations: 100, endpoints: 20, hanging: hanging, every: 50 * time.Millisecond,
		warm: 20 * time.Second, length: 60 * time.Second, ends: 62 * time.Second}
}

func printDeliveries(w io.Writer, seed uint64) {
	head(w, "processes, endpoints of 2,000 that hang", "p50", "p99", "undelivered", "transactions a delivery",
		"of them for nothing")
	for _, c := range [...]struct {
		processes, hanging int
		handoverDelay      time.Duration
	}{{1, 0, 0}, {1, 200, 0}, {1, 500, 0}, {2, 0, 0}, {2, 200, 0}, {2, 500, 0}, {4, 0, 0}, {4, 200, 0}, {4, 500, 0},
		{8, 200, 0}, {8, 500, 0}, {4, 200, time.Second}, {8, 200, time.Second}} {
		costs, name := onPostgres(), fmt.Sprintf("%d, %d", c.processes, c.hanging)
		if costs.handoverDelay = c.handoverDelay; c.handoverDelay > 0 {
			name += ", dealt out"
		}
		d := simulateDispatch(seed, costs, busyTraffic(c.processes, c.hanging))
		row(w, name, ms(percentile(d.waits, 50)), ms(percentile(d.waits, 99)), count(float64(d.queued-d.acknowledged)),
			fmt.Sprintf("%.2f", float64(d.rounds)/float64(d.acknowledged)), share(d.empty, d.rounds))
	}
}

func printTrouble(w io.Writer, seed uint64) {
	head(w, "four processes", "delivered", "left", "more than once", "by two at once", "p50", "p99", "slowest",
		"until all left behind was delivered")
	for _, c := range [...]struct {
		name           string
		killed, cutOff time.Duration
		lease          time.Duration
		answer         time.Duration
	}{
		{"nothing happens", 0, 0, webhooks.Lease, 60 * time.Millisecond},
		{"one is killed", 30 * time.Second, 0, webhooks.Lease, 60 * time.Millisecond},
		{"one is cut off from the database for 45 s", 0, 30 * time.Second, webhooks.Lease, 60 * time.Millisecond},
		{"the same, receivers take 8 s", 0, 30 * time.Second, webhooks.Lease, 8 * time.Second},
		{"the same, were the lease 5 s", 0, 30 * time.Second, 5 * time.Second, 8 * time.Second},
	} {
		t := busyTraffic(4, 0)
		t.every = 15 * time.Millisecond
		t.killed, t.cutOff, t.restored, t.ends = c.killed, c.cutOff, c.cutOff+45*time.Second, 2*time.Hour
		if c.answer > time.Second {
			// An endpoint gets four deliveries at a time and takes eight seconds for each.
			t.every *= 80
		}
		costs := onPostgres()
		costs.lease, costs.responseTime = c.lease, c.answer
		d := simulateDispatch(seed, costs, t)
		recovered := "–"
		if d.recovered > 0 {
			recovered = ms(d.recovered)
		}
		row(w, c.name, count(float64(d.acknowledged)), count(float64(d.queued-d.acknowledged)), count(float64(d.repeated)),
			count(float64(d.concurrent)), ms(percentile(d.waits, 50)), ms(percentile(d.waits, 99)), ms(percentile(d.waits, 100)),
			recovered)
	}
}

func printAllowances(w io.Writer, seed uint64) {
	head(w, "300 a minute granted, 1,200 asked, ten minutes", "let through", "of one limit")
	for _, c := range [...]struct {
		name string
		tokenLoad
	}{
		{"one process", tokenLoad{processes: 1}},
		{"4 processes, each by itself", tokenLoad{processes: 4}},
		{"16 processes, each by itself", tokenLoad{processes: 16}},
		{"4 processes, counted in the database", tokenLoad{processes: 4, shared: true}},
		{"16 processes, counted in the database", tokenLoad{processes: 16, shared: true}},
		{"the same, one clock 2 s ahead", tokenLoad{processes: 16, shared: true, ahead: 2 * time.Second}},
		{"the same, one clock 10 s ahead", tokenLoad{processes: 16, shared: true, ahead: 10 * time.Second}},
		{"the same, one clock 30 s ahead", tokenLoad{processes: 16, shared: true, ahead: 30 * time.Second}},
		{"the same, one clock 5 min ahead", tokenLoad{processes: 16, shared: true, ahead: 5 * time.Minute}},
		{"16 processes, the server crashes once", tokenLoad{processes: 16, shared: true, crash: 5 * time.Minute}},
	} {
		c.perMinute, c.sentPerMinute, c.length = 300, 1200, 10*time.Minute
		g := simulateRate(seed, c.tokenLoad)
		row(w, c.name, count(float64(g.allowed)), fmt.Sprintf("%.3f", float64(g.allowed)/float64(g.expected)))
	}
}

func share(of, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(of)/float64(max(1, all))) }
