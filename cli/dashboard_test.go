//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// server is a `tarmac serve` process.
type server struct {
	*testprogram.Server
	addr string
}

// serve starts the service in its own process and returns once it listens.
func serve(t testing.TB, database, addr string, flags ...string) *server {
	t.Helper()
	s := testprogram.Serve(t, database, addr, flags...)
	return &server{s, s.Addr}
}

// kill ends the process without a shutdown, like a crash.
func (s *server) kill() { s.Kill() }

func TestDemoWalksThroughEveryScreen(t *testing.T) {
	term := startTerminal(t, 120, 40, nil, "demo")
	home := term.cmd.Dir
	term.until("● live", "Cash", "Runway", "Owed", `\$[0-9]`)
	for _, step := range []struct{ key, shows string }{
		{"2", "Months"}, {"3", "Over 90 days"}, {"4", "row 1 of"}, {"6", "INV-|payment[. ]"}, {"1", "Cash"},
	} {
		term.press(step.key)
		term.until(step.shows, "● live")
	}
	term.press("?")
	term.until("Keys ─", "force quit", "redraw")
	term.press("esc")
	term.untilGone("force quit")

	term.resize(40, 12)
	term.until(`1 Overview `, `\? help`, "Cash")
	term.resize(120, 40)
	term.until("3 Receivables")

	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	term.restored()
	if left, _ := filepath.Glob(filepath.Join(home, "tarmac-demo-*")); len(left) > 0 {
		t.Errorf("the demo left %v behind", left)
	}
}

func TestASignalRestoresTheTerminalAndLeavesNothing(t *testing.T) {
	t.Parallel()
	for sig, want := range map[syscall.Signal]int{syscall.SIGHUP: 129, syscall.SIGTERM: 143} {
		term := startTerminal(t, 80, 24, nil, "demo")
		home := term.cmd.Dir
		term.until("● live")
		term.signal(sig)
		if code := term.ended(); code != want {
			t.Errorf("%v: exit %d, want %d", sig, code, want)
		}
		term.restored()
		term.blank()
		if left, _ := filepath.Glob(filepath.Join(home, "tarmac-demo-*")); len(left) > 0 {
			t.Errorf("%v: the demo left %v behind", sig, left)
		}
	}
}

func TestWithNothingConfiguredTheWelcomePageLeadsOn(t *testing.T) {
	t.Parallel()
	term := startTerminal(t, 80, 24, nil)
	term.until("Look around", "Connect a server")
	term.press("up", "enter")
	term.until("Base URL", "Token")
	term.press("ftp://nowhere")
	term.until("ftp://nowhere")
	term.press("enter", "svc_org_secretsecret")
	term.until(`\*{20}`)
	term.press("enter")
	screen := term.until("must begin with https:")
	if strings.Contains(term.output(), "secretsecret") {
		t.Error("the token was shown")
	}
	if !strings.Contains(screen, "ftp://nowhere") {
		t.Errorf("what was typed is gone:\n%s", screen)
	}
	term.press("esc")
	term.until("Look around")
	term.press("down", "enter")
	term.until("● live", "Cash")
	term.press("ctrl+c")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	term.restored()
	term.blank()
}

func TestTheDashboardOutlivesTheServer(t *testing.T) {
	t.Parallel()
	database, _, tokenFile := organization(t, "2500", readScopes)
	s := serve(t, database, "127.0.0.1:0")
	logFile := filepath.Join(t.TempDir(), "log")
	term := startTerminal(t, 120, 40, []string{"TARMAC_BASE_URL=http://" + s.addr, "TARMAC_TOKEN_FILE=" + tokenFile},
		"--log-file", logFile)
	term.until("● live", "Cash")

	s.kill()
	term.until("✕ offline", `retry in|retrying`, "Cash", "◌ stale, [0-9]+s old")
	term.press("4")
	term.until("✕ offline")

	serve(t, database, s.addr)
	term.until("● live", "row 1 of 2,500")
	term.press("1")
	term.until("● live", `\$[0-9]`)
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.TrimSpace(string(token))
	if strings.Contains(term.output(), secret) {
		t.Error("the token reached the terminal")
	}
	logged, err := os.ReadFile(logFile)
	if err != nil || !strings.Contains(string(logged), "/transactions") || strings.Contains(string(logged), secret) {
		t.Errorf("the log (%v):\n%s", err, logged)
	}
	if info, err := os.Stat(logFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log file's mode: %v, %v", info.Mode(), err)
	}
}

