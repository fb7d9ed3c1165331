package service_test

import (
	"database/sql"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// docs/operating.md recommends two roles: one owns the tables, and the service's may only read
// and write rows.
func TestTheServiceNeedsNoMoreThanTheDocumentedRightsOnPostgreSQL(t *testing.T) {
	if !testdb.Postgres() {
		t.Skip("a file has no roles")
	}
	asOwner, asService := rolesOfTheDocument(t)
	migrated, err := store.Open(t.Context(), asOwner, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := migrated.Close(); err != nil {
		t.Fatal(err)
	}
	f := start(t, 0).openOn(asService)

	a, _ := f.usedTenant("https://hooks.example.com/finance")
	f.readAll(a.secret) // fails the test for what is not answered with 200
	hook := f.endpoint(a, goodEndpoint)
	if got := f.send(a.secret, http.MethodDelete, endpoints+"/"+hook.ID, ""); got.status != http.StatusNoContent {
		t.Errorf("deleting an endpoint: %d %s", got.status, got.body)
	}
	f.rate = 300
	f.restart()
	if got := f.get(a.secret, prefix+"/ping"); got.status != http.StatusOK || got.header.Get("RateLimit") == "" {
		t.Errorf("a request that is counted: %d %s", got.status, got.body)
	}

	if _, err := openAs(t, asService).Exec("DROP TABLE tokens"); err == nil {
		t.Error("the role that serves can drop tables")
	}
}

// rolesOfTheDocument runs the SQL of docs/operating.md with other names, and returns the URLs of
// the two roles.
func rolesOfTheDocument(t *testing.T) (asOwner, asService string) {
	t.Helper()
	page, err := os.ReadFile("../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sql\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/operating.md has no SQL")
	}
	server, err := url.Parse(testdb.New(t))
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(server.Path, "/") + "_roles"
	of := func(role, database string) string {
		u := *server
		u.Path = "/" + database
		if role != "" {
			u.User = url.User(role)
		}
		return u.String()
	}
	asOwner, asService = of(name+"_owner", name), of(name+"_service", name)
	admin := openAs(t, of("", "postgres"))
	t.Cleanup(func() {
		for _, statement := range []string{
			"DROP DATABASE IF EXISTS " + name + " WITH (FORCE)", "DROP ROLE IF EXISTS " + name + "_owner",
			"DROP ROLE IF EXISTS " + name + "_service",
		} {
			if _, err := admin.Exec(statement); err != nil {
				t.Error(err)
			}
		}
	})
	text := regexp.MustCompile(`\btarmac`).ReplaceAllString(string(block[1]), name)
	before, after, found := strings.Cut(text, `\connect `+name+"\n")
	if !found {
		t.Fatalf("the document does not connect to its database: %s", text)
	}
	runAll(t, admin, before)
	runAll(t, openAs(t, of("", name)), after)
	return asOwner, asService
}

func openAs(t *testing.T, database string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func runAll(t *testing.T, db *sql.DB, statements string) {
	t.Helper()
	for statement := range strings.SplitSeq(statements, ";") {
		if statement = strings.TrimSpace(statement); statement == "" {
			continue
		}
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
