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
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/service/access"
)

// ask is a run of a command that asks a server.
type ask struct {
	command.Env
	flags    clientFlags
	json     bool
	csv      bool
	out      *bufio.Writer // standard output, flushed when the command ends
	client   *apiclient.Client
	readOnly bool // by the flag or by the profile

	mu    sync.Mutex
	until time.Time // the end of the last pause that was told
}

// defaultLimit is how many records a listing shows unless --limit says otherwise.
const defaultLimit = 50

// asking gives a command the flags of those that ask a server, and what it does.
func asking(env command.Env, cmd *cobra.Command, do func(context.Context, *ask, []string) error) *cobra.Command {
	a := &ask{Env: env}
	a.flags.register(cmd)
	cmd.Flags().BoolVar(&a.json, "json", false, "print JSON with the API's field names")
	if cmd.Args == nil {
		cmd.Args = command.NoArguments
	}
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		err := a.run(func() error { return do(ctx, a, args) })
		var (
			unknown *unknownOutcome
			broken  *brokenOff
		)
		switch {
		case ctx.Err() == nil && !errors.As(err, &unknown) && (errors.Is(err, apiclient.ErrUnauthorized) || errors.Is(err, apiclient.ErrNetwork)):
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

// inRows is asking for commands whose answer can be rows: a list, or one record.
func inRows(env command.Env, cmd *cobra.Command, do func(context.Context, *ask, []string) error) *cobra.Command {
	var csv bool
	cmd.Flags().BoolVar(&csv, "csv", false, "print CSV with the API's field names (docs/export.md)")
	return asking(env, cmd, func(ctx context.Context, a *ask, args []string) error {
		if a.csv = csv; csv && a.json {
			return command.Usagef("--json and --csv cannot be combined")
		}
		return do(ctx, a, args)
	})
}

// writing is asking for commands that change something. Where a write may have been
// carried out all the same, it failed, whatever the reason: a script must not repeat
// it as it repeats what did not reach the server.
func writing(env command.Env, cmd *cobra.Command, do func(context.Context, *ask, []string) error) *cobra.Command {
	return asking(env, cmd, func(ctx context.Context, a *ask, args []string) error {
		if a.readOnly {
			return command.Usagef("%s is not available in read-only mode (--read-only, or read_only in the profile)", cmd.CommandPath())
		}
		err := do(ctx, a, args)
		if errors.Is(err, apiclient.ErrOutcomeUnknown) {
			return &unknownOutcome{problem.Line(err)}
		}
		return err
	})
}

// unknownOutcome is an error after which a write may have been carried out.
type unknownOutcome struct{ text string }

func (e *unknownOutcome) Error() string { return e.text }

// run does what the command does, on the server that flags and environment name.
func (a *ask) run(do func() error) error {
	if err := a.flags.check(); err != nil {
		return err
	}
	found, err := a.flags.resolve(a.Env)
	if err != nil {
		return err
	}
	a.readOnly = found.ReadOnly
	logger, closeLog, err := openLog(a.flags.logFile)
	if err != nil {
		return err
	}
	defer closeLog()
	if a.client, err = (dialer{timeout: a.flags.timeout, logger: logger, pausing: a.pausing}).connectTo(found); err != nil {
		return err
	}
	return printing(a.Env, &a.out, do)
}

// printing gives a command its standard output. A reader that wants no more, such
// as head, ends it quietly.
func printing(env command.Env, out **bufio.Writer, do func() error) error {
	*out = bufio.NewWriter(outlet{env.Stdout})
	err := do()
	if flushed := (*out).Flush(); err == nil {
		err = flushed
	}
	return err
}

var errNobodyReads = errors.New("standard output is closed")

// nobodyReads reports whether a command ended because the reader of its standard
// output closed the pipe. A connection that breaks has the same error number.
func nobodyReads(err error) bool {
	var failed *os.PathError
	return errors.Is(err, errNobodyReads) ||
		errors.As(err, &failed) && failed.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}

// outlet tells a standard output that nobody reads from a connection that broke.
type outlet struct{ w io.Writer }

func (o outlet) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		err = errNobodyReads
	}
	return n, err
}