func TestATokenWithoutScopesSeesWhichAreMissing(t *testing.T) {
	database, _, tokenFile := organization(t, "2500", "account:read")
	s := serve(t, database, "127.0.0.1:0")
	term := startTerminal(t, 120, 40, []string{"TARMAC_BASE_URL=http://" + s.addr, "TARMAC_TOKEN_FILE=" + tokenFile})
	term.until("Spendable", "invoices:read", "payments:read")
	term.press("6")
	term.until("event_feed:read")
	term.press("q")
	term.ended()
}

// Opening a pipe without a reader would block forever.
func TestALogFileThatIsAPipeIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	// If the test fails, open the reader so that the program can end.
	giveUp := time.AfterFunc(patience, func() {
		if reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			_ = reader.Close()
		}
	})
	r := tarmac(t, nil, "demo", "--log-file", path)
	if !giveUp.Stop() || r.code != 1 || !strings.Contains(r.stderr, "log file") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
}

func TestNoColorLeavesColoursOut(t *testing.T) {
	term := startTerminal(t, 80, 24, []string{"NO_COLOR=yes"}, "demo")
	term.until("● live", "Cash")
	term.press("q")
	term.ended()
	for _, code := range []string{"\x1b[31m", "\x1b[32m", "\x1b[91m", "\x1b[92m", ";31m", ";32m", ";91m", ";92m", "38;5;",
		"38;2;"} {
		if strings.Contains(term.output(), code) {
			t.Errorf("a colour was sent: %q", code)
		}
	}
}

// UTC lets people compare the logs of two machines.
func TestServeLogsInUTC(t *testing.T) {
	cmd := program(t, []string{"TZ=Asia/Tokyo"}, "serve", "--db", filepath.Join(t.TempDir(), "tarmac.db"), "--addr",
		"127.0.0.1:0", "--rate", "0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	lines := json.NewDecoder(stderr)
	logged := func() (entry struct{ Time, Msg, Addr string }) {
		t.Helper()
		if err := lines.Decode(&entry); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(entry.Time, "Z") {
			t.Errorf("%s: time %q", entry.Msg, entry.Time)
		}
		return entry
	}
	resp, err := http.Get("http://" + logged().Addr + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if entry := logged(); entry.Msg != "request" {
		t.Errorf("logged %+v", entry)
	}
}

// The log's last line states why the service ended and how long it ran. A requested stop is no
// failure.
func TestServeEndsInOrder(t *testing.T) {
	for sig, reason := range map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", syscall.SIGINT: "SIGINT"} {
		cmd := program(t, nil, "serve", "--db", filepath.Join(t.TempDir(), "tarmac.db"), "--addr", "127.0.0.1:0")
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		giveUp := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		var last struct {
			Level, Msg, Reason string
			Ran                *int64 `json:"ran_seconds"`
		}
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
				t.Fatal(err)
			}
			if last.Msg == "serving" {
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
			}
		}
		err = cmd.Wait()
		giveUp.Stop()

		if err != nil {
			t.Errorf("%s: serve ended with %v", reason, err)
		}
		if last.Msg != "stopped" || last.Level != "INFO" || last.Reason != reason || last.Ran == nil ||
			*last.Ran > int64(patience.Seconds()) {
			t.Errorf("%s: the last line is %+v", reason, last)
		}
	}
}
