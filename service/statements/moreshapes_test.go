package statements_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"
)

func bai2Shapes() shape {
	const start = "01,122099999,123456789,260930,0200,1,,,2/\n02,031001234,122099999,1,260930,,USD,2/\n"
	const account = "03,5765432,USD,,,,/\n"
	const end = "49,1500000,4/\n98,1500000,1,6/\n99,1500000,1,8/\n"
	in := func(open, part, closed string) func(int) []byte { return fill(start+account+open, part, closed+end) }
	return shape{
		"continuations":           in("16,165,1500000,Z,,,X\n", "88,a\n", ""),
		"continuations with ends": in("16,165,1500000,Z,,,X/\n", "88,a/\n", ""),
		"lines of a text":         in("16,165,1500000,Z,,,X\n", "a\n", ""),
		"slashes":                 in("16,165,1500000,Z,,,", "/ ", "\n"),
		"slashes and codes":       in("16,165,1500000,Z,,,", "/16", "\n"),
		"records of a line":       in("", "16,165,1,Z,,,/", "\n"),
		"many transactions":       in("", "16,165,1,Z,,,text/\n", ""),
		"distributions":           in("16,165,1500000,D,999999", ",1,1", "/\n"),
		"commas":                  in("16,165,1500000,Z", ",", "\n"),
		"a header of summaries":   fill(start+"03,5765432,USD", ",010,1,,", "/\n"+end),
		"a header of empty parts": fill(start+"03,5765432,USD", ",", "/\n"+end),
		"continued headers":       fill(start+"03,5765432,USD,010,1,,/\n", "88,015,1,,/\n", end),
		"many accounts":           fill(start, "03,%d,USD,,,,/\n49,0,2/\n", end),
		"many groups":             fill(start, "98,0,0,2/\n02,0310,1220,1,260930,,USD,2/\n", end),
	}
}

func qifShapes() shape {
	const start = "!Type:Bank\nD1/2'26\nT-1.00\nPShop\n^\n"
	in := func(open, part, closed string) func(int) []byte { return fill(start+open, part, closed) }
	return shape{
		"many records":           in("", "D1/2'26\nT-1.00\nPShop\n^\n", ""),
		"fields of a record":     in("D1/2'26\nT-1.00\n", "A\n", "^\n"),
		"memos of a record":      in("D1/2'26\nT-1.00\n", "Ma\n", "^\n"),
		"a record of no amounts": in("D1/2'26\n", "T\n", "^\n"),
		"a long field":           in("D1/2'26\nT-1.00\nM", "a ", "\n^\n"),
		"a long date":            in("D", "1/", "\nT1\n^\n"),
		"a long amount":          in("D1/2'26\nT", "1,", "\n^\n"),
		"sections":               in("", "!Type:Bank\n", ""),
		"unknown sections":       in("", "!Type:X%d\n", ""),
		"a long section":         in("!Type:", "a ", "\n"),
		"accounts":               in("", "!Account\nNA%d\n^\n!Type:Bank\nD1/2'26\nT1\n^\n", ""),
		"ends":                   in("", "^\n", ""),
	}
}

func hledgerShapes() shape {
	const start = "2026-01-01 x\n  assets:a  1 USD\n  income\n\n"
	in := func(open, part, closed string) func(int) []byte { return fill(start+open, part, closed+start) }
	return shape{
		"transactions":              in("", start, ""),
		"postings of a transaction": in("2026-01-01 x\n", "  assets:a  1 USD\n", "  income\n\n"),
		"accounts":                  in("2026-01-01 x\n", "  assets:%d:b  1 USD\n", "  income\n\n"),
		"accounts of transactions":  in("", "2026-01-01 x\n  assets:%d:b  1 USD\n  income\n\n", ""),
		"commodities":               in("2026-01-01 x\n", "  assets:a  1 \"X%d\"\n", "  income\n\n"),
		"balances":                  in("", "2026-01-01 x\n  assets:a:b:c:d:e:f:g:%d  0 USD = 0 USD\n\n", ""),
		"unsorted balances":         in("", "2026-01-02 x\n  assets:a  0 = 0\n\n2026-01-01 x\n  assets:b  0 = 0\n\n", ""),
		"assigned balances":         in("", "2026-01-01 x\n  assets:b  = %d USD\n  income\n\n", ""),
		"balances beside commodities": func(size int) []byte {
			many := fill("2026-01-01 x\n", "  assets:a  1 \"X%d\"\n", "  income\n\n")(min(size/2, 200_000))
			return fill(string(many), "2026-01-01 x\n  assets:a  = 1 USD\n  income\n\n", "")(size)
		},
		"a long number":         in("2026-01-01 x\n  assets:a  ", "1", " USD\n  income\n\n"),
		"groups of a number":    in("2026-01-01 x\n  assets:a  1", " 000", " USD\n  income\n\n"),
		"brackets of a comment": in("2026-01-01 x\n  assets:a  1 USD ; ", "[1", "\n  income\n\n"),
		"dates of a comment":    in("2026-01-01 x\n  assets:a  1 USD ; ", "xdate:", "\n  income\n\n"),
		"comments":              in("2026-01-01 x\n  assets:a  1 USD\n", "  ; date:1/1\n", "  income\n\n"),
		"lots":                  in("2026-01-01 x\n  assets:a  1 USD", "{1}[1](1)", "\n  income\n\n"),
		"a long payee":          in("2026-01-01 ", "x |", "\n  assets:a  1 USD\n  income\n\n"),
		"types of an account":   in("account a  ; ", "xtype:", "\n"),
		"declared accounts":     in("", "account a%d  ; type: A\n", ""),
		"declared commodities":  in("", "commodity 1.00 \"X%d\"\n", ""),
		"postings with dates":   in("2026-01-01 x\n", "  assets:a  1 USD ; date:1/2\n", "  income\n\n"),
	}
}

