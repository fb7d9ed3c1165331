package plain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

type webhooksPage struct {
	list cached[[]apiclient.Webhook]
}

func (p *webhooksPage) name() string { return "webhooks" }

func (p *webhooksPage) commands(s *session) []command {
	return append([]command{{"open", "NUMBER", "show an endpoint and its deliveries", p.open}},
		s.unlessReadOnly(command{"create", "", "create an endpoint; its secret is shown once", p.create})...)
}

// unlessReadOnly returns the commands, or none if the connection is read-only.
func (s *session) unlessReadOnly(all ...command) []command {
	if s.server.ReadOnly {
		return nil
	}
	return all
}

func (p *webhooksPage) show(s *session) error {
	s.say("%s.", s.title())
	all, ok := p.list.get(s, "Webhooks", s.server.Client.Webhooks)
	if !ok {
		return nil
	}
	if len(all) == 0 {
		s.say("No endpoints yet. Type create to add one.")
		return nil
	}
	s.say("%s:", plural.Count(int64(len(all)), "endpoint"))
	for i := range all {
		s.say("  %d: %s", i+1, webhookLine(&all[i]))
	}
	sayUnreadable(s, "endpoint", all)
	return nil
}

func webhookLine(w *apiclient.Webhook) string {
	if w.Unreadable != nil {
		return unreadable(cmp.Or(w.URL, w.ID), w.Unreadable) + "."
	}
	line := cmp.Or(w.URL, w.ID) + ", " + status(w.Status)
	if w.DisabledReason != "" {
		line += ", because " + strings.ReplaceAll(w.DisabledReason, "_", " ")
	}
	return line + ", " + join(w.EventTypes) + "."
}

func status[T ~string](word T) string { return strings.ReplaceAll(string(word), "_", " ") }

func (p *webhooksPage) open(s *session, args string) error {
	if i, ok := s.pick(args, len(p.list.value)); ok {
		return s.open(&webhookPage{list: p, id: p.list.value[i].ID, webhook: p.list.value[i]})
	}
	return nil
}

// endpoint asks for the fields of an endpoint; ok is false if the person cancels.
func (s *session) endpoint(
	url string,
	types []apiclient.EventType,
) (newURL string, newTypes []apiclient.EventType, ok bool, err error) {
	for {
		text, err := s.field("URL", "starting with https://", url)
		if err != nil || text == wordCancel {
			return "", nil, false, err
		}
		if strings.HasPrefix(text, "https://") {
			url = text
			break
		}
		s.say("The URL must start with https://. Type cancel to stop.")
	}
	s.say("Event types: %s.", join(eventTypes))
	for {
		text, err := s.field("Types", "separated by commas, or all", join(types))
		if err != nil || text == wordCancel {
			return "", nil, false, err
		}
		if strings.EqualFold(text, "all") {
			return url, eventTypes, true, nil
		}
		chosen, err := parseTypes(text)
		if err == nil && len(chosen) > 0 {
			return url, chosen, true, nil
		}
		if err != nil {
			s.say("%s", sentence(err.Error()))
		} else {
			s.say("At least one event type is required. Type cancel to stop.")
		}
	}
}

// create creates an endpoint. If the server rejects it, create asks for the fields again.
func (p *webhooksPage) create(s *session, _ string) error {
	var known []string
	if all, err := p.list.renew(s, s.server.Client.Webhooks); err == nil {
		for i := range all {
			known = append(known, all[i].ID)
		}
	} else {
		s.failed("Webhooks", err)
		return nil
	}
	url, types := "", []apiclient.EventType(nil)
	for {
		var ok bool
		var err error
		if url, types, ok, err = s.endpoint(url, types); err != nil || !ok {
			if err == nil {
				s.say("No endpoint created.")
			}
			return err
		}
		made, err := once(s, func(ctx context.Context) (*apiclient.CreatedWebhook, error) {
			return s.server.Client.CreateWebhook(ctx, url, types)
		})
		switch {
		case err == nil:
			s.say("Endpoint created: %s, %s.", made.ID, status(made.Status))
			if err := s.secret(made.Secret); err != nil {
				return err
			}
			return p.show(s)
		case s.outcomeUnknown(err):
			return p.lookFor(s, url, known)
		}
		s.failed("Could not create the endpoint", err)
	}
}

// outcomeUnknown reports whether the outcome of a failed write is unknown, and if so prints that.
func (s *session) outcomeUnknown(err error) bool {
	if !errors.Is(err, apiclient.ErrOutcomeUnknown) {
		return false
	}
	s.say("Outcome unknown: %s The request was not repeated.", sentence(problem.Of(err).Detail))
	return true
}

