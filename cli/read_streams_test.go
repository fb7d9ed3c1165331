package cli_test

import (
	"bytes"
	"context"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/service/egress"
)

func TestEveryPageIsListedOnce(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	page := decoded(t, c.must("transactions", "--all", "--json")).(map[string]any)
	rows, want := page["data"].([]any), page["summary"].(map[string]any)["count"]
	ids := map[any]bool{}
	for _, row := range rows {
		ids[row.(map[string]any)["id"]] = true
	}
	if float64(len(rows)) != want || len(ids) != len(rows) || page["next_cursor"] != "" {
		t.Errorf("%d rows, %d ids, of %v, next %v", len(rows), len(ids), want, page["next_cursor"])
	}
	// Reading in pages returns the same rows.
	first := decoded(t, c.must("transactions", "--limit", "250", "--json")).(map[string]any)
	cursor := first["next_cursor"].(string)
	second := decoded(t, c.must("transactions", "--limit", "250", "--json", "--cursor", cursor)).(map[string]any)
	if got := append(first["data"].([]any), second["data"].([]any)...); !reflect.DeepEqual(got, rows[:500]) {
		t.Error("two lists of 250 are not the first 500 rows")
	}
	events := decoded(t, c.must("events", "--all", "--json")).(map[string]any)["data"].([]any)
	n := 0
	for _, err := range c.client.Events(t.Context(), apiclient.EventQuery{Limit: 100}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != len(events) || n < 100 {
		t.Errorf("%d events are listed of %d", len(events), n)
	}
}

// lines passes each line of a running command's output to a test.
type lines struct {
	t    testing.TB
	all  chan string
	rest []byte
}

func (l *lines) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		l.all <- string(line)
		l.rest = rest
	}
}

func (l *lines) next() string {
	l.t.Helper()
	select {
	case line := <-l.all:
		return line
	case <-time.After(patience):
		l.t.Fatal("nothing more was written")
		panic("unreachable")
	}
}

// tail survives an outage: every event is printed once and in order, and the outage is reported
// on standard error.
func TestTailSurvivesAnOutage(t *testing.T) {
	t.Parallel()
	c := newConcurrentCommands(t, egress.Config{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stdout, stderr := &lines{t: t, all: make(chan string, 1000)}, &lines{t: t, all: make(chan string, 100)}
	last := firstID(t, c.api("/events"))
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run(ctx, command.Env{
			Stdout: stdout, Stderr: stderr, Getenv: func(name string) string { return c.env[name] }, Now: time.Now,
		}, []string{"events", "tail", "--json", "--since", last, "--interval", "1s", "--timeout", "2s"})
	}()
	var got []string
	read := func(n int) {
		t.Helper()
		for range n {
			got = append(got, decoded(t, stdout.next()).(map[string]any)["id"].(string))
		}
	}
	newer := func() (ids []string) {
		for event, err := range c.client.Events(t.Context(), apiclient.EventQuery{Limit: 100}) {
			if err != nil {
				t.Fatal(err)
			}
			if event.ID == last {
				break
			}
			ids = append([]string{event.ID}, ids...)
		}
		return ids
	}
	c.happen(5)
	read(len(newer()))
	if told := stderr.next(); !strings.Contains(told, "Listening") {
		t.Errorf("that it listens is told as %q", told)
	}
	address := c.address
	c.stop()
	if told := stderr.next(); !strings.Contains(told, "trying again") {
		t.Errorf("the outage is told as %q", told)
	}
	c.happen(250)
	c.listen(address)
	want := newer()
	read(len(want) - len(got))
	if told := stderr.next(); !strings.Contains(told, "connected again") {
		t.Errorf("the end of the outage is told as %q", told)
	}
	stop()
	if code := <-ended; code != 0 || len(stdout.all) > 0 || len(stderr.all) > 0 {
		t.Errorf("exit %d with %d lines and %d errors left", code, len(stdout.all), len(stderr.all))
	}
	if !reflect.DeepEqual(got, want) || len(want) <= pageOfEvents {
		t.Errorf("%d events were told, %d happened", len(got), len(want))
	}
}

// An unknown event id is an error with advice. Starting at the beginning instead would print 90
// days.
func TestAnUnknownEventIsNoPlaceToBeginAt(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	for _, types := range []string{"", "invoice.paid"} {
		args := []string{"events", "tail", "--since", "evt_typo"}
		if types != "" {
			args = append(args, "--types", types)
		}
		refused(t, c.run(args...), 4, "no event evt_typo in the feed (events are kept for 90 days); "+
			"use --since beginning for all stored events, or --since now for new ones")
	}
	refused(t, c.run("events", "list", "--starting-after", "evt_typo"), 4,
		"no event evt_typo in the feed (events are kept for 90 days); omit --starting-after to begin at the newest")
	refused(t, c.run("events", "list", "--types", "invoice.sung", "--starting-after", firstID(t, c.api("/events"))), 1,
		"invoice.sung")
}

// tail states which past events it prints first. --since selects none or all of them.
func TestTailBeginsWhereItIsTold(t *testing.T) {
	t.Parallel()
	c := newConcurrentCommands(t, egress.Config{})
	all := decoded(t, c.must("events", "--all", "--json")).(map[string]any)["data"].([]any)
	for _, test := range []struct {
		since, note string
		first       int // events printed before anything happens
	}{
		{"", "Listening for events. Press Ctrl+C to stop. The newest 100 come first; --since now leaves them out.", 100},
		{apiclient.SinceNow, "Listening for events. Press Ctrl+C to stop.", 0},
		{apiclient.SinceBeginning, "Listening for events. Press Ctrl+C to stop.", len(all)},
	} {
		ctx, stop := context.WithCancel(t.Context())
		stdout, stderr := &lines{t: t, all: make(chan string, 10_000)}, &lines{t: t, all: make(chan string, 100)}
		ended := make(chan int, 1)
		go func() {
			ended <- cli.Run(ctx, command.Env{
				Stdout: stdout, Stderr: stderr, Getenv: func(name string) string { return c.env[name] }, Now: time.Now,
			}, []string{"events", "tail", "--json", "--since", test.since, "--interval", "1s"})
		}()
		if note := stderr.next(); note != test.note {
			t.Errorf("--since %q begins with %q", test.since, note)
		}
		for i := test.first - 1; i >= 0; i-- {
			if got, want := decoded(t, stdout.next()).(map[string]any)["id"], all[i].(map[string]any)["id"]; got != want {
				t.Fatalf("--since %q prints %v instead of %v", test.since, got, want)
			}
		}
		stop()
		if code := <-ended; code != 0 || len(stdout.all) > 0 {
			t.Errorf("--since %q: exit %d, %d lines more", test.since, code, len(stdout.all))
		}
	}
}

// gone is a standard output whose reader closes it after the first bytes.
type gone struct{ writes int }

func (g *gone) Write(b []byte) (int, error) {
	if g.writes++; g.writes > 1 {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	}
	return len(b), nil
}

func TestAnOutputThatNobodyReadsEndsQuietly(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	var stderr bytes.Buffer
	code := cli.Run(t.Context(), command.Env{
		Stdout: &gone{}, Stderr: &stderr, Getenv: func(name string) string { return c.env[name] }, Now: time.Now,
	}, []string{"transactions", "--all", "--csv"})
	if code != 0 || stderr.Len() > 0 {
		t.Errorf("exit %d, %q", code, stderr.String())
	}
}
