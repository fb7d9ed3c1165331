package statements_test

import (
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements"
	"tarmac/service/statements/bank"
)

// amountFiles are files of each format that infers its decimal mark, with @ for an amount in dinars
// of Kuwait, which have three decimals.
var amountFiles = map[string]string{
	"csv": "Account number;00123456789\nCurrency;KWD\n\nDate;Description;Amount\n2026-09-14;Rent;@\n2026-09-15;Rent;@\n",
	"qif": "!Type:Bank\nD2026-09-14\nT@\nPRent\n^\n",
	"ofx": "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>KWD<BANKACCTFROM><ACCTID>1234" +
		"</BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260914<TRNAMT>@<FITID>1<NAME>Rent</STMTTRN>" +
		"</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
	"hledger":     "2026-09-14 Rent\n    assets:bank  @ KWD\n    income:rent\n",
	"receivables": "number;customer;issued;due;currency;amount due\n1;A;;;KWD;@\n",
}

// An amount that cannot have thousands is read alike in all formats, without a question.
func TestAmountsWithOneReadingAreReadAlikeInAllFormats(t *testing.T) {
	options := bank.Options{Currency: "KWD", Sign: bank.OutNegative, AsOf: civil.MustParse("2026-09-30")}
	for name, file := range amountFiles {
		for amount, want := range map[string]int64{
			"0,500": 500, "0.125": 125, "1234,567": 1234567, "10.25": 10250, "10,5": 10500,
		} {
			t.Run(name+" "+amount, func(t *testing.T) {
				content := strings.ReplaceAll(file, "@", amount)
				format, ok, _ := statements.Detect(bank.NewBudget(t.Context()), []byte(content), civil.Date{})
				if !ok || format.Name != name {
					t.Fatalf("%s is recognized as %q", name, format.Name)
				}

				found, err := banks.Read(format, strings.NewReader(content), options)

				switch {
				case err != nil:
					t.Error(err)
				case name == "receivables":
					if got := found.OpenItems[0].Minor; got != want {
						t.Errorf("it is %d, want %d", got, want)
					}
				case found.Statements[0].Lines[0].Minor != want:
					t.Errorf("it is %d, want %d", found.Statements[0].Lines[0].Minor, want)
				}
			})
		}
	}
}