// lookFor prints whether a create request without an answer made an endpoint.
func (p *webhooksPage) lookFor(s *session, url string, known []string) error {
	all, ok := p.list.get(s, "Webhooks", s.server.Client.Webhooks)
	if !ok {
		return nil
	}
	for i := range all {
		if all[i].URL == url && !slices.Contains(known, all[i].ID) {
			s.say("It was created: %s. Its secret was never shown: open it and rotate the secret.", all[i].ID)
			return p.show(s)
		}
	}
	s.say("It is not in the list. Type refresh before creating it again.")
	return nil
}

// secret prints a signing secret, which is shown only once, and waits until the person has stored
// it.
func (s *session) secret(secret apiclient.Secret) error {
	s.say("The signing secret follows on its own line. It is shown only once; clear the terminal's scrollback afterwards.")
	s.verbatim(secret.Reveal())
	s.say(
		"Anyone who has it can sign deliveries in this organization's name. A lost secret cannot be shown again, " +
			"only replaced.",
	)
	_, err := s.read("Press Enter once it is stored")
	return err
}

// webhookPage shows one endpoint.
type webhookPage struct {
	list    *webhooksPage
	id      string
	webhook apiclient.Webhook
}

func (p *webhookPage) name() string { return "endpoint" }

func (p *webhookPage) commands(s *session) []command {
	deliveries := command{"deliveries", "", "list deliveries and their status", p.deliveries}
	if p.webhook.Unreadable != nil {
		return []command{deliveries} // the effect of the other commands is unknown
	}
	return append([]command{deliveries}, s.unlessReadOnly([]command{
		{"test", "", "send a test event", p.test},
		{"edit", "", "change URL or event types", p.edit},
		{"pause", "", "pause deliveries", func(s *session, _ string) error { return p.toggle(s, apiclient.WebhookPaused) }},
		{
			"activate",
			"",
			"resume deliveries, also after automatic disabling",
			func(s *session, _ string) error { return p.toggle(s, apiclient.WebhookActive) },
		},
		{"rotate", "", "replace the signing secret; shown once", p.rotate},
		{"delete", "", "delete the endpoint", p.remove},
	}...)...)
}

func (p *webhookPage) show(s *session) error {
	all, ok := p.list.list.get(s, "Endpoint", s.server.Client.Webhooks)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(all, func(w apiclient.Webhook) bool { return w.ID == p.id })
	if at < 0 {
		s.say("Endpoint %s no longer exists. Type back for the list.", p.id)
		return nil
	}
	p.webhook = all[at]
	w := &p.webhook
	if w.Unreadable != nil {
		s.say("Endpoint %s.", unreadable(w.ID, w.Unreadable))
		return nil
	}
	s.say("Endpoint %s.", w.ID)
	s.say("  URL: %s", w.URL)
	s.say("  Status: %s.", status(w.Status))
	if w.DisabledReason != "" {
		s.say("  Disabled: %s, at %s. Type activate to resume.", status(w.DisabledReason), maybeMoment(w.DisabledAt))
	}
	s.say("  Types: %s.", join(w.EventTypes))
	if at := w.PreviousSecretExpiresAt; at != nil && s.Now().Before(*at) {
		s.say("  The previous secret stays valid until %s.", moment(*at))
	}
	o := record.Webhook(*w)
	s.details(append(o.Pick("created_at"), o.Extra()...))
	return nil
}

func (p *webhookPage) deliveries(s *session, _ string) error {
	all, err := ask(s, func(ctx context.Context) ([]apiclient.WebhookDelivery, error) {
		return s.server.Client.WebhookDeliveries(ctx, p.id)
	})
	if err != nil {
		s.failed("Deliveries", err)
		return nil
	}
	if len(all) == 0 {
		s.say("No deliveries yet.")
		return nil
	}
	s.say("Latest %s, newest first:", map[bool]string{true: "delivery", false: "deliveries"}[len(all) == 1])
	for i := range all[:min(len(all), listRows)] {
		s.say("  %d: %s", i+1, s.deliveryLine(&all[i]))
	}
	if n := len(all) - listRows; n > 0 {
		s.say("%d older deliveries not shown.", n)
	}
	sayUnreadable(s, "delivery", all)
	return nil
}

