//go:build unix

package cli_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// spill is everything that programs wrote: their output, and the directories where they could
// write files.
type spill struct {
	t           *testing.T
	said        map[string]string // output by program
	directories []string
}

// run runs a command with its home among the searched directories, and keeps its output.
func (s *spill) run(what, input string, environ []string, args ...string) result {
	s.t.Helper()
	cmd := program(s.t, environ, args...)
	s.directories = append(s.directories, cmd.Dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	_ = cmd.Run()
	s.said[what] = stdout.String() + stderr.String()
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// forms returns the encodings in which a secret may have been written.
func forms(secret string) []string {
	secret = secret[strings.LastIndexByte(secret, '_')+1:] // without the common prefix
	return []string{secret, base64.StdEncoding.EncodeToString([]byte(secret)), hex.EncodeToString([]byte(secret))}
}

func holds(text, secret string) bool {
	for _, form := range forms(secret) {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// checkAbsent fails the test if a secret was written outside the allowed places.
func (s *spill) checkAbsent(name, secret string, allowed ...string) {
	s.t.Helper()
	may := func(place string) bool {
		for _, end := range allowed {
			if strings.HasSuffix(place, end) {
				return true
			}
		}
		return false
	}
	for what, said := range s.said {
		if !may(what) && holds(said, secret) {
			s.t.Errorf("%s is in what %s said", name, what)
		}
	}
	files := 0
	for _, dir := range s.directories {
		err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			files++
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !may(path) && holds(string(content), secret) {
				s.t.Errorf("%s is in %s", name, path)
			}
			return nil
		})
		if err != nil {
			s.t.Error(err)
		}
	}
	if files < 5 || len(s.said) < 10 {
		s.t.Errorf("only %d files and %d outputs were looked at", files, len(s.said))
	}
}

// private fails the test if other users can read a written file.
func (s *spill) private() {
	s.t.Helper()
	for _, dir := range s.directories {
		_ = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
			if err != nil || path == dir || entry.Name() == "seen" || strings.Contains(path, "/bin/") ||
				filepath.Base(path) == "bin" {
				return nil
			}
			if info, err := entry.Info(); err == nil && info.Mode().Perm()&0o077 != 0 && info.Mode()&os.ModeSymlink == 0 {
				s.t.Errorf("others can get at %s (%v)", path, info.Mode())
			}
			return nil
		})
	}
}

// recordingPrograms creates clipboard and browser programs that record their arguments, input and
// environment, and the command line of the parent process.
func recordingPrograms(t *testing.T) (path, seen string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bin")
	seen = filepath.Join(t.TempDir(), "seen")
	script := "#!/bin/sh\n{ env; echo \"$@\"; cat; tr '\\0' '\\n' </proc/$PPID/cmdline; } >>" + seen + " 2>&1\n"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"xclip", "xdg-open", "tmux"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir + string(filepath.ListSeparator) + os.Getenv("PATH"), seen
}

