package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
)

func newEvents(env command.Env) *cobra.Command {
	return listGroup("events", "Events: list, get, tail", func() *cobra.Command { return newEventList(env) },
		newEventGet(env), newEventTail(env))
}

func newEventGet(env command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "get ID", Short: "Show one event with its data", Args: idArgument("event", "tarmac events"),
		Example: "tarmac events get evt_…"}
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		e, err := a.client.Event(ctx, args[0])
		if err != nil {
			return err
		}
		if err := a.show(record.Event(*e)); err != nil || a.format() != asText {
			return err
		}
		_, err = fmt.Fprintf(a.out, "\n%s\n", e.PrettyData())
		return err
	})
}

type eventFlags struct {
	types []string
	after string
	limit int
	all   bool
}

func newEventList(env command.Env) *cobra.Command {
	var f eventFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List events, newest first",
		Long: "list shows the events of the last 90 days, newest first. --all streams all of them.\n" +
			"An interrupted list ends with an error, and its JSON is incomplete.",
		Example: "tarmac events --types invoice.paid,invoice.overdue\ntarmac events list --all --json > events.json",
	}
	typesFlag(cmd, &f.types, "show only these event types")
	cmd.Flags().StringVar(&f.after, "starting-after", "", "list only events older than the event with this id")
	cmd.Flags().IntVar(&f.limit, "limit", defaultLimit, "maximum number to list")
	cmd.Flags().BoolVar(&f.all, "all", false, "list all events of the last 90 days")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		if f.all && cmd.Flags().Changed("limit") {
			return command.Usagef("--all and --limit cannot be combined")
		}
		if f.limit < 1 {
			return command.Usagef("--limit must be 1 or more; use --all for all")
		}
		types, err := eventTypes(f.types)
		if err != nil {
			return err
		}
		return a.listEvents(ctx, apiclient.EventQuery{Types: types, StartingAfter: f.after}, maxRows(f.all, f.limit))
	})
}

func typesFlag(cmd *cobra.Command, types *[]string, usage string) {
	cmd.Flags().StringSliceVar(types, "types", nil, usage+", such as invoice.paid,payment.held")
	command.Choices(cmd, "types", apiclient.EventTypes()...)
}

// eventTypes parses the flag --types. It accepts event types that are unknown to this program,
// because a newer server may have them, and rejects only malformed names.
func eventTypes(words []string) ([]apiclient.EventType, error) {
	types := make([]apiclient.EventType, len(words))
	for i, word := range words {
		word = strings.TrimSpace(word)
		if object, event, ok := strings.Cut(word, "."); !ok || object == "" || event == "" ||
			strings.ContainsAny(word, " ,") || looksSecret(word) {
			return nil, command.Usagef("--types must be event types such as invoice.paid, not %s", command.Quoted(word))
		}
		types[i] = apiclient.EventType(word)
	}
	return types, nil
}

// listEvents prints at most the given number of events. It fetches them page by page.
func (a *call) listEvents(ctx context.Context, q apiclient.EventQuery, most int) error {
	progress := a.progress()
	defer progress.end()
	var l *listing
	for {
		q.Limit = min(most, maxEvents)
		var page *apiclient.EventPage
		err := a.fetchWithPauses(ctx, func() (err error) {
			page, err = a.client.EventPage(ctx, q)
			return err
		})
		if l == nil {
			err = a.checkStartingAfter(ctx, q.StartingAfter, err)
		}
		if err == nil && l == nil {
			l, err = a.listing(true, record.Event(apiclient.Event{}))
		}
		if err != nil {
			progress.end()
			return incompleteList(l, "the events", err)
		}
		if err := addAll(l, page.Data, record.Event); err != nil {
			return err
		}
		most -= len(page.Data)
		if page.NextCursor == "" || most <= 0 {
			progress.end()
			if err := l.end(record.Object{record.Text("next_cursor", "", page.NextCursor)}); err != nil {
				return err
			}
			if page.NextCursor != "" {
				a.note("Showing the newest %s. Use --limit for more, --all for all.", money.Count(int64(l.listed)))
			}
			a.noteHiddenColumns(l)
			return l.unreadableError("event")
		}
		if q, _, err = page.Next(q); err != nil {
			return incompleteList(l, "the events", err)
		}
		progress.say(money.Count(int64(l.listed)) + " events")
		if err := a.out.Flush(); err != nil {
			return err
		}
	}
}

// checkStartingAfter explains why the server refused a listing that starts after the event with
// this ID. If the feed has no such event, it returns an error that says so. Otherwise it returns
// the server's error unchanged.
func (a *call) checkStartingAfter(ctx context.Context, id string, refused error) error {
	if id == "" || !errors.Is(refused, apiclient.ErrInvalid) {
		return refused
	}
	if _, err := a.client.Event(ctx, id); errors.Is(err, apiclient.ErrNotFound) {
		return unknownEvent(&apiclient.UnknownEventError{ID: id}, "omit --starting-after to begin at the newest")
	}
	return refused
}

// shortestInterval is the minimum polling interval. It keeps requests within a server's default
// rate limit.
const shortestInterval = time.Second

