package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tarmac/internal/testsupport/faults"
	"tarmac/mcpserver"
	"tarmac/service/access"
)

// askedByHand proposes the workshop in a session of protocol 2025-11-25, in which the server asks
// by a request of its own, and returns the id of that request.
func askedByHand(t *testing.T, o mcpserver.Options) (c *conversation, id string) {
	t.Helper()
	c = converseAs(t, serve(t, o), `{"elicitation":{}}`)
	with, err := json.Marshal(workshop())
	if err != nil {
		t.Fatal(err)
	}
	c.say(`{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"propose_invoice","arguments":` +
		string(with) + `}}`)
	question := c.next()
	if question.Method != "elicitation/create" || !strings.Contains(string(question.Params), "$2,850.00") {
		t.Fatalf("nobody is asked: %+v", question)
	}
	return c, string(question.ID)
}

const acceptance = `"result":{"action":"accept","content":{"create":true}}}`

func TestAYesAfterTheCallWasCancelledSendsNothing(t *testing.T) {
	company := empty(t)
	counted := faults.New(company.service.Handler(), faults.Options{})
	c, id := askedByHand(t, proposing(company.client(t, counted, access.Scopes[:]...)))

	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"p","reason":"timed out"}}`)
	r := c.answer()
	c.say(`{"jsonrpc":"2.0","id":` + id + `,` + acceptance)
	c.lives()

	if n := counted.Counts().Requests["POST /invoices"]; n != 0 || string(r.ID) != `"p"` {
		t.Errorf("%d proposals were sent; the call is answered with %+v", n, r)
	}
}

func TestAnOldYesIsAnsweredOnceWithADraft(t *testing.T) {
	company := empty(t)
	c, id := askedByHand(t, proposing(company.honest(t)))

	c.say(`{"jsonrpc":"2.0","id":` + id + `,` + acceptance)

	if r := c.next(); !strings.Contains(string(r.Result), `created`) || drafts(t, company.honest(t)) != 1 {
		t.Errorf("the yes is answered with %s", r.Result)
	}
}

func TestAClientThatFailsToAskIsToldThatNothingWasSent(t *testing.T) {
	company := empty(t)
	for _, failure := range []string{
		`"error":{"code":-32601,"message":"Method not found"}}`,
		`"error":{"code":-32001,"message":"Request timed out"}}`,
		`"result":{}}`, `"result":{"action":"yes"}}`, `"result":{"action":"accept"}}`,
		`"result":{"action":"accept","content":{"create":"true"}}}`, `"result":{"action":"accept","content":{"other":true}}}`,
	} {
		c, id := askedByHand(t, proposing(company.honest(t)))

		c.say(`{"jsonrpc":"2.0","id":` + id + `,` + failure)

		r := c.next()
		if !strings.Contains(string(r.Result), `"isError":true`) || !strings.Contains(string(r.Result), "nothing was sent") {
			t.Errorf("%s is answered with %s %+v", failure, r.Result, r.Error)
		}
	}
	if n := drafts(t, company.honest(t)); n != 0 {
		t.Errorf("%d drafts were created", n)
	}
}
