package database

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/stdlib"

	"tarmac/internal/testsupport/testdb"
)

func TestSeveralServersNeedThatTheOneForWritesIsWanted(t *testing.T) {
	for name, wrong := range map[string]bool{
		"postgres://u@one,two/d":                                          true,
		"postgres://u@one:1,one:2/d?target_session_attrs=any":             true,
		"postgres://u@one:1,one:2/d?sslmode=prefer":                       true,
		"postgres://u@one,two/d?target_session_attrs=read-write":          false,
		"postgres://u@one/d?sslmode=prefer":                               false,
		"postgres://u:secret@one,two/d?sslmode=disable&connect_timeout=1": true,
	} {
		_, err := postgresConfig(name)
		if refused := err != nil; refused != wrong {
			t.Errorf("%s: %v", name, err)
		}
		if wrong && err != nil && (!strings.Contains(err.Error(), "target_session_attrs=read-write") ||
			strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A pooler between that drops a setting of the connections is found at the start.
func TestSettingsThatAreNotInForceRefuseTheStart(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	url := testdb.Start(t).Database(t)
	for _, test := range []struct {
		in      string // parameters of the URL
		dropped string
	}{
		{"", ""}, {"&lock_timeout=8s", ""}, {"&plan_cache_mode=auto", ""},
		{"", "lock_timeout"}, {"", "idle_in_transaction_session_timeout"}, {"", "plan_cache_mode"},
	} {
		config, err := postgresConfig(url + test.in)
		if err != nil {
			t.Fatal(err)
		}
		connected := withPlans(config, customPlans)
		delete(connected.RuntimeParams, test.dropped)
		db := newPool(stdlib.OpenDB(*connected), Postgres, 1)
		err = checkServer(t.Context(), db, config)
		if named := err != nil && strings.Contains(err.Error(), " "+test.dropped+"="); (err != nil) != (test.dropped != "") ||
			err != nil && !named {
			t.Errorf("%q without %q: %v", test.in, test.dropped, err)
		}
		if err := db.close(); err != nil {
			t.Error(err)
		}
	}
}

// A standby alone cannot get the tables.
func TestAFirstStartOnAServerThatTakesNoWritesSaysWhichToName(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	readOnly := testdb.Start(t).Database(t) + "&default_transaction_read_only=on"
	schema := Schema{Postgres: fstest.MapFS{
		"90001_more.sql": {Data: []byte("-- +goose Up\nCREATE TABLE more (id bigint);\n")},
	}}
	for _, wanted := range []string{"", "&target_session_attrs=read-write"} {
		db, err := Open(t.Context(), readOnly+wanted, schema, Options{})
		if err == nil {
			t.Fatalf("%q: it opened: %v", wanted, db.Close())
		}
		if text := err.Error(); !strings.Contains(text, "name the server that takes writes") || strings.Contains(text, "\n") {
			t.Errorf("%q: %v", wanted, err)
		}
	}
}
