package store

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is what processes tell each other through that deliveries were queued.
const channel = "tarmac_deliveries"

const (
	// ringPause bounds how often one process tells: a notification takes a lock that
	// the whole server has one of.
	ringPause = 5 * time.Millisecond
	// redial is the pause before a lost connection is tried again.
	redial = time.Second
)

// bell tells other processes that deliveries were queued and is told by them. What
// it misses while it is cut off is found by looking, which goes on all the time.
type bell struct {
	config  *pgx.ConnConfig
	through pool // what is told goes over
	name    string
	wake    func()
	lost    func() // the connection, and maybe what was committed last
	rung    chan struct{}
	begin   sync.Once
	ctx     context.Context
	end     context.CancelFunc
	ended   sync.WaitGroup
}

func hang(config *pgx.ConnConfig, through pool, wake, lost func()) *bell {
	b := &bell{config: config, through: through, name: rand.Text(), wake: wake, lost: lost, rung: make(chan struct{}, 1)}
	b.ctx, b.end = context.WithCancel(context.Background())
	b.ended.Go(b.tell)
	return b
}

// close tells what is still to be told, and ends.
func (b *bell) close() {
	b.end()
	b.ended.Wait()
}

// ring has the other processes told. It never blocks.
func (b *bell) ring() {
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

// hear has this process told, from the first call on until the end, over a
// connection of its own.
func (b *bell) hear() {
	b.begin.Do(func() {
		b.ended.Go(func() {
			for missed := false; b.ctx.Err() == nil; missed = true {
				b.listen(missed)
				b.lost()
				select {
				case <-b.ctx.Done():
				case <-time.After(redial):
				}
			}
		})
	})
}

// listen listens until the connection breaks.
func (b *bell) listen(missed bool) {
	conn, err := pgx.ConnectConfig(b.ctx, b.config.Copy())
	if err != nil {
		return
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), redial)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(b.ctx, "LISTEN "+channel); err != nil {
		return
	}
	if missed {
		b.lost() // what ended on the old connections was remembered since
		b.wake()
	}
	for {
		told, err := conn.WaitForNotification(b.ctx)
		if err != nil {
			return
		}
		if told.Payload != b.name {
			b.wake()
		}
	}
}

// tell tells in transactions of its own, behind those that queued: one that tells
// holds up the commits of all others that do, and this one has nothing that the
// disk has to be waited for.
func (b *bell) tell() {
	for {
		select {
		case <-b.rung:
			b.notify()
			time.Sleep(ringPause)
		case <-b.ctx.Done():
			select {
			case <-b.rung:
				b.notify()
			default:
			}
			return
		}
	}
}

func (b *bell) notify() {
	ctx, cancel := context.WithTimeout(context.Background(), redial)
	defer cancel()
	// Who is not told looks by himself.
	_, _ = b.through.ExecContext(ctx, "SELECT pg_notify($1, $2)", channel, b.name)
}
