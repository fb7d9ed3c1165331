//go:build long && unix

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/testprogram"
)

// operate runs `tarmac admin` commands beside the running service. It kills one command in
// twelve and looks up the outcome.
func (s *soak) operate(rng *rand.Rand) {
	template := testprogram.Command(s.t, nil)
	for s.rest(rng, 20*time.Millisecond, s.pace()/2) {
		if rng.IntN(3) == 0 {
			s.movePayment(rng, template)
		} else {
			s.moveInvoice(rng, template)
		}
	}
}

func (s *soak) admin(rng *rand.Rand, template *exec.Cmd, args ...string) ran {
	r := s.run(rng, 12, again(template, nil, append([]string{"admin", "--db", s.database}, args...)...))
	switch {
	case r.busy():
		s.tally.add("commands of operators that the database was too busy for", "refused, and not done")
	case r.code != 0 && !r.killed:
		s.t.Errorf("admin %q: exit %d, %s", args, r.code, r.said)
	}
	return r
}

// busy reports whether a command was refused because others wrote to the database for too long.
func (r ran) busy() bool { return r.code == 1 && strings.Contains(r.said, "the database is busy") }

// takeInvoice reserves an invoice that can change for this operator.
func (b *books) takeInvoice(rng *rand.Rand) *invoiceOnBooks {
	b.mu.Lock()
	defer b.mu.Unlock()
	var open []*invoiceOnBooks
	for _, inv := range b.invoices {
		if !inv.busy && (inv.status == apiclient.InvoiceDraft || inv.status == apiclient.InvoiceSent) {
			open = append(open, inv)
		}
	}
	if len(open) == 0 {
		return nil
	}
	inv := open[rng.IntN(len(open))]
	inv.busy = true
	return inv
}

// moveInvoice sends, pays, partly pays or voids an invoice.
func (s *soak) moveInvoice(rng *rand.Rand, template *exec.Cmd) {
	inv := s.books.takeInvoice(rng)
	if inv == nil {
		return
	}
	to, paid, what := apiclient.InvoiceSent, inv.paid, "send"
	args := []string{"invoice", "send", inv.id}
	switch n := rng.IntN(8); {
	case n == 0:
		to, what, args = apiclient.InvoiceVoided, "void", []string{"invoice", "void", inv.id}
	case inv.status == apiclient.InvoiceDraft:
	case n < 4 && inv.cents-inv.paid > 1:
		part := 1 + rng.Int64N(inv.cents-inv.paid-1)
		paid += part
		what, args = "pay a part", []string{"invoice", "pay", inv.id, "--amount", fmt.Sprintf("%d.%02d", part/100, part%100)}
	default:
		to, paid, what, args = apiclient.InvoicePaid, inv.cents, "pay", []string{"invoice", "pay", inv.id}
	}
	done := true
	if r := s.admin(rng, template, args...); r.code != 0 {
		is, err := s.operator.Invoice(context.Background(), inv.id)
		if err != nil {
			s.t.Errorf("looking up %s: %v", inv.id, err)
			return
		}
		status := apiclient.InvoiceStatus(is.Status)
		if status == apiclient.InvoiceOverdue {
			status = apiclient.InvoiceSent
		}
		switch {
		case status == to && is.PaidCents == paid:
			s.tally.add("moves of invoices", "killed, and done")
		case status == inv.status && is.PaidCents == inv.paid:
			s.tally.add("moves of invoices", "killed, and not done")
			done = false
		default:
			s.t.Errorf("%q left %s with %s, %d cents paid, of %+v", args, inv.id, is.Status, is.PaidCents, *inv)
			return
		}
	} else {
		s.tally.add("moves of invoices", "done: "+what)
	}
	s.books.mu.Lock()
	defer s.books.mu.Unlock()
	inv.busy = false
	if done {
		if inv.status != to {
			s.books.happened("invoice."+string(to), inv.id, inv.cents)
		}
		inv.status, inv.paid = to, paid
	}
}

