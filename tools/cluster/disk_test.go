//go:build long && linux

package cluster_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// The primary's disk is full, for PostgreSQL, etcd and Patroni alike. Another machine takes over,
// and the former primary is a standby when there is room.
func TestAPrimaryWhoseDiskIsFullIsReplaced(t *testing.T) {
	c := newCluster(t)
	for _, m := range c.machines {
		m.giveDisk("1g")
	}
	c.startService()
	l := newLoad(c)
	l.begin()
	<-time.After(worked)
	p, from := c.primary(), time.Now()

	release := p.fillDisk()
	until(t, "another primary", 2*time.Minute, func() error {
		found, err := c.findPrimary()
		if err == nil && found.machine == p {
			_, _ = p.query("SELECT pg_switch_wal()") // the next segment needs room, as after archive_timeout
			err = fmt.Errorf("machine %d goes on", p.n)
		}
		return err
	})
	<-time.After(worked)
	reads, writes := l.paused(from, time.Now())
	t.Logf("reads paused for %.1f s, writes for %.1f s", reads.Seconds(), writes.Seconds())
	release()
	p.restartEnded()

	c.awaitWhole(3 * time.Minute)
	l.end()
	l.check()
}

// giveDisk puts what the machine keeps on a disk of its own.
func (m *machine) giveDisk(size string) {
	m.t.Helper()
	if os.Geteuid() != 0 {
		skip(m.t, "only root may mount a disk")
	}
	disk, kept := m.path("/var/lib"), m.path("/kept")
	if err := os.Rename(disk, kept); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Mkdir(disk, 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+size+",mode=0755"); err != nil {
		skip(m.t, "no disk can be mounted: "+err.Error())
	}
	m.t.Cleanup(func() {
		m.endAll()
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			m.t.Error(err)
		}
	})
	if out, err := exec.Command("cp", "-a", kept+"/.", disk).CombinedOutput(); err != nil { // as root
		m.t.Fatalf("%v\n%s", err, out)
	}
}

// fillDisk leaves no room on the machine's disk until release.
func (m *machine) fillDisk() (release func()) {
	m.t.Helper()
	path := filepath.Join(m.path("/var/lib"), "filler")
	file, err := os.Create(path)
	if err != nil {
		m.t.Fatal(err)
	}
	content := make([]byte, 4096)
	for err == nil {
		_, err = file.Write(content)
	}
	if closed := file.Close(); closed != nil || !errors.Is(err, syscall.ENOSPC) {
		m.t.Fatal(err, closed)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			m.t.Error(err)
		}
	}
}

// restartEnded starts etcd and Patroni again if they have ended, as systemd does.
func (m *machine) restartEnded() {
	m.t.Helper()
	for _, name := range []string{"etcd", "patroni"} {
		select {
		case <-m.running[name].ended:
			m.t.Logf("%s had ended", name)
		default:
			continue
		}
		delete(m.running, name)
		if name == "etcd" {
			m.startEtcd()
		} else {
			m.startPatroni()
		}
	}
}
