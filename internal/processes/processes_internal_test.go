//go:build linux || darwin

package processes

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// start starts a process and returns its identity and a function that ends it.
func start(t *testing.T) (identity string, end func()) {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = func() { _, _ = cmd.Process.Kill(), cmd.Wait() }
	t.Cleanup(end)
	id, ok := identify(cmd.Process.Pid)
	if !ok {
		t.Fatal("the process has no identity")
	}
	return id.String(), end
}

func TestAKilledProcessHasEndedAtOnce(t *testing.T) {
	child, end := start(t)

	if Ended(child) || Ended(Self()) {
		t.Error("a process that runs has ended")
	}
	end()
	if !Ended(child) {
		t.Error("the killed process runs")
	}
}

// Until its parent asks for the exit code, a killed process keeps its number.
func TestAKilledProcessOfABusyParentHasEnded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	id, _ := identify(cmd.Process.Pid)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); !Ended(id.String()); time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the killed process runs")
		}
	}
}

func TestTheNextProcessWithTheSameNumberIsAnotherOne(t *testing.T) {
	self, _ := identify(os.Getpid())
	self.began += "0"

	if !Ended(self.String()) {
		t.Error("this process counts as an earlier one with its number")
	}
}

// Of a process elsewhere nothing is known, whatever its number.
func TestProcessesElsewhereMayStillRun(t *testing.T) {
	child, end := start(t)
	end()
	for name, change := range map[string]func(*identity){
		"another machine":    func(id *identity) { id.host = "elsewhere" },
		"another system":     func(id *identity) { id.system = "plan9" },
		"another disk":       func(id *identity) { id.boot += "x" },
		"another container":  func(id *identity) { id.space = "pid:[1]" },
		"an earlier boot":    func(id *identity) { id.booted -= 60 },
		"a later boot":       func(id *identity) { id.booted += 60 },
		"an impossible one":  func(id *identity) { id.pid = 0 },
		"all processes":      func(id *identity) { id.pid = -1 },
		"a name with a mark": func(id *identity) { id.host += separator },
	} {
		id, ok := parse(child)
		if !ok {
			t.Fatalf("%q has no meaning", child)
		}
		change(&id)
		if Ended(id.String()) {
			t.Errorf("%s: it has ended", name)
		}
	}
	for _, text := range []string{"", "linux", strings.Repeat(separator, 6), strings.Repeat(separator, 7)} {
		if Ended(text) {
			t.Errorf("%q: it has ended", text)
		}
	}
}
