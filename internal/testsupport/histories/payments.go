package histories

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"tarmac/service/ledger"
	"tarmac/service/lifecycle"
	"tarmac/service/payments"
)

// Operator changes payments, as `tarmac admin payment` does.
type Operator interface {
	CreatePayment(ctx context.Context, org string, request lifecycle.Payment, key string) (payments.Intent, error)
	HoldPayment(ctx context.Context, id, reason string) (payments.Intent, error)
	ApprovePayment(ctx context.Context, id string) (payments.Intent, error)
	CompletePayment(ctx context.Context, id string) (payments.Intent, error)
	FailPayment(ctx context.Context, id, reason string) (payments.Intent, error)
	CancelPayment(ctx context.Context, id string) (payments.Intent, error)
}

// paymentStep is what is asked of a payment: "create", "read", or a change of its status.
type paymentStep string

// paymentResult is the answer: the payment's status, or that the change was refused or is unknown.
type paymentResult struct {
	status           string
	refused, unknown bool
}

// paymentSteps are the changes of a payment's status with the statuses that allow them
// (docs/api.md, Payment status).
var paymentSteps = map[paymentStep]struct {
	from []string
	to   string
}{
	"hold":     {[]string{"processing"}, "held"},
	"approve":  {[]string{"held"}, "processing"},
	"complete": {[]string{"processing"}, "completed"},
	"fail":     {[]string{"processing"}, "failed"},
	"cancel":   {[]string{"held", "processing"}, "canceled"},
}

// movePayment is the model of Payments. The state is the status, "" before the payment exists.
func movePayment(status string, in paymentStep, out paymentResult) (string, bool) {
	switch in {
	case "create":
		return out.status, status == ""
	case "read":
		return status, out.status == status
	}
	step := paymentSteps[in]
	allowed := slices.Contains(step.from, status)
	switch {
	case out.refused, out.unknown && !allowed:
		return status, !allowed
	case out.unknown:
		return step.to, true
	}
	return step.to, allowed && out.status == step.to
}

// createPayment returns a new payment, or nil if it could not be created.
func (c *client) createPayment(ctx context.Context, o *organization) *target {
	ctx, cancel := context.WithTimeout(ctx, c.patience())
	defer cancel()
	call := c.call()
	p, err := c.operator().CreatePayment(ctx, o.ID, lifecycle.Payment{AmountCents: 100, Currency: "USD",
		Direction: ledger.Outflow, Description: "Rent", Counterparty: "Landlord"}, "")
	if err != nil {
		return nil
	}
	call.returns(Payments, p.ID, paymentStep("create"), paymentResult{status: string(p.Status)}, answered)
	return &target{id: p.ID}
}

func (c *client) operator() Operator { return c.load.Operators[c.rng.IntN(len(c.load.Operators))] }

func (c *client) changePayment(ctx context.Context, o *organization) {
	p := c.target(ctx, o.payments, o, c.createPayment)
	if p == nil {
		return
	}
	// Final statuses are rare, so that most payments change several times.
	step := []paymentStep{"hold", "approve"}[c.rng.IntN(2)]
	if c.rng.IntN(5) == 0 {
		step = []paymentStep{"complete", "fail", "cancel"}[c.rng.IntN(3)]
	}
	ctx, cancel := context.WithTimeout(ctx, c.patience())
	defer cancel()
	call := c.call()
	is, err := c.movePayment(ctx, step, p.id)
	out, how := paymentResult{status: string(is.Status)}, answered
	if _, ok := errors.AsType[*lifecycle.Conflict](err); ok {
		out = paymentResult{refused: true}
	} else if err != nil {
		out, how = paymentResult{unknown: true}, lost
	}
	call.returns(Payments, p.id, step, out, how)
}

func (c *client) movePayment(ctx context.Context, step paymentStep, id string) (payments.Intent, error) {
	o := c.operator()
	switch step {
	case "hold":
		return o.HoldPayment(ctx, id, payments.AwaitingApproval)
	case "approve":
		return o.ApprovePayment(ctx, id)
	case "complete":
		return o.CompletePayment(ctx, id)
	case "fail":
		return o.FailPayment(ctx, id, "")
	}
	return o.CancelPayment(ctx, id)
}

func (c *client) readPayment(ctx context.Context, o *organization) {
	p := c.target(ctx, o.payments, o, c.createPayment)
	if p == nil {
		return
	}
	call := c.call()
	a, how := c.send(ctx, request{"GET", "/payment-intents/" + p.id, o.Token, "", ""})
	var is struct{ Status string }
	if how == answered && (a.status != http.StatusOK || !a.decode(&is)) {
		how = c.load.unexpected("a payment", a)
	}
	if how == answered {
		call.returns(Payments, p.id, paymentStep("read"), paymentResult{status: is.Status}, answered)
	}
}
