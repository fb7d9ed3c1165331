package mt940_test

import (
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

func TestTextsOfALine(t *testing.T) {
	for name, test := range map[string]struct {
		field string
		want  bank.Line
	}{
		"coded": {
			"166?00GUTSCHRIFT?20EREF+RE-1?21SVWZ+Rechnung September und O?22ktober?30NKUEDEH1XXX?31DE02?32ACME?33GMBH",
			bank.Line{Method: "GUTSCHRIFT", Reference: "RE-1", Description: "Rechnung September und Oktober",
				OtherAccount: "DE02", Counterparty: "ACME GMBH"},
		},
		"coded, with another separator": {
			"000>100987654321\r\n>20RENT>21MAY>310390123456",
			bank.Line{Method: "NTRF", Description: "RENT MAY", OtherAccount: "0390123456"},
		},
		"coded, with numbers of bank and account": {
			"051?00UEBERWEISUNG?20Miete?3010020030?31234567?32MUELLER",
			bank.Line{Method: "UEBERWEISUNG", Description: "Miete", OtherAccount: "10020030/234567", Counterparty: "MUELLER"},
		},
		"coded, with the separator in a text": {
			"166?00GUTSCHRIFT?20WHY?NOT ?99?21YES?",
			bank.Line{Method: "GUTSCHRIFT", Description: "WHY?NOT ?99 YES?"},
		},
		"a full subfield before a tag": {
			"166?20EREF+123456789012345678 012?21SVWZ+TEXT",
			bank.Line{Method: "NTRF", Reference: "123456789012345678 012", Description: "TEXT"},
		},
		"a text after a reference": {
			"166?20EREF+TFNR 40001 00005 Reject a?21us SEPA-Auftrag",
			bank.Line{Method: "NTRF", Reference: "TFNR 40001 00005 Reject aus", Description: "SEPA-Auftrag"},
		},
		"the party behind": {
			"105?20SVWZ+A?21ABWA+Shop?32PAY",
			bank.Line{Method: "NTRF", Description: "A Shop", Counterparty: "PAY"},
		},
		"tags without code": {
			"EREF+RE-1 SVWZ+Rechnung ABWE+Acme IBAN+DE02",
			bank.Line{Method: "NTRF", Reference: "RE-1", Description: "Rechnung", Counterparty: "Acme", OtherAccount: "DE02"},
		},
		"slashes": {
			"/TRTP/SEPA/IBAN/NL20/BIC/X/NAME/M. de Wit/REMI/A/B 16:20/EREF/E1",
			bank.Line{Method: "SEPA", OtherAccount: "NL20", Counterparty: "M. de Wit", Description: "A/B 16:20",
				Reference: "E1"},
		},
		"empty values between slashes": {
			"/EREF/E1//CNTP/NL08/INGB/De Zeemeeuw B.V.///REMI/USTD//Invoice 88/",
			bank.Line{Method: "NTRF", OtherAccount: "NL08", Counterparty: "De Zeemeeuw B.V.", Description: "Invoice 88",
				Reference: "E1"},
		},
		"free": {
			"CARD: 4711,\r\n:26:37 and :20 - it is\r\n-not the end 5:-\r\nNONREF+",
			bank.Line{Method: "NTRF", Description: "CARD: 4711, :26:37 and :20 - it is -not the end 5:- NONREF+"},
		},
		"terminal sequences": {"a\x1b[31mb\u202ec\x07", bank.Line{Method: "NTRF", Description: "abc"}},
		"windows-1252":       {"Z\xfcrich", bank.Line{Method: "NTRF", Description: "Zürich"}},
		"empty":              {"", bank.Line{Method: "NTRF"}},
		"several fields":     {"A\r\n:86:B", bank.Line{Method: "NTRF", Description: "A B"}},
	} {
		got := readLine(t, line("C5,")+":86:"+test.field+"\r\n")

		if got.Method != test.want.Method || got.Reference != test.want.Reference ||
			got.Description != test.want.Description || got.OtherAccount != test.want.OtherAccount ||
			got.Counterparty != test.want.Counterparty {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestATimeCutInTwoIsText(t *testing.T) {
	for _, field := range []string{":12:11", ":20:11 UHR", ":25:59?30NKUE", ":28:00", ":13:30"} {
		got := readLine(t, line("C5,")+":86:177?20DATUM 30.09.2026, 17\r\n"+field+"\r\n")

		if !strings.Contains(got.Description, ", 17"+field[:6]) {
			t.Errorf("%s: %q", field, got.Description)
		}
	}
}

func TestTextAfterTheClosingBalanceIsNoLines(t *testing.T) {
	found, err := read(head + ":86:before\r\n" + line("C5,") + ":62F:C260930EUR1005,\r\n:86:after\r\n-\r\n")

	if err != nil || found.Statements[0].Lines[0].Description != "" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestSubfieldsOfBanksOwn(t *testing.T) {
	got := readLine(t, line("C5,")+":NS:01Purpose 1\r\n02Purpose 2\r\n15Acme\r\n16Ltd\r\n17TRANSFER\r\n1812345\r\n")

	if got.Description != "Purpose 1 Purpose 2" || got.Counterparty != "Acme Ltd" || got.Method != "TRANSFER" {
		t.Errorf("%+v", got)
	}
}

func TestRawIsTheLineInTheFile(t *testing.T) {
	got := readLine(t, ":61:260930C5,NTRF\r\nMORE\r\n:86:166?20A\x00\r\nB\r\n")
	if got.Raw != ":61:260930C5,NTRF\nMORE\n:86:166?20A\nB" {
		t.Errorf("%q", got.Raw)
	}

	got = readLine(t, line("C5,")+":86:"+strings.Repeat("é", 100_000)+"\r\n"+strings.Repeat(":86:more\r\n", 10_000))
	if len(got.Raw) > bank.MaxRaw {
		t.Errorf("%d bytes are kept", len(got.Raw))
	}
}
