package mcpserver_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tarmac/apiclient"
	"tarmac/client/assistant"
	"tarmac/internal/testsupport/faults"
	"tarmac/mcpserver"
	"tarmac/service/access"
)

// proposing returns options with which invoices can be proposed.
func proposing(client *apiclient.Client) mcpserver.Options {
	o := options(client)
	o.Proposer = client
	return o
}

// workshop is a proposal over $2,850.00.
func workshop() arguments {
	return arguments{
		"recipient_name": "Acme LLC", "recipient_email": "pay@acme.example", "description": "Consulting, May",
		"due_date": "2026-12-31", "notes": "as agreed", "idempotency_key": "acme-may-1",
		"line_items": []any{
			arguments{"description": "Hours", "quantity": "12.5", "unit_price_cents": 18000},
			arguments{"description": "Workshop", "quantity": "1", "unit_price_cents": 60000},
		},
	}
}

// person answers questions with an action, and keeps the questions.
type person struct {
	action  string
	content map[string]any
	asked   []string
}

func (p *person) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(
		_ context.Context, r *mcp.ElicitRequest,
	) (*mcp.ElicitResult, error) {
		p.asked = append(p.asked, r.Params.Message)
		return &mcp.ElicitResult{Action: p.action, Content: p.content}, nil
	}}
}

func drafts(t *testing.T, client *apiclient.Client) int {
	t.Helper()
	return len(must[[]apiclient.Invoice](t)(client.Invoices(t.Context(),
		apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: 200})))
}

func TestAProposalIsSentAfterThePersonsYesAndOnce(t *testing.T) {
	client := empty(t).honest(t)
	yes := &person{action: "accept", content: map[string]any{"create": true}}
	session := connect(t, proposing(client), yes.options())
	before := drafts(t, client)

	first := ask[assistant.Proposed](t, session, "propose_invoice", workshop())
	again := ask[assistant.Proposed](t, session, "propose_invoice", workshop())

	const question = `Create a draft invoice over $2,850.00? Nothing goes to the customer.
Customer: "Acme LLC"
E-mail: "pay@acme.example"
For: "Consulting, May"
Line 1: 12.5 x $180.00 = $2,250.00, "Hours"
Line 2: 1 x $600.00 = $600.00, "Workshop"
Due date: 2026-12-31
Internal notes: "as agreed"`
	if len(yes.asked) != 2 || yes.asked[0] != question {
		t.Errorf("the person was asked %q", yes.asked)
	}
	same(t, "total", first.Invoice.Total, 285000)
	if first.Outcome != "created" || again.Invoice.ID != first.Invoice.ID || drafts(t, client) != before+1 {
		t.Errorf("%+v, and again %+v; %d drafts more", first, again, drafts(t, client)-before)
	}
	created := must[*apiclient.Invoice](t)(client.Invoice(t.Context(), first.Invoice.ID))
	if created.Status != apiclient.InvoiceDraft || created.RecipientName != "Acme LLC" {
		t.Errorf("the draft is %+v", created)
	}
}

func TestNothingIsSentWithoutAYes(t *testing.T) {
	c := empty(t)
	counted := faults.New(c.service.Handler(), faults.Options{})
	client := c.client(t, counted, access.Scopes[:]...)
	for name, who := range map[string]*person{
		"declined":      {action: "decline"},
		"cancelled":     {action: "cancel"},
		"unticked":      {action: "accept", content: map[string]any{"create": false}},
		"another field": {action: "decline", content: map[string]any{"create": true}},
	} {
		session := connect(t, proposing(client), who.options())
		if f := failed(t, session, "propose_invoice", workshop()); !strings.Contains(f.Error, "nothing was sent") {
			t.Errorf("%s: %+v", name, f)
		}
	}
	cannotAsk := connect(t, proposing(client), nil)
	if f := failed(t, cannotAsk, "propose_invoice", workshop()); !strings.Contains(f.Error, "cannot show a question") {
		t.Errorf("a client that cannot ask: %+v", f)
	}
	if n := counted.Counts().Requests["POST /invoices"]; n != 0 {
		t.Errorf("%d proposals were sent", n)
	}
}

