package statements_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// fill returns a file of about size bytes: a start, repetitions of a part, and an end. Each %d in
// the part becomes the number of the repetition.
func fill(start, part, end string) func(size int) []byte {
	return func(size int) []byte {
		var b bytes.Buffer
		b.WriteString(start)
		for n := 1; b.Len() < size; n++ {
			b.WriteString(strings.ReplaceAll(part, "%d", fmt.Sprintf("%06d", n)))
		}
		b.WriteString(end)
		return b.Bytes()
	}
}

type shape = map[string]func(size int) []byte

// shapes returns the files that the growth test reads, by format.
func shapes(t *testing.T) map[string]shape {
	t.Helper()
	return map[string]shape{
		"csv": tableShapes(), "camt": camtShapes(), "einvoice": invoiceShapes(), "ofx": ofxShapes(), "mt940": mt940Shapes(),
		"bai2": bai2Shapes(), "qif": qifShapes(), "hledger": hledgerShapes(), "beancount": beancountShapes(),
		"jsonlines": jsonShapes(), "receivables": listShapes(), "rates": ratesShapes(),
		"pdf": pdfShapes(t), "xlsx": workbookShapes(t),
	}
}

func tableShapes() shape {
	const header = "Date,Description,Amount,Balance\n2026-09-01,Coffee,-10.00,90.00\n"
	const last = "2026-09-03,Tea,-10.00,70.00\n"
	return shape{
		"a quote on each line of a field": fill(header+"2026-09-02,\"A\n", "\"\"\n", "B\",-10.00,80.00\n"+last),
		"a quoted part on each line":      fill(header+"2026-09-02,\"A\n", "\",\"\n", "B\",-10.00,80.00\n"+last),
		"a quote that is never closed":    fill(header+"2026-09-02,\"A\n", "\"\" x\n", ""),
		"quotes in a line":                fill(header+"2026-09-02,\"A", `""`, "B\",-10.00,80.00\n"+last),
		"a long field":                    fill(header+"2026-09-02,", "A", ",-10.00,80.00\n"+last),
		"a long amount":                   fill(header+"2026-09-02,A,", "1", ",80.00\n"+last),
		"many fields":                     fill(header+"2026-09-02,A,-1.00", ",", "\n"+last),
		"many tiny records":               fill(header, "2026-09-02,A,-1.00,\n", last),
		"empty lines":                     fill(header, "\n", last),
		"returns alone":                   fill(header, "\r", last),
		"quotes in each record":           fill(header, "\"2026-09-02\",\"A \"\"b\"\", c\",\"-1.00\",\"\"\n", last),
		"totals":                          fill(header, ",Total,-1.00,\n", last),
		"perhaps totals":                  fill(header, "2026-09-02,New balance,-1.00,\n", last),
		"accents":                         fill(header, "2026-09-02,é\u0301ö Ł,-1.00,\n", last),
		"many accounts":                   fill("Account,"+header, "A%d,2026-09-02,A,-1.00,\n", ""),
		"many words of a status":          fill("Status,"+header, "s%d,2026-09-02,A,-1.00,\n", ""),
		"many columns in the header":      fill("Date,Description,Amount", ",Description", "\n2026-09-01,Coffee,-10.00\n"),
		"lines above the header":          fill("", "Account: DE89370400440532013000 %d;x\n", header),
		"no header":                       fill("", "2026-09-02;Shop %d;-1.00;5.00;6.00;7.00\n", ""),
		"other separators":                fill("Date;Text;Debit;Credit\n", "30.09.26\tx|y;a;1,00;\n", ""),
	}
}

