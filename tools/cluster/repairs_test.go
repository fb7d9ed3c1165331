//go:build long && linux

package cluster_test

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A machine that is gone with its disk is replaced as docs/cluster.md says.
func TestALostMachineIsReplaced(t *testing.T) {
	needs(t, "etcdctl", "etcd-client")
	c := newCluster(t)
	c.startDatabases()
	lost := c.primary()
	lost.endAll()
	if err := os.RemoveAll(lost.dir); err != nil {
		t.Fatal(err)
	}
	other := c.primary()
	other.write("CREATE TABLE meanwhile AS SELECT generate_series(1, 1000)")

	c.configure(lost)
	name := fmt.Sprintf("tarmac%d", lost.n)
	for line := range strings.Lines(other.etcdctl("member", "list")) {
		if fields := strings.Split(line, ", "); len(fields) > 2 && fields[2] == name {
			other.etcdctl("member", "remove", fields[0])
		}
	}
	other.etcdctl("member", "add", name, "--peer-urls=https://"+lost.address+":2380")
	lost.must("sh", "-c", `echo ETCD_INITIAL_CLUSTER_STATE=existing >> "$1"`, "sh", lost.path("/etc/default/etcd"))
	lost.startDatabase()

	c.awaitWhole(3 * time.Minute)
	lost.awaitRows("meanwhile", 1000)
	if members := other.etcdctl("member", "list"); strings.Count(members, ", started, ") != len(c.machines) {
		t.Errorf("etcd has these members: %s", members)
	}
}

// etcdctl runs a command as docs/cluster.md says.
func (m *machine) etcdctl(args ...string) string {
	m.t.Helper()
	of := func(file string) string { return m.path("/etc/etcd/cluster/" + file) }
	return m.must("env", append([]string{"ETCDCTL_API=3", "ETCDCTL_ENDPOINTS=https://" + m.address + ":2379",
		"ETCDCTL_CACERT=" + of("authority.pem"), "ETCDCTL_CERT=" + of("machine.pem"), "ETCDCTL_KEY=" + of("machine.key"),
		"etcdctl"}, args...)...)
}

// awaitRows waits until a table has as many rows on this machine.
func (m *machine) awaitRows(table string, rows int) {
	m.t.Helper()
	until(m.t, "rows of "+table, time.Minute, func() error {
		said, err := m.query("SELECT count(*) FROM " + table)
		if err == nil && said != fmt.Sprint(rows) {
			err = fmt.Errorf("%s of %d", said, rows)
		}
		return err
	})
}

// What a standby needs of the log is kept up to a size. A standby that needs more reads it from the
// backup.
func TestAStandbyWhoseLogIsGoneReadsItFromTheBackup(t *testing.T) {
	c := newCluster(t)
	c.startDatabases()
	c.createDatabase()
	standby, goOn := c.cutOff()
	c.primary().write("CREATE TABLE meanwhile AS SELECT generate_series(1, 1000)")

	goOn()

	c.awaitWhole(2 * time.Minute)
	standby.awaitRows("meanwhile", 1000)
}

// If the backup does not have the log either, the standby is copied anew.
func TestAStandbyThatCannotFollowIsCopiedAnew(t *testing.T) {
	c := newCluster(t)
	c.startDatabases()
	c.createDatabase()
	standby, goOn := c.cutOff()
	c.primary().write("CREATE TABLE meanwhile AS SELECT generate_series(1, 1000)")
	standby.must("sh", "-c", `rm -r "$1"/archive/tarmac/*-1/0*`, "sh", c.backup())
	goOn()
	until(t, "the standby cannot follow", time.Minute, func() error {
		if log := standby.tail("patroni"); !strings.Contains(log, "has already been removed") {
			return fmt.Errorf("it says %s", log)
		}
		return nil
	})
	primary := c.primary()

	standby.must("sh", "-c", `echo y | patronictl -c "$1" reinit tarmac "$2"`, "sh",
		standby.path("/etc/patroni/config.yml"), fmt.Sprintf("tarmac%d", standby.n))

	c.awaitWhole(2 * time.Minute)
	standby.awaitRows("meanwhile", 1000)
	if after := c.primary(); after != primary {
		t.Errorf("machine %d was the primary, and now it is %d", primary.n, after.n)
	}
}

