package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/charmbracelet/x/term"

	"tarmac/apiclient"
	"tarmac/internal/settings"
	"tarmac/ui"
)

// requestTimeout bounds one request of the dashboard, its retries included.
const requestTimeout = 15 * time.Second

// runDashboard opens the dashboard on the connection that flags and environment
// name, and on the welcome page when they name none.
func runDashboard(ctx context.Context, s Surroundings, flags clientFlags) error {
	options := dashboardOptions(s)
	found, err := settings.Resolve(flags.Flags, s.Getenv)
	switch {
	case err == nil:
		// A bad base URL or token is told before the screen is taken over.
		connection, err := newConnection(found.BaseURL, found.Token)
		if err != nil {
			return err
		}
		options.Start = func(context.Context) (ui.Connection, error) { return connection, nil }
	case !isUnset(err):
		return usageError{err}
	}
	return showDashboard(ctx, s, flags.noColor, options)
}

func dashboardOptions(s Surroundings) ui.Options {
	var progress demoProgress
	return ui.Options{
		StartDemo: func(ctx context.Context) (ui.Connection, error) {
			return startDemo(ctx, s, demoFlags{transactions: defaultTransactions, seed: defaultSeed}, &progress)
		},
		Progress: progress.text,
		Connect: func(ctx context.Context, baseURL, token string) (ui.Connection, error) {
			return connect(ctx, baseURL, token)
		},
		Now:     s.Now,
		Timeout: requestTimeout,
	}
}

// showDashboard runs the dashboard on the terminal.
func showDashboard(ctx context.Context, s Surroundings, noColor bool, o ui.Options) error {
	if s.Stdin == nil || !term.IsTerminal(s.Stdin.Fd()) || !isTerminal(s.Stdout) {
		return errors.New("the dashboard needs a terminal; standard input or output is something else")
	}
	if s.Getenv("TERM") == "dumb" {
		return errors.New("the dashboard needs a terminal that can move its cursor; TERM is dumb")
	}
	err := ui.Run(ctx, ui.Terminal{
		In: s.Stdin, Out: s.Stdout, Environ: s.Environ,
		NoColor: noColor || s.Getenv("NO_COLOR") != "",
	}, o)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("ended by a signal: %w", err)
	}
	return err
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

func newConnection(baseURL string, token apiclient.Token) (ui.Connection, error) {
	client, err := apiclient.New(baseURL, token, apiclient.WithUserAgent(userAgent()))
	if err != nil {
		return ui.Connection{}, err
	}
	profile := baseURL
	if u, err := url.Parse(baseURL); err == nil {
		profile = u.Host
	}
	return ui.Connection{Client: client, Profile: profile}, nil
}

// connect makes a connection that a person typed, and asks the server whether it
// knows the token: a typing error is told where it was made.
func connect(ctx context.Context, baseURL, token string) (ui.Connection, error) {
	connection, err := newConnection(baseURL, apiclient.Token(token))
	if err != nil {
		return ui.Connection{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	if _, err := connection.Client.Ping(ctx); err != nil {
		return ui.Connection{}, err
	}
	return connection, nil
}
