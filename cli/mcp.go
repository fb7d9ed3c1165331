package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/mcpserver"
)

func newMCP(env command.Env) *cobra.Command {
	a := &call{Env: env}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer an assistant's questions on standard input",
		Long: "mcp answers questions of an assistant over the Model Context Protocol, on standard input and output, until " +
			"the input ends. Assistants start it by themselves; docs/assistants.md has the lines for their settings.\n" +
			"It reads cash and runway, transactions, invoices, receivables, events, spend and the forecast of the " +
			"configured server or of your own books, and changes nothing.",
		Example: "tarmac mcp\ntarmac mcp --profile acme",
		Args:    command.NoArguments,
	}
	a.flags.register(cmd)
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.run(cmd.Context(), a.serveAssistant)
	}
	return cmd
}

// serveAssistant answers the requests on standard input until it ends.
func (a *call) serveAssistant(ctx context.Context) error {
	debug.SetGCPercent(historyGCPercent)
	if command.IsTerminal(a.Stdin) {
		fmt.Fprintln(a.Stderr, "Waiting for an assistant's messages on standard input. Press Ctrl+C to stop.")
	}
	var in io.Reader = eof{}
	if a.Stdin != nil {
		in = a.Stdin
	}
	server := mcpserver.New(mcpserver.Options{
		Source: a.client, Now: a.Now, Version: version(), Redact: withoutSecrets,
	})
	return mcpserver.Serve(ctx, server, in, a.Stdout)
}
