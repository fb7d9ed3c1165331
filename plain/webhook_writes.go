package plain

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/client/problem"
	"tarmac/client/record"
)

// advice holds what line mode suggests after a lost response, for each operation that needs it.
var advice = endpoint.Advice{
	Create: "Type refresh before you create it again.",
	Rotate: "type rotate on its page",
	Delete: "Type delete to delete it.",
	Verify: "Type deliveries to look for it.",
}

// write sends a change of the endpoint w once and prints the outcome. The error says why the change
// failed or why its outcome is unknown.
func (p *webhooksPage) write(
	s *session, o endpoint.Operation, w apiclient.Webhook, do func(ctx context.Context) error,
) error {
	sent := endpoint.Before(o, w, p.list.value)
	_, err := requestOnce(s, func(ctx context.Context) (struct{}, error) { return struct{}{}, do(ctx) })
	switch {
	case errors.Is(err, apiclient.ErrOutcomeUnknown):
		sent.Reason = problem.Of(err).Detail
		s.say("%s", sent.UnknownText())
		if all, err := p.list.renew(s, s.server.Client.Webhooks); err != nil {
			s.say("The endpoints: %s", errorInWords(err))
		} else {
			s.say("%s", sent.Finding(all, advice))
		}
	case err != nil:
		s.say("%s: %s", "Could not "+o.Verb(), errorInWords(err))
	case o != endpoint.Verify:
		s.say("%s %s.", endpoint.Name(&w, p.list.value), o.Done())
	}
	return err
}

// askEndpoint asks for the fields of an endpoint; the fields of w are the present values. It
// returns false if the user cancels.
func (s *session) askEndpoint(w apiclient.Webhook) (apiclient.Webhook, bool, error) {
	for {
		text, err := s.field("URL", "starting with https://", w.URL)
		if err != nil || text == wordCancel {
			return w, false, err
		}
		wrong := endpoint.CheckURL(text)
		if wrong == nil {
			w.URL = text
			break
		}
		s.say("%s Type cancel to stop.", problem.Sentence(wrong.Error()))
	}
	var all []apiclient.EventType
	for _, t := range endpoint.Types() {
		all = append(all, t.Name)
	}
	s.say("Event types: %s.", join(all))
	for {
		text, err := s.field("Types", "separated by commas, or all", join(w.EventTypes))
		switch {
		case err != nil || text == wordCancel:
			return w, false, err
		case strings.EqualFold(text, "all"):
			w.EventTypes = all
			return w, true, nil
		}
		// An endpoint may have event types that only a newer server knows. They can still be
		// chosen.
		types, err := parseTypes(text, slices.Concat(all, w.EventTypes))
		if err == nil && len(types) == 0 {
			err = endpoint.ErrNoTypes
		}
		if err == nil {
			w.EventTypes = types
			return w, true, nil
		}
		s.say("%s Type cancel to stop.", problem.Sentence(err.Error()))
	}
}

// create asks for a new endpoint and creates it. If the server refuses, it asks for the fields
// again.
func (p *webhooksPage) create(s *session, _ string) error {
	if _, err := p.list.renew(s, s.server.Client.Webhooks); err != nil {
		return s.failed("Webhooks", err)
	}
	var w apiclient.Webhook
	for {
		var ok bool
		var err error
		if w, ok, err = s.askEndpoint(w); err != nil {
			return err
		}
		if !ok {
			return s.answer("No endpoint created.")
		}
		var made *apiclient.CreatedWebhook
		err = p.write(s, endpoint.Create, w, func(ctx context.Context) (err error) {
			made, err = s.server.Client.CreateWebhook(ctx, w.URL, w.EventTypes)
			return err
		})
		switch {
		case errors.Is(err, apiclient.ErrOutcomeUnknown):
			return p.show(s)
		case err == nil:
			s.say("Its id is %s; it is %s.", made.ID, spaced(made.Status))
			if err := s.secret(made.Secret); err != nil {
				return err
			}
			return p.show(s)
		}
	}
}