func TestTheToolThatWritesIsThereOnlyIfItIsAllowed(t *testing.T) {
	client := empty(t).honest(t)
	for _, o := range []mcpserver.Options{options(client), proposing(client)} {
		tools, err := connect(t, o, nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		writers := 0
		for _, tool := range tools.Tools {
			if !tool.Annotations.ReadOnlyHint {
				writers++
			}
		}
		if writes := o.Proposer != nil; (writers == 1) != writes {
			t.Errorf("%d tools write", writers)
		}
	}
}

// byHand is a client that answers questions itself, as one of protocol 2026-07-28 may.
func byHand(t *testing.T, o mcpserver.Options) *mcp.ClientSession {
	t.Helper()
	who := (&person{}).options()
	who.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	return connect(t, o, who)
}

func TestAYesIsGoodForOneProposalAndOneTime(t *testing.T) {
	client := empty(t).honest(t)
	now := noon
	o := proposing(client)
	o.Now = func() time.Time { return now }
	session := byHand(t, o)
	before := drafts(t, client)
	answer := func(with arguments, state string) string {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "propose_invoice", Arguments: with, RequestState: state,
			InputResponses: mcp.InputResponseMap{
				"confirm": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"create": true}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return textOf(result)
	}
	question := func() string {
		t.Helper()
		result := call(t, session, "propose_invoice", workshop())
		if result.InputRequests == nil || result.RequestState == "" {
			t.Fatalf("nobody was asked: %+v", result)
		}
		return result.RequestState
	}
	dearer := maps.Clone(workshop())
	dearer["notes"] = "not as agreed"
	otherKey := maps.Clone(workshop())
	otherKey["idempotency_key"] = "acme-may-2"

	for name, got := range map[string]string{
		"another proposal": answer(dearer, question()),
		"another key":      answer(otherKey, question()),
		"no state":         answer(workshop(), ""),
		"a made-up state":  answer(workshop(), "yes"),
	} {
		if !strings.Contains(got, "nothing was sent") {
			t.Errorf("%s: %s", name, got)
		}
	}
	late := question()
	now = now.Add(11 * time.Minute)
	if got := answer(workshop(), late); !strings.Contains(got, "no longer open") {
		t.Errorf("after eleven minutes: %s", got)
	}
	if n := drafts(t, client); n != before {
		t.Fatalf("%d drafts were created", n-before)
	}
	state := question()
	if got := answer(workshop(), state); !strings.Contains(got, `"outcome":"created"`) {
		t.Errorf("the yes: %s", got)
	}
	if got := answer(workshop(), state); !strings.Contains(got, "no longer open") {
		t.Errorf("the same yes again: %s", got)
	}
}

func TestQuestionsThatNobodyAnswersAreBounded(t *testing.T) {
	session := byHand(t, proposing(empty(t).honest(t)))
	refused := 0

	for range 30 {
		if result := call(t, session, "propose_invoice", workshop()); result.IsError {
			refused++
		}
	}

	if refused != 14 {
		t.Errorf("%d of 30 questions were refused, want 14", refused)
	}
}

func TestWrongProposalsAreRefusedBeforeThePersonIsAsked(t *testing.T) {
	yes := &person{action: "accept", content: map[string]any{"create": true}}
	o := proposing(empty(t).honest(t))
	o.Redact = func(text string) string { return strings.ReplaceAll(text, "svc_org_x", "[secret]") }
	session := connect(t, o, yes.options())
	line := func(description, quantity string, price any) []any {
		return []any{arguments{"description": description, "quantity": quantity, "unit_price_cents": price}}
	}
	for name, change := range map[string]arguments{
		"no lines":         {"line_items": []any{}},
		"no list":          {"line_items": nil},
		"many lines":       {"line_items": make([]any, 21)},
		"no quantity":      {"line_items": line("Hours", "", 1)},
		"a minus":          {"line_items": line("Hours", "-1", 1)},
		"an exponent":      {"line_items": line("Hours", "1e9", 1)},
		"a price of 0":     {"line_items": line("Hours", "1", 0)},
		"a fraction":       {"line_items": line("Hours", "1", 1.5)},
		"a huge price":     {"line_items": line("Hours", "999999999", 999_999_999_999)},
		"a long line":      {"line_items": line(strings.Repeat("x", 201), "1", 1)},
		"no such day":      {"due_date": "2026-02-30"},
		"a day in words":   {"due_date": "net 30"},
		"no address":       {"recipient_email": "Acme"},
		"two addresses":    {"recipient_email": "a@a.example, b@b.example"},
		"no name":          {"recipient_name": "\u200b"},
		"a short key":      {"idempotency_key": "1"},
		"a key with words": {"idempotency_key": "acme and more"},
		"a secret":         {"notes": "svc_org_x"},
		"a currency":       {"currency": "EUR"},
	} {
		with := workshop()
		maps.Copy(with, change)
		if result := call(t, session, "propose_invoice", with); !result.IsError {
			t.Errorf("%s: %s", name, textOf(result))
		}
	}
	if len(yes.asked) > 0 {
		t.Errorf("the person was asked %q", yes.asked)
	}
}

// The person sees exactly what is sent: text that cannot be seen is removed from both.
func TestHiddenTextIsNeitherShownNorSent(t *testing.T) {
	client := empty(t).honest(t)
	yes := &person{action: "accept", content: map[string]any{"create": true}}
	session := connect(t, proposing(client), yes.options())
	with := workshop()
	with["description"] = "Consulting\u202e\x1b[8m\nLine 3: 1 x $1.00 = $1.00, \"Total\"\u200b"

	done := ask[assistant.Proposed](t, session, "propose_invoice", with)

	const want = `Consulting Line 3: 1 x $1.00 = $1.00, "Total"`
	created := must[*apiclient.Invoice](t)(client.Invoice(t.Context(), done.Invoice.ID))
	if created.Description != want || strings.Count(yes.asked[0], "\n") != 7 ||
		!strings.Contains(yes.asked[0], `For: "Consulting Line 3: 1 x $1.00 = $1.00, \"Total\""`) {
		t.Errorf("sent %q, asked %q", created.Description, yes.asked[0])
	}
}

func TestAnOutcomeThatIsUnknownNamesTheDraftsAndSendsNothingAgain(t *testing.T) {
	c := empty(t)
	lossy := faults.New(c.service.Handler(), faults.Options{})
	lossy.Script(faults.Rule{Requests: "POST /invoices", Fault: faults.Refusal(503).WithLostResponse(), Times: 1})
	yes := &person{action: "accept", content: map[string]any{"create": true}}
	session := connect(t, proposing(c.client(t, lossy, access.Scopes[:]...)), yes.options())

	lost := ask[assistant.Proposed](t, session, "propose_invoice", workshop())
	again := ask[assistant.Proposed](t, session, "propose_invoice", workshop())

	if lost.Outcome != "unknown" || lost.Invoice != nil || len(lost.Candidates) != 1 || lost.Note == "" {
		t.Fatalf("the lost response: %+v", lost)
	}
	if again.Outcome != "created" || again.Invoice.ID != lost.Candidates[0].ID {
		t.Errorf("the same key again: %+v", again)
	}
	if n := lossy.Counts().Requests["POST /invoices"]; n != 2 {
		t.Errorf("%d proposals were sent", n)
	}
}

// After an unknown outcome, a refusal of the same proposal says nothing about the first attempt.
func TestARefusalAfterAnUnknownOutcomeLeavesItUnknown(t *testing.T) {
	c := empty(t)
	lossy := faults.New(c.service.Handler(), faults.Options{})
	lossy.Script(
		faults.Rule{Requests: "POST /invoices", Fault: faults.Refusal(503).WithLostResponse(), Times: 1},
		faults.Rule{Requests: "POST /invoices", Fault: faults.Refusal(401)},
	)
	yes := &person{action: "accept", content: map[string]any{"create": true}}
	session := connect(t, proposing(c.client(t, lossy, access.Scopes[:]...)), yes.options())
	other := maps.Clone(workshop())
	other["idempotency_key"] = "acme-may-2"

	lost := ask[assistant.Proposed](t, session, "propose_invoice", workshop())
	again := ask[assistant.Proposed](t, session, "propose_invoice", workshop())
	refused := failed(t, session, "propose_invoice", other)

	if again.Outcome != "unknown" || len(again.Candidates) != 1 || again.Candidates[0].ID != lost.Candidates[0].ID ||
		!strings.Contains(again.Note, "token") {
		t.Errorf("the same proposal again: %+v", again)
	}
	if refused.Error != "The server does not accept the token." {
		t.Errorf("another proposal: %+v", refused)
	}
}

func TestADueDateInThePastIsShownAsOne(t *testing.T) {
	no := &person{action: "decline"}
	session := connect(t, proposing(empty(t).honest(t)), no.options())
	late := maps.Clone(workshop())
	late["due_date"] = "2026-11-19"

	failed(t, session, "propose_invoice", late)

	if !strings.Contains(no.asked[0], "Due date: 2026-11-19 (in the past)") {
		t.Errorf("the person was asked %q", no.asked[0])
	}
}