func newEventTail(env command.Env) *cobra.Command {
	var (
		types    []string
		since    string
		interval time.Duration
	)
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Follow new events",
		Long: fmt.Sprintf("tail prints the newest %d events, then each new event, oldest first and once each, until it "+
			"is interrupted.\n"+
			"--since now prints only new events, --since beginning all events of the last 90 days, and --since ID all "+
			"events after that one. A program that must see every event passes the id of the last one it handled. An "+
			"unknown id is an error (exit code 4).\n"+
			"tail reports outages on standard error and then continues after the last event. After an outage of more "+
			"than 90 days, it reports where events may be missing.", maxEvents),
		Example: "tarmac events tail --types payment.held\n" +
			"tarmac events tail --since now | head -n 1\n" +
			"tarmac events tail --json --since evt_… | while read -r event; do …; done",
	}
	typesFlag(cmd, &types, "show only these event types")
	cmd.Flags().StringVar(&since, "since", "", "print events after this id; or now, or beginning")
	command.Choices(cmd, "since", apiclient.SinceNow, apiclient.SinceBeginning)
	cmd.Flags().DurationVar(&interval, "interval", 5*time.Second, "polling interval")
	return apiCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		types, err := eventTypes(types)
		switch {
		case err != nil:
			return err
		case interval < shortestInterval:
			return command.Usagef("--interval must be %s or longer", shortestInterval)
		case looksSecret(since):
			return command.Usagef("--since needs an event's id, and was given a secret")
		}
		return a.tail(ctx, apiclient.TailOptions{Types: types, Since: since, PageLimit: maxEvents, Interval: interval})
	})
}

// tail prints events until it is interrupted or the reader of its output closes the pipe. Both
// count as success.
func (a *call) tail(ctx context.Context, o apiclient.TailOptions) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if file, ok := a.Stdout.(*os.File); ok {
		onReaderGone(file, stop)
	}
	feed := &watchedFeed{EventPager: a.client, call: a, since: o.Since}
	var last error
	for event, err := range apiclient.Tail(ctx, feed, o) {
		if last = err; err != nil {
			feed.reportOutage(err)
			continue
		}
		if err := a.printEvent(event); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return unknownEvent(last, "use --since beginning for all stored events, or --since now for new ones")
}

// unknownEvent appends advice to an error about an event that is not in the feed. It returns other
// errors unchanged.
func unknownEvent(err error, advice string) error {
	if errors.As(err, new(*apiclient.UnknownEventError)) {
		return fmt.Errorf("%w; %s", err, advice)
	}
	return err
}

func (a *call) printEvent(e apiclient.Event) error {
	if e.Unreadable != nil {
		which := "the event " + e.ID
		if e.ID == "" {
			which = "an event without an id"
		}
		a.note("%s %s could not be read and was skipped: %s",
			record.Timestamp(a.Now()), which, problem.OfRecord(e.Unreadable))
		return nil
	}
	var err error
	if a.json {
		err = record.Event(e).WriteJSON(a.out)
	} else {
		_, err = fmt.Fprintf(a.out, "%s  %s  %s  %s\n", record.Timestamp(e.OccurredAt), pad(string(e.Type), 17), e.ID,
			record.EventAbout(e))
	}
	if err != nil {
		return err
	}
	return a.out.Flush()
}

// watchedFeed is an event feed that prints when the connection is lost and restored.
type watchedFeed struct {
	apiclient.EventPager
	call        *call
	since       string    // value of TailOptions.Since, after which the feed begins
	outageStart time.Time // start of the current outage; zero while requests succeed
	connected   bool      // the first successful request has been reported
}

func (f *watchedFeed) EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	page, err := f.EventPager.EventPage(ctx, q)
	if err == nil && !f.connected {
		f.connected = true
		first := ""
		if f.since == "" && len(page.Data) > 0 {
			first = fmt.Sprintf(" The newest %s come first; --since now leaves them out.", money.Count(int64(len(page.Data))))
		}
		f.call.note("Listening for events. Press Ctrl+C to stop.%s", first)
	}
	if err == nil && !f.outageStart.IsZero() {
		f.call.note("%s connected again after %s; continuing after the last event", record.Timestamp(f.call.Now()),
			f.call.Now().Sub(f.outageStart).Round(time.Second))
		f.outageStart = time.Time{}
	}
	return page, err
}

// reportOutage prints every gap in the feed, and the first error of an outage. It skips errors that
// end the command, because the command prints those itself.
func (f *watchedFeed) reportOutage(err error) {
	if errors.As(err, new(*apiclient.MissedError)) {
		f.call.note("%s %s", record.Timestamp(f.call.Now()), err)
		return
	}
	code := exitCode(err)
	lasting := code == exitNotAllowed || code == exitNotFound || errors.Is(err, apiclient.ErrRedirected) ||
		errors.Is(err, apiclient.ErrInvalid)
	if lasting || !f.outageStart.IsZero() {
		return
	}
	f.outageStart = f.call.Now()
	f.call.note("%s %s; trying again", record.Timestamp(f.outageStart), problem.Line(err))
}
