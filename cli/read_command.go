package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/alerts"
	"tarmac/client/export"
	"tarmac/client/importing"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/settings"
	"tarmac/internal/money"
	"tarmac/internal/panics"
	"tarmac/internal/termtext"
	"tarmac/service/access"
)

// call is one run of a command that calls the API, with its flags, client and output.
type call struct {
	command.Env
	flags    clientFlags
	json     bool
	csv      bool
	out      *bufio.Writer // standard output, flushed when the command ends
	client   *apiclient.Client
	readOnly bool              // the flag or the profile forbids changes
	planFile string            // file with the plan; "" without a profile, or if noPlan isn't nil
	noPlan   error             // why the plan has no file; may be nil
	alerts   alerts.Overviewer // reads the state of the connection's alerts
	company  string            // name of the company of own books; empty for other servers
	books    importing.Books   // own books; nil for other servers

	mu    sync.Mutex
	until time.Time // end of the rate-limit pause that was reported last
}

// defaultLimit is the number of records in a listing without the flag --limit.
const defaultLimit = 50

// action is what a command does once it has a client.
type action func(context.Context, *call, []string) error

// apiCommand completes cmd, a command that calls the API. It adds the common flags and error
// handling; run is the action of the command itself.
func apiCommand(env command.Env, cmd *cobra.Command, run action) *cobra.Command {
	a := &call{Env: env}
	a.flags.register(cmd)
	cmd.Flags().BoolVar(&a.json, "json", false, "print JSON with the API's field names")
	if cmd.Args == nil {
		cmd.Args = command.NoArguments
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		err := a.run(ctx, func(ctx context.Context) error { return run(ctx, a, args) })
		var (
			unknown *unknownOutcome
			broken  *incompleteError
		)
		switch {
		case ctx.Err() == nil && !errors.As(err, &unknown) &&
			(errors.Is(err, apiclient.ErrUnauthorized) || errors.Is(err, apiclient.ErrNetwork)):
			return fmt.Errorf("%w; run `tarmac doctor` for details", err)
		case err == nil || ctx.Err() == nil || errors.As(err, &unknown):
			return err
		case errors.As(err, &broken):
			return errors.New("ended by a signal; " + broken.listed)
		}
		return errors.New("ended by a signal")
	}
	return cmd
}

// rowsCommand returns an apiCommand with a flag --csv. It is meant for commands that print a list
// or one record.
func rowsCommand(env command.Env, cmd *cobra.Command, do action) *cobra.Command {
	var csv bool
	cmd.Flags().BoolVar(&csv, "csv", false, "print CSV with the API's field names (docs/export.md)")
	return apiCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		if a.csv = csv; csv && a.json {
			return command.Usagef("--json and --csv cannot be combined")
		}
		return do(ctx, a, args)
	})
}

// writeCommand returns an apiCommand that changes data. If the outcome of a write is unknown, the
// command exits with code 1 whatever the cause, so that no script retries it as if the server had
// been unreachable.
func writeCommand(env command.Env, cmd *cobra.Command, do action) *cobra.Command {
	return apiCommand(env, cmd, func(ctx context.Context, a *call, args []string) error {
		if a.readOnly {
			return command.Usagef("%s is not available in read-only mode (--read-only, or read_only in the profile)",
				cmd.CommandPath())
		}
		err := do(ctx, a, args)
		if errors.Is(err, apiclient.ErrOutcomeUnknown) {
			return &unknownOutcome{problem.Line(err)}
		}
		return err
	})
}

// unknownOutcome is the error of a write that the server may or may not have carried out.
type unknownOutcome struct{ text string }

func (e *unknownOutcome) Error() string { return e.text }

