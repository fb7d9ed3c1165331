package books

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/ownbooks"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

func newSync(env command.Env, open Opener) *cobra.Command {
	var provider string
	var acceptRemoved, asJSON bool
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Read connected banks and Stripe now",
		Long: "sync reads all connections, or one, and says what came. The dashboard and `tarmac serve` do so by " +
			"themselves, at each provider's pace. The exit status is 1 if a connection could not be read.",
		Example: open.Example("sync") + "\n" + open.Example("sync --provider mercury --json"),
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return open.Connections(cmd.Context(), func(syncer *syncing.Syncer, org store.OrgKey) error {
				outcomes, err := connections{syncer, org}.Sync(cmd.Context(), provider, acceptRemoved, func(text string) {
					if text != "" {
						fmt.Fprintln(env.Stderr, text+"…")
					}
				})
				if err != nil {
					return err
				}
				return showOutcomes(env, open, asJSON, outcomes)
			})
		},
	}
	cmd.Flags().StringVar(&provider, "provider", "", "read only this connection, by its provider or its label")
	cmd.Flags().
		BoolVar(&acceptRemoved, "accept-removed", false, "remove lines that are gone at the provider, however many")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	open.Flags(cmd)
	return cmd
}

func newDisconnect(env command.Env, open Opener) *cobra.Command {
	var forget, yes bool
	cmd := &cobra.Command{
		Use:   "disconnect NAME",
		Short: "Delete a connection's token and end its readings",
		Long: "disconnect deletes the token of a connection, named by its provider or its label. What was read stays in " +
			"the books. With --forget, the books are afterwards as if the connection had never been read, also if it was " +
			"disconnected before.\n" +
			"Revoke the token at the provider as well: a backup of the books may still hold it, encrypted.",
		Example: open.Example("disconnect mercury") + "\n" + open.Example("disconnect simplefin --forget"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef(
					"%s needs the connection: see `%s`",
					cmd.CommandPath(),
					open.Example("books providers"),
				)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return open.Connections(cmd.Context(), func(syncer *syncing.Syncer, org store.OrgKey) error {
				connections := connections{syncer, org}
				connection, ended, err := connections.findToDisconnect(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if ended && !forget {
					return fmt.Errorf("%s is disconnected already; its lines stay in the books unless you add --forget",
						connection.Label)
				}
				if forget && !yes {
					if err := confirmForget(cmd.Context(), env, connection.Label); err != nil {
						return err
					}
				}
				if err := connections.Disconnect(cmd.Context(), connection.ID, forget); err != nil {
					return err
				}
				_, err = fmt.Fprintln(env.Stdout, connection.Disconnected(forget))
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&forget, "forget", false, "also remove what was read from the books")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	open.Flags(cmd)
	return cmd
}

func confirmForget(ctx context.Context, env command.Env, name string) error {
	answer, err := command.PromptLine(ctx, env,
		"Remove all that "+command.Quoted(name)+" has read from the books? [y/N]")
	switch {
	case errors.Is(err, command.ErrNoTerminal):
		return command.Usagef("nobody can be asked here: add --yes to remove what was read")
	case err != nil:
		return err
	}
	if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
		return errors.New("nothing was changed")
	}
	return nil
}

func newProviders(c *commands) *cobra.Command {
	return &cobra.Command{
		Use:   "providers",
		Short: "List the connections to banks and Stripe, and how old their data is",
		Example: c.open.Example("books providers") + "\n" +
			c.open.Example("books providers --json"),
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.open.Connections(cmd.Context(), func(syncer *syncing.Syncer, org store.OrgKey) error {
				connections := Connections(syncer, org)
				all, err := connections.Connections(cmd.Context())
				if err != nil {
					return err
				}
				shown := map[string]any{"providers": append([]ownbooks.Connection{}, all...)}
				return c.show(shown, func() error { return c.printConnections(all) })
			})
		},
	}
}

// printConnections prints a table of connections, and under it what is wrong with them.
func (c *commands) printConnections(all []ownbooks.Connection) error {
	if len(all) == 0 {
		_, err := fmt.Fprintf(c.Stdout, "No provider is connected. Connect one with `%s`.\n",
			c.open.Example("connect "+strings.Join(kindNames(), "|")))
		return err
	}
	now := c.Now()
	table := tabwriter.NewWriter(c.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CONNECTION\tSTATE\tACCOUNTS\tLAST READ\tNEXT")
	for i := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", all[i].Label, all[i].StateText(now), all[i].TakenCount(),
			all[i].LastText(now), all[i].NextText(now))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return printConnectionRemarks(c.Stdout, c.open, all)
}

// printConnectionRemarks prints what the user should know about connections.
func printConnectionRemarks(w io.Writer, open Opener, all []ownbooks.Connection) error {
	for _, text := range ownbooks.LostText(all) {
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	for i := range all {
		if all[i].State == ownbooks.Lost {
			continue
		}
		for _, text := range append([]string{all[i].Trouble()}, all[i].Notices...) {
			switch {
			case text == "":
				continue
			case text == all[i].Advice() && all[i].State == ownbooks.Choosing:
				text = fmt.Sprintf("%s, with `%s`.", strings.TrimSuffix(text, "."), chooseAgain(open, &all[i]))
			}
			if _, err := fmt.Fprintln(w, all[i].Named(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// showOutcomes prints what readings have brought. It returns an error if a reading failed.
func showOutcomes(env command.Env, open Opener, asJSON bool, outcomes []ownbooks.Outcome) error {
	if asJSON {
		enc := json.NewEncoder(env.Stdout)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(map[string]any{"outcomes": append([]ownbooks.Outcome{}, outcomes...)}); err != nil {
			return err
		}
	}
	var problems []string
	for i := range outcomes {
		o := &outcomes[i]
		if o.Problem != "" {
			problems = append(problems, o.Text())
			continue
		}
		if asJSON {
			continue
		}
		next := o.Connection.NextText(env.Now())
		if _, err := fmt.Fprintf(env.Stdout, "%s. Next reading %s.\n", o.Text(), next); err != nil {
			return err
		}
		if err := printConnectionRemarks(env.Stderr, open, []ownbooks.Connection{o.Connection}); err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		return errors.New(strings.Join(problems, "; "))
	}
	return nil
}
