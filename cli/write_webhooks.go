package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/record"
)

func newWebhooks(env command.Env) *cobra.Command {
	return listGroup("webhooks", "Webhook endpoints: list, get, create, update, delete, deliveries, rotate-secret, "+
		"verify, check-signature",
		func() *cobra.Command {
			return rowsCommand(env, &cobra.Command{Use: "list", Short: "List the webhook endpoints", Example: "tarmac webhooks"},
				func(ctx context.Context, a *call, _ []string) error {
					all, err := a.client.Webhooks(ctx)
					if err != nil {
						return err
					}
					return showAll(a, "endpoint", all, record.Webhook)
				})
		},
		readOneCommand(env, &cobra.Command{
			Use: "get ID", Short: "Show one endpoint", Example: "tarmac webhooks get wh_…", Args: webhookIDArgument(),
		}, (*apiclient.Client).Webhook, func(w *apiclient.Webhook) record.Object { return record.Webhook(*w) }),
		rowsCommand(env, &cobra.Command{
			Use: "deliveries ID", Short: "List the latest deliveries to an endpoint",
			Example: "tarmac webhooks deliveries wh_…", Args: webhookIDArgument(),
		}, func(ctx context.Context, a *call, args []string) error {
			all, err := a.client.WebhookDeliveries(ctx, args[0])
			if err != nil {
				return err
			}
			return showAll(a, "delivery", all, record.Delivery)
		}),
		newWebhookCreate(env), newWebhookUpdate(env), newWebhookDelete(env), newWebhookRotate(env), newWebhookVerify(env),
		newCheckSignature(env))
}

func webhookIDArgument() cobra.PositionalArgs { return idArgument("endpoint", "tarmac webhooks") }

func newWebhookCreate(env command.Env) *cobra.Command {
	var (
		url   string
		types []string
	)
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create a webhook endpoint",
		Long: "create creates an endpoint and prints only its signing secret to standard output.\n" +
			"The server never shows the secret again: redirect it to a file or a secret store.",
		Example: "umask 077; tarmac webhooks create --url https://example.com/hooks --types invoice.paid,payment.held > " +
			"webhook-secret",
	}
	cmd.Flags().StringVar(&url, "url", "", "https URL to deliver to")
	typesFlag(cmd, &types, "event types to deliver")
	return writeCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		types, err := eventTypes(types)
		switch {
		case err != nil:
			return err
		case url == "":
			return command.Usagef("--url is missing: the https URL to deliver to")
		case len(types) == 0:
			return command.Usagef("--types is missing: event types such as invoice.paid,payment.held")
		}
		made, err := a.client.CreateWebhook(ctx, url, types)
		if err != nil {
			return err
		}
		if a.json {
			return append(record.Webhook(made.Webhook), secretField(made.Secret)).WriteJSON(a.out)
		}
		a.note("Endpoint %s created (%s). Its signing secret is on standard output and is never shown again.", made.ID,
			made.Status)
		return a.secret(made.Secret)
	})
}

// Only secretField and secret print a secret.
func secretField(s apiclient.Secret) record.Field { return record.Text("secret", "", s.Reveal()) }

func (a *call) secret(s apiclient.Secret) error {
	_, err := fmt.Fprintln(a.out, s.Reveal())
	return err
}

func newWebhookUpdate(env command.Env) *cobra.Command {
	var (
		url, status string
		types       []string
	)
	cmd := &cobra.Command{
		Use:     "update ID",
		Short:   "Change, pause or activate an endpoint",
		Example: "tarmac webhooks update wh_… --status paused",
		Args:    webhookIDArgument(),
	}
	cmd.Flags().StringVar(&url, "url", "", "https URL to deliver to")
	cmd.Flags().StringVar(&status, "status", "", "active or paused; active also re-enables a disabled endpoint")
	command.Choices(cmd, "status", apiclient.WebhookActive, apiclient.WebhookPaused)
	typesFlag(cmd, &types, "event types to deliver")
	return writeCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		var (
			patch apiclient.WebhookPatch
			err   error
		)
		if cmd.Flags().Changed("url") {
			patch.URL = &url
		}
		if cmd.Flags().Changed("types") {
			if patch.EventTypes, err = eventTypes(types); err != nil {
				return err
			}
		}
		if cmd.Flags().Changed("status") {
			to := apiclient.WebhookStatus(status)
			if to != apiclient.WebhookActive && to != apiclient.WebhookPaused {
				return command.Usagef("--status must be active or paused, not %s", command.Quoted(status))
			}
			patch.Status = &to
		}
		if patch.URL == nil && patch.EventTypes == nil && patch.Status == nil {
			return command.Usagef("%s needs something to change: --url, --types or --status", cmd.CommandPath())
		}
		changed, err := a.client.UpdateWebhook(ctx, args[0], patch)
		if err != nil {
			return err
		}
		return a.show(record.Webhook(*changed))
	})
}

func newWebhookDelete(env command.Env) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "delete ID",
		Short:   "Delete an endpoint and abandon its pending deliveries",
		Example: "tarmac webhooks delete wh_… --yes",
		Args:    webhookIDArgument(),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "confirm the deletion")
	return writeCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		if !yes {
			return command.Usagef("deleting an endpoint cannot be undone; confirm with --yes")
		}
		if err := a.client.DeleteWebhook(ctx, args[0]); err != nil {
			return err
		}
		if a.json {
			return record.Object{record.Text("id", "", args[0]), record.Flag("deleted", "", true)}.WriteJSON(a.out)
		}
		a.note("%s deleted.", args[0])
		return nil
	})
}

func newWebhookRotate(env command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rotate-secret ID",
		Short: "Rotate an endpoint's signing secret",
		Long: "rotate-secret prints only the new secret to standard output. The server never shows it again.\n" +
			"For a day, deliveries are also signed with the previous secret, so that receivers can be updated one by " +
			"one.",
		Example: "umask 077; tarmac webhooks rotate-secret wh_… > webhook-secret",
		Args:    webhookIDArgument(),
	}
	return writeCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		rotated, err := a.client.RotateWebhookSecret(ctx, args[0])
		if err != nil {
			return err
		}
		if a.json {
			o := record.Object{secretField(rotated.Secret),
				record.Time("previous_secret_expires_at", "", rotated.PreviousSecretExpiresAt)}
			return o.WithExtra(rotated.Extra).WriteJSON(a.out)
		}
		until := ""
		if at := rotated.PreviousSecretExpiresAt; at != nil {
			until = " The previous one stays valid until " + record.Timestamp(*at) + "."
		}
		a.note("The new signing secret is on standard output and is never shown again.%s", until)
		return a.secret(rotated.Secret)
	})
}

func newWebhookVerify(env command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify ID",
		Short: "Send a test event to an endpoint",
		Long: "verify queues a test event for one endpoint, whatever its status. `tarmac webhooks deliveries ID` shows " +
			"the result.",
		Args:    webhookIDArgument(),
		Example: "tarmac webhooks verify wh_…",
	}
	return writeCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		queued, err := a.client.VerifyWebhook(ctx, args[0])
		if err != nil {
			return err
		}
		return a.show(record.QueuedTest(queued))
	})
}
