package bookrules_test

import (
	"fmt"
	"slices"
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// The accounts of a company: an operating account at a bank, savings at another, a card and the
// founder's own account, which is excluded.
var (
	operating = bookrules.Account{
		Key: 1, Number: "000123451111", Currency: "USD", Bank: "First Harbor Bank", Name: "Acme Inc",
		Role: bookrules.Operating,
	}
	savings = bookrules.Account{
		Key: 2, Number: "DE89 3704 0044 0532 0122 22", Currency: "USD", Bank: "Chase", Name: "Rainy Day",
		Role: bookrules.Savings,
	}
	card = bookrules.Account{
		Key: 3, Number: "XXXXXXXXXXXX3333", Currency: "USD", Bank: "American Express", Name: "Acme Inc", Role: bookrules.Card,
	}
	founder = bookrules.Account{
		Key:      4,
		Number:   "99988874444",
		Currency: "USD",
		Bank:     "Local Union",
		Role:     bookrules.Excluded,
	}
)

func TestEvidenceOfTransfers(t *testing.T) {
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, savings, card, founder})
	strong := func(others ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.StrongEvidence, Others: others}
	}
	weak := func(others ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.WeakEvidence, Others: others}
	}
	named := func(others ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.NamedBank, Others: others}
	}
	possible := func(others ...int64) bookrules.Evidence {
		return bookrules.Evidence{Strength: bookrules.PossibleBank, Others: others}
	}
	denied, none := bookrules.Evidence{Strength: bookrules.NoTransfer}, bookrules.Evidence{}
	for name, test := range map[string]struct {
		of      bookrules.Account
		line    bank.Line
		outcome bookrules.Outcome
		want    bookrules.Evidence
	}{
		"the other account's number": {
			of: operating, line: bank.Line{OtherAccount: "de89370400440532012222"}, want: strong(2),
		},
		"the number in the text": {of: savings, line: bank.Line{Description: "FROM 000123451111"}, want: strong(1)},
		"the end of a long number": {
			of: operating, line: bank.Line{Description: "To savings 532012222"}, want: strong(2),
		},
		"the end of a long number with zeros": {
			of: savings, line: bank.Line{Description: "From 00123451111"}, want: strong(1),
		},
		"another long number":      {of: operating, line: bank.Line{Description: "TRN 9532012222"}, want: none},
		"seven digits of a number": {of: operating, line: bank.Line{Description: "To 2012222"}, want: none},
		"the number in groups": {
			of: operating, line: bank.Line{Description: "to DE89 3704 0044 0532 0122 22"}, want: strong(2),
		},
		"its end after a mask": {of: operating, line: bank.Line{Description: "Online Transfer to ...2222"}, want: strong(2)},
		"its end after XX":     {of: operating, line: bank.Line{Description: "TO SAV XX2222 ON 09/01"}, want: strong(2)},
		"its end after a word": {of: operating, line: bank.Line{Description: "ending in 3333"}, want: strong(3)},
		"its end alone":        {of: operating, line: bank.Line{Description: "INVOICE 2222"}, want: none},
		"within a number":      {of: operating, line: bank.Line{Description: "ACCT 12222"}, want: none},
		"its own number":       {of: operating, line: bank.Line{Description: "PAYROLL ACCT 1111"}, want: none},
		"the bank's code": {
			of: operating, line: bank.Line{Description: "ANY", Transfer: true}, want: strong(),
		},
		"the name beside a transfer": {
			of: operating, line: bank.Line{Description: "Transfer to Rainy Day"}, want: strong(2),
		},
		"the name alone":                {of: operating, line: bank.Line{Description: "Rainy Day Umbrellas"}, want: none},
		"a name that two accounts have": {of: savings, line: bank.Line{Description: "STRIPE TRANSFER ACME INC"}, want: none},
		"the bank beside a transfer":    {of: operating, line: bank.Line{Description: "XFER CHASE"}, want: possible(2)},
		"the bank as counterparty":      {of: operating, line: bank.Line{Counterparty: "Chase Bank"}, want: possible(2)},
		"the bank without a movement":   {of: operating, line: bank.Line{Description: "CHASE"}, want: none},
		"a bank of several words": {
			of: savings, line: bank.Line{Description: "ACH from First Harbor Bank"}, want: named(1),
		},
		"without the word bank": {
			of: savings, line: bank.Line{Description: "FIRST HARBOR ACH PMT W1234"}, want: named(1),
		},
		"a wire through the bank": {
			of: savings, line: bank.Line{Description: "WIRE TRANSFER FROM JO VIA FIRST HARBOR BANK"}, want: none,
		},
		"a wire through the bank from the other": {
			of:   savings,
			line: bank.Line{Description: "FEDWIRE CREDIT VIA: CITIZENS BANK/021000089 B/O: FIRST HARBOR BANK"}, want: named(1),
		},
		"the sending bank of a customer": {
			of: savings, line: bank.Line{Description: "WIRE ORIG:JO CORP SND BK:FIRST HARBOR BANK ID:123"}, want: none,
		},
		"its own bank":         {of: operating, line: bank.Line{Description: "FIRST HARBOR BANK WIRE FEE"}, want: none},
		"a customer's bank":    {of: operating, line: bank.Line{Counterparty: "Jo", Description: "VIA CHASE"}, want: none},
		"part of another word": {of: operating, line: bank.Line{Description: "PURCHASE TRANSFERRED"}, want: none},
		"a card's payment": {
			of: operating, line: bank.Line{Description: "AMEX EPAYMENT ACH PMT", Minor: -5}, want: weak(3),
		},
		"a purchase with a debit card": {
			of: operating, line: bank.Line{Description: "DEBIT CARD PAYMENT NETFLIX", Minor: -5}, want: none,
		},
		"payment of some card": {
			of: operating, line: bank.Line{Description: "ONLINE PAYMENT CREDIT CARD", Minor: -5}, want: weak(3),
		},
		"what a card received": {
			of: card, line: bank.Line{Description: "PAYMENT - THANK YOU", Minor: 5}, want: strong(1, 2),
		},
		"what a card bought":     {of: card, line: bank.Line{Description: "PAYMENT PROCESSOR INC", Minor: -5}, want: none},
		"to an excluded account": {of: operating, line: bank.Line{Description: "XFER TO ACCT 4444"}, want: denied},
		"of an excluded account": {of: founder, line: bank.Line{Description: "FROM ACCT 1111"}, want: denied},
		"the code and the excluded": {
			of: operating, line: bank.Line{OtherAccount: "99988874444", Transfer: true}, want: denied,
		},
		"a rule": {
			of: operating, outcome: bookrules.Outcome{Transfer: bookrules.TransferRule{Set: true, Own: true}},
			want: strong(),
		},
		"a rule that names the account": {
			of: operating, outcome: bookrules.Outcome{Transfer: bookrules.TransferRule{Set: true, Own: true,
				Account: "rainy day"}},
			want: strong(2),
		},
		"a rule that denies": {
			of: operating, line: bank.Line{OtherAccount: savings.Number, Transfer: true},
			outcome: bookrules.Outcome{Transfer: bookrules.TransferRule{Set: true}}, want: denied,
		},
		"a customer": {of: operating, line: bank.Line{Counterparty: "Jo Corp", Description: "INVOICE 17"}, want: none},
		"no text":    {of: operating, want: none},
	} {
		got := finder.Find(test.of, test.line, test.outcome)

		if got.Strength != test.want.Strength || !slices.Equal(got.Others, test.want.Others) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestEvidenceSaysWhereItComesFrom(t *testing.T) {
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, savings, card, founder})
	own := bookrules.Outcome{Transfer: bookrules.TransferRule{Set: true, Own: true}}
	for name, test := range map[string]struct {
		line    bank.Line
		outcome bookrules.Outcome
		want    bookrules.EvidenceOrigin
	}{
		"a rule":   {bank.Line{Description: "XFER CHASE"}, own, bookrules.FromRule},
		"a number": {bank.Line{OtherAccount: "DE89370400440532012222"}, bookrules.Outcome{}, bookrules.FromNumber},
		"a code":   {bank.Line{Transfer: true}, bookrules.Outcome{}, bookrules.FromCode},
		"a text":   {bank.Line{Description: "XFER CHASE"}, bookrules.Outcome{}, bookrules.FromText},
		"none":     {bank.Line{Description: "INVOICE 17"}, bookrules.Outcome{}, bookrules.NoOrigin},
	} {
		if got := finder.Find(operating, test.line, test.outcome); got.Origin != test.want {
			t.Errorf("%s: %+v, want origin %d", name, got, test.want)
		}
	}
}

