//go:build long && linux

package cluster_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/histories"
	"tarmac/internal/testsupport/testprogram"
)

// roundsVariable is an environment variable: how often each fault is tried. The default is once.
const roundsVariable = "TARMAC_CLUSTER_ROUNDS"

// faults are what happens to the primary.
var faults = [...]struct {
	name string
	do   func(*cluster)
}{
	{"switchover", (*cluster).switchOver}, {"member killed", (*cluster).killPrimary},
	{"primary paused", (*cluster).pausePrimary},
}

const (
	away   = 35 * time.Second // how long a dead machine stays away
	hang   = 40 * time.Second // how long a primary is paused, which is longer than the time of its lease
	worked = 5 * time.Second  // of the load between two faults
)

// The cluster of docs/cluster.md loses nothing that was acknowledged, does nothing twice, and goes
// on by itself, whatever becomes of its primary.
func TestTheDocumentedClusterLosesNothing(t *testing.T) {
	rounds, err := strconv.Atoi(cmp.Or(os.Getenv(roundsVariable), "1"))
	if err != nil || rounds < 1 || rounds > 100 {
		t.Fatalf("%s is no number from 1 to 100: %v", roundsVariable, err)
	}
	c := newCluster(t)
	began := time.Now()
	c.startService()
	t.Logf("started after %s", time.Since(began).Round(time.Second))
	l := newLoad(c)
	h := c.newClients()
	l.begin()
	h.begin(t.Context())
	<-time.After(worked)

	for round := range rounds {
		for _, f := range faults {
			from := time.Now()
			f.do(c)
			c.awaitWhole(2 * time.Minute)
			<-time.After(worked)
			to := time.Now()
			reads, writes := l.paused(from, to)
			t.Logf("round %d, %s: reads paused for %.1f s, writes for %.1f s, whole again after %s", round+1, f.name,
				reads.Seconds(), writes.Seconds(), (to.Sub(from) - worked).Round(time.Second))
		}
	}

	for _, problem := range h.finish() {
		t.Error(problem)
	}
	l.end()
	l.check()
	c.plantLoss()
	c.stopServing()
	c.checkDrill()
	c.restore()
	c.admin("org", "erase", l.org, "--confirm", l.org)
	if n := c.queryNumber("SELECT count(*) FROM invoices i JOIN organizations o ON o.id = i.org_id WHERE o.public_id = $1",
		l.org); n > 0 {
		t.Errorf("%d invoices of an erased organization are left", n)
	}
}

