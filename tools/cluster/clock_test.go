//go:build long && linux

package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// A machine comes back with a clock that is an hour ahead, becomes the primary, and dies again, so
// that the primary's clock jumps by an hour forth and back.
func TestAClockThatIsAnHourAheadLosesNothing(t *testing.T) {
	library, _ := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1")
	if len(library) == 0 {
		skip(t, "the package libfaketime is not installed")
	}
	c := newCluster(t)
	c.startService()
	l := newLoad(c)
	l.begin()
	p, from := c.primary(), time.Now()
	p.killDatabase()
	p.end("tarmac")
	p.aheadByAnHour(library[0])
	p.startDatabase()
	c.serve(p)
	c.awaitWhole(2 * time.Minute)

	c.passTo(p)
	if ahead, err := p.query(fmt.Sprintf("SELECT now() > to_timestamp(%d)", from.Add(time.Hour).Unix())); ahead != "t" {
		t.Fatalf("the primary's clock is not ahead: %s, %v", ahead, err)
	}
	<-time.After(worked)
	p.killDatabase()
	c.primary()
	<-time.After(worked)
	p.startDatabase()
	c.awaitWhole(2 * time.Minute)
	reads, writes := l.paused(from, time.Now())
	t.Logf("reads paused for %.1f s, writes for %.1f s", reads.Seconds(), writes.Seconds())

	l.end()
	l.check()
}

// passTo makes a machine the primary, which the only other standby leaves it to.
func (c *cluster) passTo(m *machine) {
	c.t.Helper()
	p := c.primary()
	for _, other := range c.machines {
		if other == m || other == p {
			continue
		}
		other.end("patroni")
		until(c.t, "the machine is the synchronous standby", time.Minute, func() error {
			if standby := c.synchronousStandby(); standby != fmt.Sprintf("tarmac%d", m.n) {
				return fmt.Errorf("it is %q", standby)
			}
			return nil
		})
		c.switchOver()
		other.startPatroni()
	}
	c.awaitWhole(2 * time.Minute)
}

// aheadByAnHour gives PostgreSQL and tarmac of the machine another clock. Python, in which Patroni
// runs, does not bear the library.
func (m *machine) aheadByAnHour(library string) {
	m.t.Helper()
	if err := os.WriteFile(m.path("/clock"), []byte("3600"), 0o600); err != nil {
		m.t.Fatal(err)
	}
	m.clock = []string{testprogram.ClockFile + "=" + m.path("/clock")}
	m.must("sh", "-c", `bin=$(sed -n 's/^ *bin_dir: //p' "$2") && mkdir "$3" && ln -s "$bin"/* "$3" && rm "$3/postgres" &&
		printf '#!/bin/sh\nLD_PRELOAD=%s FAKETIME=+3600 exec %s "$@"\n' "$1" "$bin/postgres" >"$3/postgres" &&
		chmod +x "$3/postgres" && sed -i "s|^\( *bin_dir: \).*|\1$3|" "$2"`,
		"sh", library, m.path("/etc/patroni/config.yml"), m.path("/var/lib/bin"))
}
