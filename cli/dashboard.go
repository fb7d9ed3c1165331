package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os/exec"
	"runtime"
	"runtime/debug"
	"time"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/internal/panics"
	"tarmac/ui"
	"tarmac/ui/terminal"
)

// runDashboard opens the dashboard with the server that flags, environment and settings name. If
// they name none, it opens the user's own books or, without these, the welcome page.
func runDashboard(ctx context.Context, env command.Env, flags clientFlags) error {
	ownBooks{env}.removeBegun(ctx)
	return showDashboard(ctx, env, flags.sessionFlags, func(o *ui.Options, dial dialer, _ settings.Settings) error {
		// If there is no directory for drafts, they are lost when the program exits.
		directory, _ := settings.StateDirectory(env.Getenv)
		o.Drafts = state.Directory(directory)
		o.ReadOnly = flags.ReadOnly
		found, err := flags.resolve(env)
		if isUnset(err) {
			return nil // the dashboard shows the welcome page
		}
		if err != nil {
			return err
		}
		if found.Profile == settings.OwnBooks {
			if o.Start = profileNamed(o.Profiles, found.Profile); o.Start == nil {
				return errNoBooks
			}
			return nil
		}
		// Check the base URL and the token before the dashboard takes over the screen.
		if _, err := dial.connection(found); err != nil {
			return err
		}
		o.Start = savedProfile(o.Profiles, found)
		if o.Start == nil {
			o.Start = dial.unsavedProfile(found)
			o.Profiles = append([]*ui.Profile{o.Start}, o.Profiles...)
		}
		return nil
	})
}

// dialer creates API clients according to the command's flags.
type dialer struct {
	timeout time.Duration
	logger  *slog.Logger
	// authorities are the certificate authorities to trust. If nil, they are the system's.
	authorities *x509.CertPool
	// pausing is called before a request waits because of the rate limit. It is nil in the
	// dashboard, whose screens show the remaining time.
	pausing func(time.Duration)
	// broken ends the dashboard after a panic in a background task of the connection.
	broken context.CancelCauseFunc
	// readsProviders is true if own books read their providers by themselves while they are open.
	readsProviders bool
	getenv         func(string) string // nil if the connection needs no files
}

// client returns a client for the API at a base URL.
func (d dialer) client(baseURL string, token apiclient.Token, options ...apiclient.Option) (*apiclient.Client, error) {
	options = append(options, apiclient.WithUserAgent(command.UserAgent(version())), apiclient.WithTimeout(d.timeout),
		apiclient.WithLogger(d.logger))
	if d.pausing == nil {
		options = append(options, apiclient.WithRetry(apiclient.CountdownRetry))
	} else {
		options = append(options, apiclient.WithPauseNotice(d.pausing))
	}
	if d.authorities != nil {
		options = append(options, apiclient.WithHTTPClient(&http.Client{Transport: apiclient.NewTransport(d.authorities)}))
	}
	return apiclient.New(baseURL, token, options...)
}

// connectTo returns a client for a connection. The client also trusts the certificate authorities
// that the connection names.
func (d dialer) connectTo(found settings.Connection) (*apiclient.Client, error) {
	var err error
	if d.authorities, err = command.Authorities(found.CAFileSource, found.CAFile); err != nil {
		return nil, err
	}
	return d.client(found.BaseURL, found.Token)
}

// showDashboard runs the dashboard on the terminal. It calls setConnection to set the initial
// connection.
func showDashboard(ctx context.Context, env command.Env, flags sessionFlags,
	setConnection func(*ui.Options, dialer, settings.Settings) error) error {
	if err := flags.check(); err != nil {
		return err
	}
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return command.UsageError{Err: err}
	}
	set := file.Settings
	logger, closeLog, err := openLog(flags.logFile)
	if err != nil {
		return err
	}
	defer closeLog()
	running, broken := context.WithCancelCause(ctx)
	defer broken(nil)
	dial := dialer{timeout: flags.timeout, logger: logger, broken: broken, readsProviders: true,
		getenv: env.Getenv}
	var progress demoProgress
	o := ui.Options{
		Profiles: dial.profiles(env, set),
		Demo: demoProfile(&progress, func(ctx context.Context) (ui.Connection, error) {
			return startDemo(ctx, env, demoFlags{transactions: set.Demo.Transactions, seed: set.Demo.Seed}, dial, &progress)
		}),
		Connect:      dial.connect,
		Now:          env.Now,
		Timeout:      flags.timeout,
		Links:        terminal.OpensLinks(env.Getenv("TERM")),
		ASCII:        terminal.ASCIIOnly(runtime.GOOS, env.Getenv),
		Mouse:        set.Mouse,
		Notification: notification(set.Notifications, env.Getenv),
		Keys:         set.Keys,
		Clipboard:    ui.NewClipboard(runtime.GOOS, env.Getenv, exec.LookPath),
		Documents:    ui.NewDocuments(runtime.GOOS, env.Getenv, exec.LookPath),
		Theme:        set.Theme,
		Runway:       set.Runway,
		Refresh:      set.Refresh,
	}
	if env.OwnProcess {
		o.Trim = func() {
			debug.SetGCPercent(historyGCPercent)
			debug.FreeOSMemory()
		}
	}
	// Without a directory, nothing is kept.
	directory, _ := settings.StateDirectory(env.Getenv)
	o.Keeps = state.Directory(directory)
	o.Kept, o.ThemeSet, o.MouseSet = state.ReadKept(o.Keeps), set.Has("theme"), set.Has("mouse")
	if o.Books = profileNamed(o.Profiles, settings.OwnBooks); o.Books == nil {
		own := ownBooks{env}
		o.Books = &ui.Profile{
			Name: settings.OwnBooks, Hint: "on this machine",
			Open: func(ctx context.Context) (ui.Connection, error) { return own.begin(ctx, dial) },
		}
	}
	if err := setConnection(&o, dial, set); err != nil {
		return err
	}
	if flags.plain || env.Getenv("TERM") == "dumb" {
		return dashboardError(ctx, running, showPlain(running, env, flags, o))
	}
	if !command.IsTerminal(env.Stdin) || !command.IsTerminal(env.Stdout) {
		return errors.New("the dashboard needs a terminal, but standard input or output is not one; use --plain " +
			"instead")
	}
	return dashboardError(ctx, running, terminal.Run(running, terminal.Options{
		In: env.Stdin, Out: env.Stdout, Environ: env.Environ,
		NoColor: flags.noColor || env.Getenv("NO_COLOR") != "",
	}, func(ctx context.Context) terminal.Model { return ui.New(ctx, o) }))
}

// dashboardError returns the reason why the dashboard ended: a panic in a background task, a signal
// if ctx has ended, or err.
func dashboardError(ctx, running context.Context, err error) error {
	if fault, broken := context.Cause(running).(*panics.Fault); broken {
		return fault
	}
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("ended by a signal: %w", err)
	}
	return err
}

// notification returns what makes the sequence with which the terminal tells alerts outside of the
// dashboard, or nil if the settings do not want that.
func notification(how string, getenv func(string) string) func(title, text string) string {
	if how == settings.Notifications[0] {
		return nil
	}
	return func(title, text string) string {
		return terminal.Notification(getenv, title, text, how == "bell")
	}
}
