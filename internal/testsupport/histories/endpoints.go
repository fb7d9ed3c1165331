package histories

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// endpointState is what clients see of a webhook endpoint. The zero value is one that does not
// exist.
type endpointState struct{ url, types, status string }

// endpointChange is what is asked of an endpoint: "create", "read", "delete", or "change", which
// sets the fields that are not "".
type endpointChange struct {
	what   string
	fields endpointState
}

// endpointResult is the answer. A zero state means that there is no such endpoint.
type endpointResult struct {
	state   endpointState
	unknown bool
}

func (s endpointState) with(fields endpointState) endpointState {
	for _, f := range []struct {
		to   *string
		from string
	}{{&s.url, fields.url}, {&s.types, fields.types}, {&s.status, fields.status}} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	return s
}

// changeEndpoint is the model of Endpoints.
func changeEndpoint(s endpointState, in endpointChange, out endpointResult) (endpointState, bool) {
	none := endpointState{}
	next := s
	switch {
	case in.what == "create":
		return out.state, s == none
	case in.what == "change" && s != none:
		next = s.with(in.fields)
	case in.what == "delete":
		// The answer has the endpoint's state before: whether it was there.
		return none, out.unknown || (out.state == none) == (s == none)
	}
	return next, out.unknown || out.state == next
}

// endpointAnswer is what an answer says about an endpoint.
type endpointAnswer struct {
	ID, URL, Status, Secret string
	EventTypes              []string `json:"event_types"`
}

func (e endpointAnswer) state() endpointState {
	return endpointState{e.URL, strings.Join(e.EventTypes, " "), e.Status}
}

// eventTypes are subscriptions to events that do not happen in a history.
var eventTypes = []string{"invoice.sent", "invoice.paid invoice.voided", "invoice.sent invoice.voided"}

func (c *client) newURL() string {
	return fmt.Sprintf("%s/%d", c.load.Receiver.URL(), c.rng.IntN(1000))
}

func (c *client) createEndpoint(ctx context.Context, o *organization) *target {
	call := c.call()
	e, ok := c.subscribe(ctx, o)
	if !ok {
		return nil
	}
	call.returns(Endpoints, e.ID, endpointChange{what: "create"}, endpointResult{state: e.state()}, answered)
	return &target{id: e.ID, remove: func(ctx context.Context, c *client) {
		c.removeEndpoint(ctx, o, e.ID, func(call operation, a answer, how outcome) {
			call.returns(Endpoints, e.ID, endpointChange{what: "delete"}, deletion(a, how), how)
		})
	}}
}

// deletion returns the result of a request that deletes an endpoint.
func deletion(a answer, how outcome) (r endpointResult) {
	r.unknown = how == lost
	if a.status == http.StatusNoContent {
		r.state.status = "deleted"
	}
	return r
}

// removeEndpoint deletes an endpoint, because an organization can have only a few. It calls record
// for each request.
func (c *client) removeEndpoint(
	ctx context.Context, o *organization, id string, record func(operation, answer, outcome),
) {
	for ctx.Err() == nil {
		call := c.call()
		a, how := c.send(ctx, request{"DELETE", "/webhooks/" + id, o.Token, "", ""})
		record(call, a, how)
		if how == answered {
			return
		}
	}
}

// subscribe creates an endpoint.
func (c *client) subscribe(ctx context.Context, o *organization) (e endpointAnswer, ok bool) {
	body := fmt.Sprintf(`{"url":%q,"event_types":["invoice.sent"]}`, c.newURL())
	a, how := c.send(ctx, request{"POST", "/webhooks", o.Token, body, ""})
	if how == answered && a.status != http.StatusConflict && (a.status != http.StatusCreated || !a.decode(&e)) {
		how = c.load.unexpected("a new endpoint", a)
	}
	return e, how == answered && e.ID != ""
}

// useEndpoint reads, changes or deletes an endpoint.
func (c *client) useEndpoint(ctx context.Context, o *organization) {
	e := c.target(ctx, o.endpoints, o, c.createEndpoint)
	if e == nil {
		return
	}
	r := request{"GET", "/webhooks/" + e.id, o.Token, "", ""}
	in := endpointChange{what: "read"}
	switch n := c.rng.IntN(20); {
	case n == 0 && e.isOld():
		r.method, in.what = "DELETE", "delete"
	case n < 10:
		r.method, in.what = "PATCH", "change"
		in.fields = c.someFields()
		r.body = in.fields.patch()
	case n < 13:
		c.listEndpoints(ctx, o, e)
		return
	}
	call := c.call()
	a, how := c.send(ctx, r)
	out := endpointResult{unknown: how == lost}
	var is endpointAnswer
	switch {
	case how != answered || a.status == http.StatusNotFound:
	case a.status == http.StatusNoContent && in.what == "delete":
		out = deletion(a, how)
	case a.status != http.StatusOK || !a.decode(&is):
		how = c.load.unexpected("an endpoint", a)
	default:
		out.state = is.state()
	}
	if how != lost || in.what != "read" {
		call.returns(Endpoints, e.id, in, out, how)
	}
}

// someFields returns new values for some of an endpoint's fields.
func (c *client) someFields() (f endpointState) {
	for f == (endpointState{}) {
		if c.rng.IntN(2) == 0 {
			f.url = c.newURL()
		}
		if c.rng.IntN(3) == 0 {
			f.types = eventTypes[c.rng.IntN(len(eventTypes))]
		}
		if c.rng.IntN(3) == 0 {
			f.status = []string{"active", "paused"}[c.rng.IntN(2)]
		}
	}
	return f
}

// patch returns the body of a request that sets the fields.
func (s endpointState) patch() string {
	fields := map[string]any{}
	if s.url != "" {
		fields["url"] = s.url
	}
	if s.types != "" {
		fields["event_types"] = strings.Fields(s.types)
	}
	if s.status != "" {
		fields["status"] = s.status
	}
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err) // unreachable: texts can be written as JSON
	}
	return string(body)
}

// listEndpoints reads an endpoint in the list of all.
func (c *client) listEndpoints(ctx context.Context, o *organization, e *target) {
	call := c.call()
	a, how := c.send(ctx, request{"GET", "/webhooks", o.Token, "", ""})
	var all []endpointAnswer
	if how == answered && (a.status != http.StatusOK || !a.decode(&all)) {
		how = c.load.unexpected("a list of endpoints", a)
	}
	if how != answered {
		return
	}
	out := endpointResult{}
	for _, is := range all {
		if is.ID == e.id {
			out.state = is.state()
		}
	}
	call.returns(Endpoints, e.id, endpointChange{what: "read"}, out, answered)
}
