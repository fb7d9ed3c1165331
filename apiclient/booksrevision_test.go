package apiclient_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"tarmac/apiclient"
)

func TestTheRevisionOfOwnBooksIsBesideTheAPI(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		want   string
		err    error
	}{
		"own books":                {200, `{"revision":"17"}`, "17", nil},
		"a server without them":    {404, `{"error":"no such route"}`, "", nil},
		"a server of another kind": {200, `<html>`, "", nil},
		"a server that refuses it": {403, `{"error":"no"}`, "", nil},
		"a refused token":          {401, `{"error":"invalid API token"}`, "", apiclient.ErrUnauthorized},
		"an overloaded server":     {429, `{"error":"rate limit exceeded"}`, "", apiclient.ErrRateLimited},
	} {
		t.Run(name, func(t *testing.T) {
			var asked string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.Path + " " + r.Header.Get("Authorization")
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.body)
			}))
			defer server.Close()
			c, err := apiclient.New(server.URL+"/finance/api/ext/v1", "svc_org_1", apiclient.WithRetry(apiclient.NoRetry))
			if err != nil {
				t.Fatal(err)
			}

			got, err := c.BooksRevision(t.Context())

			if got != test.want || !errors.Is(err, test.err) || test.err == nil && err != nil {
				t.Errorf("the revision is %q, %v", got, err)
			}
			if asked != "/finance/api/books/v1/revision Bearer svc_org_1" {
				t.Errorf("the request was %q", asked)
			}
		})
	}
}
