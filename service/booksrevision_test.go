package service_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"tarmac/service/access"
)

const revisionPath = "/api/books/v1/revision"

func (f *fixture) revision(secret string) string {
	f.t.Helper()
	got := f.get(secret, revisionPath)
	var answer struct{ Revision string }
	if err := json.Unmarshal(got.body, &answer); err != nil || got.status != http.StatusOK || answer.Revision == "" {
		f.t.Fatalf("%d %s", got.status, got.body)
	}
	return answer.Revision
}

func TestTheRevisionOfOwnBooksChangesWithThemAlone(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	first, other := f.revision(a.secret), f.revision(b.secret)

	f.importFiles(a, year.source())

	if again := f.revision(a.secret); again == first || f.revision(a.secret) != again {
		t.Errorf("the revision was %s and is %s", first, again)
	}
	if again := f.revision(b.secret); again != other {
		t.Errorf("the other organization's revision was %s and is %s", other, again)
	}
}

func TestTheRevisionOfOwnBooksNeedsATokenAndNoScope(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")

	f.revision(f.token(a, access.EventFeedRead))

	f.refused("without a token", f.get("", revisionPath), http.StatusUnauthorized, "missing API token")
	f.refused("with a query", f.get(a.secret, revisionPath+"?x=1"), http.StatusBadRequest,
		`unknown query parameter "x"`)
}
