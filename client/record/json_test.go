package record

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tarmac/apiclient"
)

// The JSON of any text is one line of visible characters that decodes to the text.
func TestJSONIsVisibleAndReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		more := rapid.SampledFrom([]string{"", "\u009b2J", "\u202e", "\U000e0041", "\x7f", "<&>", "\u2028", "\xff"})
		text := rapid.String().Draw(t, "text") + more.Draw(t, "more")
		line, err := appendValue(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range string(line) {
			if !unicode.IsGraphic(r) || r == '\u2028' {
				t.Fatalf("%U in %q", r, line)
			}
		}
		var got string
		if err := json.Unmarshal(line, &got); err != nil || got != strings.ToValidUTF8(text, "\ufffd") {
			t.Fatalf("%q reads back as %q, %v", text, got, err)
		}
		raw, err := appendValue(nil, json.RawMessage(`{"x": `+string(line)+` }`))
		if err != nil || !json.Valid(raw) || strings.ContainsAny(string(raw), "\n\x1b") {
			t.Fatalf("%q, %v", raw, err)
		}
	})
}

func TestObjectsKeepTheirOrderAndLeaveOutWhatIsAbsent(t *testing.T) {
	o := Object{
		Text("b", "B", "1"), omitEmpty("memo", "Memo", ""), nullIfEmpty("reason", "Reason", ""),
		Nested("in", Object{Count("n", "N", nil)}),
		List("list", []Object{{Flag("y", "Y", true)}, {Flag("y", "Y", false)}}), Null("none"),
	}
	var b strings.Builder
	want := `{"b":"1","reason":null,"in":{"n":null},"list":[{"y":true},{"y":false}],"none":null}` + "\n"
	if err := o.WriteJSON(&b); err != nil || b.String() != want {
		t.Errorf("%s, %v", b.String(), err)
	}
}

func TestAnEventSaysWhatItIsAbout(t *testing.T) {
	for want, e := range map[string]apiclient.Event{
		"INV-1 $12.50 inv_1": {Type: "invoice.paid",
			Data: json.RawMessage(`{"invoice_id":"inv_1","number":"INV-1","total_cents":1250,"currency":"USD"}`)},
		"— inv_1": {Type: "invoice.paid", Data: json.RawMessage(`{"invoice_id":"inv_1"}`)},
		"$0.05 pi_1": {Type: "payment.held",
			Data: json.RawMessage(`{"payment_intent_id":"pi_1","amount_cents":5,"currency":"USD"}`)},
		"hello": {Type: "test.event", Data: json.RawMessage(`{"message":"hello"}`)},
		"":      {Type: "another.kind", Data: json.RawMessage(`{}`)},
		"(70000 bytes of data, more than are shown)": {Type: "invoice.paid", Omitted: 70000},
	} {
		if got := EventAbout(e); got != want {
			t.Errorf("%s %s is about %q, want %q", e.Type, e.Data, got, want)
		}
	}
	line, err := Event(apiclient.Event{Omitted: 70000}).AppendJSON(nil)
	if err != nil || !strings.HasSuffix(string(line), `"data":null}`) {
		t.Errorf("%s, %v", line, err)
	}
}

func TestPeopleReadThatACounterpartyHasNoNameAndProgramsTheAPIsText(t *testing.T) {
	f := counterpartyName("Counterparty", "(unknown)")
	line, err := Object{f}.AppendJSON(nil)
	const want = `{"counterparty_name":"(unknown)"}`
	if f.Text() != "no name" || f.Raw() != "(unknown)" || string(line) != want || err != nil {
		t.Errorf("%q, %q, %s, %v", f.Text(), f.Raw(), line, err)
	}
	if f = counterpartyName("Counterparty", "Gusto"); f.Text() != "Gusto" || f.Raw() != "Gusto" {
		t.Errorf("%q, %q", f.Text(), f.Raw())
	}
}
