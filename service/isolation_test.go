package service_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"tarmac/service/httpapi"
)

// What belongs to another organization does not exist, and nothing of it shows
// in any answer.
func TestOrganizationsAreApart(t *testing.T) {
	f := start(t, 0)
	a, b, empty := f.tenant("a"), f.tenant("b"), f.tenant("empty")
	mine, theirs := f.sample(a), f.sample(b)
	for _, op := range httpapi.Operations() {
		if got := f.get(a.secret, mine.path(op)); got.status != http.StatusOK {
			t.Errorf("%s: own record: %d %s", op.ID, got.status, got.body)
		}
		if !strings.Contains(op.Path, "{") {
			got := f.get(empty.secret, op.Path)
			for _, secret := range []string{a.id, b.id, mine["invoiceId"], mine["transactionId"], mine["eventId"], "Acme", "1000"} {
				if bytes.Contains(got.body, []byte(secret)) {
					t.Errorf("%s: %q shows to another organization: %s", op.ID, secret, got.body)
				}
			}
			continue
		}
		foreign, absent := f.get(a.secret, theirs.path(op)), f.get(a.secret, theirs.path(op)+"0")
		if foreign.status != http.StatusNotFound || !bytes.Equal(foreign.body, absent.body) {
			t.Errorf("%s: a foreign record is %d %s, one that does not exist %d %s", op.ID, foreign.status, foreign.body, absent.status, absent.body)
		}
	}
	// A row's id works only with its own prefix.
	bare := strings.TrimPrefix(mine["transactionId"], "txn_")
	f.refused("a bare id", f.get(a.secret, prefix+"/transactions/"+bare), http.StatusNotFound, "no such transaction")
	f.refused("a prefix of an id", f.get(a.secret, prefix+"/transactions/"+mine["transactionId"][:20]), http.StatusNotFound, "no such transaction")
}