// secret prints a signing secret, which is shown only once, and waits until the user has stored it.
func (s *session) secret(secret apiclient.Secret) error {
	s.say("The signing secret follows on its own line. It is shown only once; clear the terminal's scrollback " +
		"afterwards.")
	s.verbatim(secret.Reveal())
	s.say("Anyone who has it can sign deliveries in this organization's name. A lost secret cannot be shown again, " +
		"only replaced.")
	_, err := s.read("Press Enter once it is stored")
	return err
}

// update changes the endpoint and prints it. If the server refuses the change, it prints why.
func (p *webhookPage) update(s *session, o endpoint.Operation, patch apiclient.WebhookPatch) error {
	err := p.list.write(s, o, p.webhook, func(ctx context.Context) error {
		_, err := s.server.Client.UpdateWebhook(ctx, p.webhook.ID, patch)
		return err
	})
	if err != nil && !errors.Is(err, apiclient.ErrOutcomeUnknown) {
		return nil
	}
	return p.show(s)
}

func (p *webhookPage) pause(s *session, _ string) error {
	to := apiclient.WebhookPaused
	return p.update(s, endpoint.Pause, apiclient.WebhookPatch{Status: &to})
}

func (p *webhookPage) activate(s *session, _ string) error {
	to := apiclient.WebhookActive
	return p.update(s, endpoint.Activate, apiclient.WebhookPatch{Status: &to})
}

func (p *webhookPage) edit(s *session, _ string) error {
	w, ok, err := s.askEndpoint(p.webhook)
	if err != nil {
		return err
	}
	if !ok {
		return s.answer("No changes.")
	}
	return p.update(s, endpoint.Change, apiclient.WebhookPatch{URL: &w.URL, EventTypes: w.EventTypes})
}

func (p *webhookPage) test(s *session, _ string) error {
	var queued *apiclient.QueuedTest
	err := p.list.write(s, endpoint.Verify, p.webhook, func(ctx context.Context) (err error) {
		queued, err = s.server.Client.VerifyWebhook(ctx, p.webhook.ID)
		return err
	})
	if err == nil {
		s.say("Test event queued:")
		s.details(record.QueuedTest(queued))
		s.say("Type deliveries to see the result.")
	}
	return nil
}

// confirmID asks the user to type the end of the endpoint's ID before an operation that cannot be
// undone.
func (p *webhookPage) confirmID(s *session, question string) (bool, error) {
	return s.confirm(question+" The id is "+p.webhook.ID+".", endpoint.Confirmation(p.webhook.ID))
}

func (p *webhookPage) rotate(s *session, _ string) error {
	question := strings.TrimSpace(endpoint.RotateMeans + " " + endpoint.RotateWarning(&p.webhook, s.Now()))
	if ok, err := p.confirmID(s, question); err != nil || !ok {
		return err
	}
	var rotated *apiclient.RotatedSecret
	err := p.list.write(s, endpoint.Rotate, p.webhook, func(ctx context.Context) (err error) {
		rotated, err = s.server.Client.RotateWebhookSecret(ctx, p.webhook.ID)
		return err
	})
	switch {
	case errors.Is(err, apiclient.ErrOutcomeUnknown):
		return p.show(s)
	case err != nil:
		return nil
	}
	if at := rotated.PreviousSecretExpiresAt; at != nil {
		s.say("The previous secret stays valid until %s.", record.Minute(*at))
	}
	return s.secret(rotated.Secret)
}

func (p *webhookPage) remove(s *session, _ string) error {
	ok, err := p.confirmID(s, endpoint.Name(&p.webhook, p.list.list.value)+": "+endpoint.DeleteMeans)
	if err != nil || !ok {
		return err
	}
	err = p.list.write(s, endpoint.Delete, p.webhook, func(ctx context.Context) error {
		return s.server.Client.DeleteWebhook(ctx, p.webhook.ID)
	})
	if err == nil {
		return s.back("")
	}
	return nil
}
