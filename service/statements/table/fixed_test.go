package table_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

// Banks that pad the fields of a text to fixed widths write the name into one of them.
func TestTheNameInAPaddedTextIsItsField(t *testing.T) {
	for name, test := range map[string]struct {
		format string
		rows   [][]any
		want   []string
	}{
		"name, reference and code": {"%-20s %-18s %s", [][]any{
			{"S ODUYA", "SALARY SEP", "BBP"}, {"BRAMLEY FOODS PLC", "INV KW-202609", "BGC"},
			{"S ODUYA", "SALARY OCT", "BBP"}, {"CANALSIDE STUDIOS", "RENT", "BBP"},
		}, []string{"S ODUYA", "BRAMLEY FOODS PLC", "S ODUYA", "CANALSIDE STUDIOS"}},
		"the kind of the payment first": {"%-14s%-24s%s", [][]any{
			{"LASTSCHRIFT", "Stadtwerke Ahaus", "KD 1177"}, {"GUTSCHRIFT", "Müller & Söhne", "RE 12"},
			{"LASTSCHRIFT", "Telefonica", "0177"},
		}, []string{"Stadtwerke Ahaus", "Müller & Söhne", "Telefonica"}},
		"a name that fills its field": {"%-12s%s", [][]any{
			{"ACME", "INV 1"}, {"BLUEFIN LTD", "INV 2"}, {"WREN", "INV 3"}, {"OAK ROW", "INV 4"},
		}, []string{"ACME", "BLUEFIN LTD", "WREN", "OAK ROW"}},
		"two blanks by chance": {"%s  %s", [][]any{
			{"ACME CORP", "SEATTLE"}, {"BLUE", "TACOMA"}, {"WREN STREET", "OMAHA"},
		}, []string{"", "", ""}},
	} {
		content := "Date,Description,Amount\n"
		for n, fields := range test.rows {
			content += fmt.Sprintf("2026-04-%02d,%s,-%d.00\n", n+1, fmt.Sprintf(test.format, fields...), n+1)
		}
		found, err := read(content, bank.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}

		var got []string
		for _, line := range found.Statements[0].Lines {
			got = append(got, line.Counterparty)
		}
		if strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%s: the names are %q, want %q", name, got, test.want)
		}
	}
}