// Banks and accounts may have the names of customers, and words of lines.
func TestNamesThatAreNoEvidence(t *testing.T) {
	union := bookrules.Account{Key: 6, Number: "555000111", Currency: "USD", Bank: "Union Bank", Role: bookrules.Operating}
	first := bookrules.Account{Key: 7, Number: "555000222", Currency: "USD", Bank: "First", Role: bookrules.Operating}
	reserve := bookrules.Account{Key: 8, Number: "555000333", Currency: "USD", Name: "Reserve", Renamed: true}
	payroll := bookrules.Account{Key: 9, Number: "555000444", Currency: "USD", Name: "Payroll", Role: bookrules.Operating}
	owner := bookrules.Account{Key: 10, Number: "555000555", Currency: "USD", Name: "Northlight Labs GmbH"}
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, union, first, reserve, payroll, owner})
	for text, want := range map[string]bookrules.Strength{
		"ACH PAYMENT UNION SQUARE HOTELS":          bookrules.NoEvidence,
		"UNION SQUARE HOTELS ACH":                  bookrules.NoEvidence,
		"ACH FROM WESTERN UNION":                   bookrules.NoEvidence,
		"ACH FROM UNION":                           bookrules.PossibleBank,
		"ACH FROM UNION BANK":                      bookrules.NamedBank,
		"First Class Travel payment":               bookrules.NoEvidence,
		"PAYMENT FROM FIRST":                       bookrules.PossibleBank,
		"WIRE TRANSFER FEDERAL RESERVE BANK":       bookrules.NoEvidence,
		"TRANSFER RESERVE CAPITAL PARTNERS":        bookrules.NoEvidence,
		"Online transfer to Reserve":               bookrules.PossibleBank,
		"PAYROLL TRANSFER 0412":                    bookrules.PossibleBank,
		"VIREMENT DE JO POUR NORTHLIGHT LABS GMBH": bookrules.NoEvidence,
		"UNIONVILLE ACH PAYMENT":                   bookrules.NoEvidence,
	} {
		if got := finder.Find(operating, bank.Line{Description: text}, bookrules.Outcome{}); got.Strength != want {
			t.Errorf("%s: %+v, want strength %d", text, got, want)
		}
	}
}

