package apiclient_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"tarmac/apiclient"
)

// spoiled returns a record's JSON with another id and one text replaced.
func spoiled(record, id, newID, old, replacement string) string {
	return strings.Replace(strings.Replace(record, id, newID, 1), old, replacement, 1)
}

// lists are the API's lists, each with a good record, one with a field of another type, one
// with a missing field and one that is not an object.
var lists = map[string]struct {
	body string
	ids  []string
	why  []string
	read func(context.Context, *apiclient.Client) ([]string, []*apiclient.ContractError, error)
}{
	"invoices": {
		`[` + spoiled(invoiceJSON, "inv_1", "inv_2", `"total_cents":120`, `"total_cents":"120"`) + `,` + invoiceJSON + `,` +
			spoiled(invoiceJSON, "inv_1", "inv_3", `"status"`, `"gone"`) + `,7]`,
		[]string{"inv_2 INV-000001", "inv_1 INV-000001", "inv_3 INV-000001", " "},
		[]string{
			"[0].total_cents has a JSON string where another type belongs",
			"",
			"[2].status is missing",
			"[3] has a JSON number where another type belongs",
		},
		func(ctx context.Context, c *apiclient.Client) (ids []string, why []*apiclient.ContractError, err error) {
			all, err := c.Invoices(ctx, apiclient.InvoiceFilter{})
			for _, i := range all {
				ids, why = append(ids, i.ID+" "+i.Number), append(why, i.Unreadable)
				if i.Unreadable != nil &&
					!reflect.DeepEqual(i, apiclient.Invoice{ID: i.ID, Number: i.Number, Unreadable: i.Unreadable}) {
					err = errors.Join(err, errors.New("more than id and number is told of "+i.ID))
				}
			}
			return ids, why, err
		},
	},
	"transactions": {
		strings.Replace(
			pageJSON,
			transactionJSON,
			spoiled(transactionJSON, "txn_1", "txn_2", `"amount_cents":1500`, `"amount_cents":-1500`)+`,`+
				transactionJSON+`,`+spoiled(transactionJSON, "txn_1", "txn_3", `"memo":"a\tb"`, `"memo":5`)+`,null`,
			1,
		),
		[]string{"txn_2 2026-11-20", "txn_1 2026-11-20", "txn_3 2026-11-20", " "},
		[]string{
			"data[0].amount_cents is negative",
			"",
			"data[2].memo has a JSON number where another type belongs",
			"data[3].id is missing",
		},
		func(ctx context.Context, c *apiclient.Client) (ids []string, why []*apiclient.ContractError, err error) {
			page, err := c.TransactionPage(ctx, apiclient.TransactionQuery{})
			if err != nil {
				return nil, nil, err
			}
			if page.NextCursor != "c1" || page.Summary.Count != 9 {
				err = errors.New("the cursor or the summary is lost")
			}
			for _, t := range page.Data {
				ids, why = append(ids, t.ID+" "+t.Date.String()), append(why, t.Unreadable)
				if t.Unreadable != nil &&
					!reflect.DeepEqual(t, apiclient.Transaction{ID: t.ID, Date: t.Date, Unreadable: t.Unreadable}) {
					err = errors.Join(err, errors.New("more than id and date is told of "+t.ID))
				}
			}
			return ids, why, err
		},
	},
	"events": {
		`{"data":[` + spoiled(eventJSON, "evt_1", "evt_2", `"version":1`, `"version":"1"`) + `,` + eventJSON + `,` +
			spoiled(eventJSON, "evt_1", "evt_3", `"data":{`, `"gone":{`) + `,[]],"next_cursor":"evt_0"}`,
		[]string{"evt_2 invoice.paid", "evt_1 invoice.paid", "evt_3 invoice.paid", " "},
		[]string{
			"data[0].version has a JSON string where another type belongs",
			"",
			"data[2].data is not an object",
			"data[3] has a JSON array where another type belongs",
		},
		func(ctx context.Context, c *apiclient.Client) (ids []string, why []*apiclient.ContractError, err error) {
			page, err := c.EventPage(ctx, apiclient.EventQuery{})
			if err != nil {
				return nil, nil, err
			}
			for _, e := range page.Data {
				ids, why = append(ids, e.ID+" "+string(e.Type)), append(why, e.Unreadable)
			}
			return ids, why, err
		},
	},
	"webhooks": {
		`[` + webhookJSON + `,{"id":"wh_2","url":"https://example.com/"},[7]]`,
		[]string{
			"wh_1",
			"wh_2",
			"",
		}, []string{"", "[1].status is missing", "[2] has a JSON array where another type belongs"},
		func(ctx context.Context, c *apiclient.Client) (ids []string, why []*apiclient.ContractError, err error) {
			all, err := c.Webhooks(ctx)
			for _, w := range all {
				ids, why = append(ids, w.ID), append(why, w.Unreadable)
			}
			return ids, why, err
		},
	},
	"deliveries": {
		`[{"id":"whd_1","status":"pending"},{"id":"whd_2","status":7},"whd_3"]`,
		[]string{
			"whd_1",
			"whd_2",
			"",
		}, []string{"", "[1].status is missing", "[2] has a JSON string where another type belongs"},
		func(ctx context.Context, c *apiclient.Client) (ids []string, why []*apiclient.ContractError, err error) {
			all, err := c.WebhookDeliveries(ctx, "wh_1")
			for _, d := range all {
				ids, why = append(ids, d.ID), append(why, d.Unreadable)
			}
			return ids, why, err
		},
	},
}

