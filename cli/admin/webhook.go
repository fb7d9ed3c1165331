package admin

import (
	"fmt"
	"io"
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
				list := records(all, func(e service.EndpointState) endpointRecord { return endpointOf(e, now) })
				return a.show(list, func() error {
					return a.table("ID\tSTATUS\tPENDING\tHELD\tFAILING SINCE\tDISABLED\tURL\tEVENTS", func(w io.Writer) {
						for _, e := range list {
							fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\n", e.ID, e.Status, e.PendingCount, e.HeldCount,
								formatTime(e.FailingSince), disabledText(e), termtext.Line(e.URL), joinEventTypes(e.EventTypes))
						}
					})
				})
			})
		},
	}
	orgFlag(cmd, &org)
	return cmd
}

// disabledText returns when and why an endpoint was disabled, or "-" if it is enabled.
func disabledText(e endpointRecord) string {
	if e.DisabledReason == nil {
		return "-"
	}
	return *e.DisabledReason + ", " + formatTime(e.DisabledAt)
}

func joinEventTypes(types []events.Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return strings.Join(names, ",")
}
