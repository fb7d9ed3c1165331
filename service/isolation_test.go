package service_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"tarmac/service/httpapi"
)

// Responses do not reveal that the records exist.
func TestRecordsOfAnotherOrganizationAreNotFound(t *testing.T) {
	f := start(t, 0)
	a, b, empty := f.tenant("a"), f.tenant("b"), f.tenant("empty")
	mine, theirs := f.sample(a), f.sample(b)
	for _, op := range httpapi.Operations() {
		ask := func(secret string, of sample) answer { return f.send(secret, op.Method, of.path(op), bodies[op.ID][0]) }
		if !strings.Contains(op.Path, "{") {
			got := ask(empty.secret, mine)
			for _, secret := range []string{
				a.id, b.id, mine["invoiceId"], mine["transactionId"], mine["eventId"], mine["webhookId"], "Acme", "1000",
			} {
				if bytes.Contains(got.body, []byte(secret)) {
					t.Errorf("%s: %q shows to another organization: %s", op.ID, secret, got.body)
				}
			}
			continue
		}
		foreign, none := ask(a.secret, theirs), ask(a.secret, absent)
		if foreign.status != http.StatusNotFound || !bytes.Equal(foreign.body, none.body) {
			t.Errorf(
				"%s: a foreign record is %d %s, one that does not exist %d %s", op.ID, foreign.status, foreign.body, none.status,
				none.body,
			)
		}
		if got := ask(a.secret, mine); got.status > 299 {
			t.Errorf("%s: own record: %d %s", op.ID, got.status, got.body)
		}
		if op.ID == "deleteWebhook" {
			mine["webhookId"] = f.endpoint(a, goodEndpoint).ID
		}
	}
	// An id is found only with its own prefix.
	bare := strings.TrimPrefix(mine["transactionId"], "txn_")
	f.refused("a bare id", f.get(a.secret, prefix+"/transactions/"+bare), http.StatusNotFound, "no such transaction")
	f.refused(
		"a prefix of an id", f.get(a.secret, prefix+"/transactions/"+mine["transactionId"][:20]), http.StatusNotFound,
		"no such transaction",
	)
}
