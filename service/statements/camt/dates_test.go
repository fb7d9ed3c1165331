package camt_test

import (
	"strings"
	"testing"
)

func TestDatesAreAsTheBankWroteThem(t *testing.T) {
	for _, text := range []string{
		"<Dt>2026-09-30</Dt>", "<DtTm>2026-09-30T23:59:59.999-11:00</DtTm>", "<Dt>2026-09-30+02:00</Dt>",
		"<DtTm>2026-09-30 10:00</DtTm>", "<Dt>2026-09-30Z</Dt>", "2026-09-30",
	} {
		line := readLine(t, strings.Replace(entry("5", "DBIT", ""), "<Dt>2026-09-30</Dt>", text, 1))

		if line.Booked.String() != "2026-09-30" {
			t.Errorf("%s is %v", text, line.Booked)
		}
	}
	for _, text := range []string{"2026-02-31", "0001-01-01", "9999-12-31", "30.09.2026", "2026-9-30", "2026-09-30x"} {
		content := strings.Replace(entry("5", "DBIT", ""), "<Dt>2026-09-30</Dt>", "<Dt>"+text+"</Dt>", 1)
		wantRefused(t, head+account+content+tail, 3, text)
	}
}

func TestEntriesWithoutADateHaveThatOfTheStatement(t *testing.T) {
	undated := strings.Replace(entry("5", "DBIT", ""), "<BookgDt><Dt>2026-09-30</Dt></BookgDt>", "", 1)
	valued := strings.Replace(entry("5", "DBIT", ""), "BookgDt", "ValDt", 2)
	period := "<FrToDt><FrDtTm>2026-09-01T00:00:00</FrDtTm><ToDtTm>2026-09-29T00:00:00</ToDtTm></FrToDt>"
	for name, test := range map[string]struct{ content, want string }{
		"value date":      {valued, "2026-09-30"},
		"closing balance": {period + balance("CLBD", "1", "CRDT", "2026-09-28") + undated, "2026-09-28"},
		"period":          {period + undated, "2026-09-29"},
		"creation":        {"<CreDtTm>2026-10-02T07:00:00</CreDtTm>" + undated, "2026-10-02"},
	} {
		s, problems := readStatement(t, test.content)

		if got := s.Lines[0].Booked.String(); got != test.want || len(problems) != 1 {
			t.Errorf("%s: %s, %q", name, got, problems)
		}
	}
	wantRefused(t, head+account+undated+tail, 3, "no date")
}

func TestThePeriodIsThatOfWholeDays(t *testing.T) {
	line := entry("5", "DBIT", "")
	for name, test := range map[string]struct{ kind, from, to, lines, want string }{
		"a month":                    {"Stmt", "2026-09-01T00:00:00", "2026-09-30T23:59:59", line, "2026-09-01 2026-09-30"},
		"up to midnight":             {"Stmt", "2026-09-01T00:00:00", "2026-10-01T00:00:00", line, "2026-09-01 2026-09-30"},
		"the last day as midnight":   {"Stmt", "2026-09-01T00:00:00", "2026-09-30T00:00:00", line, "2026-09-01 2026-09-30"},
		"one day":                    {"Stmt", "2026-09-30T00:00:00", "2026-09-30T00:00:00", line, "2026-09-30 2026-09-30"},
		"days":                       {"Stmt", "2026-09-01", "2026-09-30", line, "2026-09-01 2026-09-30"},
		"up to the bank's close":     {"Stmt", "2026-09-30T08:00:00", "2026-09-30T17:00:00", line, "2026-09-30 2026-09-30"},
		"backwards":                  {"Stmt", "2026-09-30", "2026-09-01", line, " "},
		"within a day":               {"Rpt", "2026-09-30T08:00:00", "2026-09-30T12:00:00", line, " "},
		"a report of days and hours": {"Rpt", "2026-09-28T00:00:00", "2026-09-30T12:00:00", line, "2026-09-28 2026-09-29"},
		"a notification":             {"Ntfctn", "2026-09-01", "2026-09-30", line, " "},
	} {
		content := head + "<FrToDt><FrDtTm>" + test.from + "</FrDtTm><ToDtTm>" + test.to + "</ToDtTm></FrToDt>" + account +
			test.lines + tail
		found, err := read(strings.NewReplacer("<Stmt>", "<"+test.kind+">", "</Stmt>", "</"+test.kind+">").Replace(content))
		if err != nil {
			t.Fatal(err)
		}

		if s := found.Statements[0]; s.First.String()+" "+s.Last.String() != test.want {
			t.Errorf("%s: %v to %v, want %s", name, s.First, s.Last, test.want)
		}
	}
}

