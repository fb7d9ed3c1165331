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

// IsPostgres reports whether the name given to Open is a PostgreSQL URL.
func IsPostgres(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// PublicName returns the part of a database's name that may be shown: the path of a SQLite file, or
// the host and the database in a URL, without the password.
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

// HasPassword reports whether the name given to Open is a URL that contains a password.
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

// These time-outs bound how long a machine that has lost its network can block others. They apply
// to an idle transaction that holds locks, to opening a connection, to the wait for a lock, and to
// a whole transaction.
const (
	idleTimeout    = 3 * time.Second
	connectTimeout = 5 * time.Second
	LockTimeout    = 8 * time.Second
	maxTransaction = time.Minute // for transactions without a deadline
)

// The sizes of the pools of a process. There are more connections than cores, because connections
// mostly wait for the network.
const (
	writers = 8
	readers = 8
	lookups = 4
)

func openPostgres(ctx context.Context, name string, schema Schema, opts Options) (*DB, error) {
	config, err := postgresConfig(name)
	if err != nil {
		return nil, err
	}
	db := newDB(Postgres)
	db.outages = newOutages(config, opts.Returned)
	for _, p := range [...]struct {
		pool  *Pool
		conns int
		plans string
	}{
		{&db.Writer, writers, customPlans}, {&db.Reader, readers, customPlans}, {&db.Lookup, lookups, genericPlans},
		{&db.Scans, max(1, runtime.GOMAXPROCS(0)-1), customPlans},
	} {
		conns := stdlib.OpenDB(*withPlans(config, p.plans), stdlib.OptionAfterConnect(db.outages.opened),
			stdlib.OptionResetSession(db.outages.reused))
		conns.SetConnMaxIdleTime(5 * time.Minute)
		*p.pool = newPool(conns, Postgres, p.conns)
		p.pool.outages = db.outages
	}
	err = checkServer(ctx, db.Writer, config)
	if err == nil {
		err = migrate(ctx, db.Writer, schema)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database %s: %w", PublicName(name), oneLine{Advise(err)}), db.Close())
	}
	db.notifier = newNotifier(config, db.Lookup, db.wake)
	return db, nil
}

// postgresConfig parses a PostgreSQL URL. PostgreSQL's environment variables and files supply what
// the URL leaves out. Errors do not contain the URL.
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
	if err := checkHosts(config, name); err != nil {
		return nil, err
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
	} {
		if _, set := config.RuntimeParams[parameter]; !set {
			config.RuntimeParams[parameter] = value
		}
	}
	return config, nil
}

// Values of PostgreSQL's parameter plan_cache_mode.
const (
	// customPlans makes a plan for each execution. A generic plan would ignore which word a query
	// searches for.
	customPlans = "force_custom_plan"
	// genericPlans makes one plan for each prepared statement. It is for statements that find rows
	// by a unique key: planning them takes several times as long as executing them.
	genericPlans = "force_generic_plan"
)

// withPlans returns a copy of config with the given plan_cache_mode, unless config sets one.
func withPlans(config *pgx.ConnConfig, mode string) *pgx.ConnConfig {
	config = config.Copy()
	if _, set := config.RuntimeParams["plan_cache_mode"]; !set {
		config.RuntimeParams["plan_cache_mode"] = mode
	}
	return config
}

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// withDeadline gives ctx a deadline if it has none and the database is PostgreSQL: a broken network
// connection can stay silent forever.
func (db *DB) withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, set := ctx.Deadline(); set || db.Dialect == SQLite {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, maxTransaction)
}
