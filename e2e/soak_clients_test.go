//go:build long && unix

package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/testprogram"
)

// program returns a command with its own home and environment: a client behind the faulty
// network, or one that calls the service directly.
func (s *soak) program(url, scopes string, more ...string) *exec.Cmd {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(s.token(scopes)+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return testprogram.Command(s.t, append(more, "TARMAC_BASE_URL="+url, "TARMAC_TOKEN_FILE="+file))
}

// ran is a command's result; killed means that it was ended early.
type ran struct {
	out    []byte
	said   string
	code   int
	killed bool
}

// run runs a command and kills one in oneIn on average.
func (s *soak) run(rng *rand.Rand, oneIn int, cmd *exec.Cmd) (r ran) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Start(); err != nil {
		s.t.Errorf("%q: %v", cmd.Args, err)
		return ran{code: -1}
	}
	if oneIn > 0 && rng.IntN(oneIn) == 0 {
		end := time.AfterFunc(time.Duration(rng.IntN(800))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		defer end.Stop()
	}
	_ = cmd.Wait()
	code := cmd.ProcessState.ExitCode()
	return ran{out.Bytes(), said.String(), code, code < 0}
}

// proposeByLibrary sends proposals with unique keys. After an unknown outcome it looks for the
// draft, and sends the same proposal again if there is none.
func (s *soak) proposeByLibrary(rng *rand.Rand) {
	c := s.client(s.network.server.URL, s.token(testprogram.AllScopes))
	for s.rest(rng, 100*time.Millisecond, s.pace()) {
		inv, p := s.books.propose(rng, s.long() && rng.IntN(4) == 0)
		key := "library-" + inv.name[len("Soak "):]
		for try := 1; s.load.Err() == nil; try++ {
			made, err := c.ProposeInvoice(s.load, p, apiclient.IdempotencyKey(key))
			if err == nil {
				s.agreed(inv, made.ID, try, "by the library")
				break
			}
			if !errors.Is(err, apiclient.ErrOutcomeUnknown) {
				s.tally.add("refusals and doubts of proposals", "refused, by the library")
			} else {
				s.tally.add("refusals and doubts of proposals", "in doubt, by the library")
				drafts, err := c.Invoices(s.load, apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: 200})
				i := slices.IndexFunc(drafts, func(d apiclient.Invoice) bool { return d.RecipientName == inv.name })
				if err == nil && i >= 0 && rng.IntN(2) == 0 {
					s.tally.add("proposals", "in doubt, found by looking")
					s.books.there(inv, drafts[i].ID)
					break
				}
			}
			if !s.rest(rng, 50*time.Millisecond, s.pace()) {
				break
			}
		}
	}
}

// agreed records that the service confirmed an invoice.
func (s *soak) agreed(inv *invoiceOnBooks, id string, try int, who string) {
	if try == 1 {
		s.tally.add("proposals", "confirmed at once, "+who)
	} else {
		s.tally.add("proposals", "confirmed when sent again, "+who)
	}
	s.books.there(inv, id)
}

// proposeByCommand does the same as a script that follows the exit code, and kills some
// commands.
func (s *soak) proposeByCommand(rng *rand.Rand) {
	template := s.program(s.network.server.URL, testprogram.AllScopes)
	for s.rest(rng, 100*time.Millisecond, s.pace()) {
		inv, p := s.books.propose(rng, s.long() && rng.IntN(4) == 0)
		args := []string{"invoices", "propose", "--json", "--timeout", clientTimeout.String(), "--idempotency-key",
			"command-" + inv.name[len("Soak "):],
			"--recipient-name", p.RecipientName, "--recipient-email", p.RecipientEmail, "--description", p.Description}
		if inv.past {
			args = append(args, "--due", p.DueDate.String())
		}
		for _, l := range p.LineItems {
			args = append(args, "--line", fmt.Sprintf("%s x %d.%02d %s", l.Quantity, l.UnitPriceCents/100, l.UnitPriceCents%100,
				l.Description))
		}
		for try := 1; s.load.Err() == nil; try++ {
			r := s.run(rng, 12, again(template, nil, args...))
			var made struct{ ID string }
			if r.code == 0 && json.Unmarshal(r.out, &made) == nil && made.ID != "" {
				s.agreed(inv, made.ID, try, "by the command")
				break
			}
			if r.code == 0 || r.code == 2 {
				s.t.Errorf("%q: exit %d, %s %s", args, r.code, r.out, r.said)
				break
			}
			if r.killed || r.code == 1 {
				s.tally.add("refusals and doubts of proposals", "in doubt, by the command")
				if id := s.draftOf(rng, template, inv.name); id != "" {
					s.tally.add("proposals", "in doubt, found by looking")
					s.books.there(inv, id)
					break
				}
			} else {
				s.tally.add("refusals and doubts of proposals", "refused, by the command")
			}
			if !s.rest(rng, 50*time.Millisecond, s.pace()) {
				break
			}
		}
	}
}