func TestAStatementWithoutAPeriodCoversFromItsOpeningToItsClosingBalance(t *testing.T) {
	line := entry("5", "DBIT", "")
	between := func(code, opened, closed string) string {
		return balance(code, "9", "CRDT", opened) + balance("CLBD", "4", "CRDT", closed) + line
	}
	for name, test := range map[string]struct{ kind, content, want string }{
		"a month":                      {"Stmt", between("OPBD", "2026-09-01", "2026-09-30"), "2026-09-01 2026-09-30"},
		"a day":                        {"Stmt", between("OPBD", "2026-09-30", "2026-09-30"), "2026-09-30 2026-09-30"},
		"the balance closed before":    {"Stmt", between("PRCD", "2026-08-31", "2026-09-30"), "2026-09-01 2026-09-30"},
		"opened at the end of a month": {"Stmt", between("OPBD", "2026-08-31", "2026-09-30"), "2026-09-01 2026-09-30"},
		"from the 30th to the 30th":    {"Stmt", between("OPBD", "2026-08-30", "2026-09-30"), "2026-08-31 2026-09-30"},
		"a week":                       {"Stmt", between("OPBD", "2026-09-23", "2026-09-30"), "2026-09-24 2026-09-30"},
		"a day, opened the day before": {"Stmt", between("OPBD", "2026-09-29", "2026-09-30"), "2026-09-30 2026-09-30"},
		"lines after it":               {"Stmt", between("OPBD", "2026-09-01", "2026-09-29"), " "},
		"no closing balance":           {"Stmt", balance("OPBD", "9", "CRDT", "2026-09-01") + line, " "},
		"backwards":                    {"Stmt", between("OPBD", "2026-10-02", "2026-09-30"), " "},
		"a report":                     {"Rpt", between("OPBD", "2026-09-01", "2026-09-30"), " "},
		"a notification":               {"Ntfctn", between("OPBD", "2026-09-01", "2026-09-30"), " "},
	} {
		content := strings.NewReplacer("<Stmt>", "<"+test.kind+">", "</Stmt>", "</"+test.kind+">").Replace(
			head + account + test.content + tail)
		found, err := read(content)
		if err != nil {
			t.Fatal(err)
		}

		if s := found.Statements[0]; s.First.String()+" "+s.Last.String() != test.want {
			t.Errorf("%s: %v to %v, want %s", name, s.First, s.Last, test.want)
		}
	}
}

func TestOnlyBookedBalancesAreBalances(t *testing.T) {
	s, _ := readStatement(t, balance("PRCD", "1", "CRDT", "2026-08-31"), balance("OPBD", "2", "DBIT", "2026-09-01"),
		balance("OPAV", "3", "CRDT", "2026-09-01"), balance("CLAV", "4", "CRDT", "2026-09-30"),
		balance("CLBD", "5", "DBIT", "2026-09-30"), balance("ITBD", "6", "CRDT", "2026-09-30"),
		balance("INFO", "7", "CRDT", "2026-09-30"), entry("5", "DBIT", ""))

	if s.Opening.Minor != -200 || s.Opening.Date.String() != "2026-08-31" || s.Closing.Minor != -500 ||
		s.Closing.Date.String() != "2026-09-30" {
		t.Errorf("opening %+v, closing %+v", s.Opening, s.Closing)
	}
}

func TestStatementsWithoutBookedBalancesHaveNone(t *testing.T) {
	s, _ := readStatement(t, balance("CLAV", "4", "CRDT", "2026-09-30"), "<Bal><Tp/><Amt Ccy=\"EUR\"/></Bal>")

	if s.Opening != nil || s.Closing != nil || s.Currency != "EUR" {
		t.Errorf("%+v", s.Statement)
	}
}
