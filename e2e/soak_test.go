//go:build long && unix

package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/providers"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
)

// shortSoak is the default duration of the load, which TARMAC_SOAK overrides. A soak of at
// least longSoak also checks resource use.
const (
	shortSoak = 8 * time.Second
	longSoak  = 5 * time.Minute
)

// soak runs a service under load: ten clients behind a faulty network, operators on the same
// database, imports of statements, readings of a bank, receivers, and occasional crashes.
// TARMAC_SEED seeds its random numbers.
type soak struct {
	t      *testing.T
	length time.Duration
	seed   uint64
	began  time.Time
	load   context.Context // ends when the load ends

	database, org string
	served        *served
	network       *network
	receivers     *receivers
	books         *books
	tally         *tally
	operator      *service.Service // only reads the database
	witness       *apiclient.Client
	ledger        *ownLedger // of a second organization
	ssh           *sshServed
	base          map[string]struct{} // ids of the events before the soak
	newest        string              // newest event before the soak
}

// After any mix of faults and crashes, totals match to the cent and events match exactly.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for seconds, or as long as TARMAC_SOAK says")
	}
	t.Parallel()
	s := newSoak(t)
	desks := s.openDashboards()
	tails := s.openTails()
	var load sync.WaitGroup
	ctx, end := context.WithTimeout(t.Context(), s.length)
	defer end()
	s.load, s.began = ctx, time.Now()
	act := func(n uint64, do func(*rand.Rand)) { load.Go(func() { do(rand.New(rand.NewPCG(s.seed, n))) }) }
	for i, d := range desks {
		act(uint64(i), d.wander)
	}
	for i, tail := range tails {
		act(uint64(10+i), tail.follow)
	}
	act(20, s.proposeByLibrary)
	act(21, s.proposeByCommand)
	act(22, s.readPages)
	act(23, s.readEverything)
	act(30, s.operate)
	act(31, s.operate)
	act(32, s.manageWebhooks)
	act(33, s.forge)
	act(34, s.crash)
	act(35, s.trouble)
	act(36, func(*rand.Rand) { s.sample(desks) })
	act(39, s.ssh.crash)
	for i, d := range s.ssh.sessions {
		act(uint64(40+i), d.work)
	}
	act(37, s.ledger.importFiles)
	act(38, s.ledger.trade)
	load.Wait()
	defer func() { t.Logf("soaked for %s, seed %d\n%s", s.length, s.seed, s.tally.table()) }()

	s.network.Clear()
	s.served.ensure()
	s.settle()
	feed := s.feed()
	s.checkEvents(feed)
	s.checkInvoices()
	s.checkPayments()
	s.checkLedger()
	s.ledger.check()
	for _, tail := range tails {
		tail.check(feed)
	}
	s.receivers.check(feed)
	for _, d := range desks {
		d.check()
	}
	s.ssh.check()
	s.served.check()
	s.network.check()
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	s := &soak{t: t, length: shortSoak, seed: uint64(time.Now().UnixNano()), tally: newTally(),
		books: &books{events: map[string]int{}}, base: map[string]struct{}{}}
	if text := os.Getenv("TARMAC_SOAK"); text != "" {
		length, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("TARMAC_SOAK: %v", err)
		}
		s.length = length
	}
	if text := os.Getenv("TARMAC_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("TARMAC_SEED: %v", err)
		}
		s.seed = seed
	}
	s.database, s.org, _ = testprogram.Organization(t, "2500", testprogram.ReadScopes)
	testprogram.Must(t, "admin", "--db", s.database, "org", "limit", s.org, "--drafts", "50000", "--draft-mib", "1024")
	testprogram.Must(t, "admin", "--db", s.database, "owner", "set", "--org", s.org, "--name", "Ada", "--email",
		"ada@example.com")
	s.receivers = newReceivers(s)
	o := providers.New(t)
	s.served = newServed(s, o.Environ)
	s.network = newNetwork(s)
	s.operator = openOperator(t, s.database)
	s.witness = s.client(s.served.url(), s.token(testprogram.AllScopes))
	s.ledger = newOwnLedger(s, o)
	s.ssh = newSSHServed(s, o)
	before := s.feed()
	for _, e := range before {
		s.base[e.ID] = struct{}{}
	}
	s.newest = before[0].ID
	s.receivers.subscribe()
	// On a busy machine, a short soak might otherwise end before anything was done.
	template, rng := testprogram.Command(t, nil), rand.New(rand.NewPCG(s.seed, 99))
	for len(s.books.events) == 0 {
		s.movePayment(rng, template)
	}
	return s
}

// token creates a token with the scopes. Rate limits apply per token, so each client has its
// own.
func (s *soak) token(scopes string) string {
	s.t.Helper()
	return testprogram.Must(s.t, "admin", "--db", s.database, "token", "create", "--org", s.org, "--scope", scopes)
}

// client returns an API client with a short timeout.
func (s *soak) client(url, token string) *apiclient.Client {
	s.t.Helper()
	c, err := apiclient.New(url, apiclient.Token(token), apiclient.WithTimeout(clientTimeout))
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

const clientTimeout = 4 * time.Second

func (s *soak) long() bool { return s.length >= longSoak }

// rest waits for a random time between shortest and longest, and reports whether the load
// continues.
func (s *soak) rest(rng *rand.Rand, shortest, longest time.Duration) bool {
	wait := shortest
	if longest > shortest {
		wait += time.Duration(rng.Int64N(int64(longest - shortest)))
	}
	pause := time.NewTimer(wait)
	defer pause.Stop()
	select {
	case <-s.load.Done():
		return false
	case <-pause.C:
		return s.load.Err() == nil
	}
}

// insist calls the service without the faulty network until it responds, because it may be
// restarting.
func insist[T any](s *soak, ask func(context.Context) (T, error)) T {
	s.t.Helper()
	for deadline := time.Now().Add(2 * testprogram.Patience); ; {
		answer, err := ask(s.t.Context())
		if err == nil {
			return answer
		}
		if time.Now().After(deadline) || errors.Is(err, apiclient.ErrInvalid) || errors.Is(err, apiclient.ErrNotFound) {
			s.t.Errorf("the service does not answer: %v", err)
			return answer
		}
		<-time.After(50 * time.Millisecond)
	}
}

// tally counts attempts and outcomes by class, for the final table.
type tally struct {
	mu      sync.Mutex
	tried   map[string]int
	outcome map[string]map[string]int
}

func newTally() *tally {
	return &tally{tried: map[string]int{}, outcome: map[string]map[string]int{}}
}

func (t *tally) add(class, outcome string) { t.addN(class, outcome, 1) }

func (t *tally) addN(class, outcome string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tried[class] += n
	if t.outcome[class] == nil {
		t.outcome[class] = map[string]int{}
	}
	t.outcome[class][outcome] += n
}

func (t *tally) triedOf(class string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tried[class]
}

func (t *tally) table() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CLASS\tTRIED\tOUTCOME")
	for _, class := range slices.Sorted(maps.Keys(t.tried)) {
		var outcomes []string
		for _, outcome := range slices.Sorted(maps.Keys(t.outcome[class])) {
			outcomes = append(outcomes, fmt.Sprintf("%d %s", t.outcome[class][outcome], outcome))
		}
		fmt.Fprintf(w, "%s\t%d\t%s\n", class, t.tried[class], strings.Join(outcomes, ", "))
	}
	_ = w.Flush()
	return text.String()
}
