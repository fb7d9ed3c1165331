package apiclient_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"tarmac/apiclient"
)

func TestBillsAreBesideTheAPI(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		want   string
		err    error
	}{
		"bills": {200, `{"known":true,"currency":"EUR","open_count":3,"bills":[{"number":"7","vendor_name":"Haven",
			"state":"open","currency":"USD","open_minor":500,"usd_cents":500,"reporting_cents":430,"due_on":"2026-10-01",
			"may_be_paid":true,"paid_by":null}]}`, "true true EUR 2 [7 Haven open $5.00 €4.30 2026-10-01 true]", nil},
		"none": {200, `{"known":false,"currency":"USD","open_count":0,"bills":[]}`,
			"true false USD 0 []", nil},
		"a server without them":    {404, `{"error":"no such route"}`, "false false  0 []", nil},
		"a server of another kind": {200, `<html>`, "false false  0 []", nil},
		"another answer":           {200, `{"data":[]}`, "false false  0 []", nil},
		"a server that refuses it": {403, `{"error":"no"}`, "false false  0 []", nil},
		"a token without the scope": {403, `{"error":"token lacks the required scope payments:read"}`, "",
			apiclient.ErrForbidden},
		"a refused token":      {401, `{"error":"invalid API token"}`, "", apiclient.ErrUnauthorized},
		"an overloaded server": {503, `{"error":"busy"}`, "", apiclient.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			var asked string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.Path
				w.Header().Set("Content-Type", "application/json")
				if errors.Is(test.err, apiclient.ErrForbidden) {
					w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="payments:read"`)
				}
				w.WriteHeader(test.status)
				fmt.Fprint(w, test.body)
			}))
			defer server.Close()
			c, err := apiclient.New(server.URL+"/api/ext/v1", "svc_org_1", apiclient.WithRetry(apiclient.NoRetry))
			if err != nil {
				t.Fatal(err)
			}

			got, err := c.Bills(t.Context())

			text := ""
			if got != nil {
				var all []string
				for _, b := range got.All {
					all = append(all, fmt.Sprint(b.Number, " ", b.VendorName, " ", b.State, " ", b.Open, " ", b.Reporting, " ",
						b.DueOn, " ", b.MayBePaid))
				}
				text = fmt.Sprint(got.Kept, got.Known, " "+got.Currency+" ", got.Omitted, " ", all)
			}
			if asked != "/api/books/v1/bills" || !errors.Is(err, test.err) || text != test.want ||
				test.err == nil && err != nil {
				t.Errorf("%s: %s, %v", asked, text, err)
			}
		})
	}
}
