package plain

import (
	"cmp"
	"context"

	"tarmac/apiclient"
	"tarmac/client/record"
)

// intentPage shows one payment intent.
type intentPage struct {
	id     string
	intent cached[*apiclient.PaymentIntent]
}

func (p *intentPage) name() string                { return "payment intent" }
func (p *intentPage) commands(*session) []command { return nil }

func (s *session) openIntent(id string) error {
	if id == "" {
		return s.answer("intent takes a payment intent id, such as intent pi_01K2; payment events contain it.")
	}
	return s.open(&intentPage{id: id})
}

func (p *intentPage) show(s *session) error {
	i, ok := p.intent.get(s, "Payment intent "+p.id, func(ctx context.Context) (*apiclient.PaymentIntent, error) {
		return s.server.Client.PaymentIntent(ctx, p.id)
	})
	if !ok {
		return nil
	}
	s.say("Payment intent %s.", cmp.Or(i.ID, p.id))
	o := record.PaymentIntent(i)
	s.details(o.Pick("status", "status_reason", "amount_cents", "counterparty_name", "description", "updated_at"))
	s.details(o.Extra())
	s.timeline(o.Pick("created_at", "held_at", "completed_at", "failed_at", "canceled_at"))
	return nil
}
