package plain_test

import (
	"context"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/plain"
)

func TestEndpointsAreAddedChangedAndDeletedInWords(t *testing.T) {
	k := talk{client: serve(t).client}
	text := k.say(t, "7", "create", "http://plain", "https://example.com/hooks", "nothing", "invoice.paid, payment.held",
		"", "open 1", "deliveries", "pause", "activate", "edit", "https://example.com/other", "all", "test", "deliveries",
		"rotate", "wrong", "delete", "wrong")
	readable(t, text)
	inOrder(t, text, `Url must be an https URL\. Type cancel`, `[Uu]nknown event type "nothing"`,
		`example\.com was created`, `Its id is wh_\w+; it is active`,
		`\nsvc_whsec_\w+\n`, `1: https://example\.com/hooks, active, invoice\.paid, payment\.held`, `No deliveries yet`,
		`example\.com was paused`, `Status: paused`, `example\.com was activated`, `URL is now`,
		`example\.com was changed`,
		`URL: https://example\.com/other\n`, `Test event queued`, `test\.event`, `Type \w{6} to confirm`, `Nothing changed`,
		`cannot be undone`, `Nothing changed`)
	id := text[strings.Index(text, "Its id is ")+len("Its id is "):]
	id, _, _ = strings.Cut(id, ";")
	text = k.say(t, "7", "open 1", "mask", "rotate", id[len(id)-6:], "", "delete", strings.ToLower(id[len(id)-6:]))
	inOrder(t, text, `The previous secret stays valid until`, `\nsvc_whsec_\w+\n`, `example\.com was deleted`,
		`No endpoints yet`)
}

// lostWrites is a client that carries out changes of endpoints, or not, and loses the
// responses.
type lostWrites struct {
	plain.Client
	carryOut bool
}

func (c lostWrites) CreateWebhook(
	ctx context.Context, url string, types []apiclient.EventType,
) (*apiclient.CreatedWebhook, error) {
	if c.carryOut {
		_, _ = c.Client.CreateWebhook(ctx, url, types)
	}
	return nil, lost()
}

func (c lostWrites) UpdateWebhook(
	ctx context.Context, id string, patch apiclient.WebhookPatch,
) (*apiclient.Webhook, error) {
	if c.carryOut {
		_, _ = c.Client.UpdateWebhook(ctx, id, patch)
	}
	return nil, lost()
}

func (c lostWrites) RotateWebhookSecret(ctx context.Context, id string) (*apiclient.RotatedSecret, error) {
	if c.carryOut {
		_, _ = c.Client.RotateWebhookSecret(ctx, id)
	}
	return nil, lost()
}

func (c lostWrites) DeleteWebhook(ctx context.Context, id string) error {
	if c.carryOut {
		_ = c.Client.DeleteWebhook(ctx, id)
	}
	return lost()
}

// The list shows whether a change was made if its response was lost.
func TestALostResponseAboutAnEndpointIsLookedUpInTheList(t *testing.T) {
	for carriedOut, want := range map[bool]map[string]string{
		true: {
			"pause":  `It is paused now\.`,
			"rotate": `It was replaced by a secret that was never shown: type rotate on its page for a new one\.`,
			"delete": `It is no longer in the list\.`,
			"create": `It was created: wh_\w+\. Its secret was never shown: type rotate on its page`,
		},
		false: {
			"pause":  `It is active now\.`,
			"rotate": `The list shows no replacement`,
			"delete": `It is still in the list\. Type delete to delete it\.`,
			"create": `It is not in the list\. Type refresh before you create it again\.`,
		},
	} {
		for operation, finding := range want {
			s := serve(t)
			made, err := s.client.CreateWebhook(t.Context(), "https://example.com/hooks",
				[]apiclient.EventType{apiclient.EventInvoicePaid})
			if err != nil {
				t.Fatal(err)
			}
			lines := []string{"7", "open 1", operation, made.ID[len(made.ID)-6:]}
			if operation == "create" {
				lines = []string{"7", "create", "https://example.com/new", "all"}
			}

			text := talk{client: lostWrites{s.client, carriedOut}}.say(t, lines...)

			inOrder(t, text, `Unknown whether .*: no answer in time\. The request was not repeated\.`, finding)
			if strings.Contains(text, "Could not") {
				t.Errorf("%s is said to have failed:\n%s", operation, text)
			}
		}
	}
}
