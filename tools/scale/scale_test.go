package main

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/long"
	"tarmac/service/webhooks"
)

// printed returns the output of some parts.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, told bytes.Buffer
	if err := run(args, &out, &told); err != nil {
		t.Fatal(err, told.String())
	}
	return out.String()
}

func TestTheDocumentHoldsWhatIsPrinted(t *testing.T) {
	document, err := os.ReadFile("../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if slow(p.name) {
			continue
		}
		_, table, _ := strings.Cut(printed(t, "-only", p.name), "\n\n")
		if table = strings.TrimSpace(table); !strings.Contains(string(document), table) {
			t.Errorf("docs/scale.md has another table of %s than go run ./tools/scale prints:\n%s", p.name, table)
		}
	}
}

// slow reports whether a part takes so long that only long tests run it.
func slow(part string) bool {
	return !long.Tests &&
		slices.Contains([]string{"locks-checked", "locks", "deliveries-checked", "deliveries", "trouble"}, part)
}

func TestTheSameSeedPrintsTheSame(t *testing.T) {
	const some = "beside-checked,allowances"
	once, again := printed(t, "-only", some), printed(t, "-only", some)
	if once != again {
		t.Error("two runs differ")
	}
	if once == printed(t, "-only", some, "-seed", "2") {
		t.Error("another seed changes nothing")
	}
}

func TestAnUnknownPartIsRefused(t *testing.T) {
	err := run([]string{"-only", "sizes,everything"}, &bytes.Buffer{}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), `"everything"`) {
		t.Errorf("it said %v", err)
	}
}

func TestWhatIsDueAtOneMomentHappensInOrder(t *testing.T) {
	s, got := newAgenda(1), ""
	for _, c := range []struct {
		at   time.Duration
		name string
	}{{2, "c"}, {1, "a"}, {2, "d"}, {1, "b"}, {4, "late"}} {
		s.after(c.at, func() { got += c.name })
	}
	if s.run(3); got != "abcd" || s.now != 3 {
		t.Errorf("it was %q at %d", got, s.now)
	}
}

// One lock with independent arrivals is the queue M/G/1, whose mean wait the
// Pollaczek–Khinchine formula gives.
func TestOneLockIsTheQueueOfTheBooks(t *testing.T) {
	const mean, length = 2 * time.Millisecond, 500 * time.Second
	for _, busy := range []float64{0.3, 0.6, 0.8} {
		// Only the log takes time, half of it fixed, and flushes are not shared.
		got := simulateLocks(
			1,
			database{cores: 1, flush: mean, trips: 1, locked: 1},
			load{processes: 1, connections: math.MaxInt,
				organizations: 1, first: time.Duration(float64(mean) / busy), length: length},
		)
		sum := time.Duration(0)
		for _, took := range got.hot {
			sum += took - mean
		}
		wait := sum.Seconds() / float64(len(got.hot))
		const spread = 1.25 // mean of the square over square of the mean
		want := busy * mean.Seconds() * spread / (2 * (1 - busy))
		if math.Abs(wait-want) > 0.05*want {
			t.Errorf("at %.0f %% busy one waits %.3f ms on average, not %.3f", 100*busy, 1000*wait, 1000*want)
		}
	}
}

func TestOrganizationsShareAFlush(t *testing.T) {
	db := database{cores: 64, work: time.Microsecond, flush: time.Millisecond, trips: 1, locked: 1}
	l := load{processes: 1, connections: 64, organizations: 16, writers: 16, length: 10 * time.Second}
	got := simulateLocks(1, db, l)
	if all := len(got.hot) + len(got.cold); all < 4*got.flushes {
		t.Errorf("%d commits took %d flushes", all, got.flushes)
	}
	l.organizations = 1
	if got = simulateLocks(1, db, l); len(got.hot) > got.flushes {
		t.Errorf("%d commits behind one lock took only %d flushes", len(got.hot), got.flushes)
	}
}

func TestAnOrganizationAtItsLimitLeavesConnectionsToOthers(t *testing.T) {
	l := load{processes: 2, connections: connections, each: requestsEach, organizations: 50, every: 10 * time.Millisecond,
		first: 2 * time.Millisecond, patience: lockPatience, length: 30 * time.Second}
	all := simulateLocks(1, remote(0), l)
	l.each = 4
	few := simulateLocks(1, remote(0), l)
	if p := percentile(few.cold, 99); p > 20*time.Millisecond {
		t.Errorf("others wait %s with a bound", p)
	}
	if p, q := percentile(all.cold, 99), percentile(few.cold, 99); p < 3*q {
		t.Errorf("others wait %s without a bound and %s with one", p, q)
	}
}

