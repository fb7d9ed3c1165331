//go:build long && linux

package cluster_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// machine has an address of its own, and its files below dir as if that were the root.
type machine struct {
	t       *testing.T
	n       int
	address string
	dir     string
	user    *syscall.Credential // nil if the test does not run as root
	running map[string]*program
	clock   []string // environment variables that give its tarmac another clock
}

// program is a running program of a machine.
type program struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when it has ended
}

// postgresUser returns as whom PostgreSQL and its companions run, which is never root.
func postgresUser(t *testing.T) *syscall.Credential {
	t.Helper()
	who, err := user.Lookup("postgres")
	if err != nil {
		skip(t, "there is no user postgres (apt-get install postgresql)")
	}
	uid, err := strconv.Atoi(who.Uid)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.Atoi(who.Gid)
	if err != nil {
		t.Fatal(err)
	}
	switch os.Geteuid() {
	case 0:
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	case uid:
		return nil
	}
	skip(t, "only root and the user postgres may run it")
	return nil
}

// configure writes the files of the machine as docs/cluster.md does, and moves the paths in them
// below its directory.
func (m *machine) configure(packaging, shared string, addresses []string) {
	m.t.Helper()
	if err := os.MkdirAll(m.path("/var/lib"), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Symlink(shared, m.path("/var/lib/pgbackrest")); err != nil {
		m.t.Fatal(err)
	}
	configure := exec.Command("sh", append([]string{filepath.Join(packaging, "configure"), strconv.Itoa(m.n)},
		addresses...)...)
	configure.Env = append(os.Environ(), "DESTDIR="+m.dir)
	if out, err := configure.CombinedOutput(); err != nil {
		m.t.Fatalf("%v\n%s", err, out)
	}
	for _, dir := range []string{"/run/postgresql", "/var/lib/etcd", "/var/lib/prometheus/node-exporter"} {
		if err := os.MkdirAll(m.path(dir), 0o700); err != nil {
			m.t.Fatal(err)
		}
	}
	moved := strings.NewReplacer("/etc/", m.path("/etc/"), "/var/", m.path("/var/"), "/run/", m.path("/run/"),
		"/usr/local/bin/", m.path("/usr/local/bin/"), "mode: automatic", "mode: off", "bind :443", "bind "+m.api())
	err := filepath.WalkDir(m.dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && m.user != nil {
			err = os.Lchown(path, int(m.user.Uid), int(m.user.Gid))
		}
		if err != nil || !entry.Type().IsRegular() || strings.Contains(path, "/cluster/machine") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(moved.Replace(string(content))), 0)
	})
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) path(absolute string) string {
	return filepath.Join(m.dir, absolute) + trailing(absolute)
}

// trailing is the slash at the end of a path, which filepath.Join drops.
func trailing(path string) string {
	if strings.HasSuffix(path, "/") {
		return "/"
	}
	return ""
}

// api is where the machine's HAProxy takes requests from outside. The port of the file needs root.
func (m *machine) api() string { return m.address + ":9443" }

// setting returns a variable of a file of the machine, which systemd and the shell read alike.
func (m *machine) setting(file, name string) string {
	m.t.Helper()
	out, err := exec.Command("sh", "-c", `. "$1"; eval "printf %s \"\$$2\""`, "sh", m.path(file), name).Output()
	if err != nil {
		m.t.Fatal(err)
	}
	return string(out)
}

// programsVariable is an environment variable: a directory with other versions of Patroni and etcd
// than those that are installed.
const programsVariable = "TARMAC_CLUSTER_PROGRAMS"

// command returns a command on the machine, as the user postgres.
func (m *machine) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command("env", append([]string{name}, args...)...) // looks in the PATH below
	cmd.Dir = m.dir
	path := "/usr/local/bin:/usr/bin:/bin:/usr/sbin"
	if other := os.Getenv(programsVariable); other != "" {
		path = other + ":" + path
	}
	cmd.Env = []string{"PATH=" + path, "HOME=" + m.dir, "LANG=C.UTF-8",
		"PGBACKREST_CONFIG=" + m.path("/etc/pgbackrest/pgbackrest.conf")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: m.user}
	return cmd
}

// does runs a command and returns what it prints.
func (m *machine) does(name string, args ...string) (string, error) {
	cmd := m.command(name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s on machine %d: %w\n%s%s", name, m.n, err, stdout.String(), stderr.String())
	}
	return strings.TrimSpace(stdout.String()), nil
}

