package cli

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
)

// Whatever text is in a record, its JSON is one line of visible characters that
// reads back as the text.
func TestJSONIsVisibleAndReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + rapid.SampledFrom([]string{"", "\u009b2J", "\u202e", "\U000e0041", "\x7f", "<&>", "\u2028", "\xff"}).Draw(t, "more")
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
	o := object{
		text("b", "B", "1"), spare("memo", "Memo", ""), optional("reason", "Reason", ""), {name: "in", value: object{count("n", "N", nil)}},
		{name: "list", value: []object{{truth("y", "Y", true).in()}, {truth("y", "Y", false).in()}}},
	}
	var b strings.Builder
	if err := o.writeJSON(&b); err != nil || b.String() != `{"b":"1","reason":null,"in":{"n":null},"list":[{"y":true},{"y":false}]}`+"\n" {
		t.Errorf("%s, %v", b.String(), err)
	}
	b.Reset()
	if err := o.writeLabels(&b, 0); err != nil || b.String() != "B       1\nMemo    —\nReason  —\nN       —\n\nY\nyes\nno\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestAnEventSaysWhatItIsAbout(t *testing.T) {
	for want, e := range map[string]apiclient.Event{
		"INV-1 $12.50 inv_1": {Type: "invoice.paid", Data: json.RawMessage(`{"invoice_id":"inv_1","number":"INV-1","total_cents":1250,"currency":"USD"}`)},
		"— inv_1":            {Type: "invoice.paid", Data: json.RawMessage(`{"invoice_id":"inv_1"}`)},
		"$0.05 pi_1":         {Type: "payment.held", Data: json.RawMessage(`{"payment_intent_id":"pi_1","amount_cents":5,"currency":"USD"}`)},
		"hello":              {Type: "test.event", Data: json.RawMessage(`{"message":"hello"}`)},
		"":                   {Type: "another.kind", Data: json.RawMessage(`{}`)},
		"(70000 bytes of data, more than are shown)": {Type: "invoice.paid", Omitted: 70000},
	} {
		if got := eventAbout(e); got != want {
			t.Errorf("%s %s is about %q, want %q", e.Type, e.Data, got, want)
		}
	}
	line, err := eventObject(apiclient.Event{Omitted: 70000}).appendJSON(nil)
	if err != nil || !strings.HasSuffix(string(line), `"data":null}`) {
		t.Errorf("%s, %v", line, err)
	}
}

// Columns line up by the cells that text takes, however long the list is.
func TestColumnsLineUpBelowEachOther(t *testing.T) {
	row := func(name, amount string) object {
		return object{text("name", "Name", name).in(), {name: "amount", label: "Amount", text: amount, column: true, right: true}, text("end", "End", "x").in()}
	}
	var b strings.Builder
	g := newGrid(&b, 0, row("", ""))
	for i := range 3 * batch {
		if err := g.add(row([]string{"Acme", "株式会社みどり", "Café Ströbel"}[i%3], []string{"1.00", "1,000.00", ""}[i%3])); err != nil {
			t.Fatal(err)
		}
		if len(g.rows) > batch {
			t.Fatalf("%d rows wait", len(g.rows))
		}
	}
	if err := g.flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 3*batch+1 || lines[0] != "NAME              AMOUNT  END" || lines[2] != "株式会社みどり  1,000.00  x" {
		t.Fatalf("%d lines: %q", len(lines), lines[:3])
	}
	for _, line := range lines[1:] {
		if termtext.Width(line) != termtext.Width(lines[1]) {
			t.Fatalf("%q is not in line", line)
		}
	}
}

// On a terminal a row fits: text is cut, and what is left out is said.
// Amounts and ids are whole, or not there.
func TestATableFitsItsTerminal(t *testing.T) {
	row := func(id, memo, about string) object {
		return object{
			text("id", "Id", id).in().yield(2), {name: "amount", label: "Amount", text: "$1,200.00", column: true, right: true},
			text("feed", "Feed", "Service account").in().yield(1), text("memo", "Memo", memo).in().cut(), text("about", "About", about).in().cut(),
		}
	}
	for room, want := range map[int]string{
		0:  "ID          AMOUNT  FEED             MEMO                      ABOUT|id_0001  $1,200.00  Service account  Train to a customer site  INV-1 $12.50 inv_1",
		90: "ID          AMOUNT  FEED             MEMO                      ABOUT|id_0001  $1,200.00  Service account  Train to a customer site  INV-1 $12.50 inv_1",
		80: "ID          AMOUNT  FEED             MEMO                     ABOUT|id_0001  $1,200.00  Service account  Train to a customer si…  INV-1 $12.50 inv_1",
		60: "ID          AMOUNT  MEMO                  ABOUT|id_0001  $1,200.00  Train to a customer…  INV-1 $12.50 inv_1",
		40: "   AMOUNT  MEMO           ABOUT|$1,200.00  Train to a c…  INV-1 $12.50…",
		20: "   AMOUNT  MEMO          ABOUT|$1,200.00  Train to a…   INV-1…",
	} {
		var b strings.Builder
		g := newGrid(&b, room, row("", "", ""))
		if err := errors.Join(g.add(row("id_0001", "Train to a customer site", "INV-1 $12.50 inv_1")), g.flush()); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", "|"); got != want {
			t.Errorf("%d cells wide:\n%s\nand not\n%s", room, got, want)
		}
	}
}

func TestNoRowIsWiderThanItsTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		room := rapid.IntRange(76, 200).Draw(t, "room")
		var b strings.Builder
		g := newGrid(&b, room, transactionObject(apiclient.Transaction{}))
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			one := apiclient.Transaction{ID: "txn_01M7ZG2K4XA5N1084ZT8QZQTXJ", Amount: apiclient.NewAmount(rapid.Int64Range(0, 1e9).Draw(t, "cents"), "USD")}
			one.CounterpartyName, one.Memo, one.SourceLabel = rapid.StringN(0, 80, -1).Draw(t, "name"), rapid.StringN(0, 80, -1).Draw(t, "memo"), "Service account"
			one.CounterpartyName, one.Memo = termtext.Line(one.CounterpartyName), termtext.Line(one.Memo)
			if err := g.add(transactionObject(one)); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.flush(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimSuffix(line, "\n"); termtext.Width(line) > room {
				t.Fatalf("%d cells on %d: %q", termtext.Width(line), room, line)
			}
		}
	})
}

func FuzzLinesOfAProposal(f *testing.F) {
	for _, seed := range []string{"12.5 x 180.00 Hours", "1 x 1,200 Workshop x 2", " x ", "1 x 2", "1  x  2  y", "x x x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, words string) {
		line, err := parseLine(words)
		if err != nil {
			if exitCode(err) != exitUsage {
				t.Fatal(err)
			}
			return
		}
		if line.Quantity.IsZero() || line.UnitPriceCents < 0 || !strings.HasSuffix(strings.TrimSpace(words), line.Description) {
			t.Fatalf("%q was read as %+v", words, line)
		}
	})
}

// A number tells rows apart: it is whole where what stands behind it is cut.
func TestAnInvoiceNumberIsWholeInANarrowTable(t *testing.T) {
	e := apiclient.Event{ID: "evt_1", Type: "invoice.paid", Data: json.RawMessage(`{"invoice_id":"inv_1","number":"INV-2026-00042","total_cents":1,"currency":"USD"}`)}
	var b strings.Builder
	g := newGrid(&b, 48, eventObject(e))
	if err := errors.Join(g.add(eventObject(e)), g.flush()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "INV-2026-00042…") {
		t.Errorf("the number is not whole:\n%s", b.String())
	}
}
