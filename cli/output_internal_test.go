package cli

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/internal/termtext"
)

// inTable adds a column to a field.
func inTable(f record.Field, c record.Column) record.Field {
	f.Column, f.Column.InTable = c, true
	return f
}

func TestLabelsStandBelowEachOtherAndListsAreTables(t *testing.T) {
	o := record.Object{
		record.Text("b", "B", "1"), record.Text("memo", "Memo", ""),
		record.Nested("in", record.Object{record.Count("n", "N", nil)}),
		record.List("list", []record.Object{{inTable(record.Flag("y", "Y", true), record.Column{})},
			{inTable(record.Flag("y", "Y", false), record.Column{})}}),
	}
	var b strings.Builder
	if err := writeLabels(&b, o, 0); err != nil || b.String() != "B     1\nMemo  —\nN     —\n\nY\nyes\nno\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// Columns align by display width, in long lists too.
func TestColumnsLineUpBelowEachOther(t *testing.T) {
	row := func(name string, amount record.Field) record.Object {
		return record.Object{
			inTable(record.Text("name", "Name", name), record.Column{}), inTable(amount, record.Column{}),
			inTable(record.Text("end", "End", "x"), record.Column{}),
		}
	}
	var b strings.Builder
	g := newGrid(&b, 0, row("", record.Field{Label: "Amount", Kind: record.KindAmount}))
	for i := range 3 * batch {
		if err := g.add(row([]string{"Acme", "株式会社みどり", "Café Ströbel"}[i%3], record.Field{
			Label: "Amount", Kind: record.KindAmount,
			Amount: []apiclient.Amount{apiclient.NewAmount(100, ""), apiclient.NewAmount(100_000, ""), {}}[i%3],
		})); err != nil {
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
	if len(lines) != 3*batch+1 || lines[0] != "NAME              AMOUNT  END" ||
		lines[2] != "株式会社みどり  1,000.00  x" {
		t.Fatalf("%d lines: %q", len(lines), lines[:3])
	}
	for _, line := range lines[1:] {
		if termtext.Width(line) != termtext.Width(lines[1]) {
			t.Fatalf("%q is not in line", line)
		}
	}
}

// On a terminal, rows fit: text is cut, and omitted columns are named. Amounts and ids are
// shown whole or not at all.
func TestATableFitsItsTerminal(t *testing.T) {
	row := func(id, memo, about string) record.Object {
		return record.Object{
			inTable(record.Text("id", "Id", id), record.Column{DropOrder: 2}),
			inTable(record.Field{Label: "Amount", Kind: record.KindAmount, Amount: apiclient.NewAmount(120_000, "USD")},
				record.Column{}),
			inTable(record.Text("feed", "Feed", "Service account"), record.Column{DropOrder: 1}),
			inTable(record.Text("memo", "Memo", memo), record.Column{Truncated: true}),
			inTable(record.Text("about", "About", about), record.Column{Truncated: true}),
		}
	}
	for room, want := range map[int]string{
		0: "ID          AMOUNT  FEED             MEMO                      ABOUT|id_0001  $1,200.00  Service account  " +
			"Train to a customer site  INV-1 $12.50 inv_1",
		90: "ID          AMOUNT  FEED             MEMO                      ABOUT|id_0001  $1,200.00  Service account  " +
			"Train to a customer site  INV-1 $12.50 inv_1",
		80: "ID          AMOUNT  FEED             MEMO                     ABOUT|id_0001  $1,200.00  Service account  " +
			"Train to a customer si…  INV-1 $12.50 inv_1",
		60: "ID          AMOUNT  MEMO                  ABOUT|id_0001  $1,200.00  Train to a customer…  INV-1 $12.50 inv_1",
		40: "   AMOUNT  MEMO           ABOUT|$1,200.00  Train to a c…  INV-1 $12.50…",
		20: "   AMOUNT  MEMO          ABOUT|$1,200.00  Train to a…   INV-1…",
	} {
		var b strings.Builder
		g := newGrid(&b, room, row("", "", ""))
		added := g.add(row("id_0001", "Train to a customer site", "INV-1 $12.50 inv_1"))
		if err := errors.Join(added, g.flush()); err != nil {
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
		g := newGrid(&b, room, record.Transaction(apiclient.Transaction{}))
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			one := apiclient.Transaction{ID: "txn_01M7ZG2K4XA5N1084ZT8QZQTXJ",
				Amount: apiclient.NewAmount(rapid.Int64Range(0, 1e9).Draw(t, "cents"), "USD")}
			one.CounterpartyName, one.Memo, one.SourceLabel = rapid.StringN(0, 80, -1).Draw(t, "name"),
				rapid.StringN(0, 80, -1).Draw(t, "memo"), "Service account"
			one.CounterpartyName, one.Memo = termtext.Line(one.CounterpartyName), termtext.Line(one.Memo)
			if err := g.add(record.Transaction(one)); err != nil {
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
		if line.Quantity.IsZero() || line.UnitPriceCents < 0 ||
			!strings.HasSuffix(strings.TrimSpace(words), line.Description) {
			t.Fatalf("%q was read as %+v", words, line)
		}
	})
}

// Numbers identify rows, so they stay whole when the text after them is cut.
func TestAnInvoiceNumberIsWholeInANarrowTable(t *testing.T) {
	e := apiclient.Event{
		ID: "evt_1", Type: "invoice.paid", OccurredAt: time.Date(2026, 11, 20, 14, 2, 5, 0, time.UTC),
		Data: json.RawMessage(`{"invoice_id":"inv_1","number":"INV-2026-00042","total_cents":1,"currency":"USD"}`),
	}
	var b strings.Builder
	g := newGrid(&b, 48, record.Event(e))
	if err := errors.Join(g.add(record.Event(e)), g.flush()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "INV-2026-00042…") {
		t.Errorf("the number is not whole:\n%s", b.String())
	}
}
