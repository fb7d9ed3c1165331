package bankfiles

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// mt940Field is the largest number of characters in a subfield of field 86.
const mt940Field = 27

// MT940 writes statements of one account as consecutive MT940 messages, numbered from 1.
// s.Account.Bank must be a BIC. Pending lines are left out, because the format has none.
func MT940(w io.Writer, statements ...Statement) error {
	out := bufio.NewWriter(w)
	for i, s := range statements {
		fmt.Fprintf(out, ":20:%s\r\n:25:%s/%s\r\n:28C:%d/1\r\n", compact(s.Last), s.Account.Bank, s.Account.Number, i+1)
		mt940Balance(out, "60F", *s.Opening, s.Currency)
		for _, l := range s.Lines {
			if !l.Pending {
				mt940Line(out, l, s.Currency)
			}
		}
		mt940Balance(out, "62F", *s.Closing, s.Currency)
		_, _ = out.WriteString("-\r\n")
	}
	return out.Flush() // returns the first error of all writes
}

func mt940Balance(out *bufio.Writer, tag string, b bank.Balance, currency string) {
	fmt.Fprintf(out, ":%s:%s%s%s%s\r\n", tag, mt940Mark(b.Minor), shortDate(b.Date), currency,
		mt940Amount(b.Minor, currency))
}

func mt940Line(out *bufio.Writer, l bank.Line, currency string) {
	reference := l.Reference
	if reference == "" {
		reference = "NONREF"
	}
	fmt.Fprintf(out, ":61:%s%s%s%s%s%s", shortDate(valueDate(l)), shortDate(l.Booked)[2:], mt940Mark(l.Minor),
		mt940Amount(l.Minor, currency), l.Method, reference)
	if l.ID != "" {
		fmt.Fprintf(out, "//%s", l.ID)
	}
	fmt.Fprintf(out, "\r\n:86:%s?00%s", mt940Code(l), l.Method)
	for i, part := range split(l.Description) {
		fmt.Fprintf(out, "\r\n?%d%s", 20+i, part)
	}
	if l.OtherAccount != "" {
		fmt.Fprintf(out, "\r\n?31%s", l.OtherAccount)
	}
	if l.Counterparty != "" {
		fmt.Fprintf(out, "\r\n?32%s", l.Counterparty)
	}
	_, _ = out.WriteString("\r\n")
}

// mt940Code returns the business code of a line for field 86, which tells incoming from outgoing
// credit transfers.
func mt940Code(l bank.Line) string {
	if l.Minor < 0 {
		return "177"
	}
	return "166"
}

func mt940Mark(minor int64) string {
	if minor < 0 {
		return "D"
	}
	return "C"
}

// mt940Amount returns an amount with a decimal comma and without its sign.
func mt940Amount(minor int64, currency string) string {
	return strings.ReplaceAll(plain(max(minor, -minor), currency), ".", ",")
}

// shortDate returns a date with a two-digit year, such as "260930".
func shortDate(d civil.Date) string { return compact(d)[2:] }

// split cuts a text at blanks into subfields of at most mt940Field characters. Only a longer word
// continues in the next subfield: readers insert a blank after subfields that are not full.
func split(text string) (parts []string) {
	for len(text) > mt940Field {
		end := strings.LastIndexByte(text[:mt940Field], ' ')
		if end < 0 {
			end = mt940Field
		}
		parts = append(parts, text[:end])
		text = strings.TrimPrefix(text[end:], " ")
	}
	return append(parts, text)
}
