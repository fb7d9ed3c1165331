package syncing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/providers"
	"tarmac/service/providers/pace"
	"tarmac/service/store"
)

const (
	// overlapDays is the number of days before today that each reading covers again, because banks
	// change lines. At 45 days, SimpleFIN warns.
	overlapDays = 44
	// historyDays is the number of days before today that a first reading covers, if the provider
	// answers for such a period at once.
	historyDays = 2 * 366
	// oldestWindow is the number of days before today at which the search for older lines in
	// windows ends, and emptyWindows the number of windows without lines after which it ends.
	oldestWindow, emptyWindows = 400, 2
	// maxWindows is the number of windows that one reading adds to the history.
	maxWindows = 6
)

// A reading takes at most maxReading, which is less than its lease, so that no other process reads
// at the same time.
const (
	maxReading = 4 * time.Minute
	leaseTime  = 5 * time.Minute
	// windowsUntil is the time after the start of a reading after which no further window of the
	// history is begun.
	windowsUntil = time.Minute
)

// errLost is the error of a reading whose lease was taken over, or whose connection was removed.
// What it read is not stored.
var errLost = errors.New("the connection was removed or is being read by another process")

// errIncomplete is the error of a window of the history in which the provider could read no
// account.
var errIncomplete = errors.New("the provider could not read any account")

// reading holds the state of reading one connection.
type reading struct {
	*Syncer
	lease    store.ReadingLease
	c        store.Connection
	kind     providers.Kind
	provider providers.Provider
	accounts []store.ConnectionAccount // accounts of the connection that are taken
	invoices []string                  // provider's ids of the open invoices, as the database has them
	// openNow are the provider's ids of the open invoices in its answer; nil if it was not asked.
	openNow  []string
	options  SyncOptions
	byPerson bool // true if a person asked for the reading
	began    time.Time
	outcome  Outcome
	stored   stored
}

// stored is what the database has about a connection: it holds again after a failure.
type stored struct {
	c        store.Connection
	accounts []store.ConnectionAccount
}

// read reads a connection that was claimed and stores the outcome. It returns an error if the
// outcome could not be stored, or if ctx was canceled.
func (s *Syncer) read(ctx context.Context, lease store.ReadingLease, c store.Connection, o SyncOptions, byPerson bool) (
	Outcome, error,
) {
	limited, cancel := context.WithTimeout(ctx, maxReading)
	defer cancel()
	r := &reading{
		Syncer: s, lease: lease, c: c, options: o, byPerson: byPerson, began: s.Now(), stored: stored{c: c},
	}
	err := r.prepare(limited)
	if err == nil {
		err = r.run(limited)
	}
	switch {
	case err == nil:
	case errors.Is(err, errLost):
		return r.outcome, err
	case ctx.Err() != nil:
		return r.outcome, errors.Join(ctx.Err(), r.release(ctx))
	default:
		err = r.fail(ctx, err)
	}
	r.outcome.Problem = cmp.Or(r.outcome.Problem, r.c.Problem)
	return r.outcome, err
}

// prepare opens the provider and reads what the books know of the connection.
func (r *reading) prepare(ctx context.Context) (err error) {
	if r.provider, r.kind, err = r.open(ctx, r.c); err != nil {
		return err
	}
	return r.Store.Read(ctx, func(snap *store.Snapshot) (err error) {
		if r.c, err = snap.Connection(r.c.Key); err != nil {
			return err
		}
		if r.invoices, err = snap.ConnectionInvoices(r.c.Key); err != nil {
			return err
		}
		all, err := snap.ConnectionAccounts(r.c.Org)
		for _, a := range all {
			if a.Connection == r.c.Key && a.Taken {
				r.accounts = append(r.accounts, a)
			}
		}
		r.keep()
		return err
	})
}

// keep notes that the connection and its accounts are stored as they are.
func (r *reading) keep() { r.stored = stored{c: r.c, accounts: slices.Clone(r.accounts)} }

