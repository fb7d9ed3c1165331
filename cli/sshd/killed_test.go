//go:build unix

package sshd_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/openssh"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/internal/testsupport/testterminal"
)

// newSSHDashboards returns no processes and organizations yet, on SQLite.
func newSSHDashboards(t *testing.T) *sshDashboards {
	t.Helper()
	openssh.Require(t)
	dir := t.TempDir()
	return &sshDashboards{
		t: t, database: filepath.Join(dir, "tarmac.db"), keyFile: filepath.Join(dir, "tarmac.db.key"),
		hostKey: filepath.Join(dir, "host_key"), key: openssh.NewKey(t, "-t", "ed25519"),
	}
}

// start starts a process that serves the dashboard. It returns the addresses in the log until the
// process serves, by their messages.
func (d *sshDashboards) start(flags ...string) (cmd *exec.Cmd, addresses map[string]string) {
	d.t.Helper()
	cmd = testprogram.Command(d.t, nil, append([]string{
		"ssh", "--db", d.database, "--key-file", d.keyFile, "--addr", "127.0.0.1:0", "--host-key", d.hostKey,
	}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	addresses = map[string]string{}
	lines := bufio.NewScanner(stderr)
	for addresses["serving"] == "" && lines.Scan() {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil {
			addresses[entry.Msg] = entry.Addr
		}
	}
	if addresses["serving"] == "" {
		d.t.Fatal("tarmac ssh does not start")
	}
	go func() {
		for lines.Scan() {
		}
	}()
	return cmd, addresses
}

// A killed process of this machine is recognized at once, though it could record nothing.
func TestAKilledSSHServerIsNotListedAsServing(t *testing.T) {
	d := newSSHDashboards(t)
	org, _ := d.organization("Northlight Labs")
	cmd, addresses := d.start()
	address := addresses["serving"]
	term := testterminal.Start(t, d.client(address, "ada"), 80, 24, nil)
	term.Until("Northlight Labs  read-only", "live")
	doctor := func() string {
		all, _ := testprogram.NewPerson(t).Doctor("--db", d.database)
		return fmt.Sprintf("%+v", all)
	}
	sessions := func() string { return d.admin("ssh-key", "sessions", "--org", org) }
	if said := doctor(); !strings.Contains(said, address) || !strings.Contains(said, "1 session open") ||
		strings.Contains(said, "killed") {
		t.Errorf("before: %s", said)
	}

	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	term.Ended()

	said := doctor()
	if !strings.Contains(said, address+" on ") || !strings.Contains(said, "was killed; its sessions have ended") ||
		strings.Contains(said, "1 session open") {
		t.Errorf("doctor says %s", said)
	}
	if said := sessions(); !strings.Contains(said, "lost") || strings.Contains(said, "open") {
		t.Errorf("the sessions are %s", said)
	}
	next := d.serve()
	if said := doctor(); strings.Contains(said, address+" on ") || !strings.Contains(said, next+" on ") {
		t.Errorf("after the next start, doctor says %s", said)
	}
	if said := sessions(); !strings.Contains(said, "ended: the server process was killed") {
		t.Errorf("after the next start, the sessions are %s", said)
	}
}

func TestTheMetricsOfSSHCountSessionsConnectionsAndRefusals(t *testing.T) {
	d := newSSHDashboards(t)
	d.organization("Northlight Labs")
	cmd, addresses := d.start("--metrics-addr", "127.0.0.1:0")
	defer func() { _, _ = cmd.Process.Kill(), cmd.Wait() }()
	term := testterminal.Start(t, d.client(addresses["serving"], "ada"), 80, 24, nil)
	term.Until("Northlight Labs  read-only", "live")
	stranger := openssh.Client{Address: addresses["serving"], User: "ada", Key: openssh.NewKey(t, "-t", "ed25519")}
	if result := openssh.Run(t, stranger.SSH(t, []string{"-tt"})); result.Code != 255 {
		t.Errorf("a stranger: %+v", result)
	}
	get := func(path string) string {
		response, err := http.Get("http://" + addresses["serving metrics"] + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v", path, response.Status, err)
		}
		return string(text)
	}

	const gone = `tarmac_ssh_connections{authenticated="no"} 0`
	text := get("/metrics")
	for end := time.Now().Add(testprogram.Patience); !strings.Contains(text, gone) && time.Now().Before(end); {
		<-time.After(10 * time.Millisecond) // the server has not noticed yet that the stranger has gone
		text = get("/metrics")
	}

	for _, line := range []string{
		"tarmac_ssh_sessions 1", `tarmac_ssh_connections{authenticated="yes"} 1`,
		gone, `tarmac_ssh_refusals_total{reason="unknown_key"} 1`,
		`tarmac_ssh_refusals_total{reason="early_drop"} 0`, `tarmac_ssh_refusals_total{reason="displaced"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("there is no %s in\n%s", line, text)
		}
	}
	dashboard, err := os.ReadFile("../../packaging/monitoring/tarmac.grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`tarmac_ssh_[a-z_]+`).FindAllString(string(dashboard), -1)
	if len(names) == 0 {
		t.Error("the dashboard of packaging/monitoring asks for nothing of SSH")
	}
	for _, name := range names {
		if !strings.Contains(text, "# HELP "+name+" ") {
			t.Errorf("the dashboard of packaging/monitoring asks for %s", name)
		}
	}
	get("/healthz")
	get("/readyz")
	term.Press("q")
	term.Ended()
}
