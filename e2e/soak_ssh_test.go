//go:build long && unix

package e2e_test

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/testsupport/openssh"
	"tarmac/internal/testsupport/providers"
	"tarmac/internal/testsupport/testprogram"
)

// sshServed is the process that serves dashboards over SSH. It is stopped and restarted.
type sshServed struct {
	s        *soak
	address  string
	template *exec.Cmd
	hostKey  string
	log      *os.File
	sessions []*sshDesk

	mu      sync.Mutex
	process *exec.Cmd // nil while stopped
	figures []figures // of the running process
}

// sshDesk is a dashboard over SSH that receives random keys.
type sshDesk struct {
	*desk
	client  *exec.Cmd // OpenSSH's command, as a template
	witness *apiclient.Client
	columns int
	rows    int
	outages bool // true if the balance comes from a bank that is at times down
}

// newSSHServed starts the process and opens sessions: two of the first organization and one of the
// second, each with a key of its own.
func newSSHServed(s *soak, o *providers.Fakes) *sshServed {
	s.t.Helper()
	openssh.Require(s.t)
	v := &sshServed{s: s, address: testprogram.FreeAddress(s.t), template: testprogram.Command(s.t, o.Environ),
		hostKey: filepath.Join(s.t.TempDir(), "host")}
	var err error
	if v.log, err = os.Create(filepath.Join(s.t.TempDir(), "ssh-log")); err != nil {
		s.t.Fatal(err)
	}
	v.start()
	s.t.Cleanup(func() { v.stop(syscall.SIGKILL); _ = v.log.Close() })
	for _, d := range []*sshDesk{
		{desk: &desk{s: s, name: "session 1", mayEnd: true}, witness: s.witness, columns: 80, rows: 24},
		{desk: &desk{s: s, name: "session 2", mayEnd: true}, witness: s.witness, columns: 120, rows: 40},
		{desk: &desk{s: s, name: "session 3", mayEnd: true}, witness: s.ledger.witness, columns: 80, rows: 24,
			outages: true},
	} {
		org := s.org
		if d.witness != s.witness {
			org = s.ledger.org
		}
		key := openssh.NewKey(s.t, "-t", "ed25519")
		testprogram.Must(s.t, "admin", "--db", s.database, "ssh-key", "add", "--org", org, "--name", d.name, "--file",
			key+".pub")
		d.client = openssh.Client{Address: v.address, User: "ada", Key: key}.SSH(s.t, []string{"-tt"})
		d.connect()
		v.sessions = append(v.sessions, d)
	}
	return v
}

func (v *sshServed) start() {
	cmd := again(v.template, nil, "ssh", "--db", v.s.database, "--addr", v.address, "--host-key", v.hostKey)
	cmd.Stderr = v.log
	if err := cmd.Start(); err != nil {
		v.s.t.Errorf("starting the process for SSH: %v", err)
		return
	}
	deadline := time.Now().Add(testprogram.Patience)
	for ; time.Now().Before(deadline); <-time.After(10 * time.Millisecond) {
		if conn, err := net.Dial("tcp", v.address); err == nil {
			_ = conn.Close()
			v.mu.Lock()
			v.process, v.figures = cmd, nil
			v.mu.Unlock()
			return
		}
	}
	v.s.t.Error("the process for SSH did not come up")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

func (v *sshServed) stop(by syscall.Signal) {
	v.mu.Lock()
	cmd := v.process
	v.process = nil
	v.mu.Unlock()
	if cmd != nil {
		_ = cmd.Process.Signal(by)
		late := time.AfterFunc(2*testprogram.Patience, func() {
			v.s.t.Errorf("the process for SSH does not end after %s", by)
			_ = cmd.Process.Signal(syscall.SIGQUIT)
		})
		defer late.Stop()
		_ = cmd.Wait()
	}
}

// crash kills the process at times during the first three fifths of the soak.
func (v *sshServed) crash(rng *rand.Rand) {
	least, most := 60*time.Second, 180*time.Second
	if !v.s.long() {
		least, most = 3*time.Second, 5*time.Second
	}
	for v.s.rest(rng, least, most) && time.Now().Before(v.s.began.Add(v.s.length*3/5)) {
		v.stop([]syscall.Signal{syscall.SIGKILL, syscall.SIGTERM}[rng.IntN(2)])
		v.start()
		v.s.tally.add("processes for SSH", "killed or asked to leave, and came back")
	}
}

// sample records the process's resource use.
func (v *sshServed) sample() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.process == nil {
		return
	}
	if f, ok := figuresOfProcess(v.process.Process.Pid); ok {
		v.figures = append(v.figures, f)
	}
}

