package mt940_test

import (
	"errors"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/mt940"
)

// Parts of a message with one account in euros.
const (
	head = ":20:STARTUMS\r\n:25:12030000/0000202051\r\n:28C:9/1\r\n:60F:C260831EUR1000,00\r\n"
	tail = ":62F:C260930EUR995,00\r\n-\r\n"
)

// line returns a :61: field of 30 September 2026 with a direction and an amount.
func line(amount string) string { return ":61:2609300930" + amount + "NTRFNONREF\r\n" }

func read(content string) (*banks.Contents, error) { return readWith(content, bank.Options{}) }

func readWith(content string, options bank.Options) (*banks.Contents, error) {
	return banks.Read(mt940.Format(), strings.NewReader(content), options)
}

// readLine reads a message with one line and what follows its first field.
func readLine(t *testing.T, fields string) bank.Line {
	t.Helper()
	found, err := read(head + fields + tail)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Statements) != 1 || len(found.Statements[0].Lines) != 1 {
		t.Fatalf("%d statements are read", len(found.Statements))
	}
	return found.Statements[0].Lines[0]
}

func TestDirectionsAndReversals(t *testing.T) {
	for text, minor := range map[string]int64{
		"C5,": 500, "D5,": -500, "RC5,": -500, "RD5,": 500, "CR5,": 500, "DR5,": -500, "RCR5,": -500, "RDR5,": 500,
		"DD5,": -500, "CD5,": 500, "DK5,": -500, "CM5,": 500, "EC5,": 500, "ED5,": -500, "RDD5,": 500,
	} {
		got := readLine(t, line(text))

		if got.Minor != minor || got.Pending != strings.HasPrefix(text, "E") {
			t.Errorf("%s is %d, pending %v", text, got.Minor, got.Pending)
		}
	}
}

func TestAmounts(t *testing.T) {
	for text, minor := range map[string]int64{
		"5,": 500, "5,5": 550, "5": 500, "000000000473,17": 47317, "0,": 0, "1.234,56": 123456, "12.34": 1234, ",5": 0,
	} {
		found, err := read(head + line("C"+text) + tail)

		if minor == 0 && text != "0," {
			if err == nil {
				t.Errorf("%q is read", text)
			}
			continue
		}
		if err != nil || found.Statements[0].Lines[0].Minor != minor {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, reason := range map[string]string{
		"C12,345": "has more decimals", "C92233720368547758,08": "is too large", "C": "is not a line", "X5,": "is not a line",
		"C1.23,4": "is not an amount", "": "is not a line",
	} {
		wantRefused(t, head+line(text)+tail, 5, reason)
	}
}

// wantRefused checks that a file is refused with a place and a reason in one line.
func wantRefused(t *testing.T, content string, place int, reason string) {
	t.Helper()
	_, err := read(content)
	var refused *bank.Error
	if !errors.As(err, &refused) || refused.Place != place || !strings.Contains(refused.Reason, reason) ||
		strings.Contains(refused.Reason, "\n") {
		t.Errorf("error is %v, want line %d: %s", err, place, reason)
	}
}

func TestDatesOfALine(t *testing.T) {
	for text, want := range map[string]string{
		"2609300930": "2026-09-30 2026-09-30", "260930": "2026-09-30 2026-09-30", "260930    ": "2026-09-30 2026-09-30",
		"2612311231": "2026-12-31 2026-12-31", "2701021231": "2026-12-31 2027-01-02", "2612310102": "2027-01-02 2026-12-31",
		"2602300301": "2026-03-01 2026-02-28", "260230": "2026-02-28 2026-02-28", "2403010230": "2024-02-29 2024-03-01",
		"9912310101": "2000-01-01 1999-12-31", "2402290229": "2024-02-29 2024-02-29",
	} {
		got := readLine(t, ":61:"+text+"C5,NTRF\r\n")

		if got.Booked.String()+" "+got.Value.String() != want {
			t.Errorf("%s: booked %v, value %v, want %s", text, got.Booked, got.Value, want)
		}
	}
	for _, text := range []string{"260231", "261301", "260431", "260900", "2609300931", "2609301301"} {
		wantRefused(t, head+":61:"+text+"C5,NTRF\r\n"+tail, 5, "does not exist")
	}
}

func TestReferences(t *testing.T) {
	for text, want := range map[string][4]string{
		"NTRFNONREF//2026-1":                   {"", "2026-1", "", ""},
		"NTRFRENT//NONREF":                     {"RENT", "", "", ""},
		"NTRF29-07-2026 10:05//B4G":            {"29-07-2026 10:05", "B4G", "", ""},
		"N0440121470966      W.P. Jansen":      {"", "", "0121470966", "W.P. Jansen"},
		"N030NONREF          TOMTE AMERSFOORT": {"", "", "", "TOMTE AMERSFOORT"},
		"NTRF":                                 {"", "", "", ""},
		"S   X":                                {"", "", "", ""},
	} {
		got := readLine(t, ":61:260930C5,"+text+"\r\n")

		if [4]string{got.Reference, got.ID, got.OtherAccount, got.Counterparty} != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestTheOriginalAmountIsKept(t *testing.T) {
	got := readLine(t, line("D10,50")+"/OCMT/USD11,20//EXCH/1,0667/\r\nCARD\r\n")

	if got.Original == nil || *got.Original != (bank.Original{Currency: "USD", Minor: -1120, Rate: "1.0667"}) ||
		got.Description != "CARD" {
		t.Errorf("%+v %+v", got, got.Original)
	}
}
