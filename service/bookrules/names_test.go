package bookrules_test

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tarmac/service/bookrules"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

func TestNamesAreCleanedOfWhatBanksAdd(t *testing.T) {
	for text, want := range map[string]string{
		"SQ *BLUE BOTTLE COFFEE":                      "BLUE BOTTLE COFFEE",
		"SQ*Blue Bottle":                              "Blue Bottle",
		"TST* THE GREEN DOOR":                         "THE GREEN DOOR",
		"TST*THE GREEN DOOR 0012":                     "THE GREEN DOOR",
		"PAYPAL *STEAM GAMES 4029357733":              "STEAM GAMES",
		"POS DEBIT STARBUCKS STORE 08143":             "STARBUCKS",
		"POS DEBIT - 1234 WHOLE FOODS":                "WHOLE FOODS",
		"POS PURCHASE SHELL OIL 57444212 09/12":       "SHELL OIL",
		"WALMART #1234":                               "WALMART",
		"TARGET 1234":                                 "TARGET",
		"HOME DEPOT 4411 XX6789":                      "HOME DEPOT",
		"DELTA AIR 2026-09-30":                        "DELTA AIR",
		"UBER TRIP 800-592-8996":                      "UBER TRIP",
		"AMZN Mktp US*2K3AB4CD5":                      "AMZN Mktp US",
		"CHECKCARD 0912 OFFICE DEPOT #5":              "OFFICE DEPOT",
		"PURCHASE AUTHORIZED ON 09/12 LYFT CARD 6789": "LYFT",
		"ORIG CO NAME:GUSTO      ORIG ID:9138864001 DESC DATE:240102 CO ENTRY DESCR:PAYROLL": "GUSTO",
		"GUSTO DES:PAYROLL ID:6SEMJK INDN:ACME INC CO ID:XXXXX58001 CCD":                     "GUSTO",
		"  ACME   Corp ":                   "ACME Corp",
		"00000000007540031234 Beneficiary": "Beneficiary",
		"NL56ASNB9999999999 paulissen":     "paulissen",
		"QUILLBOARD GBP 720.00":            "QUILLBOARD",
		"HOTEL MITTE EUR 1.240,50":         "HOTEL MITTE",
		"Studio 54":                        "Studio 54",
		"Motel 6":                          "Motel 6",
		"7-Eleven":                         "7-Eleven",
		"3M":                               "3M",
		"1&1 IONOS SE":                     "1&1 IONOS SE",
		"Agenda 2030":                      "Agenda 2030",
		"AWS.AMAZON.C":                     "AWS.AMAZON.C",
		"CHECK 101":                        "CHECK 101",
		"Müller & Söhne GmbH":              "Müller & Söhne GmbH",
		"株式会社 12345678":                    "株式会社",
		"Kiosk Shop24Berlin":               "Kiosk Shop24Berlin",
		"AUTHORITY OF X":                   "AUTHORITY OF X",
		"Positive Vibes":                   "Positive Vibes",
		"PosterXXL":                        "PosterXXL",
		"Purchaser's Guild":                "Purchaser's Guild",
		"":                                 ledger.UnknownCounterparty,
		"000123":                           "000123",
		"+44 7700 900123":                  "+44 7700 900123",
		"12-04":                            ledger.UnknownCounterparty,
		" * # - ":                          ledger.UnknownCounterparty,
		"POS DEBIT":                        "POS DEBIT",
		"WIRE FROM JO REF #123456":         "JO",
		"ACME CORP INV 104":                "ACME CORP",
		"Acme Corp, Invoice 2026-104":      "Acme Corp",
		"ACME CORP INV-104":                "ACME CORP",
		"ACME CORP 104":                    "ACME CORP 104",
		"ACME CORP 104 12345-6":            "ACME CORP 104",
		"9VAULT":                           "9VAULT",
		"Krause Anlagenbau GmbH Rechnung RE-2401":     "Krause Anlagenbau GmbH",
		"Krause GmbH RE 2401":                         "Krause GmbH",
		"Dupont SARL facture F-12":                    "Dupont SARL",
		"Invoice Home Ltd":                            "Invoice Home Ltd",
		"BLUE TRACE LTD":                              "BLUE TRACE LTD",
		"FOREIGN TRANSACTION FEE":                     "FOREIGN TRANSACTION FEE",
		"ACME TRANSACTION 88012":                      "ACME",
		"REF 123456 ACME CORP":                        "ACME CORP",
		"INV-104 ACME CORP":                           "ACME CORP",
		"FT26314XKQ91 ACME CORP":                      "ACME CORP",
		"8450617341 Wire out":                         "Wire out",
		"Wire out 8450617341":                         "Wire out",
		"INCOMING WIRE ACME CORP":                     "ACME CORP",
		"INCOMING WIRE FEE":                           "INCOMING WIRE FEE",
		"DIRECT DEBIT BRITISH GAS":                    "BRITISH GAS",
		"International Paper":                         "International Paper",
		"Payment Solutions Inc":                       "Payment Solutions Inc",
		"Zelle payment from JOHN SMITH BACkd81ha2":    "JOHN SMITH BACkd81ha2",
		"VIREMENT DE ACME SAS":                        "ACME SAS",
		"VIR INST RECU DE ACME SAS MOTIF: FACTURE 12": "ACME SAS",
		"SEPA-Überweisung von Krause GmbH":            "SEPA-Überweisung von Krause GmbH",
		"TRANSFERENCIA A FAVOR DE ACME SL":            "FAVOR DE ACME SL",
		"アクメ104":                                      "アクメ104",
		"FEDWIRE CREDIT VIA: BANK/026009593 B/O: ORCHID ANGELS LLC REF: C/BNF=ME INC": "ORCHID ANGELS LLC",
		"WT FED#00123 FIRST BANK /ORG=ACME CORP SRF# 2024 TRN#240131":                 "ACME CORP",
		"WIRE TYPE:WIRE IN DATE: 240131 TRN:2024 ORIG:ACME CORP ID:12 SND BK:X BK":    "ACME CORP",
		"/TRTP/SEPA OVERBOEKING/IBAN/NL1/BIC/X/NAME/ACME BV/REMI/Factuur 12":          "ACME BV",
		"Auftraggeber: Krause GmbH Verwendungszweck: RE 12":                           "Krause GmbH",
		"WIRE IN BNF:ME INC":   "BNF:ME INC",
		"D/D VODAFONE IRELAND": "VODAFONE IRELAND",
		"S/O CANAL ROW LTD":    "CANAL ROW LTD",
		"VDP-AMAZON":           "AMAZON",
		"VDC-BOOTS 0412":       "BOOTS",
		"POS28NOV BREWDOG":     "BREWDOG",
		"POSC CENTRA":          "CENTRA",
		"From Harbour Ltd":     "Harbour Ltd",
		"From 104":             "From 104",
		"Postbank":             "Postbank",
		"ACME PAYROLL RUN 114": "ACME PAYROLL",
	} {
		if got := bookrules.Name(bank.Line{Description: text}); got != want {
			t.Errorf("the name in %q is %q, want %q", text, got, want)
		}
	}
}