// connect opens the session, and returns when the dashboard shows its figures, except those of a
// bank that is down. The process may be restarting.
func (d *sshDesk) connect() {
	for deadline := time.Now().Add(2 * testprogram.Patience); time.Now().Before(deadline); {
		d.sit(again(d.client, nil, d.client.Args[1:]...), d.columns, d.rows)
		if how := d.showsFigures(); how != "" {
			d.s.tally.add("sessions over SSH", how)
			return
		}
		d.s.tally.add("sessions over SSH", "refused or ended at once")
		_ = d.term.Cmd.Process.Kill()
		<-d.term.Done()
	}
	d.s.t.Errorf("%s cannot connect: %s", d.name, d.term.Text())
}

// showsFigures waits until the dashboard shows its figures, and returns how it was opened. It
// returns "" if the session ends before.
func (d *sshDesk) showsFigures() (how string) {
	late := time.After(testprogram.Patience)
	for {
		text := d.term.Text()
		cash := strings.Contains(text, "Cash on hand")
		switch {
		case cash && strings.Contains(text, "● live"):
			return "opened"
		// Busy machines slow the steps at the bank, so that an outage may outlast our patience.
		case cash && d.outages && strings.Contains(text, "some figures failed"):
			return "opened while the bank was down"
		}
		select {
		case <-d.term.Changed():
		case <-d.term.Done():
			return ""
		case <-late:
			return ""
		}
	}
}

// work presses keys as at other dashboards. It connects again when the session has ended, and at
// times ends the client.
func (d *sshDesk) work(rng *rand.Rand) {
	for d.s.load.Err() == nil {
		ended := d.term.Done()
		if d.s.long() && rng.IntN(3) == 0 { // the laptop is closed
			client := d.term.Cmd.Process
			stop := time.AfterFunc(time.Duration(10+rng.IntN(60))*time.Second, func() { _ = client.Kill() })
			defer stop.Stop()
		}
		d.wanderUntil(rng, ended)
		if d.s.load.Err() == nil {
			d.connect()
		}
	}
}

// check verifies that the session shows the API's cash, and ends it.
func (d *sshDesk) check() {
	d.s.t.Helper()
	select {
	case <-d.term.Done():
		d.connect()
	default:
	}
	d.term.Resize(120, 40)
	d.reach("1", "Cash on hand")
	if !regexp.MustCompile(`\$[0-9]`).MatchString(d.term.Text()) {
		d.term.Press("*")
	}
	d.reach("r", "● live")
	cash := insist(d.s, d.witness.CashPosition)
	d.term.Until(regexp.QuoteMeta(money.Text(cash.CashCents, "USD")))
	d.reach("?", "Keys ─")
	d.reach("1", "Cash on hand")
	d.term.Press("ctrl+c")
	if code := d.term.Ended(); code != 0 {
		d.s.t.Errorf("%s: exit %d", d.name, code)
	}
	d.term.CheckState()
	d.s.tally.add("sessions over SSH at the end", "answer every key, live, with the API's cash")
}

// mostIdleGoroutines is the largest number of goroutines of a process without sessions.
const mostIdleGoroutines = 60

// check verifies all sessions, and the process's log and resource use. It ends the process.
func (v *sshServed) check() {
	for _, d := range v.sessions {
		d.check()
	}
	text, err := os.ReadFile(v.log.Name())
	if err != nil {
		v.s.t.Fatal(err)
	}
	if regexp.MustCompile(`panic|goroutine `).Match(text) {
		v.s.t.Errorf("the log of the process for SSH has %.2000s", text)
	}
	v.s.judge("the process for SSH", v.figures)
	v.stop(syscall.SIGQUIT) // the runtime then lists all goroutines
	stacks, err := os.ReadFile(v.log.Name())
	if err != nil {
		v.s.t.Fatal(err)
	}
	n := len(regexp.MustCompile(`(?m)^goroutine \d+`).FindAll(stacks[len(text):], -1))
	v.s.tally.addN("goroutines of the process for SSH", "after all sessions", n)
	if n == 0 || n > mostIdleGoroutines {
		v.s.t.Errorf("%d goroutines are left after all sessions:\n%.20000s", n, stacks[len(text):])
	}
}
