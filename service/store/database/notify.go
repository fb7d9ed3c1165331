package database

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is the PostgreSQL channel on which processes notify each other of new deliveries.
const channel = "tarmac_deliveries"

const (
	// notifyPause is the shortest time between two notifications that a process sends. For each of
	// them PostgreSQL takes a lock of the whole server.
	notifyPause = 5 * time.Millisecond
	// redialPause is the wait before a lost connection is opened again. It is also the longest time
	// for closing that connection and for sending a notification.
	redialPause = time.Second
)

// Notifications returns a channel that receives a value after a transaction that called Tx.Notify
// was committed. On SQLite that is a transaction of this process, on PostgreSQL of any process.
// Notifications can get lost, so the receiver must also poll.
//
// onLost is called when the connection to PostgreSQL on which notifications arrive breaks. The
// server may then have lost its last commits too.
func (db *DB) Notifications(onLost func()) <-chan struct{} {
	if db.notifier != nil {
		db.notifier.subscribe(onLost)
	}
	return db.committed
}

// wake sends a value to the channel of Notifications in this process, unless the channel already
// contains one.
func (db *DB) wake() {
	select {
	case db.committed <- struct{}{}:
	default:
	}
}

// notify sends a value to the channels of Notifications in all processes.
func (db *DB) notify() {
	db.wake()
	if db.notifier != nil {
		db.notifier.publish()
	}
}

// notifier exchanges notifications with other processes through PostgreSQL.
type notifier struct {
	config     *pgx.ConnConfig
	pool       Pool   // connections for sending
	sender     string // random id of this process, which ignores its own notifications
	wake       func()
	pending    chan struct{}
	subscribed sync.Once
	ctx        context.Context
	cancel     context.CancelFunc
	running    sync.WaitGroup
}

func newNotifier(config *pgx.ConnConfig, pool Pool, wake func()) *notifier {
	n := &notifier{config: config, pool: pool, sender: rand.Text(), wake: wake, pending: make(chan struct{}, 1)}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	n.running.Go(n.send)
	return n
}

// close sends a pending notification and ends the notifier's goroutines.
func (n *notifier) close() {
	n.cancel()
	n.running.Wait()
}

// publish queues one notification to the other processes. It never blocks.
func (n *notifier) publish() {
	select {
	case n.pending <- struct{}{}:
	default:
	}
}

// subscribe starts receiving notifications on a separate connection. Only its first call has an
// effect.
func (n *notifier) subscribe(onLost func()) {
	n.subscribed.Do(func() {
		n.running.Go(func() {
			for reconnected := false; n.ctx.Err() == nil; reconnected = true {
				n.listen(reconnected, onLost)
				onLost()
				select {
				case <-n.ctx.Done():
				case <-time.After(redialPause):
				}
			}
		})
	})
}

// listen connects to PostgreSQL and receives notifications until the connection breaks.
func (n *notifier) listen(reconnected bool, onLost func()) {
	conn, err := pgx.ConnectConfig(n.ctx, n.config.Copy())
	if err != nil {
		return
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), redialPause)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(n.ctx, "LISTEN "+channel); err != nil {
		return
	}
	if reconnected {
		// This repeats the call of subscribe: other connections may meanwhile have read
		// from the failed server.
		onLost()
		n.wake()
	}
	for {
		notification, err := conn.WaitForNotification(n.ctx)
		if err != nil {
			return
		}
		if notification.Payload != n.sender {
			n.wake()
		}
	}
}

// send sends queued notifications, each in a separate transaction. PostgreSQL commits transactions
// that notify one after the other. If the writing transactions notified, they would therefore wait
// for each other's disk syncs.
func (n *notifier) send() {
	for {
		select {
		case <-n.pending:
			n.sendOne()
			time.Sleep(notifyPause)
		case <-n.ctx.Done():
			select {
			case <-n.pending:
				n.sendOne()
			default:
			}
			return
		}
	}
}

func (n *notifier) sendOne() {
	ctx, cancel := context.WithTimeout(context.Background(), redialPause)
	defer cancel()
	// An error is ignored, because receivers also poll.
	_, _ = n.pool.ExecContext(ctx, "SELECT pg_notify(?, ?)", channel, n.sender)
}
