package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/alerts"
	"tarmac/client/report"
	"tarmac/internal/civil"
)

type digestFlags struct {
	company      string
	html, masked bool
}

func newDigest(env command.Env) *cobra.Command {
	var f digestFlags
	cmd := &cobra.Command{
		Use:   "digest",
		Short: "Say how things stand and what the week brought",
		Long: "digest prints cash and runway and why they changed, the payments of the last seven days that are above the " +
			"usual, what is to be paid in the next seven, who is late, what rose, and what could not be known. `tarmac watch` " +
			"sends it at the time that the settings name: [digest] when = \"monday 08:00\".\n" +
			"--html makes a page that loads nothing, --json has all figures.",
		Example: "tarmac digest\ntarmac digest --masked | mail -s 'Our week' board@example.com",
	}
	cmd.Flags().StringVar(&f.company, "company", "",
		"company's name in the title; default the name of own books, else the organization's ID")
	cmd.Flags().BoolVar(&f.html, "html", false, "make a page of HTML")
	cmd.Flags().BoolVar(&f.masked, "masked", false, "hide amounts, percentages and numbers of months")
	return apiCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		switch {
		case a.json && (f.html || f.masked):
			return command.Usagef("--json cannot be combined with --html or --masked")
		case f.html && command.IsTerminal(a.Stdout):
			return command.Usagef("refusing to write HTML to the terminal; redirect it to a file")
		}
		d, err := a.readDigest(ctx, f.company)
		if err != nil {
			return err
		}
		switch {
		case a.json:
			return d.WriteJSON(a.out)
		case f.html:
			return d.WriteHTML(a.out, f.masked)
		}
		return d.WriteText(a.out, f.masked)
	})
}

func (a *call) readDigest(ctx context.Context, company string) (*report.Digest, error) {
	r, err := a.readReport(ctx, civil.Of(a.Now()).FirstOfMonth(), company)
	if err != nil {
		return nil, err
	}
	return report.NewDigest(r.Input), nil
}

// addDigest adds a digest to the outbox if one is due.
func (w *watcher) addDigest(ctx context.Context, state *alerts.State) error {
	settings := w.file.Settings.Digest
	if settings.When == "" {
		return nil
	}
	schedule, err := alerts.ParseSchedule(settings.When, settings.Zone)
	if err != nil || !state.DigestDue(schedule, w.Now()) {
		return err
	}
	var text, masked, page bytes.Buffer
	var title string
	a := &call{Env: w.Env, flags: w.flags}
	a.Stderr = io.Discard
	if err := a.run(ctx, func(ctx context.Context) error {
		d, err := a.readDigest(ctx, "")
		if err != nil {
			return err
		}
		if err := errors.Join(d.WriteHTML(&page, false), d.WriteText(&masked, true)); err != nil {
			return err
		}
		return d.WriteText(&text, false)
	}); err != nil {
		return err
	}
	title, _, _ = strings.Cut(text.String(), "\n")
	to := settings.To
	if missing := alerts.MissingChannel(to, w.channelNames()); missing != "" {
		fmt.Fprintf(w.Stderr, "digest: %s\n", missing)
		to = nil
	}
	if to == nil {
		to = w.channelNames()
	}
	state.Post(alerts.Message{
		At: w.Now(), Title: title, Text: text.String(), Page: page.String(), Masked: masked.String(),
	}, to)
	state.Digest = w.Now()
	return nil
}
