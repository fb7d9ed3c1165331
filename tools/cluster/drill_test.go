//go:build long && linux

package cluster_test

import (
	"errors"
	"os"
	"strings"
	"time"
)

// checkDrill makes a backup and the drill of a restore. The drill must find a difference that is
// planted.
func (c *cluster) checkDrill() {
	t := c.t
	t.Helper()
	seeded, _ := c.organization("Seeded")
	c.admin("seed", "--org", seeded, "--transactions", "4000")
	began := time.Now()
	for _, m := range c.machines {
		c.onMachine(m, "tarmac-backup")
	}
	p := c.primary()
	said, err := c.onMachine(p, "tarmac-drill", p.path("/var/lib/postgresql/drill"))
	t.Logf("backup and drill took %s: %s", time.Since(began).Round(time.Second), said)
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(p.path("/var/lib/prometheus/node-exporter/tarmac_backup.prom")); err != nil {
		t.Errorf("the backup does not say when it was made: %v", err)
	}
	if _, err := os.Stat(p.path("/var/lib/postgresql/drill")); err == nil {
		t.Error("the drill leaves what it restored")
	}
	// A transaction that is lost behind the sums of its day.
	c.execute("DELETE FROM transactions WHERE id = (SELECT max(id) FROM transactions)")
	if said, err := c.onMachine(p, "tarmac-drill", p.path("/var/lib/postgresql/drill")); err == nil ||
		!strings.Contains(said, "1 differ") {
		t.Errorf("the drill does not find what is lost: %s, %v", said, err)
	}
}

// onMachine runs a script that configure has installed.
func (c *cluster) onMachine(m *machine, script string, args ...string) (string, error) {
	c.t.Helper()
	return m.does("env", append([]string{"TARMAC_TEXTFILES=" + m.path("/var/lib/prometheus/node-exporter"), "sh",
		m.path("/usr/local/bin/" + script)}, args...)...)
}

// restore takes the database back to a moment before a wrong change, as docs/cluster.md says, and
// has the other machines copy it.
func (c *cluster) restore() {
	t := c.t
	t.Helper()
	before := c.queryNumber("SELECT count(*) FROM transactions")
	at := c.queryStrings("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS+00')")[0]
	c.execute("DELETE FROM transactions")
	p, began := c.primary(), time.Now()
	if said, err := p.does("pgbackrest", "--stanza=tarmac", "--delta", "restore"); err == nil {
		t.Fatalf("a database that is in use was restored: %s", said)
	}
	for _, m := range c.machines {
		m.end("patroni")
	}

	config, data := p.path("/etc/patroni/config.yml"), p.path("/var/lib/postgresql/tarmac")
	p.must("sh", "-c", `printf 'tarmac\nYes I am aware\n' | patronictl -c "$1" remove tarmac`, "sh", config)
	p.must("pgbackrest", "--stanza=tarmac", "--delta", "--type=time", "--target="+at, "--target-action=promote", "restore")
	const server = `"$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)"/pg_ctl -D "$1" -w -l "$1.log" `
	p.must("sh", "-c", server+"start -o '-c listen_addresses='", "sh", data)
	until(t, "recovered", time.Minute, func() error {
		said, err := p.query("SELECT pg_is_in_recovery()")
		if err == nil && said != "f" {
			err = errors.New("it is in recovery")
		}
		return err
	})
	p.must("sh", "-c", server+"stop", "sh", data)
	p.startPatroni()
	if again := c.primary(); again != p {
		t.Errorf("machine %d was restored, and %d is the primary", p.n, again.n)
	}
	for _, m := range c.machines {
		if m != p {
			m.must("rm", "-rf", m.path("/var/lib/postgresql/tarmac"))
			m.startPatroni()
		}
	}
	c.awaitWhole(2 * time.Minute)

	if after := c.queryNumber("SELECT count(*) FROM transactions"); after != before || before == 0 {
		t.Errorf("there were %d transactions, and after the restore there are %d", before, after)
	}
	t.Logf("restored to a moment within %s", time.Since(began).Round(time.Second))
}
