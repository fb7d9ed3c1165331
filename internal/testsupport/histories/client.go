package histories

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// defaultPatience is how long a client waits for an answer.
const defaultPatience = 3 * time.Second

// patience returns how long a client waits for an answer.
func (c *client) patience() time.Duration { return cmp.Or(c.load.Patience, defaultPatience) }

// outcome says what a client knows about a request.
type outcome int

const (
	answered outcome = iota
	notDone          // the request did not reach a service, or the service did nothing
	lost             // the request may have been carried out, or may still be
)

// answer is the response to a request that was answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a answer) decode(into any) bool { return json.Unmarshal(a.body, into) == nil }

// client sends one request after another.
type client struct {
	load   *Load
	number int
	rng    *rand.Rand
	http   *http.Client
}

func newClient(l *Load, number int) *client {
	// Requests on a connection of their own are never sent again by package http.
	return &client{load: l, number: number, rng: rand.New(rand.NewPCG(l.Seed, uint64(number))),
		http: &http.Client{Transport: &http.Transport{
			DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: l.RootCAs},
		}}}
}

// request is a request to any of the services.
type request struct {
	method, path, token string
	body                string
	key                 string // Idempotency-Key; "" for none
}

func (c *client) send(ctx context.Context, r request) (answer, outcome) {
	ctx, cancel := context.WithTimeout(ctx, c.patience())
	defer cancel()
	service := c.load.Services[c.rng.IntN(len(c.load.Services))]
	req, err := http.NewRequestWithContext(ctx, r.method, service+"/api/ext/v1"+r.path, strings.NewReader(r.body))
	if err != nil {
		return answer{}, notDone
	}
	req.Header.Set("Authorization", "Bearer "+r.token)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	res, err := c.http.Do(req)
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return answer{}, notDone
	}
	if err != nil {
		return answer{}, lost
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	switch {
	case err == nil && (res.StatusCode == http.StatusTooManyRequests || isAway(body)):
		return answer{}, notDone // nothing was done (docs/api.md, Rate limit), (docs/api.md, Errors)
	case err != nil || res.StatusCode >= 500:
		return answer{}, lost
	}
	return answer{res.StatusCode, res.Header, body}, answered
}

// isAway reports whether an answer says that no database server was there and nothing was done.
func isAway(body []byte) bool { return bytes.Contains(body, []byte("nothing was done")) }

// operation is an operation between its call and its answer.
type operation struct {
	history *History
	client  int
	call    int64
}

func (c *client) call() operation { return operation{c.load.History, c.number, c.load.History.now()} }

// returns records the operation's answer. For the outcome lost, output says that it is unknown. An
// operation that was not done is not recorded.
func (o operation) returns(kind Kind, id string, input, output any, how outcome) {
	at := o.history.now()
	switch how {
	case notDone:
		return
	case lost:
		at = never
	case answered:
	}
	o.history.add(kind, id, porcupine.Operation{
		ClientId: o.client, Input: input, Call: o.call, Output: output, Return: at,
	})
}
