package apiclient_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
)

const categorized = `{"id":"txn_1","date":"2026-11-01","direction":"outflow","amount_cents":1,"amount_known":true,` +
	`"amount_usd_cents":1,"usd_known":true,"currency":"USD","counterparty_name":"Ada","has_receipt":false,` +
	`"source":"svc","source_label":"Account","category":"of the server","account":"of the server"}`

func TestAsidesAreLookedUpInTheProgramAlone(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/txn_1") {
			_, _ = io.WriteString(w, categorized)
			return
		}
		_, _ = io.WriteString(w, `{"data":[`+categorized+`,`+strings.ReplaceAll(categorized, "txn_1", "txn_2")+
			`],"next_cursor":"","summary":{"count":2,"inflow_usd_cents":0,"outflow_usd_cents":2,"net_usd_cents":-2,`+
			`"unconverted_count":0}}`)
	}
	var asked []string
	var failure error
	look := func(_ context.Context, ids []string) (map[string]apiclient.Aside, error) {
		asked = append(asked, ids...)
		return map[string]apiclient.Aside{"txn_1": {Category: "tra\x1b[31mvel\n", Account: "Ban\x1b[31mk …4821\n"}}, failure
	}
	plain, _ := serve(t, answer)
	c, _ := serve(t, answer, apiclient.WithAsides(look))

	page, err := c.TransactionPage(t.Context(), apiclient.TransactionQuery{})
	if err != nil || page.Data[0].Category != "travel" || page.Data[1].Category != "" ||
		page.Data[0].Account != "Bank …4821" || page.Data[1].Account != "" {
		t.Errorf("%+v, %v", page, err)
	}
	if one, err := c.Transaction(t.Context(), "txn_1"); err != nil || one.Category != "travel" ||
		one.Account != "Bank …4821" {
		t.Errorf("%+v, %v", one, err)
	}
	if want := []string{"txn_1", "txn_2", "txn_1"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q", asked)
	}
	if page, err := plain.TransactionPage(t.Context(), apiclient.TransactionQuery{}); err != nil ||
		page.Data[0].Category != "" || page.Data[0].Account != "" {
		t.Errorf("what a server says aside is read: %+v, %v", page, err)
	}
	failure = errors.New("the disk is gone")
	if _, err := c.TransactionPage(t.Context(), apiclient.TransactionQuery{}); !errors.Is(err, failure) {
		t.Errorf("a look-up that fails: %v", err)
	}
	if one, err := c.Transaction(t.Context(), "txn_1"); !errors.Is(err, failure) || one != nil {
		t.Errorf("a look-up that fails: %v, %v", one, err)
	}
}
