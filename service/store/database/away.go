package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrAway means that no PostgreSQL server takes writes at the moment, as while servers change.
// Nothing was written; the caller may try again.
var ErrAway = errors.New("the database is changing servers")

// unknownOutcome is the error of a failed COMMIT: the server may have committed.
type unknownOutcome struct{ error }

func (e unknownOutcome) Unwrap() error { return e.error }

const (
	// awayWait is the longest time for which the beginning of a transaction waits for a server that
	// takes writes. awayRetry is the time between two attempts of a process to find one.
	awayWait  = 5 * time.Second
	awayRetry = 250 * time.Millisecond
)

// PostgreSQL's error codes for a server that goes away, or that takes no writes any more.
const (
	classConnection   = "08"
	stateShuttingDown = "57P01"
	stateCrashed      = "57P02"
	stateStarting     = "57P03"
	stateReadOnly     = "25006"
)

// isAway reports whether err means that the server of a connection is gone, or that it takes no
// writes.
func isAway(err error) bool {
	if _, unknown := errors.AsType[unknownOutcome](err); err == nil || unknown || errors.Is(err, context.Canceled) {
		return false
	}
	switch state := sqlState(err); {
	case state != "":
		return strings.HasPrefix(state, classConnection) || state == stateShuttingDown || state == stateCrashed ||
			state == stateStarting || state == stateReadOnly
	case errors.Is(err, ErrAway):
		return true
	}
	if _, failed := errors.AsType[*pgconn.ConnectError](err); failed {
		return true
	}
	if pgconn.SafeToRetry(err) && !errors.Is(err, context.DeadlineExceeded) {
		return true // the connection was found closed
	}
	return slices.ContainsFunc([]error{
		driver.ErrBadConn, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE,
	}, func(lost error) bool { return errors.Is(err, lost) })
}

// outages tells callers when a PostgreSQL server takes writes again. While none does, one goroutine
// looks for one, whatever the number of callers that wait. It is nil on SQLite.
type outages struct {
	probe  func(context.Context) error // connects anew; nil if a server takes writes
	ended  func(length time.Duration)  // may be nil
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	over   chan struct{} // closed at the end of the outage; nil if there is none
	began  time.Time
	past   time.Duration // length of all outages that ended
	number int64         // counts outages; connections from before the last one are not used again
}

func newOutages(config *pgx.ConnConfig, ended func(time.Duration)) *outages {
	o := &outages{ended: ended}
	o.probe = func(ctx context.Context) error { return findPrimary(ctx, config.Copy()) }
	o.ctx, o.cancel = context.WithCancel(context.Background())
	return o
}

// findPrimary connects to the server and returns an error unless it takes writes.
func findPrimary(ctx context.Context, config *pgx.ConnConfig) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	var readOnly bool
	if err := conn.QueryRow(ctx, ReadOnlyQuery).Scan(&readOnly); err != nil {
		return err
	}
	if readOnly {
		return ErrAway
	}
	return nil
}

// ReadOnlyQuery asks a PostgreSQL server whether it takes no writes, as a standby.
const ReadOnlyQuery = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'"

// begin returns a channel that is closed when the outage ends, which it begins unless there is one.
func (o *outages) begin() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over == nil {
		o.over, o.began = make(chan struct{}), time.Now()
		o.number++
		go o.look(o.over)
	}
	return o.over
}

// present returns the channel of begin if there is an outage, and nil otherwise.
func (o *outages) present() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over == nil {
		return nil
	}
	return o.over
}

// look waits until a server takes writes, and ends the outage.
func (o *outages) look(over chan struct{}) {
	failed := false
	for pause := awayRetry / 5; ; pause = awayRetry {
		select {
		case <-o.ctx.Done():
		case <-time.After(pause):
			if o.probe(o.ctx) != nil && o.ctx.Err() == nil {
				failed = true
				continue
			}
		}
		break
	}
	o.mu.Lock()
	length := time.Since(o.began)
	o.over, o.past = nil, o.past+length
	o.mu.Unlock()
	close(over)
	if failed && o.ended != nil && o.ctx.Err() == nil {
		o.ended(length)
	}
}

// current returns the number of the last outage.
func (o *outages) current() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.number
}

// Away returns for how long in all no PostgreSQL server took writes, as far as this process
// noticed.
func (db *DB) Away() time.Duration {
	if db.outages == nil {
		return 0
	}
	db.outages.mu.Lock()
	defer db.outages.mu.Unlock()
	if db.outages.over == nil {
		return db.outages.past
	}
	return db.outages.past + time.Since(db.outages.began)
}

// asAway wraps ErrAway around an error that means that the server is gone, so that the next
// transactions wait for another one. It returns other errors unchanged.
func (o *outages) asAway(err error) error {
	if o == nil || !isAway(err) {
		return err
	}
	o.begin()
	if errors.Is(err, ErrAway) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrAway, err)
}

// beginning calls begin until it succeeds or fails for another reason than that no server takes
// writes, for awayWait at most. begin must not write.
func (o *outages) beginning(ctx context.Context, begin func() error) error {
	if o == nil {
		return begin()
	}
	waiting, cancel := context.WithTimeout(ctx, awayWait)
	defer cancel()
	over := o.present()
	for err := ErrAway; ; over = o.begin() {
		if over != nil {
			select {
			case <-over:
			case <-waiting.Done():
				return o.asAway(err)
			}
		}
		if err = begin(); !isAway(err) || waiting.Err() != nil {
			return o.asAway(err)
		}
	}
}

// connEpoch is the key under which a connection keeps the number of the outage after which it was
// opened.
const connEpoch = "tarmac.outage"

// opened notes that a connection was opened now.
func (o *outages) opened(_ context.Context, conn *pgx.Conn) error {
	conn.PgConn().CustomData()[connEpoch] = o.current()
	return nil
}

// reused refuses a connection from before the last outage: its server may take no writes any more.
func (o *outages) reused(_ context.Context, conn *pgx.Conn) error {
	if epoch, ok := conn.PgConn().CustomData()[connEpoch].(int64); ok && epoch < o.current() {
		return driver.ErrBadConn
	}
	return nil
}
