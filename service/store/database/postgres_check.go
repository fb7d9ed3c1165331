package database

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// leastServer is the oldest version of PostgreSQL that is tested, as server_version_num.
const leastServer = 150000

// checkHosts returns an error if a URL names several servers and does not say that the one that
// takes writes is wanted. A standby could otherwise be taken for it.
func checkHosts(config *pgx.ConnConfig, name string) error {
	several := slices.ContainsFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.Host != config.Host || f.Port != config.Port
	})
	if several && config.ValidateConnect == nil {
		return fmt.Errorf("the database's URL %s names several servers; add target_session_attrs=read-write to it",
			PublicName(name))
	}
	return nil
}

// checkServer returns an error if the server is too old, or if something between it and this
// process drops settings of the connection. Without the two time limits one machine that lost its
// network could block the others for ever.
func checkServer(ctx context.Context, db Pool, config *pgx.ConnConfig) error {
	var version string
	if err := db.QueryRowContext(ctx, "SELECT current_setting('server_version_num')").Scan(&version); err != nil {
		return err
	}
	if n, err := strconv.Atoi(version); err == nil && n < leastServer {
		return fmt.Errorf("the server is PostgreSQL %d; tarmac needs %d or newer", n/10000, leastServer/10000)
	}
	const (
		duration = "SELECT setting::bigint * interval '1 ms' = ?::interval FROM pg_settings WHERE name = ?"
		text     = "SELECT setting = ? FROM pg_settings WHERE name = ?"
	)
	for _, needed := range [...]struct{ name, query string }{
		{"lock_timeout", duration}, {"idle_in_transaction_session_timeout", duration}, {"plan_cache_mode", text},
	} {
		wanted, shown := withPlans(config, customPlans).RuntimeParams[needed.name], ""
		if shown = wanted; needed.query == duration {
			if _, err := strconv.Atoi(wanted); err == nil {
				shown = wanted + "ms"
			}
		}
		var inForce bool
		if err := db.QueryRowContext(ctx, needed.query, shown, needed.name).Scan(&inForce); err != nil {
			return err
		}
		if !inForce {
			return fmt.Errorf("the server does not use the connection's setting %s=%s, which a pooler between may drop; "+
				"connect to PostgreSQL itself", needed.name, shown)
		}
	}
	return nil
}
