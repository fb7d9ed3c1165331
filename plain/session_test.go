package plain_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/state"
	"tarmac/plain"
)

func TestAnotherProfileIsAnotherSession(t *testing.T) {
	one, other := serve(t), serve(t)
	closed := 0
	k := talk{client: one.client}
	k.Drafts = state.Directory(t.TempDir())
	k.Profiles = []plain.Profile{
		{Name: "other", Open: func(context.Context) (plain.Connection, error) {
			return plain.Connection{Client: other.client, Profile: "other", ReadOnly: true, Close: func() { closed++ }}, nil
		}},
		{Name: "gone", Open: func(context.Context) (plain.Connection, error) {
			return plain.Connection{}, errors.New("the server cannot be reached")
		}},
	}
	text := k.say(t, "propose", "Acme", "cancel", "4", "filter in", "profile", "profile nowhere", "profile gone",
		"refresh", "profile other", "4", "propose")
	inOrder(t, text, `Organization `+one.org, `money in`, `Profiles: other, gone\.`, `No profile "nowhere"`,
		`Could not switch to profile gone: The server cannot be reached\.\nStill connected to work\.`, `money in: `,
		`Overview, profile other, read-only\. Organization `+other.org, `2,500 transactions, all:`,
		`Unknown command "propose"`)
	if closed != 1 {
		t.Errorf("the other connection was closed %d times", closed)
	}
}

func TestAConnectionThatCannotBeMadeEndsTheSession(t *testing.T) {
	want := errors.New("no such host")
	var out syncBuffer
	err := plain.Run(t.Context(), plain.Options{
		In: strings.NewReader("1\n"), Out: &out, Now: time.Now, After: time.After,
		Start: plain.Profile{Open: func(context.Context) (plain.Connection, error) { return plain.Connection{}, want }},
	})
	if !errors.Is(err, want) {
		t.Errorf("%v", err)
	}
}

// atOnce is a clock on which every pause ends immediately.
func atOnce(time.Duration) <-chan time.Time {
	now := make(chan time.Time, 1)
	now <- time.Now()
	return now
}

func TestALongWaitIsSaidOnceForACommand(t *testing.T) {
	k := talk{client: serve(t).client}
	k.After = atOnce
	text := k.say(t, "months")
	if n := strings.Count(text, "Waiting for the answer…"); n < 1 || n > 2 {
		t.Errorf("it was said %d times for two commands:\n%s", n, text)
	}
}

func TestALineThatIsTooLongIsNotACommand(t *testing.T) {
	k := talk{client: serve(t).client}
	inOrder(t, k.say(t, strings.Repeat("x", 200_000), "3"), `Line too long`, `Receivables, profile work`)
}

// feed returns one event to the first two requests, then the results of rest in turn, and repeats
// the last one.
type feed struct {
	plain.Client
	rest  []func() (*apiclient.EventPage, error)
	asked int
}

func (f *feed) EventPage(context.Context, apiclient.EventQuery) (*apiclient.EventPage, error) {
	if f.asked++; f.asked <= 2 { // requests of the overview and the page
		return some(knownEvent)()
	}
	return f.rest[min(f.asked-3, len(f.rest)-1)]()
}

var (
	knownEvent = apiclient.Event{
		ID:         "evt_1",
		Type:       apiclient.EventTest,
		OccurredAt: time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC),
	}
	freshEvent = apiclient.Event{
		ID:         "evt_2",
		Type:       apiclient.EventInvoicePaid,
		OccurredAt: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
	}
)

// some returns a result with these events.
func some(events ...apiclient.Event) func() (*apiclient.EventPage, error) {
	return func() (*apiclient.EventPage, error) { return &apiclient.EventPage{Data: events}, nil }
}

// failing returns a result with an error.
func failing(err error) func() (*apiclient.EventPage, error) {
	return func() (*apiclient.EventPage, error) { return nil, err }
}

func TestEventsAreFollowedThroughAnOutageAndSaidOnce(t *testing.T) {
	followed(t, &feed{Client: serve(t).client, rest: []func() (*apiclient.EventPage, error){
		failing(&apiclient.NetworkError{Err: errors.New("refused")}), some(freshEvent, knownEvent),
	}}, `Following events`, `the server cannot be reached.*Retrying after the last event`, `Connected again`,
		`invoice\.paid`, `Stopped following`)
}

// If the last known event has left the feed, the session reports that events may be missing.
func TestEventsThatLeftTheFeedUnreadAreSpokenOf(t *testing.T) {
	followed(t, &feed{Client: serve(t).client, rest: []func() (*apiclient.EventPage, error){
		failing(&apiclient.Error{Status: 400}), some(freshEvent),
	}}, `Following events`, `Events after evt_1 may be missing`,
		`keeps 90 days\. Everything the feed still keeps follows\.\n.*invoice\.paid`)
	later := freshEvent
	later.ID, later.Type = "evt_3", apiclient.EventInvoiceSent
	followed(t, &feed{Client: serve(t).client, rest: []func() (*apiclient.EventPage, error){
		some(), some(later, knownEvent), some(freshEvent),
	}}, `invoice\.sent`, `Events after evt_3 of 2026-11-20 09:00 UTC may be missing`, `invoice\.paid`)
}

// followed follows events until an invoice is paid.
func followed(t *testing.T, client *feed, want ...string) {
	t.Helper()
	k := talk{client: client}
	in, typed := io.Pipe()
	k.After = atOnce
	var said syncBuffer
	seen := make(chan struct{})
	k.Out = writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), "invoice.paid") {
			close(seen)
		}
		return said.Write(p)
	})
	ended := make(chan error, 1)
	go func() {
		_, err := k.try(in)
		ended <- err
	}()
	if _, err := io.WriteString(typed, "6\nfollow\n"); err != nil {
		t.Fatal(err)
	}
	<-seen
	if _, err := io.WriteString(typed, "\n"); err != nil {
		t.Fatal(err)
	}
	_ = typed.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	inOrder(t, said.String(), want...)
}