// draftOf returns the id of a recipient's draft, or "" if none was found.
func (s *soak) draftOf(rng *rand.Rand, template *exec.Cmd, name string) string {
	r := s.run(rng, 0, again(template, nil, "invoices", "--status", "draft", "--limit", "200", "--json", "--timeout",
		clientTimeout.String()))
	var drafts []struct {
		ID   string
		Name string `json:"recipient_name"`
	}
	if r.code != 0 || json.Unmarshal(r.out, &drafts) != nil {
		return ""
	}
	for _, d := range drafts {
		if d.Name == name {
			return d.ID
		}
	}
	return ""
}

// pace returns a client's maximum rest between two actions.
func (s *soak) pace() time.Duration {
	if s.long() {
		return 1500 * time.Millisecond
	}
	return 300 * time.Millisecond
}

// readPages adds up pages of transactions with random filters. The ledger does not change
// during the soak.
func (s *soak) readPages(rng *rand.Rand) {
	c := s.client(s.network.server.URL, s.token(testprogram.ReadScopes))
	today := civil.Of(time.Now().UTC())
	for s.rest(rng, 50*time.Millisecond, s.pace()) {
		q := apiclient.TransactionQuery{Limit: []int{7, 50, 200}[rng.IntN(3)]}
		if rng.IntN(2) == 0 {
			q.Direction = []apiclient.Direction{apiclient.Inflow, apiclient.Outflow}[rng.IntN(2)]
		}
		if q.Limit == 7 || rng.IntN(2) == 0 {
			q.From = today.AddDays(-rng.IntN(60))
		}
		if rng.IntN(3) == 0 {
			q.Keyword = []string{"office", "air", "ö", "payroll", "%"}[rng.IntN(5)]
		}
		switch problem, err := sumPages(s.load, c, q); {
		case problem != "":
			s.t.Error(problem)
		case err != nil:
			s.tally.add("walks through pages of transactions", "broken off with an error")
		default:
			s.tally.add("walks through pages of transactions", "equal to the summary")
		}
	}
}

// sumPages reads all pages and describes their differences from the summary.
func sumPages(ctx context.Context, c *apiclient.Client, q apiclient.TransactionQuery) (problem string, err error) {
	var sum apiclient.Summary
	seen := map[string]bool{}
	for {
		page, err := c.TransactionPage(ctx, q)
		if err != nil {
			return "", err
		}
		for _, t := range page.Data {
			if seen[t.ID] {
				return fmt.Sprintf("%+v lists %s twice", q, t.ID), nil
			}
			seen[t.ID] = true
			sum.Count++
			cents, known := t.Reporting.Minor()
			switch {
			case !known:
				sum.UnconvertedCount++
			case t.Direction == apiclient.Inflow:
				sum.InflowMinor += cents
			default:
				sum.OutflowMinor += cents
			}
		}
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			sum.NetMinor = sum.InflowMinor - sum.OutflowMinor
			if sum != page.Summary {
				problem = fmt.Sprintf("the pages of %+v come to %+v, and the summary says %+v", q, sum, page.Summary)
			}
			return problem, nil
		}
	}
}

// readEverything runs the commands that read. Output of a successful command must be complete.
func (s *soak) readEverything(rng *rand.Rand) {
	template := s.program(s.network.server.URL, testprogram.ReadScopes)
	commands := [][]string{
		{"account", "--json"}, {"cash-position", "--json"}, {"aging", "--json"}, {"overview"}, {"invoices", "--json"},
		{"transactions", "--all", "--csv"}, {"events", "list", "--all", "--json"}, {"ping"},
	}
	for s.rest(rng, 50*time.Millisecond, s.pace()) {
		args := commands[rng.IntN(len(commands))]
		r := s.run(rng, 0, again(template, nil, append(args, "--timeout", clientTimeout.String())...))
		switch {
		case r.code == 0 && args[0] == "transactions":
			if rows, err := csv.NewReader(bytes.NewReader(r.out)).ReadAll(); err != nil || len(rows) != 2501 {
				s.t.Errorf("%q wrote %d rows (%v) and said nothing: %s", args, len(rows), err, r.said)
			}
			fallthrough
		case r.code == 0:
			if len(r.out) == 0 || bytes.Contains(r.out, []byte("987654321")) || bytes.Contains(r.out, []byte("987,654,321")) {
				s.t.Errorf("%q says %.300s", args, r.out)
			}
			s.tally.add("commands that read", "exit 0, whole")
		case r.code == 2 || r.killed || r.said == "":
			s.t.Errorf("%q: exit %d, %s", args, r.code, r.said)
		default:
			s.tally.add("commands that read", fmt.Sprintf("exit %d, with the reason", r.code))
		}
	}
}

