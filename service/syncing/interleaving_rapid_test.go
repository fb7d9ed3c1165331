package syncing_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/internal/testsupport/long"
	"tarmac/internal/testsupport/providers/internet"
	"tarmac/service/providers"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
	"tarmac/service/syncing"
)

// Whatever happens at a bank, and however its readings by several processes, imports of files and
// interruptions alternate, the books are at last those of one reading and of the files.
func TestTheBooksFollowFromTheBankAndNotFromItsReadings(t *testing.T) {
	if testing.Short() {
		t.Skip("does one thing after the other")
	}
	long.Cases(t, 2, 10)
	web, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = web.Close() }) // all requests were answered
	client, err := wire.New(wire.Config{Proxy: web.Proxy, RootCAs: web.RootCAs()})
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	processes := []*syncing.Syncer{f.Syncer, f.open(t), f.open(t)}
	for _, p := range processes {
		p.Client, p.Kinds = client, []providers.Kind{simplefin.Kind()}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := newConnectedBank(t, f, web, processes)
		t.Repeat(map[string]func(*rapid.T){
			"book":          c.book,
			"hold":          c.hold,
			"settle":        c.settle,
			"drop a hold":   c.dropHold,
			"withdraw":      c.withdraw,
			"correct":       c.correct,
			"new ids":       c.reissue,
			"relink":        c.relink,
			"revoke":        c.revoke,
			"fail":          c.fail,
			"wait":          c.wait,
			"sync":          c.sync,
			"sync again":    c.sync,
			"sync at once":  c.syncAtOnce,
			"interrupt":     c.interrupt,
			"import a file": c.importFile,
			"undo a file":   c.undoFile,
		})

		c.settleDown()
		c.checkBudget()
		got := c.picture(c.org)
		if want := c.cleanPicture(); got != want {
			t.Fatalf("the books are:\n%s\nwant:\n%s", got, want)
		}
	})
}

// sync reads the connection with one of the processes.
func (c *connectedBank) sync(t *rapid.T) {
	c.syncWith(t, t.Context(), rapid.SampledFrom(c.processes).Draw(t, "process"))
}

// syncWith reads the connection. It may fail because of the bank or the daily limit, but not for
// another reason.
func (c *connectedBank) syncWith(t *rapid.T, ctx context.Context, p *syncing.Syncer) {
	outcomes, err := p.Sync(ctx, c.org, "", syncing.SyncOptions{})
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		t.Errorf("the connection was not read: %v", err)
		return
	}
	known := []string{"", "used up", "connect SimpleFIN again", "choose the accounts again", "Bank"}
	for _, text := range known {
		if problem := outcomes[0].Problem; problem == text || text != "" && strings.Contains(problem, text) {
			return
		}
	}
	t.Errorf("the problem of the connection is %q", outcomes[0].Problem)
}

// syncAtOnce reads the connection with all processes at the same time.
func (c *connectedBank) syncAtOnce(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "seldom") != 0 {
		t.Skip("takes long")
	}
	var running sync.WaitGroup
	for _, p := range c.processes {
		running.Go(func() { c.syncWith(t, t.Context(), p) })
	}
	running.Wait()
}

// interrupt ends a reading at a random point.
func (c *connectedBank) interrupt(t *rapid.T) {
	p := rapid.SampledFrom(c.processes).Draw(t, "process")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	steps := &atomic.Int64{}
	steps.Store(int64(rapid.IntRange(0, 150).Draw(t, "steps")))
	c.syncWith(t, &countdown{Context: ctx, cancel: cancel, steps: steps}, p)
}

// countdown is a context that is canceled once its users have looked at it a number of times.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	steps  *atomic.Int64
}

func (c *countdown) Done() <-chan struct{} {
	c.step()
	return c.Context.Done()
}

func (c *countdown) Err() error {
	c.step()
	return c.Context.Err()
}

func (c *countdown) step() {
	if c.steps.Add(-1) == 0 {
		c.cancel()
	}
}

// wait lets some hours pass. The bank lists all lines that the test books.
func (c *connectedBank) wait(t *rapid.T) {
	const longest = 18 * 24 * time.Hour
	hours := time.Duration(rapid.IntRange(1, 40).Draw(t, "hours")) * time.Hour
	if c.waited+hours > longest {
		t.Skip("long enough")
	}
	c.waited += hours
	c.clock.advance(hours)
}
