package apiclient

import (
	"bytes"
	"runtime"
	"testing"
)

// readShared returns the page that a client of its own decodes from body.
func readShared(t *testing.T, shared *SharedPages, body []byte) *TransactionPage {
	t.Helper()
	c := &Client{shared: shared}
	got, err := c.transactionPage(read("/transactions", nil), body)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestClientsShareTheRowsOfTheSameResponse(t *testing.T) {
	var shared SharedPages
	body := page(200)

	one, other := readShared(t, &shared, body), readShared(t, &shared, bytes.Clone(body))

	if &one.Data[0] != &other.Data[0] || len(other.Data) != 200 || other.Summary != one.Summary ||
		other.NextCursor != one.NextCursor {
		t.Error("the second client has rows of its own")
	}
	if alone := readShared(t, nil, body); &alone.Data[0] == &one.Data[0] || alone.Data[7] != one.Data[7] {
		t.Error("a client that shares nothing has other rows, or the shared ones")
	}
	if appended := append(one.Data, Transaction{}); &appended[0] == &one.Data[0] {
		t.Error("an appended row changes the memory that others share")
	}
}

func TestClientsDoNotShareRowsOfDifferentResponses(t *testing.T) {
	var shared SharedPages
	body := page(200)

	one := readShared(t, &shared, body)
	other := readShared(t, &shared, bytes.Replace(body, []byte(`"has_receipt":`), []byte(`"has_receipt" :`), 1))

	if &one.Data[0] == &other.Data[0] {
		t.Error("different bytes share rows")
	}
}

// A server answers the same bytes with and without the preference if no row and no total differs.
func TestPagesInDifferentCurrenciesAreNotShared(t *testing.T) {
	var shared SharedPages
	body := bytes.ReplaceAll(page(200), []byte(`"usd_known":true,`),
		[]byte(`"usd_known":true,"reporting_cents":7,"reporting_known":true,`))
	body = bytes.Replace(body, []byte(`"summary":{`),
		[]byte(`"summary":{"currency":"EUR","inflow_cents":3,"outflow_cents":4,"net_cents":-1,`), 1)
	reads := func(reporting bool) *TransactionPage {
		call := read("/transactions", nil)
		call.reporting = reporting
		got, err := (&Client{shared: &shared}).transactionPage(call, body)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}

	dollars, euros, again := reads(false), reads(true), reads(true)

	if got := dollars.Data[9].Reporting; got != NewAmount(909, "USD") || dollars.Summary.Currency != "USD" {
		t.Errorf("without the preference: %v, %+v", got, dollars.Summary)
	}
	if got := euros.Data[9].Reporting; got != NewAmount(7, "EUR") || euros.Summary.Currency != "EUR" {
		t.Errorf("with the preference: %v, %+v", got, euros.Summary)
	}
	if &again.Data[0] != &euros.Data[0] {
		t.Error("the same response in the same currency has rows of its own")
	}
}

func TestAPageWithAnUnreadableRowIsNotShared(t *testing.T) {
	var shared SharedPages
	body := bytes.Replace(page(200), []byte(`"has_receipt":`), []byte(`"other":`), 1)

	one, other := readShared(t, &shared, body), readShared(t, &shared, body)

	if unreadable, _ := CountUnreadable(one.Data); unreadable != 1 || &one.Data[0] == &other.Data[0] {
		t.Errorf("%d rows are unreadable, or the page is shared", unreadable)
	}
}

func TestPagesThatNobodyUsesAreNotKept(t *testing.T) {
	var shared SharedPages
	body := page(200)
	kept := readShared(t, &shared, body)

	runtime.GC()
	again := readShared(t, &shared, body)
	if &again.Data[0] != &kept.Data[0] {
		t.Error("a page in use was forgotten")
	}
	runtime.KeepAlive(kept)

	for range 100 {
		runtime.GC()
		shared.mu.Lock()
		left := len(shared.pages)
		shared.mu.Unlock()
		if left == 0 {
			return
		}
		runtime.Gosched()
	}
	t.Error("a page that nobody uses is still known")
}
