package database

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// IsPostgres reports whether a database's name is a PostgreSQL URL.
func IsPostgres(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// PublicName returns the part of a database's name that may be shown: the path of a file, or the
// host and database of a URL, without its password.
func PublicName(name string) string {
	if !IsPostgres(name) {
		return name
	}
	u, err := url.Parse(name)
	if err != nil {
		return "postgres://"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// HasPassword reports whether a database's name is a URL with a password in it.
func HasPassword(name string) bool {
	if !IsPostgres(name) {
		return false
	}
	u, err := url.Parse(name)
	if err != nil {
		return false
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}

// These time-outs bound how long a machine that is cut off from the network can block others: by
// an idle transaction that holds locks, by a connection being opened, by a wait for a lock, and
// by a whole transaction.
const (
	idleTimeout    = 3 * time.Second
	connectTimeout = 5 * time.Second
	LockTimeout    = 8 * time.Second
	maxTransaction = time.Minute // for transactions whose caller set no deadline
)

// The sizes of a process's pools. Connections mostly wait for the network, so there are more of
// them than cores.
const (
	writers = 8
	readers = 8
	lookups = 4
)

func openPostgres(ctx context.Context, name string, schema Schema) (*DB, error) {
	config, err := postgresConfig(name)
	if err != nil {
		return nil, err
	}
	db := newDB(Postgres)
	for _, p := range [...]struct {
		pool  *Pool
		conns int
	}{{&db.Writer, writers}, {&db.Reader, readers}, {&db.Lookup, lookups}, {&db.Scans, max(1, runtime.GOMAXPROCS(0)-1)}} {
		conns := stdlib.OpenDB(*config)
		conns.SetConnMaxIdleTime(5 * time.Minute)
		*p.pool = newPool(conns, Postgres, p.conns)
	}
	if err := migrate(ctx, db.Writer, schema); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database %s: %w", PublicName(name), oneLine{err}), db.Close())
	}
	db.notifier = newNotifier(config, db.Lookup, db.wake)
	return db, nil
}

// postgresConfig parses a URL. PostgreSQL's environment variables and files add what the URL
// leaves out. The errors do not quote the URL.
func postgresConfig(name string) (*pgx.ConnConfig, error) {
	if _, err := url.Parse(name); err != nil {
		return nil, errors.New("the database's URL cannot be read; it is like postgres://user@host:5432/name, " +
			"with what is special in it percent-encoded")
	}
	config, err := pgx.ParseConfig(name)
	if err != nil {
		return nil, fmt.Errorf("the database's URL %s, or PostgreSQL's variables and files beside it, cannot be read: "+
			"check its parameters, PGSERVICE and PGPASSFILE", PublicName(name))
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	keepAlive := net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}
	config.DialFunc = (&net.Dialer{KeepAliveConfig: keepAlive}).DialContext
	for parameter, value := range map[string]string{
		"application_name":                    "tarmac",
		"timezone":                            "UTC",
		"idle_in_transaction_session_timeout": milliseconds(idleTimeout),
		"lock_timeout":                        milliseconds(LockTimeout),
		"tcp_keepalives_idle":                 "10",
		"tcp_keepalives_interval":             "5",
		"tcp_keepalives_count":                "3",
		// A generic plan would not depend on the word that is searched for.
		"plan_cache_mode": "force_custom_plan",
	} {
		if _, set := config.RuntimeParams[parameter]; !set {
			config.RuntimeParams[parameter] = value
		}
	}
	return config, nil
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// withDeadline gives a PostgreSQL transaction a deadline if its caller set none: a broken
// network can stay silent forever.
func (db *DB) withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, set := ctx.Deadline(); set || db.Dialect == SQLite {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, maxTransaction)
}