func beancountShapes() shape {
	const start = "2020-01-01 open Assets:A\n2020-01-01 open Income:B\n" +
		"2026-01-01 * \"x\"\n  Assets:A  1 USD\n  Income:B\n\n"
	in := func(open, part, closed string) func(int) []byte { return fill(start+open, part, closed) }
	return shape{
		"transactions":              in("", "2026-01-01 * \"x\"\n  Assets:A  1 USD\n  Income:B\n\n", ""),
		"postings of a transaction": in("2026-01-01 * \"x\"\n", "  Assets:A  1 USD\n", "  Income:B\n\n"),
		"accounts":                  in("", "2020-01-01 open Assets:X%d\n", ""),
		"balances":                  in("", "2026-01-02 balance Assets:A 1 USD\n", ""),
		"pads":                      in("", "2026-01-02 pad Assets:A Income:B\n2026-01-03 balance Assets:A %d USD\n", ""),
		"quotes never closed":       in("", "2026-01-02 note Assets:A \"\n", ""),
		"lines of a text":           in("2026-01-01 * \"", "x\n", "\"\n"),
		"a long text":               in("2026-01-01 * \"", "x\\\\", "\"\n  Assets:A  1 USD\n  Income:B\n"),
		"labels of a cost":          in("2026-01-01 * \"x\"\n  Assets:A  1 USD {", "\"a\",", "}\n  Income:B\n"),
		"commodities":               in("2026-01-01 * \"x\"\n", "  Assets:A  1 X%d\n", "  Income:B\n"),
		"options":                   in("", "option \"inferred_tolerance_default\" \"X%d:0.1\"\n", ""),
		"tags":                      in("2026-01-01 * \"x\" ", "#t ", "\n  Assets:A  1 USD\n  Income:B\n"),
		"metadata":                  in("2026-01-01 * \"x\"\n", "  k%d: 1\n", "  Assets:A  1 USD\n  Income:B\n"),
		"a long name":               in("2026-01-01 open Assets", ":A", "\n"),
	}
}

func jsonShapes() shape {
	const start = `{"account":"1","currency":"USD","from":"2026-09-01","to":"2026-09-30"}` + "\n"
	const line = `{"date":"2026-09-10","account":"1","currency":"USD","amount":"1.00"`
	in := func(open, part, closed string) func(int) []byte { return fill(start+open, part, closed+"\n") }
	return shape{
		"transactions": in("", line+"}\n", ""),
		"accounts": in("", `{"account":"9%d","currency":"USD","bank":"B","from":"2026-09-01","to":"2026-09-30"}`+"\n"+
			`{"date":"2026-09-10","account":"9%d","currency":"USD","amount":"1.00"}`+"\n", ""),
		"accounts of lines":  in("", `{"date":"2026-09-10","account":"9%d","currency":"USD","amount":"1.00"}`+"\n", ""),
		"unknown fields":     in(line, `,"x%d":1`, "}"),
		"lines with unknown": in("", line+`,"x%d":1}`+"\n", ""),
		"a long text":        in(line+`,"description":"`, `a `, `"}`),
		"escapes":            in(line+`,"description":"`, `\u00e9\n`, `"}`),
		"arrays":             in(line+`,"x":`, `[`, `}`),
		"objects":            in(line+`,"original":`, `{"a":`, `}`),
		"a long number":      in(line+`,"balance":`, `1`, `}`),
		"invoices":           in("", `{"invoice":"%d","amount":"1.00","customer":"A","currency":"USD"}`+"\n", ""),
		"lists":              in("", `{"source":"s%d","as_of":"2026-09-30"}`+"\n", ""),
		"objects of a line":  in("", `{"a":1}`, ""),
		"blank lines":        in("", "\n", ""),
	}
}

