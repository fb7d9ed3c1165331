package histories

import (
	"context"
	"net/http"

	"github.com/anishathalye/porcupine"
)

// secretPair is the secrets that sign an endpoint's deliveries. A secret is "?" if nobody was told
// it, and "" if there is none.
type secretPair struct{ current, previous string }

// secretStep is what happens to an endpoint's secrets: "create", "rotate", or "sign" for a
// delivery.
type secretStep string

// rotateSecret is the model of Secrets. A rotation with a lost answer makes an unknown secret the
// current one.
func rotateSecret(s secretPair, in secretStep, out secretPair) (secretPair, bool) {
	switch in {
	case "create":
		return out, s == secretPair{}
	case "rotate":
		return secretPair{out.current, s.current}, true
	}
	return s, out == s
}

// verification is a requested test event.
type verification struct {
	operation
	endpoint string
}

func (c *client) createRotating(ctx context.Context, o *organization) *target {
	call := c.call()
	e, ok := c.subscribe(ctx, o)
	if !ok {
		return nil
	}
	c.load.told(e.ID, e.Secret)
	call.returns(Secrets, e.ID, secretStep("create"), secretPair{current: e.Secret}, answered)
	return &target{id: e.ID, remove: func(ctx context.Context, c *client) {
		c.removeEndpoint(ctx, o, e.ID, func(operation, answer, outcome) {})
	}}
}

func (c *client) rotate(ctx context.Context, o *organization) {
	e := c.target(ctx, o.rotating, o, c.createRotating)
	if e == nil {
		return
	}
	call := c.call()
	a, how := c.send(ctx, request{"POST", "/webhooks/" + e.id + "/rotate-secret", o.Token, "", ""})
	var is struct{ Secret string }
	if how == answered && a.status == http.StatusNotFound { // it was replaced meanwhile
		return
	}
	if how == answered && (a.status != http.StatusOK || !a.decode(&is)) {
		how = c.load.unexpected("a rotation", a)
	}
	out := secretPair{current: "?"}
	if how == answered {
		out.current = is.Secret
		c.load.told(e.id, is.Secret)
	}
	call.returns(Secrets, e.id, secretStep("rotate"), out, how)
}

// verify requests a test event. Its delivery is signed between the request and its arrival.
func (c *client) verify(ctx context.Context, o *organization) {
	e := c.target(ctx, o.rotating, o, c.createRotating)
	if e == nil {
		return
	}
	call := c.call()
	a, how := c.send(ctx, request{"POST", "/webhooks/" + e.id + "/verify", o.Token, "", ""})
	var is struct {
		EventID string `json:"event_id"`
	}
	if how == answered && a.status == http.StatusNotFound {
		return
	}
	if how == answered && (a.status != http.StatusAccepted || !a.decode(&is)) {
		how = c.load.unexpected("a test event", a)
	}
	if how != answered {
		return
	}
	c.load.mu.Lock()
	defer c.load.mu.Unlock()
	c.load.verifications[is.EventID] = verification{call, e.id}
}

// addDeliveries records which secrets signed the deliveries that arrived.
func (l *Load) addDeliveries() {
	for _, d := range l.Receiver.arrived() {
		l.mu.Lock()
		v, known := l.verifications[d.event]
		secrets := l.secrets[v.endpoint]
		l.mu.Unlock()
		if !known {
			continue
		}
		l.History.add(Secrets, v.endpoint, porcupine.Operation{
			ClientId: v.client, Input: secretStep("sign"), Call: v.call, Output: d.signedBy(secrets),
			Return: max(v.call, int64(d.at.Sub(l.History.began))),
		})
	}
}