// run connects to the server or the own books that flags, environment and settings name, and then
// calls fn.
func (a *call) run(ctx context.Context, fn func(context.Context) error) error {
	found, err := a.resolve()
	if err != nil {
		return err
	}
	logger, closeLog, err := openLog(a.flags.logFile)
	if err != nil {
		return err
	}
	defer closeLog()
	running, broken := context.WithCancelCause(ctx)
	defer broken(nil)
	dial := dialer{timeout: a.flags.timeout, logger: logger, pausing: a.pausing, broken: broken}
	connection, err := dial.open(running, a.Env, found)
	if err != nil {
		return err
	}
	if connection.Close != nil {
		defer connection.Close()
	}
	a.client = connection.Client
	if connection.Books != nil {
		a.company, a.books = connection.Profile, connection.Books
	}
	if connection.Providers != nil {
		sayLost(running, a.Env, connection.Providers)
	}
	err = withBufferedOutput(a.Env, &a.out, func() error { return fn(running) })
	if fault, broken := context.Cause(running).(*panics.Fault); broken {
		return fault
	}
	return err
}

// resolve returns the connection that flags, environment and settings name. It sets readOnly,
// planFile and noPlan of the call accordingly.
func (a *call) resolve() (settings.Connection, error) {
	if err := a.flags.check(); err != nil {
		return settings.Connection{}, err
	}
	found, err := a.flags.resolve(a.Env)
	if err == nil {
		a.readOnly = found.ReadOnly
		a.planFile, a.noPlan = found.PlanFile(a.Getenv)
		a.alerts = overviewer(a.Getenv, found)
	}
	return found, err
}

// withBufferedOutput calls fn with a buffer for standard output, and flushes the buffer at the end.
func withBufferedOutput(env command.Env, out **bufio.Writer, fn func() error) error {
	*out = bufio.NewWriter(stdoutWriter{env.Stdout})
	err := fn()
	if flushed := (*out).Flush(); err == nil {
		err = flushed
	}
	return err
}

var errReaderGone = errors.New("standard output is closed")

// isReaderGone reports whether a command ended because the program that read its standard output
// closed the pipe. Broken network connections have the same error number but do not count.
func isReaderGone(err error) bool {
	var failed *os.PathError
	return errors.Is(err, errReaderGone) ||
		errors.As(err, &failed) && failed.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}

// stdoutWriter marks the errors of a closed standard output, so that they differ from network
// errors.
type stdoutWriter struct{ w io.Writer }

func (o stdoutWriter) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		err = errReaderGone
	}
	return n, err
}

func (a *call) format() format {
	switch {
	case a.json:
		return asJSON
	case a.csv:
		return asCSV
	}
	return asText
}

// show prints one record.
func (a *call) show(o record.Object) error {
	switch a.format() {
	case asJSON:
		return o.WriteJSON(a.out)
	case asCSV:
		return export.WriteCSV(a.out, o)
	}
	return writeLabels(a.out, o, a.columns())
}

// showAll prints a complete list, in JSON as an array. It skips records that could not be decoded
// and returns an error with their number. The parameter noun names one record.
func showAll[T apiclient.Record](a *call, noun string, all []T, of func(T) record.Object) error {
	var none T
	if err := a.showRows(of(none), record.DescribeAll(apiclient.Readable(all), of)); err != nil {
		return err
	}
	n, first := apiclient.CountUnreadable(all)
	return problem.UnreadableRows(n, noun, first)
}

func (a *call) showRows(sample record.Object, rows []record.Object) error {
	l, err := a.listing(false, sample)
	for i := 0; err == nil && i < len(rows); i++ {
		err = l.add(rows[i])
	}
	if err != nil {
		return err
	}
	if err := l.end(nil); err != nil {
		return err
	}
	a.noteHiddenColumns(l)
	return nil
}

// columns returns the width of the terminal on standard output, in cells. If standard output is not
// a terminal, it returns 0.
func (a *call) columns() int {
	columns, _ := command.TerminalSize(a.Stdout)
	return columns
}

// noteHiddenColumns prints on standard error which columns of a table are hidden.
func (a *call) noteHiddenColumns(l *listing) {
	if l.table != nil && len(l.table.hidden) > 0 {
		a.note("Hidden columns: %s. Use --json or --csv for all columns.", strings.Join(l.table.hidden, ", "))
	}
}