func camtShapes() shape {
	const start = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>` +
		`<Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>`
	const end = `</Stmt></BkToCstmrStmt></Document>`
	const entry = `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>` +
		`<BookgDt><Dt>2026-09-30</Dt></BookgDt>`
	in := func(open, part, closed string) func(int) []byte { return fill(start+open, part, closed+end) }
	return shape{
		"quotes in a tag":         in("<X ", `""`, "></X>"),
		"brackets in quotes":      in(`<X a="`, ">", `"></X>`),
		"quotes and brackets":     in("", `<X a="">'>'></X>`, ""),
		"tags of quotes":          in("", `<X `+strings.Repeat(`""'>'`, 1000)+`/>`, ""),
		"many attributes":         in("", `<X `+strings.Repeat(`a="" `, 1000)+`/>`, ""),
		"attributes of an amount": in("", `<Bal><Amt `+strings.Repeat(`xCcy="" `, 1000)+`Ccy="EUR">1</Amt></Bal>`, ""),
		"a long name":             in("<", "X", "/>"),
		"deep elements":           in("", "<X>", ""),
		"many entries":            in("", entry+"</Ntry>", ""),
		"many details of an entry": in(entry+"<NtryDtls>",
			"<TxDtls><RmtInf><Ustrd>a</Ustrd></RmtInf></TxDtls>", "</NtryDtls></Ntry>"),
		"many texts of a detail": in(entry+"<NtryDtls><TxDtls><RmtInf>",
			"<Ustrd>a%d</Ustrd>", "</RmtInf></TxDtls></NtryDtls></Ntry>"),
		"many amounts":          in(entry+"<AmtDtls>", `<TxAmt><Amt Ccy="USD">1</Amt></TxAmt>`, "</AmtDtls></Ntry>"),
		"a long text":           in(entry+"<AddtlNtryInf>", "a ", "</AddtlNtryInf></Ntry>"),
		"entities":              in(entry+"<AddtlNtryInf>", "&amp;&#97;", "</AddtlNtryInf></Ntry>"),
		"many comments":         in("", "<!-- > -->", ""),
		"a comment of brackets": in("<!--", ">", "-->"),
		"many sections":         in(entry+"<AddtlNtryInf>", "<![CDATA[&]]>", "</AddtlNtryInf></Ntry>"),
		"many statements":       in("", "</Stmt><Stmt><Acct><Id><IBAN>DE%d</IBAN></Id></Acct>", ""),
		"many balances": in("", `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>`+
			`<Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`, ""),
		"a tag without end": fill(start+"<X ", "a", ""),
	}
}

const invoiceStart = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID>` +
	`<IssueDate>2026-09-01</IssueDate><DocumentCurrencyCode>EUR</DocumentCurrencyCode>` +
	`<AccountingSupplierParty><Party><PartyLegalEntity><RegistrationName>V</RegistrationName></PartyLegalEntity></Party>` +
	`</AccountingSupplierParty><LegalMonetaryTotal>` +
	`<PayableAmount currencyID="EUR">10.00</PayableAmount></LegalMonetaryTotal>`

func invoiceShapes() shape {
	in := func(open, part, closed string) func(int) []byte {
		return fill(invoiceStart+open, part, closed+"</Invoice>")
	}
	long := strings.Repeat("A", 200)
	return shape{
		"elements in a long name":  in("<"+long+">", "<b/>", "</"+long+">"),
		"elements in deep names":   in(strings.Repeat("<"+long+">", 60), "<b/>", strings.Repeat("</"+long+">", 60)),
		"a name that is very long": in("<", "A", "/>"),
		"deep elements":            in("", "<A>", ""),
		"many due dates":           in("", "<DueDate>2026-10-01</DueDate>", ""),
		"many other due dates":     in("", "<PaymentMeans><PaymentDueDate>2026-10-%d</PaymentDueDate></PaymentMeans>", ""),
		"many attributes":          in("", "<A "+strings.Repeat(`a="" `, 1000)+"/>", ""),
		"a long document":          in("<A>", "QUJD", "</A>"),
		"a long number":            in("<ID>", "1", "</ID>"),
		"entities":                 in("<ID>", "&lt;", "</ID>"),
		"comments":                 in("", "<!---->", ""),
	}
}

func ofxShapes() shape {
	const start = "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>" +
		"<CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>2" +
		"</BANKACCTFROM><BANKTRANLIST>"
	const end = "</BANKTRANLIST><LEDGERBAL><BALAMT>1<DTASOF>20260930</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
	const entry = "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260901<TRNAMT>-1.00<FITID>%d"
	in := func(open, part, closed string) func(int) []byte { return fill(start+open, part, closed+end) }
	return shape{
		"many transactions":        in("", entry+"</STMTTRN>", ""),
		"transactions without end": in("", entry, ""),
		"a long memo":              in("<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260901<TRNAMT>-1.00<MEMO>", "a ", "</STMTTRN>"),
		"brackets":                 in("<STMTTRN><MEMO>", "<", "</STMTTRN>"),
		"brackets and names":       in("<STMTTRN><MEMO>", "<a", "</STMTTRN>"),
		"unknown tags":             in("", "<X%d>a", ""),
		"deep aggregates":          in("", "<PAYEE><CURRENCY><STATUS>", ""),
		"zeros":                    in("<STMTTRN><MEMO>", "a\x00", "</STMTTRN>"),
		"many failures":            in("", "<STATUS><CODE>2000<SEVERITY>ERROR<MESSAGE>no</STATUS>", ""),
		"many statements":          in("", "</STMTRS><STMTRS><BANKACCTFROM><ACCTID>%d</BANKACCTFROM><BANKTRANLIST>", ""),
		"comments":                 in("<STMTTRN><MEMO>", "<!-- > -->", "</STMTTRN>"),
		"sections":                 in("<STMTTRN><MEMO>", "<![CDATA[&>]]>", "</STMTTRN>"),
		"a long amount":            in("<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260901<TRNAMT>", "1", "</STMTTRN>"),
		"a long tag":               in("<", "A", ">"),
		"ends alone":               in("", "</OFX></STMTTRN>", ""),
	}
}

func mt940Shapes() shape {
	const start = ":20:1\n:25:12345678/123456\n:28C:1/1\n:60F:C260901EUR0,00\n"
	const line = ":61:2609010901D1,00NTRFNONREF//%d\n"
	in := func(open, part, closed string) func(int) []byte {
		return fill(start+open, part, closed+"\n:62F:C260930EUR0,00\n-\n")
	}
	full := func(part string) string { return strings.Repeat(part, 16_000/len(part)) + "\n" }
	return shape{
		"many lines":               in("", line+":86:text\n", ""),
		"slashes in texts":         in("", line+":86:/REMI/"+full("a/"), ""),
		"codes in texts":           in("", line+":86:/REMI/"+full("a/REMI/"), ""),
		"separators in texts":      in("", line+":86:166?20"+full("?"), ""),
		"unknown subfields":        in("", line+":86:166?20"+full("?9a"), ""),
		"subfields in texts":       in("", line+":86:166?20"+full("?21a"), ""),
		"tags in texts":            in("", line+":86:"+full("SVWZ+a "), ""),
		"names in texts":           in("", line+":86:"+full("ABWA+a "), ""),
		"signs in texts":           in("", line+":86:"+full("+"), ""),
		"many texts of a line":     in(line, ":86:SVWZ+a\n", ""),
		"many lines of a text":     in(line+":86:a\n", "b\n", ""),
		"many details of a line":   in(line, ":NS:01a\n", ""),
		"a long line":              in(line+":86:", "a ", ""),
		"many messages":            in("", "-\n:20:%d\n:25:1/2\n:60F:C260901EUR0,00\n:62F:C260930EUR0,00\n", ""),
		"many totals":              in("", ":90D:1EUR1,00\n", ""),
		"blocks":                   in("", "{4:\n", ""),
		"blocks in a line":         in("", "{4:", ""),
		"the original of an entry": in("", strings.TrimSuffix(line, "\n")+"\n/OCMT/"+full("EUR1,/"), ""),
	}
}
