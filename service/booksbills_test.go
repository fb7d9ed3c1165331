package service_test

import (
	"net/http"
	"strings"
	"testing"

	"tarmac/service/access"
)

const billsPath = "/api/books/v1/bills"

func TestBillsOfOwnBooksAreSentWithTheScopeOfPayments(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	token := f.token(a, access.PaymentsRead)
	if got := f.get(token, billsPath); got.status != http.StatusOK ||
		!strings.Contains(string(got.body), `"known":false,"currency":"USD","open_count":0,"bills":[]`) {
		t.Errorf("without bills: %d %s", got.status, got.body)
	}

	f.importFiles(a, textFile("bills.csv", "As of 2026-09-30\nbill,vendor,bill date,due,currency,amount due\n"+
		"A-7,Cloudhost,2026-09-01,,USD,500.00\nB-9,Haven,2026-09-05,2026-10-05,EUR,40.00\n"))

	got := f.get(token, billsPath)
	want := `"known":true,"currency":"USD","open_count":2,"bills":[{"number":"A-7","vendor_name":"Cloudhost",` +
		`"state":"open",` +
		`"currency":"USD","open_minor":50000,"usd_cents":50000,"issued_on":"2026-09-01","due_on":null,"paid_on":null,` +
		`"paid_by":null,"may_be_paid":false,"source":""},{"number":"B-9","vendor_name":"Haven","state":"open",` +
		`"currency":"EUR","open_minor":4000,"usd_cents":null,"issued_on":"2026-09-05","due_on":"2026-10-05","paid_on":null,` +
		`"paid_by":null,"may_be_paid":false,"source":""}]`
	if got.status != http.StatusOK || !strings.Contains(string(got.body), want) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := f.get(f.token(b, access.PaymentsRead), billsPath); strings.Contains(string(got.body), "Cloudhost") {
		t.Errorf("the other organization sees %s", got.body)
	}
	f.refused("without the scope", f.get(f.token(a, access.InvoicesRead), billsPath), http.StatusForbidden,
		"token lacks the required scope payments:read")
	f.refused("without a token", f.get("", billsPath), http.StatusUnauthorized, "missing API token")
	f.refused("with a query", f.get(token, billsPath+"?x=1"), http.StatusBadRequest, `unknown query parameter "x"`)
}