func (m *machine) must(name string, args ...string) string {
	m.t.Helper()
	out, err := m.does(name, args...)
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

// query has the machine's PostgreSQL execute statements, as its superuser, and returns what they
// find.
func (m *machine) query(statements ...string) (string, error) {
	args := []string{"-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", m.path("/run/postgresql"), "-d", "postgres"}
	for _, statement := range statements {
		args = append(args, "-c", statement)
	}
	return m.does("psql", args...)
}

// write is query with statements that must not fail.
func (m *machine) write(statements ...string) {
	m.t.Helper()
	if _, err := m.query(statements...); err != nil {
		m.t.Fatal(err)
	}
}

// start runs a program until it is ended, or the test is. Its output is in a file.
func (m *machine) start(name string, cmd *exec.Cmd) {
	m.t.Helper()
	log, err := os.OpenFile(m.path("/"+name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		m.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	// Whatever becomes of the test, its programs end with it.
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	p := &program{cmd, make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait()
		_ = log.Close()
	}()
	m.running[name] = p
}

// startDatabase starts etcd and Patroni, which starts PostgreSQL.
func (m *machine) startDatabase() {
	m.t.Helper()
	m.startEtcd()
	m.startPatroni()
}

func (m *machine) startEtcd() {
	m.t.Helper()
	etcd := m.command("sh", "-c", `set -a; . "$1"; exec etcd`, "sh", m.path("/etc/default/etcd"))
	// On the loopback interface everybody has the same address, which no certificate names.
	etcd.Env = append(etcd.Env, "ETCD_EXPERIMENTAL_PEER_SKIP_CLIENT_SAN_VERIFICATION=true")
	m.start("etcd", etcd)
}

func (m *machine) startPatroni() {
	m.t.Helper()
	m.start("patroni", m.command("patroni", m.path("/etc/patroni/config.yml")))
}

// end ends a program, and kills it if it takes long.
func (m *machine) end(name string) {
	p := m.running[name]
	if p == nil {
		return
	}
	delete(m.running, name)
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(30 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

func (m *machine) kill(name string) {
	if p := m.running[name]; p != nil {
		delete(m.running, name)
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// killDatabase kills etcd, Patroni and PostgreSQL, as if the machine lost its power.
func (m *machine) killDatabase() {
	postgres := m.postgres()
	m.kill("patroni")
	m.kill("etcd")
	for _, pid := range postgres {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// endAll ends everything of the machine.
func (m *machine) endAll() {
	m.signalDatabase(syscall.SIGCONT)
	for _, name := range []string{"tarmac", "haproxy"} {
		m.end(name)
	}
	m.killDatabase()
}

// signalDatabase sends a signal to Patroni and to all processes of PostgreSQL.
func (m *machine) signalDatabase(signal syscall.Signal) {
	if p := m.running["patroni"]; p != nil {
		_ = p.cmd.Process.Signal(signal)
	}
	for _, pid := range m.postgres() {
		_ = syscall.Kill(pid, signal)
	}
}

// postgres returns the processes of the machine's PostgreSQL, of which Patroni starts the first.
func (m *machine) postgres() (pids []int) {
	content, err := os.ReadFile(m.path("/var/lib/postgresql/tarmac/postmaster.pid"))
	if err != nil {
		return nil
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return nil
	}
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err != nil || !strings.HasPrefix(cwd, m.dir) {
		return nil // left behind by a process that is gone
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.t.Error(err)
	}
	pids = append(pids, pid)
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// walReceiver returns the process that receives the log from the primary.
func (m *machine) walReceiver() int {
	m.t.Helper()
	for _, pid := range m.postgres() {
		title, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && bytes.Contains(title, []byte("walreceiver")) {
			return pid
		}
	}
	m.t.Fatalf("machine %d receives no log", m.n)
	return 0
}

// tail returns the end of a program's log.
func (m *machine) tail(name string) string {
	content, _ := os.ReadFile(m.path("/" + name + ".log"))
	return string(content[max(0, len(content)-3000):])
}

// until waits until a condition holds.
func until(t *testing.T, what string, most time.Duration, holds func() error) {
	t.Helper()
	for deadline := time.Now().Add(most); ; <-time.After(100 * time.Millisecond) {
		switch err := holds(); {
		case err == nil:
			return
		case time.Now().After(deadline):
			t.Fatalf("not reached within %s: %s: %v", most, what, err)
		}
	}
}

// needs skips the test unless a program of a package is installed.
func needs(t *testing.T, program, from string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		skip(t, "the package "+from+" is not installed")
	}
}

func skip(t *testing.T, why string) {
	t.Helper()
	fmt.Fprintf(io.Writer(os.Stderr), "SKIPPED: %s was not run: %s\n", t.Name(), why)
	t.Skip(why)
}