func (s *session) deliveryLine(d *apiclient.WebhookDelivery) string {
	if d.Unreadable != nil {
		return unreadable(d.ID, d.Unreadable) + "."
	}
	parts := []string{maybeMoment(d.CreatedAt), termtext.Line(string(d.EventType)), status(d.Status)}
	if d.Attempts != nil {
		parts = append(parts, plural.Count(*d.Attempts, "attempt"))
	}
	if d.LastResponseCode != nil {
		parts = append(parts, "answered "+strconv.FormatInt(*d.LastResponseCode, 10))
	}
	if d.LastError != "" {
		parts = append(parts, status(d.LastError))
	}
	if at := d.NextRetryAt; at != nil && at.After(s.Now()) {
		parts = append(parts, "next try in "+ago(at.Sub(s.Now())))
	}
	return strings.Join(parts, ", ") + "."
}

// write sends a change once and prints the outcome.
func (p *webhookPage) write(s *session, done string, do func(ctx context.Context) error) error {
	_, err := once(s, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
	switch {
	case err == nil:
		s.say("%s", done)
	case s.outcomeUnknown(err):
		s.say("Current state of the endpoint:")
	default:
		s.failed("Failed", err)
		return nil
	}
	return p.show(s)
}

func (p *webhookPage) toggle(s *session, to apiclient.WebhookStatus) error {
	return p.write(s, "Endpoint "+string(to)+".", func(ctx context.Context) error {
		_, err := s.server.Client.UpdateWebhook(ctx, p.id, apiclient.WebhookPatch{Status: &to})
		return err
	})
}

func (p *webhookPage) edit(s *session, _ string) error {
	url, types, ok, err := s.endpoint(p.webhook.URL, p.webhook.EventTypes)
	if err != nil || !ok {
		if err == nil {
			s.say("No changes.")
		}
		return err
	}
	return p.write(s, "Endpoint changed.", func(ctx context.Context) error {
		_, err := s.server.Client.UpdateWebhook(ctx, p.id, apiclient.WebhookPatch{URL: &url, EventTypes: types})
		return err
	})
}

func (p *webhookPage) test(s *session, _ string) error {
	queued, err := once(s, func(ctx context.Context) (*apiclient.QueuedTest, error) {
		return s.server.Client.VerifyWebhook(ctx, p.id)
	})
	switch {
	case err == nil:
		s.say(
			"Test event queued%s. Type deliveries to see the result.",
			map[bool]string{true: ", " + queued.EventID}[queued.EventID != ""],
		)
	case s.outcomeUnknown(err):
		s.say("If so, it is among the deliveries.")
	default:
		s.failed("Could not send a test event", err)
	}
	return nil
}

// idTail is the number of characters of an id to type for confirmation.
const idTail = 6

// confirmID asks for the end of the id before something that cannot be undone.
func (p *webhookPage) confirmID(s *session, what string) (bool, error) {
	id := []rune(p.id)
	return s.confirm(what+" The id is "+p.id+".", string(id[max(0, len(id)-idTail):]))
}

func (p *webhookPage) rotate(s *session, _ string) error {
	question := "Creates a new signing secret, shown once; the current one stays valid for a while."
	if at := p.webhook.PreviousSecretExpiresAt; at != nil && s.Now().Before(*at) {
		question += " An earlier secret, valid until " + moment(*at) + ", stops working at once."
	}
	if ok, err := p.confirmID(s, question); err != nil || !ok {
		return err
	}
	rotated, err := once(s, func(ctx context.Context) (*apiclient.RotatedSecret, error) {
		return s.server.Client.RotateWebhookSecret(ctx, p.id)
	})
	switch {
	case err == nil:
		if at := rotated.PreviousSecretExpiresAt; at != nil {
			s.say("The previous secret stays valid until %s.", moment(*at))
		}
		return s.secret(rotated.Secret)
	case s.outcomeUnknown(err):
		s.say("If the receiver rejects deliveries, the secret was replaced: type rotate for a new one.")
		return p.show(s)
	}
	s.failed("Could not replace the secret", err)
	return nil
}

func (p *webhookPage) remove(s *session, _ string) error {
	ok, err := p.confirmID(s, "Pending deliveries to "+p.webhook.URL+" are abandoned. This cannot be undone.")
	if err != nil || !ok {
		return err
	}
	_, err = once(s, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.server.Client.DeleteWebhook(ctx, p.id)
	})
	switch {
	case err == nil:
		s.say("Endpoint deleted.")
		return s.back()
	case s.outcomeUnknown(err):
		return p.show(s)
	}
	s.failed("Could not delete the endpoint", err)
	return nil
}
