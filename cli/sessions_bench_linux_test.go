package cli_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"tarmac/internal/testsupport/openssh"
)

// BenchmarkSessions measures the resident memory of `tarmac ssh` with open dashboards in windows of
// 80x24, which belong to ten organizations, if there are as many: when each has drawn its page and
// when each has walked through pages of transactions. TARMAC_BENCH_SESSIONS sets the number of
// dashboards (default 20), and TARMAC_BENCH_PAGES that of pages (default 10), which have up to 20
// rows.
func BenchmarkSessions(b *testing.B) {
	number, err := strconv.Atoi(cmp.Or(os.Getenv("TARMAC_BENCH_SESSIONS"), "20"))
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.Atoi(cmp.Or(os.Getenv("TARMAC_BENCH_PAGES"), "10"))
	if err != nil {
		b.Fatal(err)
	}
	transactions := fmt.Sprint(max(2000, 21*pages))
	dir := b.TempDir()
	database := filepath.Join(dir, "tarmac.db")
	key := openssh.NewKey(b, "-t", "ed25519")
	organizations := min(10, number)
	for i := range organizations {
		org := must(b, "admin", "--db", database, "org", "create", fmt.Sprint("Organization ", i))
		must(b, "admin", "--db", database, "seed", "--org", org, "--transactions", transactions, "--seed", fmt.Sprint(i+1))
		must(b, "admin", "--db", database, "ssh-key", "add", "--org", org, "--user", fmt.Sprint("org", i), "--name", "Ada",
			"--file", key+".pub")
	}
	binary := filepath.Join(dir, "tarmac")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "tarmac").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	server := exec.CommandContext(b.Context(), binary, "ssh", "--db", database, "--addr", "127.0.0.1:0",
		"--host-key", filepath.Join(dir, "host_key"), "--connection-rate", "0", "--max-connections-per-address", "0",
		"--max-sessions-per-key", "200")
	address := sshAddress(b, server)
	defer func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	}()
	report := func(unit string) { b.ReportMetric(residentMiB(b, server.Process.Pid), unit) }
	report("MiB-empty")

	var sessions []*benchSession
	for i := range number {
		s := openBenchSession(b, address, key, fmt.Sprint("org", i%organizations))
		s.await(b, 3000)
		sessions = append(sessions, s)
	}
	report("MiB-first-frames")
	for _, s := range sessions {
		s.press(b, "4")
		for range pages {
			drawn := s.written.Load()
			s.press(b, "\x1b[6~") // page down
			s.await(b, drawn+1)
		}
	}
	report("MiB-walked")
}

// sshAddress starts the server and returns its address.
func sshAddress(b *testing.B, server *exec.Cmd) string {
	b.Helper()
	stderr, err := server.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return entry.Addr
		}
	}
	b.Fatal("tarmac ssh does not start")
	return ""
}

// benchSession is a dashboard over SSH.
type benchSession struct {
	input   io.Writer
	written atomic.Int64 // bytes that the dashboard sent
}

func (s *benchSession) Write(frame []byte) (int, error) {
	s.written.Add(int64(len(frame)))
	return len(frame), nil
}

func openBenchSession(b *testing.B, address, keyFile, user string) *benchSession {
	b.Helper()
	s := &benchSession{}
	key, err := os.ReadFile(keyFile)
	check := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	check(err)
	signer, err := ssh.ParsePrivateKey(key)
	check(err)
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	check(err)
	b.Cleanup(func() { _ = client.Close() }) // the server may have closed it
	session, err := client.NewSession()
	check(err)
	session.Stdout = s
	s.input, err = session.StdinPipe()
	check(err)
	check(session.RequestPty("xterm-256color", 24, 80, nil))
	check(session.Shell())
	return s
}

func (s *benchSession) press(b *testing.B, key string) {
	b.Helper()
	if _, err := io.WriteString(s.input, key); err != nil {
		b.Fatal(err)
	}
}

// await waits until the dashboard has sent so many bytes.
func (s *benchSession) await(b *testing.B, written int64) {
	b.Helper()
	for begin := time.Now(); s.written.Load() < written; time.Sleep(4 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			b.Fatalf("after a minute, a dashboard has sent %d bytes, want %d", s.written.Load(), written)
		}
	}
}

// residentMiB returns the resident memory of a process in MiB.
func residentMiB(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	var kB float64
	_, rest, _ := bytes.Cut(text, []byte("VmRSS:"))
	if _, err := fmt.Fscan(strings.NewReader(string(rest)), &kB); err != nil {
		b.Fatal(err)
	}
	return kB / 1024
}