// takePayment reserves a payment that can change, or returns a new one.
func (b *books) takePayment(rng *rand.Rand) *paymentOnBooks {
	b.mu.Lock()
	defer b.mu.Unlock()
	var open []*paymentOnBooks
	for _, p := range b.payments {
		if !p.busy && (p.status == apiclient.PaymentProcessing || p.status == apiclient.PaymentHeld) {
			open = append(open, p)
		}
	}
	if len(open) == 0 || rng.IntN(3) == 0 {
		p := &paymentOnBooks{name: fmt.Sprintf("soak %d", len(b.payments)), cents: 1 + rng.Int64N(10_000_000), busy: true}
		b.payments = append(b.payments, p)
		return p
	}
	p := open[rng.IntN(len(open))]
	p.busy = true
	return p
}

// movePayment creates a payment or changes its status.
func (s *soak) movePayment(rng *rand.Rand, template *exec.Cmd) {
	p := s.books.takePayment(rng)
	if p.id == "" {
		s.createPayment(rng, template, p)
		return
	}
	moves := map[string]apiclient.PaymentStatus{"complete": apiclient.PaymentCompleted, "fail": apiclient.PaymentFailed,
		"cancel": apiclient.PaymentCanceled, "hold": apiclient.PaymentHeld}
	names := []string{"complete", "complete", "fail", "cancel", "hold"}
	if p.status == apiclient.PaymentHeld {
		moves, names = map[string]apiclient.PaymentStatus{"approve": apiclient.PaymentProcessing,
			"cancel": apiclient.PaymentCanceled}, []string{"approve", "approve", "cancel"}
	}
	what := names[rng.IntN(len(names))]
	to, done := moves[what], true
	if r := s.admin(rng, template, "payment", what, p.id); r.code != 0 {
		is, ok := s.paymentNamed(p.name)
		switch {
		case ok && is == (payment{p.id, to}):
			s.tally.add("moves of payments", "killed, and done")
		case ok && is == (payment{p.id, p.status}):
			s.tally.add("moves of payments", "killed, and not done")
			done = false
		default:
			s.t.Errorf("%s of %+v left %+v", what, *p, is)
			return
		}
	} else {
		s.tally.add("moves of payments", "done: "+what)
	}
	s.moved(p, p.id, to, done)
}

// moved records a payment's new status.
func (s *soak) moved(p *paymentOnBooks, id string, to apiclient.PaymentStatus, done bool) {
	s.books.mu.Lock()
	defer s.books.mu.Unlock()
	p.busy = false
	if !done {
		return
	}
	p.id, p.status = id, to
	if to != apiclient.PaymentProcessing {
		s.books.happened("payment."+string(to), id, p.cents)
	}
}

func (s *soak) createPayment(rng *rand.Rand, template *exec.Cmd, p *paymentOnBooks) {
	to := apiclient.PaymentProcessing
	args := []string{"payment", "create", "--json", "--org", s.org, "--amount",
		fmt.Sprintf("%d.%02d", p.cents/100, p.cents%100), "--description", p.name, "--counterparty", "Acme LLC"}
	if rng.IntN(2) == 0 {
		to, args = apiclient.PaymentHeld, append(args, "--hold", "awaiting_approval")
	}
	r := s.admin(rng, template, args...)
	var made struct{ ID string }
	if r.code == 0 && json.Unmarshal(r.out, &made) == nil && made.ID != "" {
		s.tally.add("moves of payments", "done: create")
		s.moved(p, made.ID, to, true)
		return
	}
	is, ok := s.paymentNamed(p.name)
	if ok && is.status != to || r.code == 0 {
		s.t.Errorf("%q left %+v; %s", args, is, r.out)
	}
	if ok {
		s.tally.add("moves of payments", "killed, and done")
	} else {
		s.tally.add("moves of payments", "killed, and not done")
	}
	s.moved(p, is.id, to, ok)
}

type payment struct {
	id     string
	status apiclient.PaymentStatus
}

// paymentNamed looks up a payment by its description.
func (s *soak) paymentNamed(name string) (payment, bool) {
	all, err := s.operator.Payments(context.Background(), s.org, 100_000)
	if err != nil {
		s.t.Errorf("looking up the payment %s: %v", name, err)
	}
	for _, p := range all {
		if p.Description == name {
			return payment{p.ID, apiclient.PaymentStatus(p.Status)}, true
		}
	}
	return payment{}, false
}
