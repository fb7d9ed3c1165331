//go:build long && linux

// Package sshflood floods a real `tarmac ssh` with half-open handshakes while somebody far away
// logs in with OpenSSH.
package sshflood

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/openssh"
)

const (
	delay  = 100 * time.Millisecond // in each direction
	logins = 10
	enough = 9
)

// variable names another program to flood, for example one of an older version.
const variable = "TARMAC_FLOOD_PROGRAM"

func TestAFloodOfHalfHandshakesKeepsNobodyOut(t *testing.T) {
	openssh.Require(t)
	program := os.Getenv(variable)
	if program == "" {
		program = filepath.Join(t.TempDir(), "tarmac")
		run(t, "go", "build", "-o", program, "tarmac")
	}
	for _, flood := range []struct{ addresses, rate int }{{60, 80}, {240, 300}, {2000, 1000}} {
		t.Run(fmt.Sprintf("%d addresses, %d a second", flood.addresses, flood.rate), func(t *testing.T) {
			s := serve(t, program)
			ctx, stop := context.WithCancel(t.Context())
			var flooding sync.WaitGroup
			var opened atomic.Int64
			flooding.Go(func() { attack(ctx, s.address, flood.addresses, flood.rate, &opened) })
			// The flood is at its worst once it has taken all places.
			for began := time.Now(); opened.Load() < int64(10*flood.rate); time.Sleep(10 * time.Millisecond) {
				if time.Since(began) > time.Minute {
					t.Fatal("the flood does not begin")
				}
			}

			succeeded := 0
			began := time.Now()
			for i := range logins {
				if err := s.logIn(t, i); err == nil {
					succeeded++
				} else {
					t.Logf("login %d: %v", i, err)
				}
			}
			took := time.Since(began) / logins
			stop()
			flooding.Wait()

			t.Logf("%d of %d logins, %v each; %d connections of the flood", succeeded, logins, took.Round(10*time.Millisecond),
				opened.Load())
			t.Logf("resident at most: %s", s.peak())
			log := s.stop()
			for _, line := range strings.Split(log, "\n") {
				if strings.Contains(line, "dropped") {
					t.Log(line)
				}
			}
			if succeeded < enough {
				t.Errorf("%d of %d logins succeeded", succeeded, logins)
			}
			if !strings.Contains(log, `"msg":"connections were dropped"`) {
				t.Error("the log does not say what was dropped")
			}
		})
	}
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, args, err)
	}
	return strings.TrimSpace(string(out))
}

// server is a `tarmac ssh` with one organization, which a key opens.
type server struct {
	cmd     *exec.Cmd
	address string
	key     string
	log     chan string // the whole log, once the process has ended
}

func serve(t *testing.T, program string) *server {
	t.Helper()
	dir := t.TempDir()
	database := filepath.Join(dir, "tarmac.db")
	s := &server{key: openssh.NewKey(t, "-t", "ed25519"), log: make(chan string, 1)}
	org := run(t, program, "admin", "--db", database, "org", "create", "Northlight Labs")
	run(t, program, "admin", "--db", database, "ssh-key", "add", "--org", org, "--name", "Ada", "--file", s.key+".pub")
	s.cmd = exec.Command(program, "ssh", "--db", database, "--addr", "127.0.0.1:0", "--host-key",
		filepath.Join(dir, "host"))
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	served := make(chan string, 1)
	go func() {
		var log strings.Builder
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			log.WriteString(lines.Text() + "\n")
			var entry struct{ Msg, Addr string }
			if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
				served <- entry.Addr
			}
		}
		s.log <- log.String()
	}()
	select {
	case s.address = <-served:
	case <-time.After(time.Minute):
		t.Fatal("tarmac ssh does not start")
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	return s
}

// stop stops the process and returns its log.
func (s *server) stop() string {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	log := <-s.log
	_ = s.cmd.Wait()
	return log
}

// peak returns the largest resident memory that the process had.
func (s *server) peak() string {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)) // "" on a fault
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}

// attack opens connections from a number of addresses, at a rate a second, and holds them
// half-open until the server closes them or ctx ends.
func attack(ctx context.Context, server string, addresses, rate int, opened *atomic.Int64) {
	var open sync.WaitGroup
	ticker := time.NewTicker(time.Second / time.Duration(rate))
	defer ticker.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			open.Wait()
			return
		case <-ticker.C:
		}
		open.Go(func() {
			from := net.IPv4(127, 9, byte(i%addresses/250), byte(1+i%addresses%250))
			dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: 5 * time.Second}
			conn, err := dialer.DialContext(ctx, "tcp", server)
			if err != nil {
				return
			}
			opened.Add(1)
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			defer func() { _ = conn.Close() }()
			switch i % 3 {
			case 1:
				_, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n")
			case 2: // a version and the beginning of a packet that never ends
				_, _ = io.WriteString(conn, "SSH-2.0-OpenSSH_9.2\r\n\x00\x00\x04\x00\x06\x14")
			}
			_, _ = io.Copy(io.Discard, conn)
		})
	}
}

// logIn logs in from an address that was never seen before, over a slow connection, and quits.
func (s *server) logIn(t *testing.T, i int) error {
	t.Helper()
	relay, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = relay.Close() }()
	go func() {
		near, err := relay.Accept()
		if err != nil {
			return
		}
		defer func() { _ = near.Close() }()
		time.Sleep(2 * delay) // until the connection is open
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 8, 0, byte(1+i))}}
		far, err := dialer.Dial("tcp", s.address)
		if err != nil {
			return
		}
		defer func() { _ = far.Close() }()
		go forward(near, far)
		forward(far, near)
	}()
	cmd := openssh.Client{
		Address: relay.Addr().String(), User: "ada", Key: s.key, Options: []string{"LogLevel=ERROR"},
	}.SSH(t, []string{"-tt"})
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err == nil { // the dashboard
		_, _ = io.WriteString(in, "q")
	}
	_, _ = io.Copy(io.Discard, out)
	return cmd.Wait()
}

// forward sends what it receives later by the delay, however much is on its way.
func forward(to, from net.Conn) {
	type chunk struct {
		content []byte
		due     time.Time
	}
	underway := make(chan chunk, 1024)
	go func() {
		defer close(underway)
		for {
			buffer := make([]byte, 32<<10)
			n, err := from.Read(buffer)
			if n > 0 {
				underway <- chunk{buffer[:n], time.Now().Add(delay)}
			}
			if err != nil {
				return
			}
		}
	}()
	for c := range underway {
		time.Sleep(time.Until(c.due))
		if _, err := to.Write(c.content); err != nil {
			break
		}
	}
	_ = to.Close()
	for range underway {
	}
}
