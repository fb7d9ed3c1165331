//go:build long && linux

package cluster_test

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/histories"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
)

func TestMain(m *testing.M) { testprogram.Main(m) }

// cluster is three machines of docs/cluster.md.
type cluster struct {
	t         *testing.T
	dir       string
	addresses []string // of the machines
	machines  []*machine
	client    *http.Client          // trusts the machines' authority, and has a certificate
	authority *x509.CertPool        // of the machines
	key       string                // file of the key of webhook secrets
	receiver  *testprogram.Receiver // of the webhooks of load
	recorder  *histories.Receiver   // of the webhooks of clients
	caFile    string                // the authorities of both receivers
}

// keptVariable is an environment variable: where the machines are moved after a failure, a path
// beside temporary files that names nothing yet.
const keptVariable = "TARMAC_CLUSTER_KEPT"

// needed are the programs of Debian's packages, by package.
var needed = [...][2]string{
	{"patroni", "patroni"}, {"etcd", "etcd-server"}, {"haproxy", "haproxy"}, {"pgbackrest", "pgbackrest"},
	{"psql", "postgresql"}, {"openssl", "openssl"},
}

// newCluster writes the files of three machines. Nothing runs yet.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	if testing.Short() {
		skip(t, "it takes minutes")
	}
	for _, program := range needed {
		needs(t, program[0], program[1])
	}
	who := postgresUser(t)
	// Paths of sockets are short.
	dir, err := os.MkdirTemp("", "tarmac-cluster-")
	if err != nil {
		t.Fatal(err)
	}
	network := fmt.Sprintf("127.%d.%d.", 64+mathrand.IntN(64), mathrand.IntN(256))
	c := &cluster{t: t, dir: dir, addresses: []string{network + "11", network + "12", network + "13"}}
	t.Cleanup(func() {
		c.end()
		if kept := os.Getenv(keptVariable); kept != "" && t.Failed() {
			if err := os.Rename(dir, kept); err != nil {
				t.Error(err)
			}
			t.Logf("the machines are kept in %s", kept)
			return
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.CopyFS(c.packaging(), os.DirFS("../../packaging/cluster")); err != nil {
		t.Fatal(err)
	}
	certificates := exec.Command("sh", append([]string{"make-certificates"}, c.addresses...)...)
	certificates.Dir = c.packaging()
	if out, err := certificates.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, made := range []struct {
		path string
		mode os.FileMode
	}{{dir, 0o755}, {c.backup(), 0o700}} {
		if err := os.MkdirAll(made.path, made.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(made.path, made.mode); err != nil {
			t.Fatal(err)
		}
	}
	for i, address := range c.addresses {
		m := &machine{t: t, n: i + 1, address: address, dir: filepath.Join(dir, fmt.Sprint(i+1)), user: who,
			running: map[string]*program{}}
		c.machines = append(c.machines, m)
		c.configure(m)
	}
	if who != nil {
		if err := os.Chown(c.backup(), int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	c.makeClient(filepath.Join(c.packaging(), "certificates", "authority.pem"))
	return c
}

// packaging is the directory that an operator copies to each machine, with the certificates.
func (c *cluster) packaging() string { return filepath.Join(c.dir, "packaging") }

// backup is the disk that all machines reach.
func (c *cluster) backup() string { return filepath.Join(c.dir, "backup") }

// configure writes the files of a machine that has none.
func (c *cluster) configure(m *machine) { m.configure(c.packaging(), c.backup(), c.addresses) }

// makeClient sets client to that of an operator on the first machine, who has its certificate.
func (c *cluster) makeClient(authority string) {
	c.t.Helper()
	content, err := os.ReadFile(authority)
	if err != nil {
		c.t.Fatal(err)
	}
	c.authority = x509.NewCertPool()
	c.authority.AppendCertsFromPEM(content)
	own, err := tls.LoadX509KeyPair(c.machines[0].path("/etc/tarmac/cluster/machine.pem"),
		c.machines[0].path("/etc/tarmac/cluster/machine.key"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.client = &http.Client{Timeout: 15 * time.Second, Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: c.authority, Certificates: []tls.Certificate{own}},
		DisableKeepAlives: true, // a request on a connection of its own is never sent again by package http
	}}
}

// startDatabases brings the three databases up, one of them as the primary.
func (c *cluster) startDatabases() {
	c.t.Helper()
	for _, m := range c.machines {
		m.startDatabase()
		m.start("haproxy", m.command("haproxy", "-db", "-f", m.path("/etc/haproxy/tarmac.cfg")))
	}
	c.awaitWhole(3 * time.Minute)
}

// awaitWhole waits until there is a primary, from which both standbys stream, one of them
// synchronously, and all are on one timeline. A machine that is up and copies nothing does not
// count: Patroni 3.0.2 calls it running like the others. Neither does a former primary that is
// still sent the end of its own timeline: a switchover then would come before Patroni rewinds it.
func (c *cluster) awaitWhole(most time.Duration) {
	c.t.Helper()
	until(c.t, "two standbys stream from a primary", most, func() error {
		p, err := c.findPrimary()
		if err != nil {
			return err
		}
		streams, synchronous := 0, false
		for _, r := range p.Replication {
			if r.State == "streaming" {
				streams++
				synchronous = synchronous || r.SyncState == "sync"
			}
		}
		members := c.members()
		apart := slices.ContainsFunc(members, func(m member) bool { return m.Timeline != members[0].Timeline })
		if streams != len(c.machines)-1 || !synchronous || c.synchronousStandby() == "" || apart {
			return fmt.Errorf("%d machines stream, one synchronously: %v; %+v", streams, synchronous, members)
		}
		return nil
	})
}

// member is what Patroni says of a machine.
type member struct {
	Name, Role, State string
	Timeline          int
}

// members returns what Patroni says of the machines, or nothing if it does not answer.
func (c *cluster) members() []member {
	for _, m := range c.machines {
		var state struct{ Members []member }
		if status, err := c.patroni(m, "/cluster", &state); err == nil && status == http.StatusOK {
			return state.Members
		}
	}
	return nil
}

// synchronousStandby returns the name of the machine that has every acknowledged commit, or "".
func (c *cluster) synchronousStandby() string {
	for _, m := range c.members() {
		if m.Role == "sync_standby" {
			return m.Name
		}
	}
	return ""
}

// machine returns the machine that Patroni calls so.
func (c *cluster) machine(name string) *machine {
	c.t.Helper()
	for _, m := range c.machines {
		if fmt.Sprintf("tarmac%d", m.n) == name {
			return m
		}
	}
	c.t.Fatalf("there is no machine %q", name)
	return nil
}

// patroni reads what a machine's Patroni answers, and returns the status of its answer.
func (c *cluster) patroni(m *machine, path string, into any) (status int, err error) {
	res, err := c.client.Get("https://" + m.address + ":8008" + path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	return res.StatusCode, json.NewDecoder(res.Body).Decode(into)
}

// primary is the machine that is the primary, and its standbys.
type primary struct {
	*machine
	Replication []struct {
		State     string
		SyncState string `json:"sync_state"`
	}
}

func (c *cluster) findPrimary() (primary, error) {
	for _, m := range c.machines {
		p := primary{machine: m}
		if status, err := c.patroni(m, "/primary", &p); err == nil && status == http.StatusOK {
			return p, nil
		}
	}
	return primary{}, fmt.Errorf("no machine says that it is the primary: %+v", c.members())
}

// primary waits for a primary that takes writes. Patroni names it before it does.
func (c *cluster) primary() (found *machine) {
	c.t.Helper()
	until(c.t, "a primary", time.Minute, func() error {
		p, err := c.findPrimary()
		if err != nil {
			return err
		}
		recovers, err := p.query("SELECT pg_is_in_recovery()")
		if err == nil && recovers != "f" {
			err = fmt.Errorf("machine %d is not one yet", p.n)
		}
		found = p.machine
		return err
	})
	return found
}

// createDatabase makes the role, the database and the place of backups.
func (c *cluster) createDatabase() {
	c.t.Helper()
	p := c.primary()
	p.write("CREATE ROLE tarmac LOGIN", "CREATE DATABASE tarmac OWNER tarmac ENCODING 'UTF8' TEMPLATE template0")
	p.must("pgbackrest", "--stanza=tarmac", "stanza-create")
}

// serve starts tarmac on a machine, with the settings of its file.
func (c *cluster) serve(m *machine) {
	c.t.Helper()
	args := append([]string{"serve", "--key-file", c.key}, strings.Fields(m.setting("/etc/tarmac/tarmac.env",
		"TARMAC_SERVE_OPTIONS"))...)
	args = append(args, "--rate", "0", "--webhook-allow", c.receiver.Address(), "--webhook-allow", c.recorder.Address(),
		"--webhook-ca-file", c.caFile)
	m.start("tarmac", testprogram.Command(c.t, append([]string{"TARMAC_DB=" + c.database(m)}, m.clock...), args...))
}

func (c *cluster) database(m *machine) string {
	return m.setting("/etc/tarmac/tarmac.env", "TARMAC_DB")
}

// stopServing stops all processes, which end as they do without faults.
func (c *cluster) stopServing() {
	c.t.Helper()
	for _, m := range c.machines {
		p := m.running["tarmac"]
		m.end("tarmac")
		if code := p.cmd.ProcessState.ExitCode(); code != 0 {
			c.t.Errorf("tarmac on machine %d ended with %d", m.n, code)
		}
	}
}

// awaitServed waits until a process that serves is found through the HAProxy of each machine.
func (c *cluster) awaitServed() {
	c.t.Helper()
	until(c.t, "served", time.Minute, func() error {
		for _, m := range c.machines {
			res, err := c.client.Get("https://" + m.api() + "/readyz")
			if err != nil {
				return err
			}
			_ = res.Body.Close()
			if res.StatusCode != http.StatusOK {
				return fmt.Errorf("%s: %s", m.api(), res.Status)
			}
		}
		return nil
	})
}

// operate opens the service as `tarmac admin` on a machine does.
func (c *cluster) operate(m *machine) *service.Service {
	c.t.Helper()
	svc, err := service.Open(c.t.Context(), service.Config{
		Database: c.database(m), KeyFile: c.key, Operator: true, Logger: slog.New(slog.DiscardHandler), Now: time.Now,
		Entropy: rand.Reader, Version: "test",
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = svc.Close() }) // connections that were cut off cannot say goodbye
	return svc
}

// admin runs `tarmac admin` on the first machine.
func (c *cluster) admin(args ...string) string {
	c.t.Helper()
	r := testprogram.Run(c.t, map[string]string{"TARMAC_DB": c.database(c.machines[0])},
		append([]string{"admin", "--key-file", c.key}, args...)...)
	if r.Code != 0 {
		c.t.Fatalf("tarmac admin %v: exit %d, %s", args, r.Code, r.Stderr)
	}
	return strings.TrimSpace(r.Stdout)
}

// end ends everything. After a failure it says what the programs said last.
func (c *cluster) end() {
	for _, m := range c.machines {
		m.endAll()
		if c.t.Failed() {
			for _, name := range []string{"etcd", "patroni", "haproxy", "tarmac"} {
				c.t.Logf("machine %d, %s:\n%s", m.n, name, m.tail(name))
			}
		}
	}
}