// note prints a message on standard error, after all output so far has reached standard output.
func (a *call) note(format string, args ...any) {
	_ = a.out.Flush() // if this fails, the next write returns the same error
	fmt.Fprintln(a.Stderr, termtext.Line(fmt.Sprintf(format, args...)))
}

// idArgument requires exactly one argument, the ID of a record. It rejects tokens, which would
// otherwise be sent as part of a URL.
func idArgument(record, from string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return command.Usagef("%s needs the %s's id, from `%s`", cmd.CommandPath(), record, from)
		}
		if looksSecret(args[0]) {
			return command.Usagef("%s needs the %s's id, from `%s`, and was given a secret", cmd.CommandPath(), record, from)
		}
		return nil
	}
}

func looksSecret(s string) bool {
	return access.ContainsSecret(s) || strings.Contains(strings.ToLower(s), apiclient.SecretPrefix)
}

// listGroup returns a group of commands that lists records if no subcommand is given: `tarmac
// invoices` does the same as `tarmac invoices list`.
func listGroup(use, short string, list func() *cobra.Command, others ...*cobra.Command) *cobra.Command {
	group := list()
	group.Use, group.Short = use, short
	group.Args = command.OnlyCommands
	group.AddCommand(list())
	group.AddCommand(others...)
	return group
}

// Limits for pauses because of the rate limit while a long list is read: the length of one pause,
// and the number of pauses in a row.
const (
	maxPause  = 2 * time.Minute
	maxPauses = 20
)

// fetchWithPauses fetches a page. If the server limits the request rate, it waits and retries,
// because a list of thousands of pages needs more requests than the server allows at once.
func (a *call) fetchWithPauses(ctx context.Context, fetch func() error) error {
	for range maxPauses {
		err := fetch()
		var refusal *apiclient.Error
		if !errors.Is(err, apiclient.ErrRateLimited) || !errors.As(err, &refusal) || refusal.RetryAfter > maxPause {
			return err
		}
		pause := max(time.Second, refusal.RetryAfter)
		a.pausing(pause)
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
	}
	return fetch()
}

// pausing prints that a request waits because of the rate limit. It prints only to a terminal, and
// only once for requests that wait at the same time.
func (a *call) pausing(wait time.Duration) {
	if !command.IsTerminal(a.Stderr) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	end := a.Now().Add(wait)
	if !end.After(a.until.Add(500 * time.Millisecond)) {
		return
	}
	a.until = end
	fmt.Fprintf(a.Stderr, "\rRate limited: retrying in %d s.\x1b[K\n", (wait+time.Second-time.Nanosecond)/time.Second)
}

// incompleteError is the error of a list that failed after some rows had been written.
type incompleteError struct {
	error
	listed string // a sentence that says how many rows were written
}

func (b *incompleteError) Error() string { return b.error.Error() + "; " + b.listed }
func (b *incompleteError) Unwrap() error { return b.error }

// incompleteList flushes the rows read so far and returns an error that says that the list is
// incomplete. The noun names all records, such as "the events".
func incompleteList(l *listing, noun string, err error) error {
	if l == nil || l.listed == 0 {
		return err
	}
	if flushed := l.flush(); flushed != nil {
		return flushed
	}
	return &incompleteError{err, "what is written is not the whole list: " + money.Count(int64(l.listed)) + " of " + noun}
}

// progress shows on standard error how much of a long list has been read. It does so only if
// standard error is a terminal and standard output is not.
type progress struct {
	w     io.Writer
	quiet bool
	shown bool
}

func (a *call) progress() *progress {
	if !command.IsTerminal(a.Stderr) {
		return &progress{w: io.Discard}
	}
	return &progress{w: a.Stderr, quiet: command.IsTerminal(a.Stdout)}
}

func (p *progress) say(text string) {
	if !p.quiet {
		p.shown = true
		fmt.Fprintf(p.w, "\r%s\x1b[K", text)
	}
}

func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