// cutOff lets the standby that is not synchronous hang until the primary keeps its log no longer.
func (c *cluster) cutOff() (standby *machine, goOn func()) {
	c.t.Helper()
	p, synchronous := c.primary(), c.synchronousStandby()
	for _, m := range c.machines {
		if m != p && fmt.Sprintf("tarmac%d", m.n) != synchronous {
			standby = m
		}
	}
	receiver := standby.walReceiver()
	if err := syscall.Kill(receiver, syscall.SIGSTOP); err != nil {
		c.t.Fatal(err)
	}
	p.must("patronictl", "-c", p.path("/etc/patroni/config.yml"), "edit-config", "--quiet", "--force", "-p",
		"max_slot_wal_keep_size=32MB", "tarmac")
	p.write("CREATE TABLE filler (n integer)")
	until(c.t, "the standby is cut off", 2*time.Minute, func() error {
		for range 4 { // segments of 16 MB
			p.write("INSERT INTO filler VALUES (1)", "SELECT pg_switch_wal()")
		}
		p.write("CHECKPOINT")
		status, err := p.query(fmt.Sprintf("SELECT wal_status FROM pg_replication_slots WHERE slot_name = 'tarmac%d'",
			standby.n))
		if err == nil && status != "lost" {
			err = fmt.Errorf("its place in the log is %s", status)
		}
		return err
	})
	return standby, func() { _ = syscall.Kill(receiver, syscall.SIGCONT) } // it may have ended
}

// A standby that applies the log an hour late takes over all the same if it is the synchronous one,
// and applies what was acknowledged before it serves. The other one copies nothing from the new
// primary before it has applied what it has, until it need not be late any more.
func TestAStandbyThatLagsTakesOverWithEverything(t *testing.T) {
	c := newCluster(t)
	c.lag("1h")
	c.startDatabases()
	p := c.primary()
	standby := c.machine(c.synchronousStandby())
	p.write("CREATE TABLE acknowledged AS SELECT generate_series(1, 1000)")
	delay, err := standby.query("SHOW recovery_min_apply_delay")
	if _, applied := standby.query("TABLE acknowledged"); applied == nil || delay != "1h" {
		t.Fatalf("the standby does not lag: its delay is %s, %v", delay, err)
	}

	c.checkMonitored(standby)

	p.killDatabase()

	if after := c.primary(); after != standby {
		t.Errorf("machine %d had every commit, and %d is the primary", standby.n, after.n)
	}
	standby.awaitRows("acknowledged", 1000)
	c.lag("0")
	p.startDatabase()
	standby.must("patronictl", "-c", standby.path("/etc/patroni/config.yml"), "reload", "--force", "tarmac")
	c.awaitWhole(2 * time.Minute)
}

// lag lets standbys apply the log late.
func (c *cluster) lag(delay string) {
	c.t.Helper()
	for _, m := range c.machines {
		m.must("sed", "-i", "-e", "/recovery_min_apply_delay:/d", "-e",
			`s/^  recovery_conf:/&\n    recovery_min_apply_delay: `+delay+"/", m.path("/etc/patroni/config.yml"))
	}
}

// Patroni restarts a standby, as after an upgrade of its programs, and the primary goes on.
func TestAStandbyIsRestartedForAnUpgrade(t *testing.T) {
	c := newCluster(t)
	c.startDatabases()
	p, standby := c.primary(), c.machine(c.synchronousStandby())
	const started = "SELECT pg_postmaster_start_time()"
	before, err := standby.query(started)
	if err != nil {
		t.Fatal(err)
	}

	standby.must("patronictl", "-c", standby.path("/etc/patroni/config.yml"), "restart", "--force", "tarmac",
		fmt.Sprintf("tarmac%d", standby.n))

	c.awaitWhole(2 * time.Minute)
	if after, err := standby.query(started); after == before || err != nil {
		t.Errorf("PostgreSQL was not restarted: %s, %v", after, err)
	}
	if after := c.primary(); after != p {
		t.Errorf("machine %d was the primary, and now it is %d", p.n, after.n)
	}
}

// checkMonitored looks for the series of Patroni that the alerts are about.
func (c *cluster) checkMonitored(m *machine) {
	c.t.Helper()
	rules, err := os.ReadFile("../../packaging/monitoring/cluster.rules.yml")
	if err != nil {
		c.t.Fatal(err)
	}
	res, err := c.client.Get("https://" + m.address + ":8008/metrics")
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	said, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	series := regexp.MustCompile(`\bpatroni_[a-z_]+`).FindAllString(string(rules), -1)
	for _, name := range series {
		if !strings.Contains(string(said), "\n"+name+"{") {
			c.t.Errorf("Patroni has no series %s", name)
		}
	}
	if len(series) == 0 {
		c.t.Error("no alert is about Patroni")
	}
}