func listShapes() shape {
	const start = "A/P Aging Detail\nDate,Transaction type,Num,Vendor,Due date,Amount,Open balance\n"
	const row = "09/01/2026,Bill,%d,A,10/01/2026,1.00,1.00\n"
	const groups = "Open Invoices\nDate,Transaction type,Num,Due date,Amount,Open balance\n"
	const item = "09/01/2026,Invoice,%d,10/01/2026,1.00,1.00\n"
	long := strings.Repeat("g", 400)
	return shape{
		"rows":                  fill(start, row, ""),
		"types":                 fill(start, "09/01/2026,T%d,1,A,10/01/2026,1.00,1.00\n", ""),
		"groups":                fill(groups, "C%d,,,,,\n"+item+"Total for C%d,,,,,1.00\n", ""),
		"groups without totals": fill(groups, "C%d,,,,,\n"+item, ""),
		"rows of long groups":   fill(groups+strings.Repeat(long+",,,,,\n", 15), item, ""),
		"a long group":          fill(groups, "g", ",,,,,\n"+item),
		"totals alone":          fill(groups, "Total for C%d,,,,,\n", ""),
		"columns":               fill("Date,Due date,Num,Open balance", ",Open balance", "\n"),
		"fields of a row":       fill(start+"09/01/2026", ",", "\n"),
		"a long amount":         fill(start+"09/01/2026,Bill,1,A,10/01/2026,1.00,", "1", "\n"),
		"signs of an amount":    fill(start+"09/01/2026,Bill,1,A,10/01/2026,1.00,", "$", "1\n"),
		"a quoted field":        fill(start+"09/01/2026,Bill,\"", "\"\"\n", "\",A,10/01/2026,1.00,1.00\n"),
		"lines above":           fill("", "As of 30 September 2026 %d\n", start),
	}
}

func ratesShapes() shape {
	const own, day = "Date,Currency,USD\n", "2026-09-30,EUR,1.17\n"
	return shape{
		"rates":              fill(own+day, "2026-09-29,EUR,1.17\n", ""),
		"a long rate":        fill(own+"2026-09-30,EUR,", "1", "\n"),
		"a long day":         fill(own, "2", ",EUR,1\n"),
		"fields":             fill(own+"2026-09-30", ",", "\n"),
		"columns":            fill("Date,USD", ",JPY", "\n"),
		"different columns":  fill("Date,USD", ",X%d", "\n"),
		"days of the ECB":    fill("Date,USD,JPY,\n", "2026-09-30,1.17,174.5,\n", ""),
		"days without USD":   fill("Date,USD,JPY,\n", "2026-09-30,N/A,174.5,\n", ""),
		"a field with lines": fill(own+"2026-09-30,\"", "\"\"\n", "\",1\n"),
	}
}

