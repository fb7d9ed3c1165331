package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/plan"
	"tarmac/mcpserver"
)

func newMCP(env command.Env) *cobra.Command {
	a := &call{Env: env}
	var allowPropose bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer an assistant's questions on standard input",
		Long: "mcp answers questions of an assistant over the Model Context Protocol, on standard input and output, until " +
			"the input ends. Assistants start it by themselves; docs/assistants.md has the lines for their settings.\n" +
			"It reads cash and runway, transactions, invoices, receivables, bills, events, spend, the forecast, the " +
			"plan and the alerts of the configured server or of your own books, and changes nothing.\n" +
			"With --allow-propose it can also create a draft invoice, each time after you have agreed in a dialog of the " +
			"assistant's program.",
		Example: "tarmac mcp\ntarmac mcp --profile acme\ntarmac mcp --allow-propose",
		Args:    command.NoArguments,
	}
	a.flags.register(cmd)
	cmd.Flags().BoolVar(&allowPropose, "allow-propose", false, "allow draft invoices, each after your yes")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.run(cmd.Context(), func(ctx context.Context) error {
			if allowPropose && a.readOnly {
				return command.Usagef("--allow-propose is not available in read-only mode (--read-only, or read_only in the " +
					"profile)")
			}
			return a.serveAssistant(ctx, allowPropose)
		})
	}
	return cmd
}

// serveAssistant answers the requests on standard input until it ends. Drafts of invoices can be
// created only if allowPropose is set.
func (a *call) serveAssistant(ctx context.Context, allowPropose bool) error {
	debug.SetGCPercent(historyGCPercent)
	if command.IsTerminal(a.Stdin) {
		fmt.Fprintln(a.Stderr, "Waiting for an assistant's messages on standard input. Press Ctrl+C to stop.")
	}
	var in io.Reader = eof{}
	if a.Stdin != nil {
		in = a.Stdin
	}
	options := mcpserver.Options{Source: a.client, Now: a.Now, Version: version(), Redact: withoutSecrets,
		Alerts: a.alerts}
	if a.planFile != "" {
		options.Plans = plan.File{Path: a.planFile}
	}
	if allowPropose {
		options.Proposer = a.client
	}
	return mcpserver.Serve(ctx, mcpserver.New(options), in, a.Stdout)
}