// tail follows the feed. It is stopped at times and resumes after its last event.
type tail struct {
	s    *soak
	name string
	// until follows the feed after an event until ctx or the tail itself ends.
	until func(ctx context.Context, since string, saw func(id string))

	mu   sync.Mutex
	seen []string // in the order of arrival
}

func (s *soak) openTails() []*tail {
	library := s.client(s.network.server.URL, s.token(testprogram.ReadScopes))
	tails := []*tail{{s: s, name: "the library", until: func(ctx context.Context, since string, saw func(string)) {
		for e, err := range apiclient.Tail(ctx, library,
			apiclient.TailOptions{Since: since, PageLimit: 20, Interval: 300 * time.Millisecond}) {
			if err == nil {
				saw(e.ID)
			}
		}
	}}}
	for range 2 {
		template := s.program(s.network.server.URL, testprogram.ReadScopes)
		tails = append(tails, &tail{s: s, name: "the command",
			until: func(ctx context.Context, since string, saw func(string)) {
				cmd := again(template, nil, "events", "tail", "--json", "--since", since, "--interval", "1s", "--timeout",
					clientTimeout.String())
				s.lines(ctx, cmd, func(line []byte) {
					var e struct{ ID string }
					if json.Unmarshal(line, &e) == nil && e.ID != "" {
						saw(e.ID)
					}
				})
			}})
	}
	return tails
}

// lines runs a command, passes on its output lines, and kills it when ctx ends.
func (s *soak) lines(ctx context.Context, cmd *exec.Cmd, line func([]byte)) {
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Errorf("%q: %v", cmd.Args, err)
		return
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	for scan := bufio.NewScanner(out); scan.Scan(); {
		line(scan.Bytes())
	}
	_ = cmd.Wait()
}

func (tl *tail) saw(id string) {
	tl.mu.Lock()
	defer tl.mu.Unlock()
	tl.seen = append(tl.seen, id)
}

// last returns the id of the last event seen.
func (tl *tail) last() string {
	tl.mu.Lock()
	defer tl.mu.Unlock()
	if len(tl.seen) == 0 {
		return tl.s.newest
	}
	return tl.seen[len(tl.seen)-1]
}

func (tl *tail) follow(rng *rand.Rand) {
	least, most := 10*time.Second, 3*time.Minute
	if !tl.s.long() {
		least, most = 500*time.Millisecond, 4*time.Second
	}
	for tl.s.rest(rng, 0, time.Second) {
		ctx, end := context.WithTimeout(tl.s.load, least+time.Duration(rng.Int64N(int64(most-least))))
		tl.until(ctx, tl.last(), tl.saw)
		if ctx.Err() == nil {
			tl.s.tally.add("tails of events, by "+tl.name, "ended by a refusal, and begun again")
		} else {
			tl.s.tally.add("tails of events, by "+tl.name, "killed, and begun again")
		}
		end()
	}
}

// check lets the tail read the remaining events and compares it with the feed: every event
// once, oldest first.
func (tl *tail) check(feed []apiclient.Event) {
	t := tl.s.t
	t.Helper()
	if len(feed) == 0 {
		t.Fatal("nothing happened")
	}
	ctx, end := context.WithTimeout(t.Context(), 2*testprogram.Patience)
	defer end()
	if tl.last() != feed[0].ID {
		tl.until(ctx, tl.last(), func(id string) {
			tl.saw(id)
			if id == feed[0].ID {
				end()
			}
		})
	}
	want := make([]string, len(feed))
	for i, e := range feed {
		want[len(feed)-1-i] = e.ID
	}
	if !slices.Equal(tl.seen, want) {
		t.Errorf("%s saw %d events, and the feed has %d: %s", tl.name, len(tl.seen), len(want),
			firstDifference(tl.seen, want))
	}
	tl.s.tally.addN("events followed by "+tl.name, "seen once, in order", len(tl.seen))
}

// firstDifference describes the first difference between two lists.
func firstDifference(got, want []string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	return fmt.Sprintf("from place %d: %q, want %q", i, got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
}