// packedPDF returns a PDF with an attached invoice, with more objects before it.
func packedPDF(t *testing.T, more func(size int) []byte, invoice func(size int) []byte) func(size int) []byte {
	return func(size int) []byte {
		t.Helper()
		var attached, b bytes.Buffer
		w := zlib.NewWriter(&attached)
		if _, err := w.Write(invoice(size)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		b.WriteString("%PDF-1.7\n")
		b.Write(more(size))
		b.WriteString("\n1 0 obj\n<</Type/Catalog/Names<</EmbeddedFiles<</Names[(factur-x.xml) 4 0 R]>>>>>>\nendobj\n" +
			"4 0 obj\n<</Type/Filespec/F(factur-x.xml)/EF<</F 5 0 R>>>>\nendobj\n")
		fmt.Fprintf(&b, "5 0 obj\n<</Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n",
			attached.Len(), attached.String())
		b.WriteString("trailer<</Root 1 0 R>>\n")
		return b.Bytes()
	}
}

func pdfShapes(t *testing.T) shape {
	plain := func(int) []byte { return []byte(invoiceStart + "</Invoice>") }
	with := func(open, part, closed string) func(int) []byte { return packedPDF(t, fill(open, part, closed), plain) }
	inner := func(part, content string) func(int) []byte {
		return packedPDF(t, func(size int) []byte {
			text := fill("", part, " ")(size)
			rest := fill("", content, "")(size)
			return fmt.Appendf(nil, "9 0 obj\n<</Type/ObjStm/N 999/First %d/Length %d>>\nstream\n%s%s\nendstream\nendobj\n",
				len(text), len(text)+len(rest), text, rest)
		}, plain)
	}
	return shape{
		"a large invoice":        packedPDF(t, func(int) []byte { return nil }, fill(invoiceStart, "<A/>", "</Invoice>")),
		"objects":                with("", "9%d 0 obj\n<</A 1>>\nendobj\n", ""),
		"words of objects":       with("", " obj", ""),
		"numbers of objects":     with("", "1 0 obj ", ""),
		"arrays":                 with("9 0 obj\n", "[", "\nendobj"),
		"dictionaries":           with("9 0 obj\n", "<<", "\nendobj"),
		"keys":                   with("9 0 obj\n<<", "/A%d 1 ", ">>\nendobj"),
		"values":                 with("9 0 obj\n[", "1 ", "]\nendobj"),
		"references":             with("9 0 obj\n[", "9 0 R ", "]\nendobj"),
		"a long text":            with("9 0 obj\n(", "(", "\nendobj"),
		"a long name":            with("9 0 obj\n/", "a", "\nendobj"),
		"a long number":          with("9 0 obj\n<", "41", ">\nendobj"),
		"comments":               with("9 0 obj\n", "%d\n%", "\nendobj"),
		"streams without length": with("", "9%d 0 obj\n<<>>\nstream\nx\nendstream\n", ""),
		"streams without end":    with("", "9%d 0 obj\n<</Length 9>>\nstream\nx\n", ""),
		"trailers":               with("", "trailer<</A 1>>\n", ""),
		"objects in a stream":    inner("7 0 ", "1 "),
		"one object of a stream": inner("7 0 ", "[1"),
	}
}

// packedWorkbook returns a workbook whose sheets are all the given one.
func packedWorkbook(t *testing.T, sheets int, sheet, texts, styles func(size int) []byte) func(size int) []byte {
	return func(size int) []byte {
		t.Helper()
		var b bytes.Buffer
		archive := zip.NewWriter(&b)
		for name, content := range map[string][]byte{
			"_rels/.rels":     []byte(`<R><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/></R>`),
			"xl/workbook.xml": []byte(`<workbook>` + strings.Repeat(`<sheet id="a"/>`, sheets) + `</workbook>`),
			"xl/_rels/workbook.xml.rels": []byte(`<R><Relationship Id="a" Type="x/worksheet" Target="s.xml"/>` +
				`<Relationship Id="b" Type="x/sharedStrings" Target="t.xml"/>` +
				`<Relationship Id="c" Type="x/styles" Target="u.xml"/></R>`),
			"xl/s.xml": sheet(size), "xl/t.xml": texts(size), "xl/u.xml": styles(size),
		} {
			w, err := archive.Create(name)
			if err == nil {
				_, err = w.Write(content)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
}

func workbookShapes(t *testing.T) shape {
	none := func(int) []byte { return []byte("<a/>") }
	with := func(open, part, closed string) func(int) []byte {
		return packedWorkbook(t, 3, fill("<a>"+open, part, closed+"</a>"), none, none)
	}
	texts := func(open, part, closed string) func(int) []byte {
		return packedWorkbook(t, 1, none, fill("<a>"+open, part, closed+"</a>"), none)
	}
	return shape{
		"rows":           with("", "<row/>", ""),
		"cells":          with("", "<row><c><v>1.5</v></c></row>", ""),
		"cells of a row": with("<row>", "<c><v>1</v></c>", "</row>"),
		"a long cell":    with("<row><c t=\"str\"><v>", "a ", "</v></c></row>"),
		"inline texts":   with("<row><c t=\"inlineStr\">", "<t>a</t>", "</c></row>"),
		"attributes":     with("", "<row "+strings.Repeat(`a="" `, 1000)+"/>", ""),
		"deep elements":  with("", "<row>", ""),
		"a long name":    with("<", "a", "/>"),
		"shared texts":   texts("", "<si><t>a%d</t></si>", ""),
		"runs of a text": texts("<si>", "<r><t>a</t></r>", "</si>"),
		"a long text":    texts("<si><t>", "a", "</t></si>"),
		"readings aloud": texts("<si>", "<rPh>", ""),
		"number formats": packedWorkbook(t, 1, none, none,
			fill("<a>", `<numFmt numFmtId="%d" formatCode="[Red]0"/>`, "</a>")),
		"a long format":   packedWorkbook(t, 1, none, none, fill(`<a><numFmt numFmtId="1" formatCode="`, `[`, `"/></a>`)),
		"styles of cells": packedWorkbook(t, 1, none, none, fill("<a><cellXfs>", `<xf numFmtId="14"/>`, "</cellXfs></a>")),
	}
}