func TestTheCounterpartyComesBeforeTheDescription(t *testing.T) {
	for _, test := range []struct{ counterparty, description, want string }{
		{"Acme Corp", "Invoice 17", "Acme Corp"},
		{"", "Invoice from Acme", "Invoice from Acme"},
		{"000123", "Acme", "Acme"},
		{"INCOMING WIRE", "B/O: Acme Corp REF: 12", "Acme Corp"},
		{"INCOMING WIRE", "", "INCOMING WIRE"},
		{"000123", "88120", "000123"},
		{"", "88120", "88120"},
	} {
		l := bank.Line{Counterparty: test.counterparty, Description: test.description}

		if got := bookrules.Name(l); got != test.want {
			t.Errorf("the name of %+v is %q", test, got)
		}
	}
}

func TestTheLabelOfTheOtherPartyDependsOnTheDirection(t *testing.T) {
	const text = "WIRE /ORG=ACME CORP/OBI=LOAN/BNF=BLUE INC/REF=1"
	for minor, want := range map[int64]string{100: "ACME CORP", -100: "BLUE INC"} {
		if got := bookrules.Name(bank.Line{Minor: minor, Description: text}); got != want {
			t.Errorf("the name of %d is %q, want %q", minor, got, want)
		}
	}
}

func TestToAndFromAreNamesInTheOtherDirection(t *testing.T) {
	for _, test := range []struct {
		minor      int64
		text, want string
	}{
		{-100, "To Ana Pop", "Ana Pop"}, {100, "To Ana Pop", "To Ana Pop"}, {100, "From Acme", "Acme"},
		{-100, "From Scratch Bakery", "From Scratch Bakery"}, {-100, "Tomato Ltd", "Tomato Ltd"},
	} {
		if got := bookrules.Name(bank.Line{Minor: test.minor, Description: test.text}); got != test.want {
			t.Errorf("the name of %d in %q is %q, want %q", test.minor, test.text, got, test.want)
		}
	}
}

func TestNamesOfAnyLengthAndScriptAreNames(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("x", 10_000):              strings.Repeat("x", 10_000),
		"ACME " + strings.Repeat("INV 1 ", 1666): "ACME",
		strings.Repeat("ACME ", 2_000):           strings.TrimSpace(strings.Repeat("ACME ", 2_000)),
		strings.Repeat("北京", 5_000):              strings.Repeat("北京", 5_000),
		"北京测试科技有限公司":                             "北京测试科技有限公司",
		"บริษัทกรุงเทพ":                          "บริษัทกรุงเทพ",
	} {
		name := bookrules.Name(bank.Line{Description: text})

		if shown := bookrules.ShownNames(map[string]int{name: 3})[name]; shown != want {
			t.Errorf("%.40q: %.40q is shown of %.40q, want %.40q", text, shown, name, want)
		}
	}
}

// Whatever a bank writes, its name is not empty, nor unknown if there are letters.
func TestAnyTextHasAName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{
			"SQ *", "POS DEBIT", "ACME", "#12", "XX6789", "09/12", "ref 123", "ID:", "a", "é", "*", "CARD 1234", "12345",
		})).Draw(t, "words")
		text := strings.Join(words, rapid.SampledFrom([]string{"", " ", "  "}).Draw(t, "between"))

		name := bookrules.Name(bank.Line{Description: text})

		if strings.IndexFunc(text, unicode.IsLetter) >= 0 && name == ledger.UnknownCounterparty {
			t.Fatalf("the name in %q is %q", text, name)
		}
		if name == "" || len(name) > len(text) && name != ledger.UnknownCounterparty {
			t.Fatalf("the name in %q is %q", text, name)
		}
	})
}
