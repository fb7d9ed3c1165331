package admin

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/events"
)

func newWebhook(a *admin) *cobra.Command {
	return command.Group("webhook", "Webhook endpoints: list", newWebhookList(a))
}

func newWebhookList(a *admin) *cobra.Command {
	var org string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List an organization's webhook endpoints",
		Long: "list shows each endpoint's URL, events and status, its pending and held deliveries, since when it has " +
			"been failing, and why it was disabled.\n" +
			"Endpoints are created and changed through the API.",
		Example: "tarmac admin webhook list --org org_…",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(svc *service.Service) error {
				all, err := svc.Endpoints(cmd.Context(), org)
				if err != nil {
					return err
				}
				now := a.Now()
				return showList(a, all, func(e service.EndpointState) endpointRecord { return endpointOf(e, now) },
					"ID\tSTATUS\tPENDING\tHELD\tFAILING SINCE\tDISABLED\tURL\tEVENTS",
					func(e service.EndpointState) []string {
						return []string{e.ID, string(e.Status), strconv.Itoa(e.Pending), strconv.Itoa(e.Held),
							formatTime(e.FailingSince), disabledText(e), termtext.Line(e.URL), joinEventTypes(e.EventTypes)}
					})
			})
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

// disabledText says when and why an endpoint was disabled. For an enabled endpoint it returns "-".
func disabledText(e service.EndpointState) string {
	if e.DisabledReason == "" {
		return "-"
	}
	return string(e.DisabledReason) + ", " + formatTime(e.DisabledAt)
}

func joinEventTypes(types []events.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, ",")
}
