package database

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is PostgreSQL's notification channel between processes.
const channel = "tarmac_deliveries"

const (
	// notifyPause is the shortest time between two notifications of a process: each takes
	// a lock of the whole server.
	notifyPause = 5 * time.Millisecond
	// redialPause is the pause before a lost connection is tried again.
	redialPause = time.Second
)

// Notifications receives a value after a committed transaction that called Tx.Notify: of
// this process on SQLite, of any process on PostgreSQL. Notifications can get lost, so
// receivers must also poll. onLost is called when the connection that they arrive on
// breaks; what the server had committed last may then be lost too.
func (db *DB) Notifications(onLost func()) <-chan struct{} {
	if db.notifier != nil {
		db.notifier.subscribe(onLost)
	}
	return db.committed
}

// wake wakes the receiver of Notifications in this process.
func (db *DB) wake() {
	select {
	case db.committed <- struct{}{}:
	default:
	}
}

// notify wakes the receivers of Notifications in all processes.
func (db *DB) notify() {
	db.wake()
	if db.notifier != nil {
		db.notifier.publish()
	}
}

// notifier sends notifications to other processes over PostgreSQL and receives theirs.
type notifier struct {
	config     *pgx.ConnConfig
	pool       Pool   // for sending
	sender     string // distinguishes this process's own notifications
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

// close sends what is pending and ends.
func (n *notifier) close() {
	n.cancel()
	n.running.Wait()
}

// publish queues a notification to the other processes. It never blocks.
func (n *notifier) publish() {
	select {
	case n.pending <- struct{}{}:
	default:
	}
}

// subscribe begins to receive, on a connection of its own, the first time it is called.
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

// listen receives until the connection breaks.
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
		onLost() // again: other connections may have read from the old server since
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

// send sends notifications in transactions of their own. Inside the transaction that
// queued, a notification would hold up the commits of all others that notify, while they
// wait for the disk.
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
	// Whoever misses it finds the work by polling.
	_, _ = n.pool.ExecContext(ctx, "SELECT pg_notify(?, ?)", channel, n.sender)
}
