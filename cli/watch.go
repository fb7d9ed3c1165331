package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/alerts"
	"tarmac/client/problem"
	"tarmac/client/settings"
	"tarmac/internal/plural"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

const (
	leastEvery = 10 * time.Second
	// retryPause is how long the second watcher of the same settings waits before it looks again
	// whether the first has ended.
	retryPause = 5 * time.Second
)

func newWatch(env command.Env) *cobra.Command {
	w := watcher{Env: env}
	var every string
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Look at all alerts until ended, and tell them",
		Long: "watch looks at the alerts of the settings file every few minutes and tells what is new, each crossing once. " +
			"It runs in the foreground until a signal ends it, against own books or any server; the packages have a unit of " +
			"systemd for it. A change of the settings file counts from the next look on.\n" +
			"What a channel does not take is tried again for a day. Only one watcher of the same alerts works at a time; " +
			"another one waits for it to end.",
		Example: "tarmac watch\ntarmac watch --every 1m --profile acme",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pause, err := command.ParseDuration("--every", every)
			if err == nil && pause < leastEvery {
				err = command.Usagef("--every must be at least 10s, not %s", command.Quoted(every))
			}
			if err != nil {
				return err
			}
			return w.watch(cmd.Context(), pause)
		},
	}
	w.flags.register(cmd)
	cmd.Flags().StringVar(&every, "every", "5m", "how often to look, such as 1m or 1h")
	return cmd
}

// watcher looks at alerts and tells them.
type watcher struct {
	command.Env
	flags clientFlags
	file  settings.File
	path  string // of the state
	probe string // what the figures were derived from at the last look
}

// load reads the settings, and determines where the state of the alerts is.
func (w *watcher) load() error {
	found, err := w.flags.resolve(w.Env)
	if err != nil {
		return err
	}
	if w.file, err = settings.Load(w.Getenv); err != nil {
		return command.UsageError{Err: err}
	}
	w.path, err = alertsPath(w.Getenv, found)
	return err
}

// alertsPath returns the path of the state of the alerts of a connection.
func alertsPath(getenv func(string) string, found settings.Connection) (string, error) {
	directory, err := settings.StateDirectory(getenv)
	if err != nil {
		return "", err
	}
	name := found.Profile
	if name == "" {
		name = found.BaseURL
	}
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
	return filepath.Join(directory, "alerts", safe+".json"), nil
}

// parsed returns the valid alerts of the settings and prints what is wrong with the others. Alerts
// for a missing channel go to all channels.
func (w *watcher) parsed() (all []*alerts.Alert) {
	for i, a := range w.file.Settings.Alerts {
		if missing := alerts.MissingChannel(a.To, w.channelNames()); missing != "" {
			fmt.Fprintf(w.Stderr, "alert %d: %s\n", i+1, missing)
			a.To = nil
		}
		one, err := alerts.Parse(a)
		if err != nil {
			fmt.Fprintf(w.Stderr, "alert %d: %s %s\n", i+1, termtext.Line(a.Rule), termtext.Line(err.Error()))
			continue
		}
		all = append(all, one)
	}
	return all
}

// lock makes this process the only one that looks at these alerts.
func (w *watcher) lock() (io.Closer, error) {
	if err := privatefile.MakeDirectory(filepath.Dir(w.path)); err != nil {
		return nil, err
	}
	closer, err := privatefile.Lock(strings.TrimSuffix(w.path, ".json") + ".lock")
	if errors.Is(err, errors.ErrUnsupported) {
		return io.NopCloser(nil), nil
	}
	return closer, err
}

