package plain

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/client/record"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// webhooksPage lists the webhook endpoints.
type webhooksPage struct {
	list cached[[]apiclient.Webhook]
}

func (p *webhooksPage) name() string { return "webhooks" }

func (p *webhooksPage) commands(s *session) []command {
	return append([]command{{"open", "NUMBER", "show an endpoint and its deliveries", p.open}},
		s.unlessReadOnly(command{"create", "", "create an endpoint; its secret is shown once", p.create})...)
}

// unlessReadOnly returns the given commands. If the connection is read-only, it returns none.
func (s *session) unlessReadOnly(all ...command) []command {
	if s.server.ReadOnly {
		return nil
	}
	return all
}

func (p *webhooksPage) show(s *session) error {
	s.say("%s.", s.title())
	all, ok := p.list.get(s, "Webhooks", s.server.Client.Webhooks)
	switch {
	case !ok:
	case len(all) == 0:
		s.say("No endpoints yet. Type create to add one.")
	default:
		s.say("%s:", plural.Count(int64(len(all)), "endpoint"))
		sayNumbered(s, 1, all, webhookLine)
		sayUnreadableCount(s, "endpoint", all)
	}
	return nil
}

// webhookLine describes an endpoint in one line, without a full stop.
func webhookLine(w *apiclient.Webhook) string {
	if w.Unreadable != nil {
		return unreadable(cmp.Or(w.URL, w.ID), w.Unreadable)
	}
	line := cmp.Or(w.URL, w.ID) + ", " + spaced(w.Status)
	if w.DisabledReason != "" {
		line += ", because " + spaced(w.DisabledReason)
	}
	return line + ", " + join(w.EventTypes)
}

// spaced returns a word of the API with spaces for underscores, such as "auto disabled".
func spaced[T ~string](word T) string {
	return strings.ReplaceAll(termtext.Line(string(word)), "_", " ")
}

func (p *webhooksPage) open(s *session, args string) error {
	if i, ok := s.pick(args, len(p.list.value)); ok {
		return s.open(&webhookPage{list: p, webhook: p.list.value[i]})
	}
	return nil
}

// webhookPage shows one webhook endpoint.
type webhookPage struct {
	list    *webhooksPage
	webhook apiclient.Webhook
}

func (p *webhookPage) name() string { return "endpoint" }

func (p *webhookPage) commands(s *session) []command {
	deliveries := command{"deliveries", "", "list deliveries and their status", p.deliveries}
	if p.webhook.Unreadable != nil {
		return []command{deliveries} // no changes, because the endpoint could not be decoded
	}
	return append([]command{deliveries}, s.unlessReadOnly(
		command{"test", "", "send a test event", p.test},
		command{"edit", "", "change URL or event types", p.edit},
		command{"pause", "", "pause deliveries", p.pause},
		command{"activate", "", "resume deliveries, also after automatic disabling", p.activate},
		command{"rotate", "", "replace the signing secret; shown once", p.rotate},
		command{"delete", "", "delete the endpoint", p.remove},
	)...)
}

func (p *webhookPage) show(s *session) error {
	all, ok := p.list.list.get(s, "Endpoint", s.server.Client.Webhooks)
	if !ok {
		return nil
	}
	w := &p.webhook
	at := slices.IndexFunc(all, func(listed apiclient.Webhook) bool { return listed.ID == w.ID })
	if at < 0 {
		return s.answer("Endpoint %s no longer exists. Type back for the list.", w.ID)
	}
	if *w = all[at]; w.Unreadable != nil {
		return s.answer("Endpoint %s.", unreadable(w.ID, w.Unreadable))
	}
	s.say("Endpoint %s.", w.ID)
	o := record.Webhook(*w)
	o.SetDetail("status", spaced(w.Status))
	o.SetDetail("disabled_reason", cmp.Or(endpoint.DisabledMeans(w.DisabledReason), spaced(w.DisabledReason)))
	s.details(o.Pick("url", "status"))
	if w.DisabledReason != "" {
		s.details(o.Pick("disabled_reason", "disabled_at"))
		s.say("  Type activate to resume.")
	}
	s.details(o.Pick("event_types"))
	if at := w.PreviousSecretExpiresAt; at != nil && s.Now().Before(*at) {
		s.details(o.Pick("previous_secret_expires_at"))
	}
	s.details(append(o.Pick("created_at"), o.Extra()...))
	return nil
}

func (p *webhookPage) deliveries(s *session, _ string) error {
	all, err := requestWithRetry(s, func(ctx context.Context) ([]apiclient.WebhookDelivery, error) {
		return s.server.Client.WebhookDeliveries(ctx, p.webhook.ID)
	})
	switch {
	case err != nil:
		return s.failed("Deliveries", err)
	case len(all) == 0:
		return s.answer("No deliveries yet.")
	}
	s.say("%s, newest first:", plural.Count(int64(min(len(all), listRows)), "delivery"))
	sayNumbered(s, 1, all[:min(len(all), listRows)], s.deliveryLine)
	if n := len(all) - listRows; n > 0 {
		s.say("%s not shown.", plural.Count(int64(n), "older delivery"))
	}
	sayUnreadableCount(s, "delivery", all)
	return nil
}

// deliveryLine describes a delivery in one line, without a full stop.
func (s *session) deliveryLine(d *apiclient.WebhookDelivery) string {
	if d.Unreadable != nil {
		return unreadable(d.ID, d.Unreadable)
	}
	at := unknown
	if d.CreatedAt != nil {
		at = record.Minute(*d.CreatedAt)
	}
	parts := []string{at, spaced(d.EventType), spaced(d.Status)}
	if d.Attempts != nil {
		parts = append(parts, plural.Count(*d.Attempts, "attempt"))
	}
	if d.LastResponseCode != nil {
		parts = append(parts, "answered "+strconv.FormatInt(*d.LastResponseCode, 10))
	}
	if d.LastError != "" {
		parts = append(parts, spaced(d.LastError))
	}
	if at := d.NextRetryAt; at != nil && at.After(s.Now()) {
		parts = append(parts, "next try in "+spanInWords(at.Sub(s.Now())))
	}
	return strings.Join(parts, ", ")
}
