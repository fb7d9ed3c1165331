package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

// statementOf returns a file with two columns of texts, the second of which has the parties.
func statementOf(header string, kinds, texts []string, lines int) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range lines {
		fmt.Fprintf(&b, "2026-04-%02d,%s,%s,-%d.00\n", 1+i%28, kinds[i%len(texts)%len(kinds)],
			strings.ReplaceAll(texts[i%len(texts)], "#", fmt.Sprint(1000+i)), 10+i)
	}
	return b.String()
}

func TestAColumnOfKindsOfPaymentsIsNotTheName(t *testing.T) {
	parties := []string{
		"Acme Corp", "Bluefin INV #", "Cedar Point", "Dunmore & Sons", "Elm Street Dental", "Fjord Line", "Garden Cafe",
		"Halden Tools", "Ivy Press", "Juniper Bistro",
	}
	for name, test := range map[string]struct {
		header       string
		first, other []string
		lines        int
		want         string // names of the first and the second line
	}{
		"kinds with words of methods": {"Date,Description 1,Description 2,Amount",
			[]string{"Misc Payment", "Business PAD", "INTERAC e-Transfer sent"}, parties, 24, "Acme Corp|Bluefin INV 1001"},
		"kinds of few lines": {"Date,Buchungstext,Verwendungszweck,Amount",
			[]string{"Sammler-Lastschrift", "FOLGELASTSCHRIFT B2B"}, parties[:5], 10, "Acme Corp|Bluefin INV 1001"},
		"kinds in unknown words": {"Date,Omschrijving,Mededelingen,Amount",
			[]string{"Zakelijk pakket", "Vaste post", "Termijn"}, parties, 80, "Acme Corp|Bluefin INV 1001"},
		"kinds in another script": {"Date,摘要,内容,Amount",
			[]string{"口座振替", "振込"},
			[]string{"日本電機", "青空商店", "山田工業", "海の家", "北国銀行", "南の花屋"}, 60,
			"日本電機|青空商店"},
		"kinds behind the names": {"Date,Mededelingen,Omschrijving,Amount", parties,
			[]string{"Zakelijk pakket", "Vaste post"}, 80, "Acme Corp|Bluefin INV #"},
		"names before references": {"Date,Description,Details,Amount", parties[:3], []string{"INV #", "PO #", "INV # due"},
			80, "Acme Corp|Bluefin INV #"},
		"few names before texts that never repeat": {"Date,Description,Details,Amount", []string{"Acme Corp", "Cedar Point"},
			unique(80), 80, "Acme Corp|Cedar Point"},
		"names before texts that repeat too": {"Date,Description,Details,Amount", parties[2:5],
			[]string{"rent", "repairs", "cleaning", "parking", "rates", "service", "heating", "water"}, 120,
			"Cedar Point|Dunmore & Sons"},
	} {
		found, err := read(statementOf(test.header, test.first, test.other, test.lines), bank.Options{Sign: bank.OutNegative})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		lines := found.Statements[0].Lines
		slices.SortStableFunc(lines, func(a, b bank.Line) int { return int(b.Minor - a.Minor) })
		if got := lines[0].Counterparty + "|" + lines[1].Counterparty; got != test.want {
			t.Errorf("%s: the names are %q", name, got)
		}
	}
}

// unique returns texts that differ in their words.
func unique(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf("work on page %c%c", 'a'+i/26, 'a'+i%26))
	}
	return texts
}
