package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/long"
	"tarmac/views"
)

// randomWalk is a dashboard whose commands run, and whose answers arrive, in random order and with
// random delays.
type randomWalk struct {
	*dashboard
	*faultyServer
	rng      *rand.Rand
	commands []tea.Cmd
	answers  []tea.Msg
	steps    []string
}

func (s *randomWalk) begin(cmd tea.Cmd) {
	if cmd != nil {
		s.commands = append(s.commands, cmd)
	}
}

// take passes a message to the dashboard and drops requests to the program.
func (s *randomWalk) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.begin(cmd)
		}
	default:
		_, cmd := s.Update(msg)
		s.begin(cmd)
	}
}

// step performs a random action.
func (s *randomWalk) step() {
	switch n := s.rng.IntN(12); {
	case n < 4 && len(s.commands) > 0:
		i := s.rng.IntN(len(s.commands))
		cmd := s.commands[i]
		s.commands = append(s.commands[:i], s.commands[i+1:]...)
		s.note("a command")
		if msg := cmd(); msg != nil {
			s.answers = append(s.answers, msg)
		}
	case n < 8 && len(s.answers) > 0:
		i := s.rng.IntN(len(s.answers))
		msg := s.answers[i]
		s.answers = append(s.answers[:i], s.answers[i+1:]...)
		s.note(fmt.Sprintf("answer %T", msg))
		s.take(msg)
	case n == 8:
		s.clock.pass(time.Duration(s.rng.IntN(40)) * time.Second)
		s.note("a tick")
		s.begin(s.tick(views.Tick{Now: s.clock.Now()}))
	case n == 9:
		s.Update(tea.WindowSizeMsg{Width: 1 + s.rng.IntN(140), Height: 1 + s.rng.IntN(50)})
	default:
		k := s.key()
		s.note("key " + k)
		if k == "q" {
			return // the walk continues
		}
		_, cmd := s.Update(keyPress(k))
		s.begin(cmd)
	}
}

// key returns a random key from the screen's help or a global key.
func (s *randomWalk) key() string {
	offered := []string{"1", "2", "3", "4", "5", "6", "7", "esc", "r", "?", "*", "x", "5", "enter"}
	for _, group := range s.front().Help() {
		for _, binding := range group.Bindings {
			if binding.Enabled() {
				offered = append(offered, binding.Keys()...)
			}
		}
	}
	return offered[s.rng.IntN(len(offered))]
}

func (s *randomWalk) note(what string) {
	s.steps = append(s.steps, what)
	if len(s.steps) > 30 {
		s.steps = s.steps[1:]
	}
}

// holds checks the invariants of every frame.
func (s *randomWalk) holds() {
	s.t.Helper()
	lines := strings.Split(s.render(), "\n")
	if len(lines) != s.height {
		s.t.Fatalf("%d lines instead of %d after %q", len(lines), s.height, s.steps)
	}
	if strings.Contains(s.text(), "987,654,321") || strings.Contains(s.text(), "9,876,543") {
		s.t.Fatalf("a figure of a fault is shown after %q:\n%s", s.steps, s.text())
	}
}

// drainAll runs all commands and delivers all answers until none are left.
func (s *randomWalk) drainAll() {
	for len(s.commands)+len(s.answers) > 0 {
		if len(s.commands) > 0 {
			cmd := s.commands[0]
			s.commands = s.commands[1:]
			s.answers = append(s.answers, cmd())
			continue
		}
		msg := s.answers[0]
		s.answers = s.answers[1:]
		s.take(msg)
	}
}

// After random keys, faults, orders and delays every frame has the right size; when the faults end,
// every part is fresh and matches the server. TARMAC_WALK is the number of steps of each walk,
// TARMAC_SEED the first seed.
func TestARandomWalkThroughFaults(t *testing.T) {
	c := newCompany(t)
	steps, seed := fromEnvironment(t, "TARMAC_WALK", 600), fromEnvironment(t, "TARMAC_SEED", 1)
	walks := long.Size(2, 4)
	if testing.Short() {
		walks, steps = 1, min(steps, 200)
	}
	for i := range walks {
		t.Run(fmt.Sprintf("seed %d", seed+i), func(t *testing.T) { walk(t, c, uint64(seed+i), steps) })
	}
}