// A company may have its accounts at one bank, or each at another.
func TestTheBankOfOneOfManyAccounts(t *testing.T) {
	banks := []string{
		"Alder Savings Bank", "Juniper Trust", "Mill River Bank", "Banque du Lac", "Sparkasse Altstadt", "Kestrel Bank NA",
		"Wells Fargo Bank, N.A.", "Hansabank", "Bank of the Prairie", "Credit Union One",
	}
	var accounts, same []bookrules.Account
	for n, name := range banks {
		a := bookrules.Account{Key: int64(n + 1), Number: fmt.Sprintf("77000%04d", n), Currency: "USD", Bank: name}
		accounts = append(accounts, a)
		a.Bank = banks[0]
		same = append(same, a)
	}
	finder, atOne := bookrules.NewEvidenceFinder(accounts), bookrules.NewEvidenceFinder(same)
	for n, name := range banks {
		line := bank.Line{Description: "ACH to " + name}

		got := finder.Find(accounts[(n+1)%len(accounts)], line, bookrules.Outcome{})
		own := atOne.Find(same[n], line, bookrules.Outcome{})

		if got.Strength != bookrules.NamedBank || !slices.Equal(got.Others, []int64{int64(n + 1)}) {
			t.Errorf("%s: %+v", name, got)
		}
		if own.Strength != bookrules.NoEvidence {
			t.Errorf("%s, where all accounts are: %+v", name, own)
		}
	}
}

// Some files say the bank only in the column with the account, and others not at all.
func TestTheBankInTheNameOfAnAccount(t *testing.T) {
	column := bookrules.Account{Key: 6, Number: "Mercury Checking ••1234", Currency: "USD", Role: bookrules.Operating}
	renamed := bookrules.Account{
		Key: 7, Number: "555000111", Currency: "USD", Name: "Mill River savings", Renamed: true, Role: bookrules.Savings,
	}
	finder := bookrules.NewEvidenceFinder([]bookrules.Account{operating, column, renamed})
	for text, other := range map[string]int64{
		"MERCURY ACH TRANSFER": 6, "ACH to Mill River": 7, "ÜBERWEISUNG AN MILL RIVER SAVINGS": 7,
	} {
		got := finder.Find(operating, bank.Line{Description: text}, bookrules.Outcome{})

		if got.Strength != bookrules.PossibleBank || !slices.Equal(got.Others, []int64{other}) {
			t.Errorf("%s: %+v, want account %d", text, got, other)
		}
	}
}
