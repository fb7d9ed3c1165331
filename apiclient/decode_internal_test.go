package apiclient

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// Reading any response ends in clean values or in a ContractError.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"data":[],"next_cursor":"","summary":{"count":0,"inflow_usd_cents":0,"outflow_usd_cents":0,"net_usd_cents":0,` +
			`"unconverted_count":0}}`,
		string(page(1)), `[{"id":"evt_1","type":"test.event","version":1,"occurred_at":"2026-11-20T12:00:00Z",` +
			`"data":{"message":"a\u001b]0;x\u0007"}}]`,
		`{"data":[{"id":"e","type":"t","version":1,"occurred_at":"2026-11-20T12:00:00Z","data":{}}],"next_cursor":null}`,
		`null`, `{}`, `[[[[`, `[{"id":"wh_1","url":"https://x.example/\u001b","event_types":["a\u202eb"],` +
			`"status":"active","x":[1]}]`,
		`{"a":{"b":[null]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		call := read("/fuzz", nil)
		var contract *ContractError
		transactions, err := decodeTransactions(call, body)
		if err != nil && !errors.As(err, &contract) || err == nil && len(transactions.Data) > len(body) {
			t.Fatal(err)
		}
		if err == nil {
			for _, row := range transactions.Data {
				clean(
					t,
					row.ID+row.CounterpartyName+row.Memo+row.Method+row.Reference+row.LogoURL+row.SourceLabel+row.Amount.String()+
						string(row.Source),
				)
			}
		}
		events, err := decodeEvents(call, body, 1)
		if err != nil && !errors.As(err, &contract) {
			t.Fatal(err)
		}
		if err == nil {
			for _, e := range events.Data {
				clean(t, e.ID+string(e.Type)+e.Message()+strings.ReplaceAll(e.PrettyData(), "\n", ""))
			}
		}
		webhooks, err := decodeList(call, body, (*object).webhook, Webhook.asUnreadable)
		if err != nil && !errors.As(err, &contract) {
			t.Fatal(err)
		}
		for _, w := range webhooks {
			clean(t, w.ID+w.URL+string(w.Status)+w.DisabledReason+fmt.Sprint(w.EventTypes, w.Extra))
		}
		deliveries, err := decodeList(call, body, (*object).delivery, WebhookDelivery.asUnreadable)
		if err != nil && !errors.As(err, &contract) {
			t.Fatal(err)
		}
		for _, d := range deliveries {
			clean(t, d.ID+d.EventID+string(d.EventType)+string(d.Status)+d.LastError+fmt.Sprint(d.Extra))
		}
		var free object
		if decode(call, body, &free) == nil {
			for _, field := range free.extra() {
				clean(t, field.Name+field.Value)
			}
		}
	})
}

func clean(t *testing.T, s string) {
	for _, r := range s {
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			t.Fatalf("%U came through in %q", r, s)
		}
	}
}

// page returns a page of n transactions in the service's form.
func page(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"data":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(
			&b,
			`{"id":"txn_01J9ZK3YV8Q2M5T7W4X6B0%06d","amount_cents":%d,"amount_known":true,"amount_usd_cents":%d,`+
				`"usd_known":true,"currency":"USD","direction":"outflow","date":"2026-11-%02d","counterparty_name":"Amazon Web `+
				`Services EMEA SARL","has_receipt":true,"source":"linked_bank","source_label":"Linked bank","memo":"AWS EMEA `+
				`invoice 4411-%d","method":"card","reference":"REF-%d"}`,
			i,
			i*101,
			i*101,
			i%28+1,
			i,
			i,
		)
	}
	b.WriteString(
		`],"next_cursor":"eyJ2IjoxfQ","summary":{"count":1000000,"inflow_usd_cents":1,"outflow_usd_cents":2,` +
			`"net_usd_cents":-1,"unconverted_count":0}}`,
	)
	return b.Bytes()
}

func BenchmarkDecodeTransactions200(b *testing.B) {
	body := page(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decodeTransactions(read("/transactions", nil), body); err != nil {
			b.Fatal(err)
		}
	}
}