func (a *ask) form() form {
	switch {
	case a.json:
		return asJSON
	case a.csv:
		return asCSV
	}
	return forPeople
}

// show prints one record.
func (a *ask) show(o record.Object) error {
	switch a.form() {
	case asJSON:
		return o.WriteJSON(a.out)
	case asCSV:
		return export.WriteCSV(a.out, o)
	}
	return writeLabels(a.out, o, a.columns())
}

// showAll prints a list that is all there, a bare list in JSON. Records that could not be
// read are left out, which is the error then; noun is what one of them is called.
func showAll[T apiclient.Record](a *ask, noun string, all []T, of func(T) record.Object) error {
	var none T
	if err := a.showRows(of(none), record.Of(apiclient.Readable(all), of)); err != nil {
		return err
	}
	n, first := apiclient.CountUnreadable(all)
	return lacking(noun, n, first)
}

func (a *ask) showRows(sample record.Object, rows []record.Object) error {
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
	a.noteLeftOut(l)
	return nil
}

// columns is how wide the terminal is that standard output is; 0 for none.
func (a *ask) columns() int {
	columns, _ := command.TerminalSize(a.Stdout)
	return columns
}

// noteLeftOut says which columns a table goes without.
func (a *ask) noteLeftOut(l *listing) {
	if l.table != nil && len(l.table.leftOut) > 0 {
		a.note("Hidden columns: %s. Use --json or --csv for all columns.", strings.Join(l.table.leftOut, ", "))
	}
}

// note says something beside the result, on standard error, after what is there of it.
func (a *ask) note(format string, args ...any) {
	_ = a.out.Flush() // its error comes again with the next one
	fmt.Fprintln(a.Stderr, termtext.Line(fmt.Sprintf(format, args...)))
}

// about is for commands whose only argument is the id of a record. A token that
// was put there would travel in a URL.
func about(record, from string) cobra.PositionalArgs {
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

// withList makes a group whose own work is to list: `tarmac invoices` is
// `tarmac invoices list`.
func withList(use, short string, list func() *cobra.Command, others ...*cobra.Command) *cobra.Command {
	group := list()
	group.Use, group.Short = use, short
	group.Args = command.OnlyCommands
	group.AddCommand(list())
	group.AddCommand(others...)
	return group
}

// The longest pause that a server is granted while a long list is read, and how
// often in a row.
const (
	longestPause = 2 * time.Minute
	mostPauses   = 20
)

// unhurried fetches a page, waiting where the server says that it was asked too
// often: a list of thousands of pages takes more requests than it grants at once.
func (a *ask) unhurried(ctx context.Context, fetch func() error) error {
	for range mostPauses {
		err := fetch()
		var refusal *apiclient.Error
		if !errors.Is(err, apiclient.ErrRateLimited) || !errors.As(err, &refusal) || refusal.RetryAfter > longestPause {
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

// pausing tells a person that it goes on later because the server was asked too often,
// once where several reads wait for the same.
func (a *ask) pausing(wait time.Duration) {
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

// brokenOff is why a list ended early, of which some is written already.
type brokenOff struct {
	error
	listed string // how much, as a sentence
}

func (b *brokenOff) Error() string { return b.error.Error() + "; " + b.listed }
func (b *brokenOff) Unwrap() error { return b.error }

// breaksOff writes what is read of a list that cannot be read further, and says
// that it is not all. of is how many there are, in words.
func breaksOff(l *listing, of string, err error) error {
	if l == nil || l.listed == 0 {
		return err
	}
	if flushed := l.flush(); flushed != nil {
		return flushed
	}
	return &brokenOff{err, "what is written is not the whole list: " + money.Count(int64(l.listed)) + " of " + of}
}

// progress says on standard error how far a long list is, where that is a terminal
// and the list itself goes elsewhere.
type progress struct {
	w     io.Writer
	quiet bool
	shown bool
}

func (a *ask) progress() *progress {
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
