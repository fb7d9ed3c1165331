package providers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tarmac/internal/testsupport/faults"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
)

const elsewhere = "elsewhere.example.net"

// allFaults returns what can go wrong with an answer, whatever it contains.
func allFaults() []faults.Fault {
	all := append(faults.Answers(), faults.Connections()...)
	for _, status := range []int{400, 401, 402, 403, 404, 408, 409, 418, 429, 500, 502, 503, 504, 524} {
		all = append(all, faults.RetryAfter(status, ""), faults.RetryAfter(status, "3600"))
	}
	return all
}

// call asks a provider and returns what it said.
type call func(context.Context, *connected) (any, error)

// calls are the ways to ask a provider.
var calls = map[string]call{
	"accounts": func(ctx context.Context, c *connected) (any, error) { return c.provider.Accounts(ctx) },
	"reading": func(ctx context.Context, c *connected) (any, error) {
		return c.provider.Read(ctx, c.request())
	},
	"balance": func(ctx context.Context, c *connected) (any, error) {
		if !c.kind.Live {
			return nil, &providers.Failure{Text: "none"}
		}
		return c.provider.Balance(ctx, c.accounts[0])
	},
}

func TestAFaultIsAFailureInWordsAndTakesNothingIn(t *testing.T) {
	every := 1 // one of so many faults is tried
	if testing.Short() {
		every = 4
	}
	for m, s := range subjects() {
		c := s.connect(t)
		for name, ask := range calls {
			good, goodErr := ask(t.Context(), c)
			for n, fault := range allFaults() {
				if (n+m)%every != 0 {
					continue
				}
				got, asked, err := c.broken(t.Context(), fault, ask)

				what := fmt.Sprintf("%s, %s, %s", c.kind.Title, name, fault.Name)
				switch {
				case err == nil && !reflect.DeepEqual(got, good):
					t.Errorf("%s: taken in as %+v", what, got)
				case err != nil && goodErr == nil:
					c.checkFailure(t, what, err)
				}
				if err != nil && asked > 1 {
					t.Errorf("%s: asked %d times", what, asked)
				}
			}
			c.checkIntact(t, good, ask)
		}
		if n := c.online.Connections(elsewhere); n != 0 {
			t.Errorf("%s: a redirect was followed %d times", c.kind.Title, n)
		}
	}
}

func TestAProviderThatDoesNotAnswerIsNamedWithTheTimeThatItHad(t *testing.T) {
	for _, s := range subjects() {
		c := s.connect(t)
		held := make(chan struct{})
		c.answer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
		for name, ask := range calls {
			if name == "balance" && !c.kind.Live {
				continue
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, err := ask(ctx, c)
			cancel()

			f, ok := errors.AsType[*providers.Failure](err)
			if want := c.kind.Title + " did not answer within 1 second"; !ok || f.Text != want {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
		close(held)
	}
}

// broken calls the provider while its service has a fault, and returns how many requests it sent. A
// call that waits for an answer that never comes is canceled.
func (c *connected) broken(ctx context.Context, fault faults.Fault, ask call) (got any, asked int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	service := faults.New(c.fake, faults.Options{
		Elsewhere: "https://" + elsewhere, Held: func(*http.Request) { cancel() },
	})
	service.Script(faults.Rule{Fault: fault})
	c.answer(service)
	defer c.answer(c.fake)
	got, err = ask(ctx, c)
	for _, times := range service.Counts().Requests {
		asked += times
	}
	return got, asked, err
}

// checkIntact checks that the provider says the same as before, so that a test has not only seen
// refusals.
func (c *connected) checkIntact(t *testing.T, good any, ask call) {
	t.Helper()
	if got, _ := ask(t.Context(), c); !reflect.DeepEqual(got, good) {
		t.Fatalf("%s says %+v in the end, %+v at the start", c.kind.Title, got, good)
	}
}

// checkFailure checks that an error is one for the user: a clean sentence without secrets and
// without content of the answer.
func (c *connected) checkFailure(t *testing.T, what string, err error) {
	t.Helper()
	f, ok := errors.AsType[*providers.Failure](err)
	if !ok {
		t.Errorf("%s: %T %v is no failure", what, err, err)
		return
	}
	if f.RetryAfter < 0 || f.RetryAfter > 24*time.Hour {
		t.Errorf("%s: tried again after %s", what, f.RetryAfter)
	}
	c.checkText(t, what, f.Text)
	if strings.Contains(f.Text, "987,654") || strings.Contains(f.Text, "as the fault wants it") {
		t.Errorf("%s: %q repeats the answer", what, f.Text)
	}
	for _, part := range []string{"//" + c.host, "/v1/", "/simplefin/"} {
		if strings.Contains(f.Text, part) {
			t.Errorf("%s: %q has the URL of a request", what, f.Text)
		}
	}
}

// checkText checks a text that is shown to the user.
func (c *connected) checkText(t *testing.T, what, text string) {
	t.Helper()
	const longest = 16 << 10
	if text == "" || text != bank.Text(text) || utf8.RuneCountInString(text) > longest {
		t.Errorf("%s: the text is %.500q", what, text)
	}
	for _, secret := range c.known {
		if strings.Contains(text, secret) {
			t.Errorf("%s: %.500q has a secret", what, text)
		}
	}
}
