package testdb

import (
	"context"
	"database/sql"
	"os"
	"sync"
	"testing"
	"time"
)

// Creating and dropping a database of this size takes longer than most tests. Therefore tests that
// run one after the other share databases, which are emptied in between.

// maxUses limits how many tests use a database: deleted rows stay in its files.
const maxUses = 25

// unused holds the empty databases of this process, with the number of tests that used each, and
// the description of the template's schema.
var unused struct {
	sync.Mutex
	uses   map[string]int
	schema string
}

// migrated returns the URL of an empty copy of the template.
func (s *Server) migrated(tb testing.TB) string {
	tb.Helper()
	name, uses := takeUnused()
	database := s.address(tb, name)
	if name == "" {
		name = newName()
		database = s.make(tb, name, " TEMPLATE "+os.Getenv(templateVariable))
	}
	tb.Cleanup(func() {
		if uses+1 < maxUses && !tb.Failed() && s.empty(tb, database) {
			unused.Lock()
			defer unused.Unlock()
			unused.uses[name] = uses + 1
			return
		}
		s.drop(tb, name)
	})
	return database
}

func takeUnused() (name string, uses int) {
	unused.Lock()
	defer unused.Unlock()
	if unused.uses == nil {
		unused.uses = map[string]int{}
	}
	for name, uses := range unused.uses {
		delete(unused.uses, name)
		return name, uses
	}
	return "", 0
}

// empty closes all connections to a database and deletes its rows. If the database then differs
// from the template in anything else, empty returns false.
func (s *Server) empty(tb testing.TB, database string) bool {
	tb.Helper()
	// The test's context has ended.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db, err := sql.Open("pgx", database+"&default_query_exec_mode=simple_protocol")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(ctx, deleteRows); err != nil {
		return false
	}
	var schema string
	err = db.QueryRowContext(ctx, describeSchema).Scan(&schema)
	return err == nil && schema == s.templateSchema(ctx, tb)
}

// templateSchema returns the description of the template's schema.
func (s *Server) templateSchema(ctx context.Context, tb testing.TB) string {
	tb.Helper()
	unused.Lock()
	defer unused.Unlock()
	if unused.schema == "" {
		db, err := sql.Open("pgx", s.address(tb, os.Getenv(templateVariable))+"&default_query_exec_mode=simple_protocol")
		if err != nil {
			tb.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		if err := db.QueryRowContext(ctx, describeSchema).Scan(&unused.schema); err != nil {
			tb.Fatal(err)
		}
	}
	return unused.schema
}

// deleteRows ends all other connections, waiting at most five seconds for each, deletes the rows
// of all tables except the list of migrations, and restarts the sequences.
const deleteRows = `
DO $$
DECLARE
	t record;
BEGIN
	PERFORM pg_terminate_backend(pid, 5000) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid();
	SET LOCAL session_replication_role = replica; -- without foreign keys and triggers
	FOR t IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version' LOOP
		EXECUTE format('DELETE FROM public.%I', t.name);
	END LOOP;
	FOR t IN SELECT sequencename AS name FROM pg_sequences
		WHERE schemaname = 'public' AND last_value IS NOT NULL AND sequencename NOT LIKE 'goose%' LOOP
		EXECUTE format('ALTER SEQUENCE public.%I RESTART', t.name);
	END LOOP;
END $$`

// describeSchema returns a digest of tables, columns, indexes, constraints, triggers, functions,
// privileges, settings, statistics, and the list of migrations.
const describeSchema = `
SELECT md5(string_agg(part, E'\n' ORDER BY part)) FROM (
	SELECT concat_ws(' ', 'relation', relname, relkind, relacl, reloptions) AS part FROM pg_class
		WHERE relnamespace = 'public'::regnamespace
	UNION ALL
	SELECT concat_ws(' ', 'column', c.relname, attname, atttypid, atttypmod, attnotnull, attacl) FROM pg_attribute a
		JOIN pg_class c ON c.oid = a.attrelid
		WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
	UNION ALL
	SELECT concat_ws(' ', 'index', indexdef) FROM pg_indexes WHERE schemaname = 'public'
	UNION ALL
	SELECT concat_ws(' ', 'constraint', conname, pg_get_constraintdef(oid)) FROM pg_constraint
		WHERE connamespace = 'public'::regnamespace
	UNION ALL
	SELECT concat_ws(' ', 'trigger', tgname) FROM pg_trigger
	UNION ALL
	SELECT concat_ws(' ', 'function', proname, prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
	UNION ALL
	SELECT concat_ws(' ', 'schema', nspname, nspacl) FROM pg_namespace WHERE nspname !~ '^pg_'
	UNION ALL
	SELECT concat_ws(' ', 'setting', setconfig) FROM pg_db_role_setting
		WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
	UNION ALL
	SELECT concat_ws(' ', 'statistics of', s.starelid::regclass) FROM pg_statistic s
		JOIN pg_class c ON c.oid = s.starelid WHERE relnamespace = 'public'::regnamespace
	UNION ALL
	SELECT concat_ws(' ', 'migration', version_id, is_applied) FROM goose_db_version
) AS parts`
