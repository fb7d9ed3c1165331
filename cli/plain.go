package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/internal/quit"
	"tarmac/plain"
	"tarmac/ui"
)

// showPlain runs line mode instead of the dashboard. It does not need a terminal.
func showPlain(ctx context.Context, env command.Env, flags sessionFlags, o ui.Options) error {
	if o.Start == nil {
		return command.UsageError{Err: fmt.Errorf("%w. `tarmac demo --plain` needs none", settings.ErrNotConfigured)}
	}
	if !flags.plain {
		fmt.Fprintln(env.Stdout, "TERM is dumb: using line mode, as with --plain.")
	}
	// In line mode, Ctrl+C must cancel a request without ending the program.
	signal.Reset(os.Interrupt)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)

	var in io.Reader = env.Stdin
	if env.Stdin == nil {
		in = eof{}
	}
	var hide func() (func(), error)
	if command.IsTerminal(env.Stdin) {
		hide = func() (func(), error) {
			show, err := hideInput(env.Stdin.Fd())
			if err != nil {
				return nil, err
			}
			release := quit.Guard(show)
			return func() { release(); show() }, nil
		}
	}
	var profiles []plain.Profile
	for _, p := range append(o.Profiles[:len(o.Profiles):len(o.Profiles)], o.Demo) {
		profiles = append(profiles, plainProfile(p, o.ReadOnly))
	}
	return plain.Run(ctx, plain.Options{
		In: in, Out: env.Stdout, Echo: !command.IsTerminal(env.Stdin), HideInput: hide, Interrupts: interrupts,
		Start: plainProfile(o.Start, o.ReadOnly), Profiles: profiles,
		Now: env.Now, After: time.After, Timeout: flags.timeout, Entropy: rand.Reader,
		Drafts: o.Drafts, Documents: plain.Documents(env.Getenv), Places: o.Documents.Places, Runway: o.Runway,
	})
}

func plainProfile(p *ui.Profile, readOnly bool) plain.Profile {
	return plain.Profile{Name: p.Name, Open: func(ctx context.Context) (plain.Connection, error) {
		c, err := p.Open(ctx)
		return plain.Connection{
			Client: c.Client, Profile: c.Profile, ReadOnly: readOnly || c.ReadOnly, Books: c.Books,
			Providers: c.Providers, PlanFile: c.PlanFile, Plan: c.Plan, Alerts: c.Alerts, Annotations: c.Annotations,
			Close: c.Close,
		}, err
	}}
}

// eof is an empty reader that replaces standard input.
type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }
