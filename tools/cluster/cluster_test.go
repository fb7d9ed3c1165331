//go:build long && linux

package cluster_test

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the database as an operator sees it

	"tarmac/internal/testsupport/histories"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service"
)

func TestMain(m *testing.M) { testprogram.Main(m) }

// cluster is three machines of docs/cluster.md.
type cluster struct {
	t         *testing.T
	dir       string
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
		if _, err := exec.LookPath(program[0]); err != nil {
			skip(t, "the package "+program[1]+" is not installed: apt-get install patroni etcd-server haproxy pgbackrest "+
				"postgresql openssl")
		}
	}
	who := postgresUser(t)
	// Paths of sockets are short.
	dir, err := os.MkdirTemp("", "tarmac-cluster-")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir}
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
	network := fmt.Sprintf("127.%d.%d.", 64+mathrand.IntN(64), mathrand.IntN(256))
	addresses := []string{network + "11", network + "12", network + "13"}
	packaging := filepath.Join(dir, "packaging")
	if err := os.CopyFS(packaging, os.DirFS("../../packaging/cluster")); err != nil {
		t.Fatal(err)
	}
	certificates := exec.Command("sh", append([]string{"make-certificates"}, addresses...)...)
	certificates.Dir = packaging
	if out, err := certificates.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shared := filepath.Join(dir, "backup")
	for _, made := range []struct {
		path string
		mode os.FileMode
	}{{dir, 0o755}, {shared, 0o700}} {
		if err := os.MkdirAll(made.path, made.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(made.path, made.mode); err != nil {
			t.Fatal(err)
		}
	}
	for i, address := range addresses {
		m := &machine{t: t, n: i + 1, address: address, dir: filepath.Join(dir, fmt.Sprint(i+1)), user: who,
			running: map[string]*program{}}
		c.machines = append(c.machines, m)
		m.configure(packaging, shared, addresses)
	}
	if who != nil {
		if err := os.Chown(shared, int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	c.makeClient(filepath.Join(packaging, "certificates", "authority.pem"))
	return c
}

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
// synchronously. A machine that is up and copies nothing does not count: Patroni 3.0.2 calls it
// running like the others.
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
		if streams != len(c.machines)-1 || !synchronous || c.synchronousStandby() == "" {
			return fmt.Errorf("%d machines stream, one synchronously: %v; %+v", streams, synchronous, c.members())
		}
		return nil
	})
}

// member is what Patroni says of a machine.
type member struct{ Name, Role, State string }

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

// primary waits for a primary.
func (c *cluster) primary() (found *machine) {
	c.t.Helper()
	until(c.t, "a primary", time.Minute, func() error {
		p, err := c.findPrimary()
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
	m.start("tarmac", testprogram.Command(c.t, []string{"TARMAC_DB=" + c.database(m)}, args...))
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

// db opens the database of the primary. The caller closes it.
func (c *cluster) db() *sql.DB {
	c.t.Helper()
	db, err := sql.Open("pgx", c.database(c.primary()))
	if err != nil {
		c.t.Fatal(err)
	}
	return db
}

// queryNumber returns the number that a query of the primary has.
func (c *cluster) queryNumber(query string, args ...any) (n int64) {
	c.t.Helper()
	db := c.db()
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(c.t.Context(), query, args...).Scan(&n); err != nil {
		c.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// queryStrings returns the texts that a query of the primary has.
func (c *cluster) queryStrings(query string, args ...any) (all []string) {
	c.t.Helper()
	db := c.db()
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(c.t.Context(), query, args...)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			c.t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		c.t.Fatal(err)
	}
	return all
}

// execute changes something in the primary, behind the service's back.
func (c *cluster) execute(statement string, args ...any) {
	c.t.Helper()
	db := c.db()
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(c.t.Context(), statement, args...); err != nil {
		c.t.Fatal(err)
	}
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
