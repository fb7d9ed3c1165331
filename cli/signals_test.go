//go:build unix

package cli_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"

	"github.com/creack/pty"
)

func TestEveryEndLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken")
	for name, c := range map[string]struct {
		environ []string
		end     func(*terminal)
		code    int
		fault   string
	}{
		"q":                    {nil, func(term *terminal) { term.press("q") }, 0, ""},
		"ctrl+c":               {nil, func(term *terminal) { term.press("4", "/", "x", "ctrl+c") }, 0, ""},
		"TERM":                 {nil, func(term *terminal) { term.signal(syscall.SIGTERM) }, 143, ""},
		"HUP":                  {nil, func(term *terminal) { term.signal(syscall.SIGHUP) }, 129, ""},
		"INT":                  {nil, func(term *terminal) { term.signal(syscall.SIGINT) }, 130, ""},
		"a fault in an update": {[]string{testprogram.BreaksIn + "=(*Model).Update"}, nil, 1, "ui.(*Model)."},
		// The report has the innermost functions only, here those of a screen.
		"a fault in drawing": {[]string{testprogram.BreaksIn + "=(*Model).View"}, nil, 1, ".View"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			marker := broken + "-" + regexp.MustCompile(`\W`).ReplaceAllString(name, "-")
			term := startTerminal(t, 80, 24, append(c.environ, testprogram.BreaksWhen+"="+marker), "demo")
			term.until("● live", `\$[0-9]`)
			if c.end == nil {
				if err := os.WriteFile(marker, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				term.press("2")
			} else {
				c.end(term)
			}
			if code := term.ended(); code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			term.checkState()
			term.blank()
			out := term.output()
			told := strings.TrimSpace(out[strings.LastIndex(out, "\x1b[?1049l"):])
			if c.fault == "" {
				return
			}
			if lines := regexp.MustCompile(`(?m)^.*tarmac: .*$`).FindAllString(told, -1); len(lines) != 1 ||
				!strings.Contains(lines[0], "a fault in the program ended it: ") || !strings.Contains(lines[0], c.fault) {
				t.Errorf("it says %q", told)
			}
			if strings.Contains(out, testprogram.PanicText) || strings.Contains(out, "goroutine") ||
				strings.Contains(out, "Caught panic") {
				t.Errorf("it tells too much: %q", told)
			}
		})
	}
}

// SIGQUIT shows where a program is that hangs: the stacks come after the dashboard's screen.
func TestQUITRestoresTheTerminalAndPrintsTheStacks(t *testing.T) {
	t.Parallel()
	term := startTerminal(t, 80, 24, nil, "demo")
	term.until("● live", `\$[0-9]`)

	term.signal(syscall.SIGQUIT)

	if code := term.ended(); code != 2 {
		t.Errorf("exit %d", code)
	}
	term.checkState()
	out := term.output()
	after := out[strings.LastIndex(out, "\x1b[?1049l")+1:]
	if !strings.Contains(after, "SIGQUIT: quit") || !strings.Contains(after, "goroutine ") {
		t.Errorf("after the screen comes %q", after[:min(len(after), 500)])
	}
}

func TestQUITShowsTypingAgainAfterAQuestionForASecret(t *testing.T) {
	t.Parallel()
	term := startTerminal(t, 80, 24, nil, "login", "--base-url", "http://127.0.0.1:1")
	term.until("(?i)token")

	term.signal(syscall.SIGQUIT)

	if code := term.ended(); code != 2 {
		t.Errorf("exit %d", code)
	}
	term.checkSettings()
}

// Commands and the demo run in their own goroutines, beside the program.
func TestAFaultBesideTheProgramLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"handleCommands", "generateDemo", "demodata.(*Simulator).Run"} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			marker := filepath.Join(t.TempDir(), "broken")
			term := startTerminal(t, 80, 24, []string{testprogram.BreaksIn + "=" + in, testprogram.BreaksWhen + "=" + marker})
			term.until("Look around")
			begins := strings.Contains(in, "Life")
			if begins {
				term.press("enter")
				term.until("● live")
			}
			if err := os.WriteFile(marker, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if !begins {
				term.press("enter")
			}
			if code := term.ended(); code != 1 {
				t.Errorf("exit %d", code)
			}
			term.checkState()
			if out := term.output(); !strings.Contains(out,
				"tarmac: a fault in the program ended it: string at internal/testsupport/testprogram.") ||
				strings.Contains(out, testprogram.PanicText) || strings.Contains(out, "goroutine") {
				t.Errorf("it says %q", out[strings.LastIndex(out, "\x1b[?1049l"):])
			}
			if left, _ := filepath.Glob(filepath.Join(term.cmd.Dir, "tarmac-demo-*")); len(left) > 0 {
				t.Errorf("the demo left %v behind", left)
			}
		})
	}
}

