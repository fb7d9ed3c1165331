//go:build unix

package sshd_test

import (
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"tarmac/internal/testsupport/testterminal"
)

// draining is a process of tarmac ssh that was told to stop while a person has a session.
func draining(t *testing.T, drain string) (
	d *sshDashboards, process *exec.Cmd, addresses map[string]string, term *testterminal.Terminal,
) {
	t.Helper()
	d = newSSHDashboards(t)
	d.organization("Northlight Labs")
	process, addresses = d.start("--metrics-addr", "127.0.0.1:0", "--drain", drain)
	t.Cleanup(func() { _ = process.Process.Kill() })
	term = testterminal.Start(t, d.client(addresses["serving"], "ada"), 100, 24, nil)
	term.Until("Northlight Labs  read-only", "live")
	if status := readyz(t, addresses["serving metrics"]); status != http.StatusOK {
		t.Errorf("before, /readyz is %d", status)
	}
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	return d, process, addresses, term
}

func readyz(t *testing.T, address string) (status int) {
	t.Helper()
	response, err := http.Get("http://" + address + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func TestAStoppingSSHServerIsNotReadyAndTellsThePeopleWhomItStillServes(t *testing.T) {
	d, process, addresses, term := draining(t, "1h")

	term.Until(`this server stops in (1 hour|59 minutes): finish what you do, then connect again`)

	if status := readyz(t, addresses["serving metrics"]); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz is %d", status)
	}
	term.Press("4")
	term.Until("No transactions")
	late := testterminal.Start(t, d.client(addresses["serving"], "ada"), 100, 24, nil)
	late.Until("Northlight Labs  read-only", "this server stops in ")
	for _, person := range []*testterminal.Terminal{term, late} {
		person.Press("q")
		if code := person.Ended(); code != 0 {
			t.Errorf("ssh ended with %d", code)
		}
	}
	_, _ = process.Process.Kill(), process.Wait()
}

func TestAnSSHServerEndsItsSessionsInOrderWhenItsTimeIsOver(t *testing.T) {
	_, process, _, term := draining(t, "1s")

	if code := term.Ended(); code != 1 {
		t.Errorf("ssh ended with %d", code)
	}
	if output := term.Output(); !strings.Contains(output, "this server stops in 1 second") ||
		!strings.Contains(output, "tarmac: the server stops") {
		t.Errorf("the person is told:\n%s", term.Text())
	}
	if err := process.Wait(); err != nil && process.ProcessState.ExitCode() != 143 {
		t.Errorf("tarmac ssh ended with %v", err)
	}
}
