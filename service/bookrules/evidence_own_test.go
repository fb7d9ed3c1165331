package bookrules_test

import (
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

func TestTheCompanysOwnNameIsEvidenceWhereItIsTheParty(t *testing.T) {
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, savings}, "Kestrel Works Ltd")
	for name, test := range map[string]struct {
		line bank.Line
		want bookrules.Strength
	}{
		"the party": {bank.Line{Minor: -5, Counterparty: "KESTREL WORKS LIMITED"},
			bookrules.NamedOwner},
		"the name in the text": {bank.Line{Minor: -5,
			Description: "FUNDS TRANSFER Kestrel Works Ltd"}, bookrules.NamedOwner},
		"sent to it": {bank.Line{Minor: -5,
			Description: "Sent money to Kestrel Works Ltd"}, bookrules.NamedOwner},
		"deposited by it": {bank.Line{Minor: 5,
			Description: "Global account deposit from KESTREL WORKS LTD"}, bookrules.NamedOwner},
		"the receiver of a customer's": {bank.Line{Minor: 5,
			Description: "Sent money to Kestrel Works Ltd"}, bookrules.NoEvidence},
		"the receiver named by a vendor": {bank.Line{Minor: -5,
			Description: "Hosting invoice to Kestrel Works Ltd"}, bookrules.NoEvidence},
		"beside a vendor": {bank.Line{Minor: -5, Counterparty: "Rheinhost",
			Description: "Kestrel Works Ltd"}, bookrules.NoEvidence},
		"another legal form":     {bank.Line{Minor: 5, Counterparty: "Kestrel Works Inc"}, bookrules.NoEvidence},
		"without the legal form": {bank.Line{Minor: 5, Counterparty: "Kestrel Works"}, bookrules.PossibleOwner},
		"a longer name": {bank.Line{Minor: 5, Counterparty: "Kestrel Works Holding Ltd"},
			bookrules.NoEvidence},
		"the name and another account's bank": {bank.Line{Minor: -5, Counterparty: "Kestrel Works Ltd",
			Description: "Transfer Chase"}, bookrules.WeakEvidence},
	} {
		if got := finder.Find(operating, test.line, bookrules.Outcome{}); got.Strength != test.want {
			t.Errorf("%s: %+v, want strength %d", name, got, test.want)
		}
	}
}

// A single word, and the name of a person, may be a customer's.
func TestANameThatMayBeACustomersIsNeverCertain(t *testing.T) {
	for name, party := range map[string]string{"Summit Ltd": "SUMMIT LTD", "Jane Murphy": "Jane Murphy"} {
		finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, savings}, name)

		got := finder.Find(operating, bank.Line{Minor: 5, Counterparty: party}, bookrules.Outcome{})

		if got.Strength != bookrules.PossibleOwner {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestHoldersOfAccountsAreTheCompany(t *testing.T) {
	held := operating
	held.Name = "Zilverlinde Studio B.V."
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{held, savings})

	got := finder.Find(savings, bank.Line{Minor: 5, Counterparty: "ZILVERLINDE STUDIO BV"}, bookrules.Outcome{})

	if got.Strength != bookrules.NamedOwner || got.Origin != bookrules.FromOwner {
		t.Errorf("it is %+v", got)
	}
}

func TestATextNamesTheOtherBalance(t *testing.T) {
	euros, pounds := bookrules.Account{Key: 5, Number: "W1", Currency: "EUR"}, bookrules.Account{Key: 6,
		Number: "W2", Currency: "GBP"}
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, euros, pounds})
	for text, want := range map[string]bookrules.Evidence{
		"Converted 22,000.00 USD to 17,714.22 EUR": {Strength: bookrules.WeakEvidence,
			Origin: bookrules.FromConversion, Others: []int64{5}},
		"Conversion: sell USD 22,000.00 buy CAD 29,000.00": {Strength: bookrules.NamedOwner,
			Origin: bookrules.FromConversion},
		"To EUR Main": {Strength: bookrules.WeakEvidence,
			Origin: bookrules.FromConversion, Others: []int64{5}},
		"Exchanged to GBP": {Strength: bookrules.WeakEvidence,
			Origin: bookrules.FromConversion, Others: []int64{6}},
		"To EUR Kontor":                        {},
		"Hotel 22,000.00 USD to 17,714.22 EUR": {},
		"Converted 400.00 USD to 370.00 EUR":   {}, // the amount isn't the line's
	} {
		got := finder.Find(operating, bank.Line{Minor: -22_000_00, Description: text}, bookrules.Outcome{})

		if got.Strength != want.Strength || got.Origin != want.Origin || len(got.Others) != len(want.Others) ||
			len(want.Others) > 0 && got.Others[0] != want.Others[0] {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestAConversionStatesTheOtherAmount(t *testing.T) {
	line := bank.Line{Minor: -22_000_00, Description: "Converted 22.000,00 USD to 17.714,22 EUR for BALANCE-83123"}

	got, ok := bookrules.Converted("USD", line)

	if !ok || got.Currency != "EUR" || got.Minor != 17_714_22 {
		t.Errorf("it is %+v, %t", got, ok)
	}
}

// The end of a number that the account itself has is not that of another one.
func TestAccountsWithTheSameLastDigitsAreNotMixedUp(t *testing.T) {
	one := bookrules.Account{Key: 1, Number: "000123451111", Currency: "USD"}
	other := bookrules.Account{Key: 2, Number: "000999991111", Currency: "USD"}
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{one, other})

	own := finder.Find(one, bank.Line{Minor: -5, Description: "PURCHASE CARD ENDING 1111"}, bookrules.Outcome{})
	whole := finder.Find(one, bank.Line{Minor: -5, OtherAccount: "000999991111"}, bookrules.Outcome{})

	if own.Strength != bookrules.NoEvidence || whole.Strength != bookrules.StrongEvidence {
		t.Errorf("they are %+v and %+v", own, whole)
	}
}

func TestACardThanksForThePayment(t *testing.T) {
	plain := card
	plain.Role = bookrules.Operating
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, plain})

	got := finder.Find(plain, bank.Line{Minor: 5, Description: "PAYMENT RECEIVED - THANK YOU"}, bookrules.Outcome{})

	if got.Strength != bookrules.WeakEvidence {
		t.Errorf("it is %+v", got)
	}
}

func TestIDsOfMovements(t *testing.T) {
	for id, want := range map[string]bool{
		"BALANCE-2345678901": true, "TRANSFER-987654321": true, "64f1c2a3-77aa-4b1c-9d2e-0f1a2b3c4d5e": true,
		"1": false, "00000017": false, "INV-20261041": false, "2026090500017": false, "10000002": false, "PAYMENT": false,
	} {
		if got := bookrules.IsMovementID(bookrules.IDHash(id)); got != want {
			t.Errorf("%s: %t", id, got)
		}
	}
}
