package plain_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/plain"
)

func TestAnotherProfileIsAnotherSession(t *testing.T) {
	one, other := serve(t), serve(t)
	closed := 0
	k := talk{client: one.client}
	k.Drafts = t.TempDir()
	k.Profiles = []plain.Profile{
		{Name: "other", Open: func(context.Context) (plain.Connection, error) {
			return plain.Connection{Client: other.client, Profile: "other", ReadOnly: true, Close: func() { closed++ }}, nil
		}},
		{Name: "gone", Open: func(context.Context) (plain.Connection, error) {
			return plain.Connection{}, errors.New("the server cannot be reached")
		}},
	}
	text := k.say(t, "propose", "Acme", "cancel", "4", "filter in", "profile", "profile nowhere", "profile gone", "refresh", "profile other", "4", "propose")
	inOrder(t, text, `Organization `+one.org, `money in`, `There are: other, gone\.`, `no profile "nowhere"`, `gone could not be opened: The server cannot be reached\.\nThis is still work\.`,
		`money in: `, `Overview, profile other, read-only\. Organization `+other.org, `2,500 transactions, all:`, `no command "propose"`)
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

// atOnce is a clock on which every pause is over.
func atOnce(time.Duration) <-chan time.Time {
	now := make(chan time.Time, 1)
	now <- time.Now()
	return now
}

func TestALongWaitIsSaidOnceForACommand(t *testing.T) {
	k := talk{client: serve(t).client}
	k.After = atOnce
	text := k.say(t, "months")
	if n := strings.Count(text, "Asking the server…"); n < 1 || n > 2 {
		t.Errorf("it was said %d times for two commands:\n%s", n, text)
	}
}

func TestALineThatIsTooLongIsNotACommand(t *testing.T) {
	k := talk{client: serve(t).client}
	inOrder(t, k.say(t, strings.Repeat("x", 200_000), "3"), `That line is too long`, `Receivables, profile work`)
}

// feed fails its second page.
type feed struct {
	plain.Client
	asked int
}

func (f *feed) EventPage(_ context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	known := apiclient.Event{ID: "evt_1", Type: apiclient.EventTest, OccurredAt: time.Now()}
	switch f.asked++; f.asked {
	case 1, 2: // the overview's, and the page's
		return &apiclient.EventPage{Data: []apiclient.Event{known}}, nil
	case 3:
		return nil, &apiclient.NetworkError{Err: errors.New("refused")}
	}
	fresh := apiclient.Event{ID: "evt_2", Type: apiclient.EventInvoicePaid, OccurredAt: time.Now()}
	return &apiclient.EventPage{Data: []apiclient.Event{fresh, known}}, nil
}

func TestEventsAreFollowedThroughAnOutageAndSaidOnce(t *testing.T) {
	k := talk{client: &feed{Client: serve(t).client}}
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
	inOrder(t, said.String(), `Following events`, `the server cannot be reached.*nothing will be missed`, `The server answers again`, `invoice\.paid`, `No longer following`)
}
