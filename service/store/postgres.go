package store

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
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// IsPostgres reports whether a database's name is the URL of one of PostgreSQL.
func IsPostgres(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// Name is what may be told of a database: the path of a file, and of a URL the
// host and the database, never a password.
func Name(database string) string {
	if !IsPostgres(database) {
		return database
	}
	u, err := url.Parse(database)
	if err != nil {
		return "postgres://"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// HasPassword reports whether a database's name is a URL with a password in it.
func HasPassword(database string) bool {
	if !IsPostgres(database) {
		return false
	}
	u, err := url.Parse(database)
	if err != nil {
		return false
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}

// Times that a machine which is cut off costs the others at most. Each bounds a
// different silence: of this process in the middle of a transaction, which holds
// locks meanwhile; of the network; of another's lock; of the database.
const (
	idleTimeout    = 3 * time.Second
	connectTimeout = 5 * time.Second
	lockTimeout    = 8 * time.Second
	longest        = time.Minute // of a transaction whose caller names no time
)

// Connections of a process: with the one that listens 21 on two cores. They are
// waiting for a network more than for a processor.
const (
	writers = 8
	readers = 8
	lookups = 4
)

func openPostgres(ctx context.Context, database string) (*Store, error) {
	config, err := postgresConfig(database)
	if err != nil {
		return nil, err
	}
	s := newStore(ofPostgres)
	for _, of := range [...]struct {
		pool  *pool
		conns int
	}{{&s.writer, writers}, {&s.reader, readers}, {&s.lookup, lookups}, {&s.scans, max(1, runtime.GOMAXPROCS(0)-1)}} {
		db := stdlib.OpenDB(*config)
		db.SetConnMaxIdleTime(5 * time.Minute)
		*of.pool = newPool(db, ofPostgres, of.conns)
	}
	if err := migrate(ctx, s.writer); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database %s: %w", Name(database), oneLine{err}), s.Close())
	}
	s.bell = hang(config, s.lookup, s.wake, s.forget)
	return s, nil
}

// postgresConfig reads a URL, and what PostgreSQL's own variables and files say
// beside it. Its errors do not repeat what they were given.
func postgresConfig(database string) (*pgx.ConnConfig, error) {
	if _, err := url.Parse(database); err != nil {
		return nil, errors.New("the database's URL cannot be read; it is like postgres://user@host:5432/name, with what is special in it percent-encoded")
	}
	config, err := pgx.ParseConfig(database)
	if err != nil {
		return nil, fmt.Errorf("the database's URL %s, or PostgreSQL's variables and files beside it, cannot be read: check its parameters, PGSERVICE and PGPASSFILE",
			Name(database))
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	dialer := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}}
	config.DialFunc = dialer.DialContext
	for name, value := range map[string]string{
		"application_name":                    "tarmac",
		"timezone":                            "UTC",
		"idle_in_transaction_session_timeout": milliseconds(idleTimeout),
		"lock_timeout":                        milliseconds(lockTimeout),
		"tcp_keepalives_idle":                 "10",
		"tcp_keepalives_interval":             "5",
		"tcp_keepalives_count":                "3",
		// A generic plan knows nothing of the word that is looked for.
		"plan_cache_mode": "force_custom_plan",
	} {
		if _, chosen := config.RuntimeParams[name]; !chosen {
			config.RuntimeParams[name] = value
		}
	}
	return config, nil
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// bounded gives a transaction on PostgreSQL an end, also where its caller names
// none: a network that swallows everything says nothing by itself.
func (s *Store) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ends := ctx.Deadline(); ends || s.dialect == ofSQLite {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, longest)
}

// oneLine is an error in one line; the driver's have one for each address tried.
type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

func (e oneLine) Unwrap() error { return e.error }

// mostTries is how often a transaction is run that got in another's way.
const mostTries = 4

// inTheWay reports whether a transaction was ended because two could not go on
// side by side.
func (s *Store) inTheWay(err error) bool {
	code := sqlState(err)
	return code == deadlock || code == unserializable
}

// told returns what a caller is told of an error: ErrBusy where waiting for a lock
// was given up.
func (s *Store) told(err error) error {
	if sqlState(err) == lockNotHad || s.inTheWay(err) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}

// PostgreSQL's codes of errors that mean something here.
const (
	deadlock       = "40P01"
	unserializable = "40001"
	lockNotHad     = "55P03"
	queryCanceled  = "57014"
	tooLarge       = "22003"
	// PostgreSQL refuses even to look for text that it cannot hold.
	unstorableText = "22021"
)

// sqlState returns PostgreSQL's code of an error, "" when it has none.
func sqlState(err error) string {
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refused.Code
	}
	return ""
}
