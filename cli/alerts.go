package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/alerts"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

func newAlerts(env command.Env) *cobra.Command {
	w := watcher{Env: env}
	var once, asJSON bool
	cmd := &cobra.Command{
		Use:   "alerts",
		Short: "List what is watched, and add, remove and test alerts",
		Long: "alerts lists what `tarmac watch` looks at: each alert with its state at the last look, and the channels " +
			"that tell it. Alerts stand in the settings file as [[alert]].\n" +
			"--once looks at all of them now and tells what is new, for cron. Without a channel, alerts are told on standard " +
			"output.",
		Example: "tarmac alerts add runway-below 9\ntarmac alerts --once",
		Args:    command.OnlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if once && asJSON {
				return command.Usagef("--once and --json cannot be combined")
			}
			if once {
				return w.once(cmd.Context())
			}
			return w.list(asJSON)
		},
	}
	w.flags.register(cmd)
	cmd.Flags().BoolVar(&once, "once", false, "look once, tell what is new, and end")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newAlertsRules(env), newAlertsAdd(env), newAlertsRemove(env), newAlertsTest(env), newAlertsChannel(env))
	return cmd
}

// list prints the alerts and the channels.
func (w *watcher) list(asJSON bool) error {
	if err := w.load(); err != nil {
		return err
	}
	o, err := w.overview()
	if err != nil {
		return err
	}
	if asJSON {
		return command.WriteJSON(w.Stdout, o)
	}
	if len(o.Alerts) == 0 {
		_, err := fmt.Fprintln(w.Stderr, alerts.NothingWatched)
		return err
	}
	for _, line := range o.Lines() {
		fmt.Fprintln(w.Stdout, line)
	}
	_, err = fmt.Fprintln(w.Stderr, o.Looked())
	return err
}

// overview reads how the alerts of the loaded settings stand, and whether the channels can be used.
func (w *watcher) overview() (*alerts.Overview, error) {
	state, err := alerts.Load(w.path)
	if err != nil {
		return nil, err
	}
	return alerts.OverviewOf(&w.file.Settings, w.channelNames(), state, func(c settings.Channel) string {
		if _, err := w.sender(c); err != nil {
			return withoutSecrets(err.Error())
		}
		return ""
	}), nil
}

// overviewer returns what reads how the alerts of a connection stand, for the dashboard, line mode
// and assistants. It asks no keyring for the secrets of channels.
func overviewer(getenv func(string) string, found settings.Connection) alerts.Overviewer {
	return func(context.Context) (*alerts.Overview, error) {
		path, err := alertsPath(getenv, found)
		if err != nil {
			return nil, err
		}
		w := watcher{path: path}
		if w.file, err = settings.Load(getenv); err != nil {
			return nil, err
		}
		state, err := alerts.Load(path)
		if err != nil {
			return nil, err
		}
		usable := func(settings.Channel) string { return "" }
		return alerts.OverviewOf(&w.file.Settings, w.channelNames(), state, usable), nil
	}
}

func newAlertsRules(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "rules",
		Short:   "List the rules of alerts",
		Example: "tarmac alerts rules",
		Args:    command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(out, "RULE\tLIMIT\tIT")
			for _, r := range alerts.Rules() {
				limit := r.Unit.String()
				if r.Example != "" {
					limit += ", such as " + r.Example
				}
				fmt.Fprintf(out, "%s\t%s\t%s\n", r.Name, limit, r.Tells)
			}
			return out.Flush()
		},
	}
}