// run reads the last days, and then more of the history if the provider answers only for windows.
func (r *reading) run(ctx context.Context) error {
	request := r.request()
	answer, err := r.ask(ctx, request)
	if err != nil {
		return err
	}
	if r.c.History.First.IsZero() || request.Since.Before(r.c.History.First) {
		r.c.History = store.ConnectionHistory{First: firstOfAll(answer, request), Whole: r.kind.Window == 0}
	} else if r.lacking(answer) < r.c.History.Lacks {
		r.c.History = store.ConnectionHistory{First: firstOfAll(answer, request)}
	}
	if err := r.take(ctx, answer, request); err != nil {
		return err
	}
	for n := 0; n < maxWindows && !r.c.History.Whole && r.Now().Before(r.began.Add(windowsUntil)); n++ {
		err := r.readWindow(ctx)
		if errors.As(err, new(*usedUp)) || errors.Is(err, errIncomplete) {
			break
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// firstOfAll returns the first day that an answer covers for all accounts.
func firstOfAll(answer providers.Reading, q providers.Request) civil.Date {
	first := q.Since
	for _, st := range answer.Statements {
		if st.First.After(first) {
			first = st.First
		}
	}
	return first
}

// restore undoes what was not stored.
func (r *reading) restore() { r.c, r.accounts, r.openNow = r.stored.c, r.stored.accounts, nil }

// request returns the request for the last days.
func (r *reading) request() providers.Request {
	today := civil.Of(r.Now())
	q := providers.Request{Since: today.AddDays(-overlapDays), Now: r.Now().UTC(), Invoices: r.invoices}
	if last := civil.Of(r.c.LastSuccess); r.kind.Window == 0 && r.c.History.First.IsZero() {
		q.Since = today.AddDays(-historyDays)
	} else if r.kind.Window == 0 && !r.c.LastSuccess.IsZero() && last.Before(q.Since) {
		q.Since = last
	}
	for _, a := range r.accounts {
		q.Accounts = append(q.Accounts, a.RemoteID)
		if day := a.PendingDay.Date(); a.PendingDay != 0 && (q.PendingSince.IsZero() || day.Before(q.PendingSince)) {
			q.PendingSince = day
		}
	}
	return q
}

// readWindow reads the window before the first day that was read.
func (r *reading) readWindow(ctx context.Context) error {
	first := r.c.History.First
	if !first.After(civil.Of(r.Now()).AddDays(-oldestWindow)) || r.c.History.Empty >= emptyWindows {
		r.c.History.Whole = true
		return r.record(ctx)
	}
	q := providers.Request{Since: first.AddDays(-r.kind.Window), Until: first.AddDays(-1), Now: r.Now().UTC()}
	for _, a := range r.accounts {
		q.Accounts = append(q.Accounts, a.RemoteID)
	}
	answer, err := r.ask(ctx, q)
	if err != nil {
		return err
	}
	lacking := r.lacking(answer)
	if lacking == len(r.accounts) { // the window is read again later
		return errIncomplete
	}
	r.c.History.Lacks = max(r.c.History.Lacks, lacking)
	r.c.History.First = q.Since
	r.c.History.Empty++
	if slices.ContainsFunc(answer.Statements, func(st providers.Statement) bool { return len(st.Lines) > 0 }) {
		r.c.History.Empty = 0
	}
	return r.take(ctx, answer, q)
}

// ask sends a request to the provider, after it has counted it.
func (r *reading) ask(ctx context.Context, q providers.Request) (providers.Reading, error) {
	if err := r.reserve(ctx, r.c, r.kind, r.byPerson); err != nil {
		return providers.Reading{}, err
	}
	return r.provider.Read(ctx, q)
}

// fail records a failed reading.
func (r *reading) fail(ctx context.Context, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRecord)
	defer cancel()
	r.restore()
	if used, ok := errors.AsType[*usedUp](err); ok { // nothing was asked, so nothing has failed
		r.outcome.Problem, r.c.NextTry = used.Error(), later(used.returned, r.next(nil))
		return r.record(ctx)
	}
	r.c.Failures++
	r.c.Problem = err.Error()
	failure, ok := errors.AsType[*providers.Failure](err)
	if !ok {
		failure = &providers.Failure{Cause: providers.Unreachable}
	}
	r.c.NextTry, r.c.State = r.next(failure), store.ConnectionFailing
	switch {
	case failure.Cause == providers.Denied, failure.Cause == providers.Unpaid:
		r.c.State = store.ConnectionDenied
	case errors.As(err, new(*bookkeeping.RemovedError)):
		r.c.State, r.c.NextTry = store.ConnectionAsking, r.next(nil)
	default:
		r.c.WaitUntil = pace.WaitUntil(r.Now(), r.c.Failures, failure)
	}
	r.Logger.Warn("a connection could not be read", "connection", r.c.ID, "provider", r.c.Provider,
		"failures", r.c.Failures, "error", r.c.Problem)
	return r.record(ctx)
}

// next returns the time of the next reading after one that failed, or that succeeded if failure is
// nil.
func (r *reading) next(failure *providers.Failure) time.Time {
	return pace.Next(r.kind, r.Now(), r.c.Failures, failure, r.Jitter())
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// release ends the lease of a reading that was canceled. The reading is due again at once.
func (r *reading) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRecord)
	defer cancel()
	r.restore()
	r.c.NextTry = r.began
	return r.record(ctx)
}

// record stores the state of the connection and ends the lease.
func (r *reading) record(ctx context.Context) error {
	err := r.Store.WriteOf(ctx, r.c.Org, func(tx *store.Tx) error { return r.finish(tx) })
	if err == nil {
		r.keep()
	}
	return err
}

// finish stores the state of the connection in a transaction. It returns errLost if the lease was
// taken over.
func (r *reading) finish(tx *store.Tx) error {
	recorded, err := tx.FinishReading(r.lease, r.c)
	if err == nil && !recorded {
		err = errLost
	}
	if err != nil {
		return err
	}
	for _, a := range r.accounts {
		if err := tx.PutConnectionAccount(r.c.Org, a); err != nil {
			return fmt.Errorf("storing the account %s: %w", a.Name, err)
		}
	}
	if r.openNow == nil {
		return nil
	}
	return tx.SetConnectionInvoices(r.c, r.openNow)
}