// small is traffic that is quick to simulate.
func small(processes int) traffic {
	return traffic{
		processes:     processes,
		organizations: 10,
		endpoints:     10,
		every:         25 * time.Millisecond,
		length:        20 * time.Second,
		ends:          2 * time.Hour,
	}
}

func TestWhatHangsDoesNotKeepOthersWaiting(t *testing.T) {
	traffic := small(2)
	traffic.warm, traffic.ends = 5*time.Second, 30*time.Second
	calm := simulateDispatch(1, onPostgres(), traffic)
	traffic.hanging = 25
	beside := simulateDispatch(1, onPostgres(), traffic)
	if calm.queued == 0 || calm.acknowledged != calm.queued || beside.acknowledged != beside.queued {
		t.Fatalf("of %d and %d, %d and %d were delivered", calm.queued, beside.queued, calm.acknowledged, beside.acknowledged)
	}
	if a, b := percentile(calm.waits, 95), percentile(beside.waits, 95); b > 2*a {
		t.Errorf("p95 is %s beside endpoints that hang and %s without", b, a)
	}
}

func TestAProcessThatDiesLosesNothing(t *testing.T) {
	traffic := small(3)
	traffic.every = 10 * time.Millisecond
	traffic.killed = 10 * time.Second
	d := simulateDispatch(1, onPostgres(), traffic)
	if d.queued == 0 || d.acknowledged != d.queued {
		t.Errorf("of %d, %d were delivered", d.queued, d.acknowledged)
	}
	if d.concurrent != 0 {
		t.Errorf("%d attempts were on the wire at once", d.concurrent)
	}
	if d.recovered < webhooks.Lease-time.Second || d.recovered > webhooks.Lease+time.Second {
		t.Errorf("what it left behind was delivered after %s, the lease is %s", d.recovered, webhooks.Lease)
	}
}

// If an attempt can outlast its lease, two processes send at once. The simulation must show
// it.
func TestOnlyALeaseThatOutlastsAnAttemptKeepsTwoApart(t *testing.T) {
	costs, traffic := onPostgres(), small(3)
	traffic.every, traffic.cutOff, traffic.restored = 500*time.Millisecond, 10*time.Second, 55*time.Second
	costs.responseTime = 8 * time.Second
	if d := simulateDispatch(1, costs, traffic); d.concurrent != 0 || d.acknowledged != d.queued {
		t.Errorf("with a lease of %s, %d attempts met another, and %d of %d were delivered", costs.lease, d.concurrent,
			d.acknowledged, d.queued)
	}
	costs.lease = 5 * time.Second
	if d := simulateDispatch(1, costs, traffic); d.concurrent == 0 {
		t.Error("with a lease of five seconds nothing was sent twice at once")
	}
}

func TestTheRateHoldsWhereItIsCountedTogether(t *testing.T) {
	base := tokenLoad{perMinute: 300, sentPerMinute: 1200, processes: 8, length: 5 * time.Minute}
	alone := simulateRate(1, base)
	base.shared = true
	together := simulateRate(1, base)
	if share := float64(alone.allowed) / float64(alone.expected); share < 3 {
		t.Errorf("8 processes that count alone let only %.2f of the rate through", share)
	}
	if together.allowed != together.expected {
		t.Errorf("%d were let through, and %d may be", together.allowed, together.expected)
	}
	base.crash = time.Minute
	if crashed := simulateRate(1, base); crashed.allowed-crashed.expected > 60 || crashed.allowed <= crashed.expected {
		t.Errorf("a crash let %d more through", crashed.allowed-crashed.expected)
	}
}

func TestSizesAddUp(t *testing.T) {
	for _, rows := range ledgerSizes {
		x := ledgerSizeOf(rows)
		if parts := x.ledger + x.sums + x.events; parts > x.all || x.quarter >= x.all || x.all/rows > 1500 {
			t.Errorf("of %.0f rows: %+v", rows, x)
		}
	}
	if x := ledgerSizeOf(2e10); x.databases < 2 {
		t.Errorf("%.0f organizations have one database, whose keys name %d", x.organizations, mostOrganizations)
	}
}

func TestFiguresAreWrittenWithWhatTheyMean(t *testing.T) {
	for got, want := range map[string]string{
		count(0.04): "0", count(9.96): "10", count(312.4): "312", count(1e6): "1,000,000",
		size(999): "999 B", size(4_200): "4.2 kB", size(7e11): "700 GB", size(6.5e15): "6500 TB",
		ms(1500 * time.Millisecond): "1.5 s", ms(12340 * time.Microsecond): "12.3 ms", ms(95 * time.Microsecond): "0.10 ms",
	} {
		if got != want {
			t.Errorf("%q is written where %q is meant", got, want)
		}
	}
}