func TestARecordThatCannotBeReadDoesNotHideTheOthers(t *testing.T) {
	for name, c := range lists {
		ids, why, err := c.read(t.Context(), fixed(t, c.body))
		check(t, name, ids, err, c.ids)
		for i, problem := range why {
			want := c.why[i]
			switch {
			case want == "" && problem != nil:
				t.Errorf("%s %d: %v", name, i, problem)
			case want != "" && (problem == nil || problem.Field+" "+problem.Problem != want):
				t.Errorf("%s %d: %v, want %s", name, i, problem, want)
			}
		}
	}
}

func TestUnreadableRecordsAreCounted(t *testing.T) {
	all, err := fixed(t, lists["invoices"].body).Invoices(t.Context(), apiclient.InvoiceFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if n, first := apiclient.CountUnreadable(all); n != 3 || first != all[0].Unreadable {
		t.Errorf("%d unreadable, the first: %v", n, first)
	}
	if n, first := apiclient.CountUnreadable(all[1:2]); n != 0 || first != nil {
		t.Errorf("%d unreadable, the first: %v", n, first)
	}
}

// A value that is not a list is an error, not a number of bad records.
func TestAListThatCannotBeReadAtAllIsAnError(t *testing.T) {
	bad := spoiled(transactionJSON, "txn_1", "txn_2", `"date"`, `"gone"`)
	for name, call := range map[string]func(*apiclient.Client) error{
		`[{"id":"inv_1"},{"id":"inv_2"}]`: func(c *apiclient.Client) error {
			_, err := c.Invoices(t.Context(), apiclient.InvoiceFilter{})
			return err
		},
		strings.Replace(pageJSON, transactionJSON, bad, 1): func(c *apiclient.Client) error {
			_, err := c.TransactionPage(t.Context(), apiclient.TransactionQuery{})
			return err
		},
		`{"data":[{"id":"evt_1"}]}`: func(c *apiclient.Client) error {
			_, err := c.EventPage(t.Context(), apiclient.EventQuery{})
			return err
		},
		`[{"id":"wh_1"}]`: func(c *apiclient.Client) error { _, err := c.Webhooks(t.Context()); return err },
		`{"data":` + transactionJSON + `,"summary":{"count":1}}`: func(c *apiclient.Client) error {
			_, err := c.TransactionPage(t.Context(), apiclient.TransactionQuery{})
			return err
		},
	} {
		var contract *apiclient.ContractError
		if err := call(fixed(t, name)); !errors.As(err, &contract) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Unreadable rows fail neither later pages nor a page that is read for its summary.
func TestABadPageFurtherOnDoesNotEndAList(t *testing.T) {
	bad := strings.Replace(pageJSON, `"currency"`, `"gone"`, 1)
	for name, q := range map[string]apiclient.TransactionQuery{"further on": {Cursor: "c0"},
		"for its summary": {Limit: 1}} {
		page, err := fixed(t, bad).TransactionPage(t.Context(), q)
		if err != nil || page.Summary.Count != 9 || page.NextCursor != "c1" || page.Data[0].Unreadable == nil {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
	page, err := fixed(t, `{"data":[{"id":"evt_1"}],"next_cursor":"evt_1"}`).EventPage(t.Context(),
		apiclient.EventQuery{StartingAfter: "evt_2"})
	if err != nil || page.Data[0].ID != "evt_1" || page.Data[0].Unreadable == nil {
		t.Errorf("events: %+v, %v", page, err)
	}
}

func TestTransactionsGoesOnBehindARowThatCannotBeRead(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body := strings.Replace(pageJSON, `"c1"`, `""`, 1)
		if r.URL.Query().Get("cursor") == "" {
			body = strings.Replace(pageJSON, transactionJSON, transactionJSON+`,{"id":"txn_2","date":"2026-11-19"}`, 1)
		}
		answer(w, 200, body)
	})
	var ids []string
	for row, err := range client.Transactions(t.Context(), apiclient.TransactionQuery{}) {
		if err != nil {
			t.Fatal(err)
		}
		if ids = append(ids, row.ID); row.Unreadable != nil && row.Date != apiclient.NewDate(2026, 11, 19) {
			t.Errorf("%+v", row)
		}
	}
	if got := strings.Join(ids, " "); got != "txn_1 txn_2 txn_1" {
		t.Error(got)
	}
}

// badFeed is a feed with unreadable events, newest first.
func badFeed(t *testing.T, pages *[]string) *apiclient.Client {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		at := 0
		for i, page := range *pages {
			if after := r.URL.Query().Get("starting_after"); after != "" && strings.Contains(page, `"id":"`+after+`"`) {
				at = i + 1
			}
		}
		next := ""
		if at < len(*pages)-1 {
			next = "page"
		}
		body := "[]"
		if at < len(*pages) {
			body = "[" + (*pages)[at] + "]"
		}
		if next != "" {
			answer(w, 200, body) // a full bare list: the next page starts after the oldest id
			return
		}
		answer(w, 200, `{"data":`+body+`,"next_cursor":""}`)
	})
	return client
}

func eventWithID(id string) string { return strings.Replace(eventJSON, "evt_1", id, 1) }

func TestATailGivesEachEventThatCannotBeReadOnce(t *testing.T) {
	const noID, noVersion = `{"type":"new","occurred_at":"2026-11-20T12:00:00Z"}`, `{"id":"evt_bad","type":"invoice.paid"}`
	pages := []string{noID + "," + eventWithID("evt_2") + "," + noVersion + "," + eventWithID("evt_1")}
	client := badFeed(t, &pages)
	tailer := apiclient.NewTailer(client, apiclient.TailOptions{PageLimit: 4})
	poll := func() string {
		t.Helper()
		events, err := tailer.Poll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range events {
			id := e.ID
			if e.Unreadable != nil {
				id += "!"
			}
			got = append(got, id)
		}
		return strings.Join(got, " ")
	}

	if got := poll(); got != "evt_1 evt_bad! evt_2 !" {
		t.Errorf("the first poll brought %q", got)
	}
	if got := poll(); got != "" {
		t.Errorf("the same feed brought %q again", got)
	}

	// Events without an id may look alike, so none of them marks the position in the feed.
	pages = []string{
		eventWithID("evt_7") + "," + noID + "," + noID + "," + eventWithID("evt_6"),
		eventWithID("evt_5") + "," + eventWithID("evt_4") + "," + `{"type":"newer"}` + "," + eventWithID("evt_3"),
		eventWithID("evt_2") + "," + noVersion + "," + eventWithID("evt_1"),
	}
	if got := poll(); got != "evt_3 ! evt_4 evt_5 evt_6 evt_7" {
		t.Errorf("after new events it brought %q", got)
	}
	if got := poll(); got != "" {
		t.Errorf("the same feed brought %q again", got)
	}
}
