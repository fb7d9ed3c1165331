//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"tarmac/apiclient"
)

func environ(env map[string]string) (list []string) {
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	return list
}

// Progress is shown if standard error is a terminal and standard output is not.
func TestProgressIsForTerminals(t *testing.T) {
	env, _ := ledger(t, 1000)
	cmd := program(t, environ(env), "transactions", "--all", "--csv")
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = out
	term := runInTerminal(t, cmd, 80, 24)
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	told := term.output()
	if !strings.Contains(told, "800 of 1,000 transactions") || !strings.HasSuffix(told, "\r\x1b[K") {
		t.Errorf("the terminal was told %q", told)
	}
	listed, err := os.ReadFile(out.Name())
	if err != nil || bytes.Count(listed, []byte("\n")) != 1001 || bytes.ContainsRune(listed, '\x1b') {
		t.Errorf("%d lines in the file, %v", bytes.Count(listed, []byte("\n")), err)
	}

	cmd = program(t, environ(env), "transactions", "--all", "--csv")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if _, err := cmd.Output(); err != nil || stderr.Len() > 0 {
		t.Errorf("without a terminal: %v, %q", err, stderr.String())
	}
}

func TestADocumentIsNothingForATerminal(t *testing.T) {
	env, requests := ledger(t, 0)
	term := startTerminal(t, 80, 24, environ(env), "invoices", "pdf", "inv_1", "-o", "-")
	if code := term.ended(); code != 2 || requests.Load() > 0 {
		t.Errorf("exit %d after %d requests", code, requests.Load())
	}
}

// A closed pipe, as from head, ends a list without an error message.
func TestAPipeThatClosesEndsAListQuietly(t *testing.T) {
	env, requests := ledger(t, 1_000_000)
	cmd := program(t, environ(env), "transactions", "--all")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 100)); err != nil {
		t.Error(err)
	}
	if err := stdout.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 || requests.Load() > 1000 {
		t.Errorf("%v, %q, after %d requests", err, stderr.String(), requests.Load())
	}
}

// events tail exits once its reader has closed the pipe, even if no event arrives.
func TestTailEndsWithItsReader(t *testing.T) {
	env, _ := ledger(t, 0)
	for _, since := range []string{"", apiclient.SinceNow} {
		cmd := program(t, environ(env), "events", "tail", "--since", since)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		notes := bufio.NewReader(stderr)
		if told, err := notes.ReadString('\n'); err != nil ||
			!strings.HasPrefix(told, "Listening for events. Press Ctrl+C to stop.") {
			t.Fatalf("it begins with %q, %v", told, err)
		}
		if err := stdout.Close(); err != nil {
			t.Error(err)
		}
		rest, _ := io.ReadAll(notes)
		if err := cmd.Wait(); err != nil || len(rest) > 0 {
			t.Errorf("--since %q: %v, %q", since, err, rest)
		}
	}
}

// Every command exits normally after its reader closes the pipe.
func TestAClosedPipeIsNoFailure(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"version"}, {"--version"}, {"man"}, {"completion", "bash"}} {
		cmd := program(t, nil, args...)
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := read.Close(); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = write, &stderr
		if err := cmd.Run(); err != nil || stderr.Len() > 0 {
			t.Errorf("%v: %v, %q", args, err, stderr.String())
		}
		if err := write.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAnInterruptedListSaysSo(t *testing.T) {
	env, _ := ledger(t, 1_000_000)
	cmd := program(t, environ(env), "transactions", "--all", "--json")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 100)); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	rest := make([]byte, 64<<10)
	for err == nil {
		_, err = stdout.Read(rest)
	}
	err = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 143 || !regexp.MustCompile(
		`^tarmac: ended by a signal; what is written is not the whole list: [\d,]+ of 1,000,000 transactions\n$`).MatchString(
		stderr.String()) {
		t.Errorf("%v, %q", err, stderr.String())
	}
}

// A rate-limit pause is reported on terminals and does not appear in the list.
func TestAPauseThatTheServerAsksForIsTold(t *testing.T) {
	t.Parallel()
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if tries++; r.URL.Query().Get("cursor") != "" && tries == 2 {
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte(`{"error":"too many requests"}`))
			return
		}
		_, _ = w.Write(mustJSON(t, ledgerPage(r, 300)))
	}))
	t.Cleanup(server.Close)
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
	// The timeout is shorter than the pause, so the client itself does not wait.
	term := startTerminal(t, 160, 24, environ(env), "transactions", "--all", "--timeout", "4s")
	if code := term.ended(); code != 0 || tries != 3 {
		t.Errorf("exit %d after %d requests", code, tries)
	}
	if told := term.output(); strings.Count(told, "\rRate limited: retrying in 5 s.\x1b[K") != 1 {
		t.Errorf("the terminal was told %q", told)
	}
}

func TestAPauseInsideACallIsTold(t *testing.T) {
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if tries++; tries == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte(`{"error":"too many requests"}`))
			return
		}
		_, _ = w.Write([]byte(`{"org_id":"org_1"}`))
	}))
	t.Cleanup(server.Close)
	term := startTerminal(t, 120, 24, environ(map[string]string{"TARMAC_BASE_URL": server.URL,
		"TARMAC_TOKEN": "svc_org_x"}), "ping", "--json")
	if code := term.ended(); code != 0 || tries != 2 {
		t.Errorf("exit %d after %d requests", code, tries)
	}
	if told := term.output(); strings.Count(told, "\rRate limited: retrying in 1 s.\x1b[K") != 1 ||
		!strings.Contains(told, "org_1") {
		t.Errorf("the terminal was told %q", told)
	}
}
