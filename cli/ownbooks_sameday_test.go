package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// dayLine is a line of a statement of November 2026, in whole dollars.
type dayLine struct {
	day, amount int
	name        string
}

// statementFormats write a statement with an opening balance in some formats.
var statementFormats = map[string]func(opening int, lines []dayLine) string{
	"csv": func(balance int, lines []dayLine) string {
		text := "Date,Description,Amount,Balance\n"
		for _, l := range lines {
			balance += l.amount
			text += fmt.Sprintf("2026-11-%02d,%s,%d.00,%d.00\n", l.day, l.name, l.amount, balance)
		}
		return text
	},
	"newest first.csv": func(balance int, lines []dayLine) string {
		var rows []string
		for _, l := range lines {
			balance += l.amount
			rows = append(rows, fmt.Sprintf("2026-11-%02d,%s,%d.00,%d.00\n", l.day, l.name, l.amount, balance))
		}
		slices.Reverse(rows)
		return "Date,Description,Amount,Balance\n" + strings.Join(rows, "")
	},
	"ofx": func(balance int, lines []dayLine) string {
		text := "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n" +
			"<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>121000358<ACCTID>123456789" +
			fmt.Sprintf("<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>202611%02d<DTEND>202611%02d",
				lines[0].day, lines[len(lines)-1].day)
		for _, l := range lines {
			balance += l.amount
			text += fmt.Sprintf("<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202611%02d<TRNAMT>%d.00<FITID>%d<NAME>%s</STMTTRN>",
				l.day, l.amount, balance, l.name)
		}
		return text + fmt.Sprintf("</BANKTRANLIST><LEDGERBAL><BALAMT>%d.00<DTASOF>202611%02d</LEDGERBAL></STMTRS>",
			balance, lines[len(lines)-1].day) + "</STMTTRNRS></BANKMSGSRSV1></OFX>\n"
	},
	"sta": func(balance int, lines []dayLine) string {
		text := fmt.Sprintf(":20:TARMAC\n:25:10020030/123456789\n:28C:1/1\n:60F:C2611%02dUSD%d,00\n", lines[0].day, balance)
		for _, l := range lines {
			balance += l.amount
			text += fmt.Sprintf(":61:2611%02d11%02dD%d,00NTRFNONREF\n:86:%s\n", l.day, l.day, -l.amount, l.name)
		}
		return text + fmt.Sprintf(":62F:C2611%02dUSD%d,00\n-\n", lines[len(lines)-1].day, balance)
	},
	"xml": func(balance int, lines []dayLine) string {
		stated := func(code string, day int) string {
			return fmt.Sprintf("<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy=\"USD\">%d.00</Amt>"+
				"<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-%02d</Dt></Dt></Bal>", code, balance, day)
		}
		opening, entries := stated("OPBD", lines[0].day), ""
		for _, l := range lines {
			balance += l.amount
			entries += fmt.Sprintf("<Ntry><Amt Ccy=\"USD\">%d.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>"+
				"<BookgDt><Dt>2026-11-%02d</Dt></BookgDt><AddtlNtryInf>%s</AddtlNtryInf></Ntry>", -l.amount, l.day, l.name)
		}
		return "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt>" +
			"<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><Othr><Id>123456789</Id></Othr></Id><Ccy>USD</Ccy>" +
			"</Acct>" + opening + stated("CLBD", lines[len(lines)-1].day) + entries + "</Stmt></BkToCstmrStmt></Document>\n"
	},
	"bai": func(balance int, lines []dayLine) string {
		text, last := "", lines[len(lines)-1].day
		for _, l := range lines {
			balance += l.amount
			text += fmt.Sprintf("16,475,%d00,V,2611%02d,,,,%s/\n", -l.amount, l.day, l.name)
		}
		return fmt.Sprintf("01,A,B,2611%02d,,1,,,2/\n02,A,B,1,2611%02d,,USD,2/\n03,123456789,USD,015,%d00,,/\n", last, last,
			balance) + text + "49,0,3/\n98,0,1,5/\n99,0,1,7/\n"
	},
	"jsonl": func(balance int, lines []dayLine) string {
		opening, text := balance, ""
		for _, l := range lines {
			balance += l.amount
			text += fmt.Sprintf(`{"date":"2026-11-%02d","account":"123456789","amount":"%d.00","currency":"USD",`+
				`"description":%q}`+"\n", l.day, l.amount, l.name)
		}
		return fmt.Sprintf(`{"account":"123456789","currency":"USD","from":"2026-11-%02d","to":"2026-11-%02d",`+
			`"opening":"%d.00","closing":"%d.00"}`+"\n", lines[0].day, lines[len(lines)-1].day, opening, balance) + text
	},
}

// A second file of the last day continues the first: the balance is the one after its last line.
func TestTheBalanceIsTheLastOneOfTheDay(t *testing.T) {
	landlord, gusto := dayLine{2, -10, "Landlord"}, dayLine{3, -10, "Gusto"}
	notion, figma := dayLine{3, -30, "Notion"}, dayLine{3, -5, "Figma"}
	type part struct {
		opening int
		lines   []dayLine
	}
	first := part{990, []dayLine{landlord, gusto}}
	for format, write := range statementFormats {
		for name, test := range map[string]struct {
			parts        []part
			last, before string
		}{
			"overlapping": {[]part{first, {990, []dayLine{landlord, gusto, notion}}}, "940.00", "970.00"},
			"new lines": {[]part{{980, []dayLine{gusto}}, {970, []dayLine{notion}}, {940, []dayLine{figma}}},
				"935.00", "940.00"},
		} {
			t.Run(format+", "+name, func(t *testing.T) {
				t.Parallel()
				environ, _ := withBooks(t)
				id := ""
				for n, p := range test.parts {
					file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.%s", n, format))
					if err := os.WriteFile(file, []byte(write(p.opening, p.lines)), 0o600); err != nil {
						t.Fatal(err)
					}
					args := []string{"import", "--yes", file}
					if strings.HasSuffix(format, "csv") {
						args = append(args, "--account", "123456789", "--currency", "USD")
					}
					r := tarmac(t, environ, args...)
					if id = regexp.MustCompile(`imp_[0-9A-Z]{26}`).FindString(r.stdout); r.code != 0 || id == "" {
						t.Fatalf("import of file %d: exit %d, %s%s", n, r.code, r.stdout, r.stderr)
					}
				}
				check := func(want string) {
					for _, command := range []string{"books", "account", "cash-position"} {
						if r := tarmac(t, environ, command); !strings.Contains(r.stdout, want) {
							t.Errorf("%s has no %s: %s%s", command, want, r.stdout, r.stderr)
						}
					}
					r := tarmac(t, environ, "books")
					if !strings.Contains(r.stdout, " yes") && !strings.Contains(r.stdout, "needs a second balance") {
						t.Errorf("the account does not add up: %s", r.stdout)
					}
				}

				check(test.last)
				if r := tarmac(t, environ, "books", "undo", id); r.code != 0 {
					t.Fatalf("undo: %s", r.stderr)
				}
				check(test.before)
			})
		}
	}
}