// Job control works: a key or signal suspends the program and hides its screen, and fg resumes
// it.
func TestTheShellGetsTheTerminalMeanwhile(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/bin/bash"); err != nil {
		t.Skip("needs a shell with jobs")
	}
	cmd := program(t, nil, "demo")
	cmd.Args = []string{"bash", "--norc", "-c", `set -m; "$0" demo
until [ -z "$(jobs -s)" ]; do echo "in the shell, visit $((++n)), pid $(jobs -p)."; read -r; fg >/dev/null; done
echo "ended with $?"`, cmd.Path}
	cmd.Path = "/bin/bash"
	term := runInTerminal(t, cmd, 80, 24)
	for visit, stop := range []func(){
		func() { term.press("\x1a") },
		func() {
			pid, err := strconv.Atoi(regexp.MustCompile(`pid ([0-9]+)\.`).FindStringSubmatch(term.output())[1])
			if err == nil {
				err = syscall.Kill(pid, syscall.SIGTSTP)
			}
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		term.until("● live", `\$[0-9]`)
		stop()
		// The first visit's line is visible again once the screen is released.
		screen := term.until("in the shell, visit " + strconv.Itoa(visit+1))
		if strings.Contains(screen, "live") {
			t.Errorf("the figures are still there:\n%s", screen)
		}
		term.checkState()
		term.press("\n")
	}
	term.until("● live", `\$[0-9]`)
	term.press("2")
	term.until("Months")
	term.resize(40, 12)
	term.until("Runway")
	term.press("q")
	term.until("ended with 0")
	term.ended()
	term.checkState()
}

// A program that no shell could resume ignores the suspend key.
func TestAStopThatTheSystemRefusesIsNoEnd(t *testing.T) {
	t.Parallel()
	term := startTerminal(t, 80, 24, nil, "demo")
	term.until("● live")
	for range 3 {
		term.press("\x1a")
		term.signal(syscall.SIGTSTP)
	}
	term.press("2")
	term.until("Months", "● live")
	term.press("q")
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	term.checkState()
}

// The program exits when its window is closed or its connection is cut.
func TestAProgramWithoutItsTerminalEnds(t *testing.T) {
	t.Parallel()
	cmd := program(t, nil, "demo")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	window, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for buf := make([]byte, 64<<10); !strings.Contains(shown.String(), "live"); {
		n, err := window.Read(buf)
		shown.Write(buf[:n])
		if err != nil {
			t.Fatalf("%v: %q", err, shown.String())
		}
	}
	if err := window.Close(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		t.Fatal("it goes on")
	}
	// Either a signal ends it or a write fails.
	if code := cmd.ProcessState.ExitCode(); code != 129 && code != 1 {
		t.Errorf("exit %d", code)
	}
	if left, _ := filepath.Glob(filepath.Join(cmd.Dir, "tarmac-demo-*")); len(left) > 0 {
		t.Errorf("the demo left %v behind", left)
	}
}

// An interrupted command exits with the signal's code. A service or a tail that stops on
// request exits with 0.
func TestSignalsAreToldByTheExitCode(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 1)
	deaf := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(deaf.Close)
	for _, c := range []struct {
		args   string
		signal syscall.Signal
		code   int
	}{
		{"account", syscall.SIGTERM, 143}, {"account", syscall.SIGINT, 130}, {"account", syscall.SIGHUP, 129},
		{"webhooks delete wh_1 --yes", syscall.SIGTERM, 143}, {"events tail", syscall.SIGTERM, 0},
		{"events tail", syscall.SIGINT, 0},
	} {
		cmd := program(t, []string{"TARMAC_BASE_URL=" + deaf.URL, "TARMAC_TOKEN=svc_org_x"}, strings.Fields(c.args)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-began
		if err := cmd.Process.Signal(c.signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != c.code {
			t.Errorf("tarmac %s, %v: exit %d, want %d: %s", c.args, c.signal, got, c.code, stderr.String())
		}
	}
}