// startService starts the databases and tarmac on all machines.
func (c *cluster) startService() {
	c.t.Helper()
	c.receiver, c.recorder = testprogram.NewReceiver(c.t), histories.NewReceiver(c.t)
	authorities, err := os.ReadFile(c.receiver.CAFile)
	if err != nil {
		c.t.Fatal(err)
	}
	c.key, c.caFile = filepath.Join(c.dir, "key"), filepath.Join(c.dir, "receivers.pem")
	if err := os.WriteFile(c.caFile, append(authorities, c.recorder.PEM()...), 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.startDatabases()
	c.createDatabase()
	c.admin("org", "list") // makes the tables and the key
	for _, m := range c.machines {
		c.serve(m)
	}
	c.awaitServed()
}

// switchOver makes the synchronous standby the primary, as for an upgrade. It is named, or a third
// machine that is further in a log of its own could keep it from the switchover for ever. Patroni
// refuses if the standby is not synchronous at that moment; then it is asked again.
func (c *cluster) switchOver() {
	c.t.Helper()
	former := c.primary()
	until(c.t, "another primary", 2*time.Minute, func() error {
		p, err := c.findPrimary()
		if err != nil {
			return err
		}
		if p.machine != former {
			return nil
		}
		standby := c.synchronousStandby()
		if standby == "" {
			return errors.New("no standby is synchronous")
		}
		said, err := p.does("patronictl", "-c", p.path("/etc/patroni/config.yml"), "switchover", "--force", "--leader",
			fmt.Sprintf("tarmac%d", p.n), "--candidate", standby, "tarmac")
		return errors.Join(errors.New(said), err)
	})
}

// A third machine that has more of the log than the synchronous standby keeps that from becoming
// the primary, if the switchover names nobody.
func TestANamedStandbyTakesOverThoughAThirdMachineIsAhead(t *testing.T) {
	c := newCluster(t)
	c.startDatabases()
	p := c.primary()
	standby := c.machine(c.synchronousStandby())
	receiver := standby.walReceiver()
	if err := syscall.Kill(receiver, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// Not acknowledged by the standby that is to follow, which hangs.
	p.write("SET synchronous_commit = local", "CREATE TABLE unacknowledged AS SELECT generate_series(1, 1000)")

	c.switchOver()
	_ = syscall.Kill(receiver, syscall.SIGCONT) // it may have ended

	c.awaitWhole(2 * time.Minute)
	if after := c.primary(); after != standby {
		t.Errorf("machine %d was named, and %d is the primary", standby.n, after.n)
	}
}

// A primary whose Patroni hung, and that wrote on while another machine took its place, gives up
// what it alone has. If it learned of the new timeline before it has read its own log to the end,
// it would take all of that for the new timeline's.
func TestAFormerPrimaryGivesUpWhatItAloneWrote(t *testing.T) {
	c := newCluster(t)
	c.startDatabases()
	c.createDatabase()
	former := c.primary()
	patroni := former.running["patroni"].cmd.Process
	if err := patroni.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var successor *machine
	until(t, "another primary, whose history is in the archive", time.Minute, func() error {
		p, err := c.findPrimary()
		if err != nil {
			return err
		}
		successor = p.machine
		_, err = successor.does("pgbackrest", "--stanza=tarmac", "archive-get", "00000002.history",
			successor.path("/var/lib/postgresql/history"))
		return err
	})

	const write = "CREATE TABLE IF NOT EXISTS written AS SELECT generate_series(1, 1000)"
	former.write("SET synchronous_commit = local", write, "SELECT pg_switch_wal()", "CREATE TABLE lost ()")
	// The successor is further in its log than the former primary in its own.
	successor.write("SET synchronous_commit = local", write, "SELECT pg_switch_wal()", "CREATE TABLE kept ()",
		"SELECT pg_switch_wal()", "CREATE TABLE kept_too ()")
	if err := patroni.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}

	const found = "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '^(lost|kept|kept_too)$'"
	until(t, "the former primary is a standby with what the successor wrote", 2*time.Minute, func() error {
		tables, err := former.query(found)
		if err == nil && tables != "kept kept_too" {
			err = fmt.Errorf("its tables are %s", tables)
		}
		return err
	})
	log, err := os.ReadFile(former.path("/patroni.log"))
	if err != nil {
		t.Fatal(err)
	}
	_, afterwards, _ := strings.Cut(string(log), "received immediate shutdown request")
	diverged, _, rewound := strings.Cut(afterwards, "servers diverged at WAL location")
	if !rewound || strings.Contains(diverged, "started streaming WAL") {
		t.Errorf("the former primary followed its successor with a log of its own; rewound at all: %v", rewound)
	}
	c.awaitWhole(2 * time.Minute)
}

// killPrimary takes the power from the primary for a while.
func (c *cluster) killPrimary() {
	c.t.Helper()
	p := c.primary()
	p.killDatabase()
	<-time.After(away)
	p.startDatabase()
}

// pausePrimary stops the primary for longer than its lease, and lets it go on.
func (c *cluster) pausePrimary() {
	c.t.Helper()
	p := c.primary()
	p.signalDatabase(syscall.SIGSTOP)
	<-time.After(hang)
	p.signalDatabase(syscall.SIGCONT)
}

// clients ask concurrently, and record the answers, which must be those of one order of requests.
type clients struct {
	*histories.Load
	c     *cluster
	stop  context.CancelFunc
	ended chan struct{}
}

// newClients returns clients of two organizations.
func (c *cluster) newClients() *clients {
	c.t.Helper()
	h := &clients{c: c, ended: make(chan struct{}), Load: &histories.Load{
		Receiver: c.recorder, Clients: 4, Seed: 1, History: histories.NewHistory(), Patience: 12 * time.Second,
		RootCAs: c.authority,
	}}
	for _, m := range c.machines {
		h.Services = append(h.Services, "https://"+m.api())
		h.Operators = append(h.Operators, c.operate(m))
	}
	for n := range 2 {
		id, token := c.organization(fmt.Sprintf("Company %d", n))
		h.Organizations = append(h.Organizations, histories.Organization{ID: id, Token: token})
	}
	return h
}

func (h *clients) begin(ctx context.Context) {
	ctx, h.stop = context.WithCancel(ctx)
	go func() {
		defer close(h.ended)
		h.Run(ctx, 1<<30)
	}()
}

// finish ends the clients, and returns what is wrong with what they were told.
func (h *clients) finish() (problems []string) {
	t := h.c.t
	t.Helper()
	h.stop()
	<-h.ended
	problems = h.Finish(func(org string) (all []histories.Invoice) {
		list, err := h.c.operate(h.c.machines[0]).Invoices(t.Context(), org, "", 1_000_000)
		if err != nil {
			t.Error(err)
		}
		for _, i := range list {
			all = append(all, histories.Invoice{Recipient: i.RecipientName, Number: int(i.Sequence)})
		}
		return all
	})
	for _, v := range h.History.Check(time.Minute) {
		problems = append(problems, v.String())
	}
	for kind, n := range h.History.Counts() {
		t.Logf("%s: %d records, %d operations, %d of them without an answer", kind, n.Records, n.Operations, n.Lost)
	}
	return problems
}

// lastInvoice returns the number of the newest invoice of an organization.
func (c *cluster) lastInvoice(org string) int64 {
	c.t.Helper()
	return c.queryNumber("SELECT invoice_sequence FROM organizations WHERE public_id = $1", org)
}

// awaitInvoices waits until an organization has an invoice with a number.
func (c *cluster) awaitInvoices(org string, number int64) {
	c.t.Helper()
	until(c.t, "clients propose invoices", time.Minute, func() error {
		if last := c.lastInvoice(org); last < number {
			return fmt.Errorf("the last is %d of %d", last, number)
		}
		return nil
	})
}

// plantLoss loses the newest invoices, as a failover without a synchronous standby does. Clients
// must notice it.
func (c *cluster) plantLoss() {
	c.t.Helper()
	h := c.newClients()
	h.begin(c.t.Context())
	const lost = 3
	c.awaitInvoices(h.Organizations[0].ID, lost+1)
	last := c.lastInvoice(h.Organizations[0].ID)
	c.execute(`WITH org AS (UPDATE organizations SET invoice_sequence = invoice_sequence - $2 WHERE public_id = $1
			RETURNING id, invoice_sequence AS last),
		keys AS (DELETE FROM idempotency_keys k USING org, invoices i WHERE i.org_id = org.id AND i.sequence > org.last
			AND k.org_id = org.id AND k.invoice_id = i.public_id)
		DELETE FROM invoices i USING org WHERE i.org_id = org.id AND i.sequence > org.last`, h.Organizations[0].ID, lost)
	c.awaitInvoices(h.Organizations[0].ID, last+1) // the numbers are given again
	if len(h.finish()) == 0 {
		c.t.Error("nobody notices that acknowledged invoices are lost")
	}
}