// once looks at all alerts once and tells what is new. It returns an error if something could not
// be sent.
func (w *watcher) once(ctx context.Context) error {
	if err := w.load(); err != nil {
		return err
	}
	lock, err := w.lock()
	if errors.Is(err, privatefile.ErrLocked) {
		return errors.New("`tarmac watch` looks at these alerts already; end it first, or leave the looking to it")
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	if len(w.file.Settings.Alerts) == 0 {
		return command.Usagef("nothing is watched: add an alert with `tarmac alerts add runway-below 9`")
	}
	state, err := alerts.Load(w.path)
	if err != nil {
		return err
	}
	if err := w.round(ctx, state, true); err != nil {
		return err
	}
	for _, c := range w.channels() {
		if n, problem := state.Waiting(c.Name); n > 0 {
			return fmt.Errorf("channel %s did not take %s: %s", c.Name, plural.Count(n, "message"), termtext.Line(problem))
		}
	}
	return nil
}

// watch looks until ctx ends.
func (w *watcher) watch(ctx context.Context, every time.Duration) error {
	if err := w.load(); err != nil {
		return err
	}
	lock, err := w.waitForLock(ctx)
	if err != nil || lock == nil {
		return err
	}
	defer lock.Close()
	state, err := alerts.Load(w.path)
	if err != nil {
		return err
	}
	fmt.Fprintf(w.Stderr, "Watching %s, every %s. Ctrl+C ends it.\n", plural.Count(len(w.parsed()), "alert"), every)
	next := w.Now()
	for ctx.Err() == nil {
		due := !w.Now().Before(next)
		if err := w.round(ctx, state, due); err != nil {
			return err
		}
		if due {
			next = w.Now().Add(every)
		}
		if w.OwnProcess {
			debug.FreeOSMemory() // between looks, nothing of the books is needed
		}
		pauseUntil(ctx, w.Now, earliest(next, state.NextDelivery()), every)
		if err := w.load(); err != nil {
			fmt.Fprintf(w.Stderr, "%s; the settings from before are used\n", termtext.Line(withoutSecrets(problem.Line(err))))
		}
	}
	return nil
}

// waitForLock waits until no other process watches. It returns nil if ctx ends first.
func (w *watcher) waitForLock(ctx context.Context) (io.Closer, error) {
	for said := false; ; said = true {
		lock, err := w.lock()
		if !errors.Is(err, privatefile.ErrLocked) {
			return lock, err
		}
		if !said {
			fmt.Fprintln(w.Stderr, "Another `tarmac watch` looks at these alerts. This one waits until it ends.")
		}
		pauseUntil(ctx, w.Now, w.Now().Add(retryPause), retryPause)
		if ctx.Err() != nil {
			return nil, nil
		}
	}
}

func earliest(a, b time.Time) time.Time {
	if !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// pauseUntil waits until a time, but at most for a span, so that a clock that jumps does no harm.
func pauseUntil(ctx context.Context, now func() time.Time, at time.Time, most time.Duration) {
	timer := time.NewTimer(min(max(at.Sub(now()), time.Second), most))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// round looks at all alerts if that is due, and sends what waits. The state is on disk before
// anything is sent. Errors of a look are in its messages; the returned error is of the state's
// file.
func (w *watcher) round(ctx context.Context, state *alerts.State, due bool) error {
	if due {
		all := w.parsed()
		reading, company := w.read(ctx, all, state)
		if ctx.Err() != nil {
			return nil
		}
		if reading != nil {
			state.Observe(all, reading, company, w.channelNames())
		} else {
			state.Round = w.Now()
		}
		if err := w.addDigest(ctx, state); err != nil {
			fmt.Fprintf(w.Stderr, "digest: %s\n", termtext.Line(withoutSecrets(problem.Line(err))))
		}
		if err := state.Save(w.path); err != nil {
			return err
		}
	}
	senders := map[string]alerts.Sender{}
	for _, c := range w.channels() {
		sender, err := w.sender(c)
		if err != nil {
			sender = failing{err}
		}
		senders[c.Name] = reporting{sender, c.Name, w}
	}
	return state.Deliver(ctx, senders, w.Now, func() error { return state.Save(w.path) })
}

// failing is a channel that cannot be used.
type failing struct{ err error }

func (f failing) Send(context.Context, *alerts.Message) error { return f.err }

// reporting says on standard error what was told through a channel.
type reporting struct {
	alerts.Sender
	name string
	w    *watcher
}

func (r reporting) Send(ctx context.Context, m *alerts.Message) error {
	err := r.Sender.Send(ctx, m)
	at := r.w.Now().UTC().Format("2006-01-02 15:04:05Z")
	switch {
	case err != nil:
		fmt.Fprintf(r.w.Stderr, "%s %s did not take message %s: %s\n", at, r.name, m.ID,
			termtext.Line(withoutSecrets(err.Error())))
	case r.name != onTerminal.Name || r.w.Stdout != io.Writer(os.Stdout):
		fmt.Fprintf(r.w.Stderr, "%s %s took message %s\n", at, r.name, m.ID)
	}
	return err
}