// A token and a signing secret are used in every way, with services that work, fail or echo
// input, by programs that exit normally or crash. Then everything written is searched for them.
func TestSecretsAreWrittenNowhereElse(t *testing.T) {
	t.Parallel()
	s := &spill{t: t, said: map[string]string{}}
	database, org, tokenFile := organization(t, "900", allScopes)
	must(t, "admin", "--db", database, "owner", "set", "--org", org, "--name", "Ada", "--email", "ada@example.com")
	content, err := os.ReadFile(tokenFile)
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(string(content))
	s.directories = append(s.directories, filepath.Dir(database), filepath.Dir(tokenFile))

	service := program(t, nil, "serve", "--db", database, "--addr", "127.0.0.1:0", "--rate", "0")
	serviceLog := filepath.Join(t.TempDir(), "service.log")
	log, err := os.OpenFile(serviceLog, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	service.Stdout, service.Stderr = log, log
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	s.directories = append(s.directories, service.Dir, filepath.Dir(serviceLog))
	stop := func() { _ = service.Process.Signal(syscall.SIGTERM); _ = service.Wait() }
	t.Cleanup(stop)
	url := "http://" + listenAddress(t, serviceLog)

	search, seen := recordingPrograms(t)
	s.directories = append(s.directories, filepath.Dir(seen))
	by := func(more ...string) []string {
		return append([]string{"TARMAC_BASE_URL=" + url, "TARMAC_TOKEN=" + token, "TEA_DEBUG=1", "TEA_TRACE=trace",
			"GOTRACEBACK=crash"}, more...)
	}

	// Commands, including one that prints a secret.
	if r := s.run("login", token+"\n", nil, "login", "--token-stdin", "--base-url", url); r.code != 0 {
		t.Fatalf("login: %s", r.stderr)
	}
	created := s.run("webhooks create", "", by(), "webhooks", "create", "--url", "https://hooks.example.com/x", "--types",
		"invoice.paid", "--log-file", "log")
	secret := shownSecret.FindString(created.stdout)
	if secret == "" {
		t.Fatalf("no secret: %s%s", created.stdout, created.stderr)
	}
	endpoint := endpointID(t, s.run("webhooks list", "", by(), "webhooks", "--json").stdout)
	for _, command := range []string{
		"ping --log-file log", "account --json", "overview", "transactions --limit 5 --csv", "events --limit 5 --json",
		"whoami", "doctor", "profiles --json", "config show",
		"webhooks get " + endpoint, "webhooks deliveries " + endpoint, "webhooks verify " + endpoint,
		"ping --token " + "x", "invoices get nothing --log-file log", token, "ping " + token, "--" + token,
		"invoices get " + token, "webhooks get " + secret, "ping --profile " + token,
	} {
		s.run("tarmac "+strings.NewReplacer(token, "TOKEN", secret, "SECRET").Replace(command), "",
			by("TMUX=x", "PATH="+search), strings.Fields(command)...)
	}

	// A server that echoes requests, and a server that is unreachable.
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := r.Header.Get("Authorization") + " " + secret
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", said)
		w.Header().Set("Location", "http://127.0.0.1:1/?"+said)
		w.WriteHeader(map[bool]int{true: 302, false: 500}[strings.HasSuffix(r.URL.Path, "/account")])
		_ = json.NewEncoder(w).Encode(map[string]string{"error": said})
	}))
	defer echo.Close()
	for _, base := range []string{echo.URL, "http://127.0.0.1:1", "https://" + token + "@example.com",
		"https://example.com/?" + token} {
		for _, command := range []string{"ping", "account", "doctor", "overview"} {
			environ := append(by(), "TARMAC_BASE_URL="+base)
			s.run(fmt.Sprintf("%s at %.22s", command, base), "", environ, command, "--log-file", "log", "--timeout", "2s")
		}
	}

	// The dashboard: used, crashed, and asked for a stack trace.
	walker := openDashboard(t, 120, 40, by("DISPLAY=:0", "PATH="+search), "--log-file", "log")
	s.directories = append(s.directories, walker.cmd.Dir)
	if runtime.GOOS == "linux" {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", walker.cmd.Process.Pid))
		limits, err2 := os.ReadFile(fmt.Sprintf("/proc/%d/limits", walker.cmd.Process.Pid))
		if err != nil || err2 != nil || holds(string(line), token) {
			t.Errorf("the command line is %q (%v)", line, err)
		}
		if !strings.Contains(strings.Join(strings.Fields(string(limits)), " "), "Max core file size 0 0") {
			t.Errorf("a crash may leave an image of the memory:\n%s", limits)
		}
	}
	for _, keys := range []string{"2", "3", "4", "6"} {
		walker.press(keys)
	}
	walker.do("5", `(?s)Number +Status.*INV-\d`)
	walker.do("enter", "Invoice ─")
	walker.do("y", "copied")
	walker.do("s", "saved ")
	walker.back("Invoice ─")
	walker.do("7", "hooks.example")
	walker.do("s", "Rotate the signing secret")
	walker.confirm()
	rotated := walker.secret()
	walker.close()
	s.said["the dashboard"] = walker.output()

	broken := filepath.Join(t.TempDir(), "broken")
	term := startTerminal(t, 80, 24, by(testprogram.BreaksWhen+"="+broken, testprogram.BreaksIn+"=(*Model).Update"))
	term.until("● live")
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	term.press("2")
	term.ended()
	s.said["a fault"] = term.output()
	s.directories = append(s.directories, term.cmd.Dir)

	tail := program(t, by(), "events", "tail")
	s.directories = append(s.directories, tail.Dir)
	var dump bytes.Buffer
	tail.Stderr = &dump
	out, err := tail.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := tail.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	_ = tail.Process.Signal(syscall.SIGQUIT) // prints every goroutine's stack
	_ = tail.Wait()
	if !strings.Contains(dump.String(), "goroutine") {
		t.Errorf("no stacks were told: %q", dump.String())
	}
	s.said["the stacks"] = dump.String()

	stop()
	told, err := os.ReadFile(seen)
	if err != nil || !strings.Contains(string(told), "TARMAC_BASE_URL") && !strings.Contains(string(told), "TERM=") {
		t.Errorf("no program was started: %q (%v)", told, err)
	}
	s.checkAbsent("the token", token, filepath.Join("tokens", "default"), tokenFile)
	s.checkAbsent("the signing secret", secret, "webhooks create")
	s.checkAbsent("the new signing secret", rotated, "the dashboard")
	s.private()
}

// listenAddress waits for the address in a service's log and returns it.
func listenAddress(t *testing.T, log string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		content, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			var entry struct{ Msg, Addr string }
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "serving" {
				return entry.Addr
			}
		}
	}
	t.Fatal("the service did not come up")
	return ""
}

// endpointID returns the id of the only listed endpoint.
func endpointID(t *testing.T, listed string) string {
	t.Helper()
	_, id, found := strings.Cut(listed, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	if !found {
		t.Fatalf("no endpoint in %q", listed)
	}
	return id
}

// Child processes do not inherit the token in their environment.
func TestChildrenDoNotInheritTheToken(t *testing.T) {
	search, seen := recordingPrograms(t)
	environ := []string{"TARMAC_BASE_URL=http://127.0.0.1:1", "TARMAC_TOKEN=svc_org_inherited", "TMUX=x", "PATH=" + search}
	cmd := program(t, environ, "doctor")
	_ = cmd.Run() // fails without a service
	told, err := os.ReadFile(seen)
	if err != nil || !strings.Contains(string(told), "TARMAC_BASE_URL") || strings.Contains(string(told), "inherited") {
		t.Errorf("tmux saw %q (%v)", told, err)
	}
}