func fromEnvironment(t *testing.T, name string, otherwise int) int {
	t.Helper()
	set := os.Getenv(name)
	if set == "" {
		return otherwise
	}
	n, err := strconv.Atoi(set)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func walk(t *testing.T, c *company, seed uint64, steps int) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() { // after the server has stopped
		for range 100_000 {
			if runtime.NumGoroutine() <= before+2 {
				return
			}
			runtime.Gosched()
		}
		t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
	})
	p := newFaultyServer(t, c)
	s := &randomWalk{faultyServer: p, rng: rand.New(rand.NewPCG(seed, 0))}
	var first tea.Cmd
	s.dashboard, first = newDashboard(t, p)
	s.begin(first)
	all := append(faults.Answers(), faults.Connections()...)
	for _, status := range []int{401, 403, 404, 429, 500, 503} {
		all = append(all, faults.Refusal(status))
	}
	for i := range steps {
		switch i % 100 {
		case 20:
			s.faults.Random(seed+uint64(i), 3, all...)
		case 80:
			s.faults.Clear()
		}
		s.step()
		s.holds()
	}
	s.faults.Clear()
	s.drainAll()
	for range 3 {
		s.clock.pass(61 * time.Second)
		s.begin(s.tick(views.Tick{Now: s.clock.Now()}))
		s.drainAll()
	}
	s.agrees(c)
}

// agrees checks that the dashboard shows what the server has.
func (s *randomWalk) agrees(c *company) {
	s.t.Helper()
	for _, part := range snapshot.Parts {
		if state := s.session.data.State(part); !state.HasFigures() || state.Err != nil || state.Waiting {
			s.t.Errorf("part %d: %+v", part, state)
		}
	}
	account, err := c.witness.Account(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	if known, _ := s.session.data.Account.Value(); known == nil || known.Balance == nil ||
		*known.Balance != *account.Balance {
		s.t.Errorf("the dashboard has %+v, the server %+v", known, account)
	}
	page, err := c.witness.EventPage(s.t.Context(), apiclient.EventQuery{Limit: 100})
	if err != nil {
		s.t.Fatal(err)
	}
	events := s.session.data.Feed.Events()
	for i, event := range page.Data {
		if i < len(events) && events[len(events)-1-i].ID != event.ID {
			s.t.Fatalf("event %d is %s, the server's is %s", i, events[len(events)-1-i].ID, event.ID)
		}
	}
	if len(events) < len(page.Data) {
		s.t.Errorf("%d events of %d", len(events), len(page.Data))
	}
}

// Answers to consecutive requests arrive in any order, and the answer to the last request is shown
// in the end.
func TestALateAnswerNeverReplacesANewerOne(t *testing.T) {
	c := newCompany(t)
	reference, first := newDashboard(t, newFaultyServer(t, c))
	reference.drain(first)
	for _, k := range []string{"4", "d", "d"} {
		_, cmd := reference.Update(keyPress(k))
		reference.drain(cmd)
	}
	for seed := range uint64(12) {
		p := newFaultyServer(t, c)
		s := &randomWalk{faultyServer: p, rng: rand.New(rand.NewPCG(seed, 1))}
		s.dashboard, first = newDashboard(t, p)
		s.begin(first)
		s.drainAll()
		s.press("4")
		for range 5 { // in, out, both, in, out
			_, cmd := s.Update(keyPress("d"))
			s.begin(cmd)
			for len(s.commands) > 0 { // the server has answered, but no answer is delivered yet
				cmd, s.commands = s.commands[0], s.commands[1:]
				switch msg := cmd().(type) {
				case tea.BatchMsg:
					s.commands = append(s.commands, msg...)
				default:
					s.answers = append(s.answers, msg)
				}
			}
		}
		if len(s.answers) < 5 {
			t.Fatalf("only %d answers are under way", len(s.answers))
		}
		s.rng.Shuffle(len(s.answers), func(i, j int) { s.answers[i], s.answers[j] = s.answers[j], s.answers[i] })
		for _, answer := range s.answers {
			s.take(answer)
			if sums := listed(s.text())[0]; strings.Contains(sums, " · net ") && sums != listed(reference.text())[0] {
				t.Errorf("seed %d: for a while it said %q", seed, sums)
			}
		}
		s.answers = nil
		s.drainAll()
		if got, want := listed(s.text()), listed(reference.text()); !slices.Equal(got, want) {
			t.Errorf("seed %d:\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// listed returns a frame without its header, which shows the freshness of the figures.
func listed(text string) []string { return strings.Split(text, "\n")[2:] }
