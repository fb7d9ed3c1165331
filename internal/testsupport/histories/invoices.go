package histories

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// proposal is a proposal with a key. The body stands for its whole content.
type proposal struct{ body string }

// proposed is the answer to a proposal.
type proposed struct {
	result  string // "created", "repeated", "refused" or "unknown"
	invoice string // id
}

// keyed is what the service knows about a key. The body is "" before the first proposal, and the
// invoice is unknown ("?") as long as nobody was told its id.
type keyed struct{ body, invoice string }

// useKey is the model of Keys.
func useKey(s keyed, in proposal, out proposed) (keyed, bool) {
	switch out.result {
	case "unknown":
		if s.body == "" {
			return keyed{in.body, "?"}, true
		}
		return s, true
	case "created":
		return keyed{in.body, out.invoice}, s.body == ""
	case "repeated":
		return keyed{in.body, out.invoice}, s.body == in.body && (s.invoice == "?" || s.invoice == out.invoice)
	}
	return s, s.body != "" && s.body != in.body
}

// counting is an operation on the invoices of an organization.
type counting string

const (
	create   counting = "create"
	readLast counting = "read the newest"
)

// countInvoices is the model of Numbers. The state and the answer are the newest number.
func countInvoices(last int, in counting, number int) (int, bool) {
	if in == create {
		return number, number == last+1
	}
	return last, number == last
}

// attempt is a proposal that was sent, with the recipient's name by which its invoice is found.
type attempt struct {
	operation
	org, recipient string
	number         int // number of the invoice; 0 if the answer is unknown or is that of another attempt
}

func invoiceBody(recipient string) string {
	return fmt.Sprintf(
		`{"currency":"USD","description":"Advice","recipient_name":%q,"recipient_email":"a@b.example",`+
			`"line_items":[{"description":"Hours","quantity":"1","unit_price_cents":100}]}`,
		recipient,
	)
}

// invoiceAnswer is what an answer says about an invoice.
type invoiceAnswer struct{ ID, Number string }

func (i invoiceAnswer) number() int {
	n, err := strconv.Atoi(strings.TrimLeft(strings.TrimPrefix(i.Number, "INV-"), "0"))
	if err != nil {
		return -1
	}
	return n
}

// proposeWithKey sends a proposal with a key that several clients use, most of them with the same
// body.
func (c *client) proposeWithKey(ctx context.Context, o *organization) {
	n := o.proposals.Add(1)
	body, key := "A", fmt.Sprintf("key-%d", n/keyUses)
	if c.rng.IntN(4) == 0 {
		body = "B"
	}
	recipient := key + body
	call := c.call()
	a, how := c.send(ctx, request{"POST", "/invoices", o.Token, invoiceBody(recipient), key})
	out := proposed{result: "unknown"}
	var made invoiceAnswer
	switch {
	case how != answered:
	case a.status == http.StatusUnprocessableEntity:
		out.result = "refused"
	case a.status != http.StatusCreated || !a.decode(&made):
		how = c.load.unexpected("a proposal", a)
	case a.header.Get("Idempotent-Replayed") == "true":
		out = proposed{"repeated", made.ID}
	default:
		out = proposed{"created", made.ID}
	}
	call.returns(Keys, o.ID+" "+key, proposal{body}, out, how)
	switch out.result {
	case "created":
		c.load.created(attempt{call, o.ID, recipient, made.number()})
	case "unknown":
		c.load.created(attempt{operation: call, org: o.ID, recipient: recipient})
	}
}

func (c *client) proposeWithoutKey(ctx context.Context, o *organization) {
	recipient := fmt.Sprintf("without-%d", o.proposals.Add(1))
	call := c.call()
	a, how := c.send(ctx, request{"POST", "/invoices", o.Token, invoiceBody(recipient), ""})
	var made invoiceAnswer
	if how == answered && (a.status != http.StatusCreated || !a.decode(&made)) {
		how = c.load.unexpected("a proposal", a)
	}
	switch how {
	case answered:
		c.load.created(attempt{call, o.ID, recipient, made.number()})
	case lost:
		c.load.created(attempt{operation: call, org: o.ID, recipient: recipient})
	case notDone:
	}
}

func (c *client) readNewest(ctx context.Context, o *organization) {
	call := c.call()
	a, how := c.send(ctx, request{"GET", "/invoices?limit=1", o.Token, "", ""})
	var list []invoiceAnswer
	if how == answered && (a.status != http.StatusOK || !a.decode(&list)) {
		how = c.load.unexpected("a list of invoices", a)
	}
	if how != answered {
		return
	}
	newest := 0
	if len(list) > 0 {
		newest = list[0].number()
	}
	call.returns(Numbers, o.ID, readLast, newest, answered)
}
