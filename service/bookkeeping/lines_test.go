package bookkeeping_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// Two accounts with a transfer of 200.00 between them, which takes a day.
var (
	checking = statement{
		account: "00123456789", first: "2026-09-01", last: "2026-09-30", closing: "1000.00", closedOn: "2026-09-30",
		lines: []line{
			{"2026-09-02", "-500.00", "1", "Landlord"},
			{"2026-09-14", "-200.00", "2", "Transfer to 00987654321"},
			{"2026-09-15", "1200.00", "3", "Customer"},
		},
	}
	reserve = statement{
		account: "00987654321", first: "2026-09-01", last: "2026-09-30", closing: "700.00", closedOn: "2026-09-30",
		lines: []line{{"2026-09-15", "200.00", "1", "Transfer from 00123456789"}},
	}
)

// linesOf returns the lines that the filter selects, in one line of text each.
func linesOf(t *testing.T, b *bookkeeping.Books, filter bookkeeping.LineFilter) (all []string) {
	t.Helper()
	err := b.Lines(t.Context(), filter, func(l bookkeeping.LineRecord) error {
		all = append(all, fmt.Sprintf("%s %s %s %d %s %s transfer=%t transaction=%t", l.Date, l.Account, l.Direction,
			l.AmountMinor, l.Counterparty, l.Status, l.Transfer, l.Transaction != nil))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLinesAreListedOnceWithTheirTransfers(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", checking.ofx()), source("b.qfx", reserve.ofx()))
	take(t, b, source("again.qfx", checking.ofx()+" "))

	got := linesOf(t, b, bookkeeping.LineFilter{})

	want := []string{
		"2026-09-02 …6789 outflow 50000 Landlord booked transfer=false transaction=true",
		"2026-09-14 …6789 outflow 20000 Transfer to booked transfer=true transaction=false",
		"2026-09-15 …4321 inflow 20000 Transfer from booked transfer=true transaction=false",
		"2026-09-15 …6789 inflow 120000 Customer booked transfer=false transaction=true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the lines are %q, want %q", got, want)
	}
}

func TestLinesAreSelectedByAccountAndDays(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", checking.ofx()), source("b.qfx", reserve.ofx()))
	day := civil.MustParse("2026-09-15")

	for _, test := range []struct {
		filter bookkeeping.LineFilter
		want   int
	}{
		{bookkeeping.LineFilter{Account: "4321"}, 1},
		{bookkeeping.LineFilter{Account: "6789", Days: civil.Period{From: day}}, 1},
		{bookkeeping.LineFilter{Days: civil.Period{To: day.AddDays(-1)}}, 2},
		{bookkeeping.LineFilter{Days: civil.Period{From: day, To: day}}, 2},
		{bookkeeping.LineFilter{Days: civil.Period{From: day.AddDays(90)}}, 0},
	} {
		if got := linesOf(t, b, test.filter); len(got) != test.want {
			t.Errorf("%+v selects %q, want %d", test.filter, got, test.want)
		}
	}
}

func TestPendingLinesAreThoseOfTheNewestImport(t *testing.T) {
	b := newBooks(t)
	pending := func(booked string, entries string) string {
		return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><BkToCstmrAcctRpt><Rpt>` +
			`<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>` + entries +
			`<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>` + booked +
			`</Dt></BookgDt></Ntry></Rpt></BkToCstmrAcctRpt></Document>`
	}
	entry := func(amount string) string {
		return `<Ntry><Amt Ccy="EUR">` + amount + `</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-09-03` +
			`</Dt></BookgDt></Ntry>`
	}
	take(t, b, source("a.xml", pending("2026-09-02", entry("7.00"))))
	take(t, b, source("b.xml", pending("2026-09-04", entry("8.00")+entry("8.00"))))

	got := linesOf(t, b, bookkeeping.LineFilter{})

	want := []string{
		"2026-09-02 …2051 outflow 500 (unknown) booked transfer=false transaction=true",
		"2026-09-03 …2051 outflow 800 (unknown) pending transfer=false transaction=false",
		"2026-09-03 …2051 outflow 800 (unknown) pending transfer=false transaction=false",
		"2026-09-04 …2051 outflow 500 (unknown) booked transfer=false transaction=true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the lines are %q, want %q", got, want)
	}
	ids := map[string]bool{}
	err := b.Lines(t.Context(), bookkeeping.LineFilter{}, func(l bookkeeping.LineRecord) error {
		ids[l.ID] = true
		return nil
	})
	if err != nil || len(ids) != len(want) {
		t.Errorf("%d ids for %d lines, %v", len(ids), len(want), err)
	}
}

// A day of so many lines is composed while it is read, in an order that the order of imports and
// accounts doesn't change.
func TestADayOfVeryManyLinesHasThemInTheirOrder(t *testing.T) {
	b := newBooks(t)
	const day = "2026-09-02"
	take(t, b, source("first.jsonl", linesOfDay("999", day, 12_000, "b")))
	take(t, b, source("second.jsonl", linesOfDay("111", day, 9_000, "a")))

	var want []string // texts of transactions, by account and place
	for _, account := range []struct {
		text  string
		lines int
	}{{"a", 9_000}, {"b", 12_000}} {
		for i := range account.lines {
			want = append(want, fmt.Sprintf("%s %d", account.text, i))
		}
	}
	var got []string
	err := b.Store.Read(t.Context(), func(snap *store.Snapshot) error {
		rows, err := snap.DayTransactions(b.Org, dayOf(t, day))
		for _, row := range rows {
			got = append(got, row.Memo)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d transactions, want %d; %.200q", len(got), len(want), got)
	}
}

func linesOfDay(account, day string, n int, text string) string {
	var g shapeFile
	g.account(account, "USD", "")
	for i := range n {
		g.line(account, "USD", strings.TrimPrefix(day, "2026-"), fmt.Sprintf("-%d.00", i+1), description("%s %d", text, i))
	}
	return g.String()
}