func newAlertsAdd(env command.Env) *cobra.Command {
	var a settings.Alert
	cmd := &cobra.Command{
		Use:   "add RULE [LIMIT]",
		Short: "Add an alert",
		Long: "add writes an alert into the settings file, whose comments stay. `tarmac alerts rules` lists the rules and " +
			"what their limits are measured in.",
		Example: "tarmac alerts add runway-below 9\ntarmac alerts add payment-above 10k --to mail\n" +
			"tarmac alerts add overdue --of Acme --repeat 7d",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return command.Usagef("%s needs a rule and its limit, such as runway-below 9", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return alerts.RuleNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a.Rule = args[0]
			if len(args) > 1 {
				a.Limit = args[1]
			}
			return addAlert(env, a)
		},
	}
	cmd.Flags().StringVar(&a.Of, "of", "", "part of the name of the counterparty or customer that it is about")
	cmd.Flags().StringVar(&a.Repeat, "repeat", "", "tell it again after this time while it lasts, such as 7d")
	cmd.Flags().StringSliceVar(&a.To, "to", nil, "channels that tell it; default all")
	return cmd
}

func addAlert(env command.Env, a settings.Alert) error {
	parsed, err := alerts.Parse(a)
	if err != nil {
		return command.Usagef("%s %w", command.Quoted(a.Rule), err)
	}
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return err
	}
	for _, name := range a.To {
		if !slices.ContainsFunc(file.Settings.Channels, func(c settings.Channel) bool { return c.Name == name }) {
			return command.Usagef("there is no channel %s; `tarmac alerts channel add` makes one", command.Quoted(name))
		}
	}
	if file, err = file.AddAlert(a); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "%d  %s %s\n", len(file.Settings.Alerts), parsed.Rule.Name, termtext.Line(parsed.Tells()))
	if len(file.Settings.Alerts) == 1 {
		fmt.Fprintln(env.Stderr, "`tarmac watch` looks at it until it is ended, `tarmac alerts --once` does so once.")
	}
	return nil
}

func newAlertsRemove(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "remove NUMBER",
		Short:   "Remove an alert",
		Long:    "remove removes the alert with a number of `tarmac alerts` from the settings file.",
		Example: "tarmac alerts remove 2",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s needs the alert's number, from `tarmac alerts`", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := settings.Load(env.Getenv)
			if err != nil {
				return err
			}
			n, err := strconv.Atoi(args[0])
			if err != nil || n < 1 || n > len(file.Settings.Alerts) {
				return command.Usagef("there is no alert %s; `tarmac alerts` lists them", command.Quoted(args[0]))
			}
			gone := file.Settings.Alerts[n-1]
			if _, err := file.RemoveAlert(n - 1); err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "Removed %s.\n", termtext.Line(strings.TrimSpace(gone.Rule+" "+gone.Limit)))
			return err
		},
	}
}

func newAlertsTest(env command.Env) *cobra.Command {
	w := watcher{Env: env}
	return &cobra.Command{
		Use:     "test [CHANNEL]",
		Short:   "Send a test message through each channel",
		Long:    "test sends a message through each channel, or through the named one, and says what happened.",
		Example: "tarmac alerts test",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return channelNames(env), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return w.test(cmd.Context(), args) },
	}
}

// test sends a message through channels. It returns an error if one of them did not take it.
func (w *watcher) test(ctx context.Context, names []string) error {
	var err error
	if w.file, err = settings.Load(w.Getenv); err != nil {
		return err
	}
	failed, found := 0, 0
	for _, c := range w.channels() {
		if len(names) > 0 && c.Name != names[0] {
			continue
		}
		found++
		sender, err := w.sender(c)
		if err == nil {
			now := w.Now()
			err = sender.Send(ctx, &alerts.Message{
				ID: fmt.Sprintf("test-%d", now.Unix()), At: now, Title: "Test of tarmac",
				Findings: []alerts.Finding{{Text: "This is a test. Alerts come this way.", Open: "tarmac alerts"}},
			})
		}
		if err != nil {
			failed++
			fmt.Fprintf(w.Stderr, "%s: %s\n", c.Name, termtext.Line(withoutSecrets(err.Error())))
			continue
		}
		fmt.Fprintf(w.Stdout, "%s: sent\n", c.Name)
	}
	switch {
	case found == 0:
		return command.Usagef("there is no channel %s; `tarmac alerts channel list` names them", command.Quoted(names[0]))
	case failed > 0:
		return fmt.Errorf("%d of %d channels did not take the message", failed, found)
	}
	return nil
}
