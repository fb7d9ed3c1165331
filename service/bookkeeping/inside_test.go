package bookkeeping_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
)

// excel returns a workbook with a sheet for each of the given tables, whose cells are separated by
// commas. Numbers are numbers, and the first column of dates is one of days since 1900.
func excel(t *testing.T, name string, sheets ...string) bookkeeping.Source {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	add := func(part, content string) {
		w, err := archive.Create(part)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const kind = `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	add("[Content_Types].xml", "<Types/>")
	add("_rels/.rels", `<R><Relationship Id="a" `+kind+`officeDocument" Target="xl/workbook.xml"/></R>`)
	list, links := "", `<Relationship Id="s" `+kind+`styles" Target="styles.xml"/>`
	for n, sheet := range sheets {
		list += fmt.Sprintf(`<sheet name="%d" r:id="r%d"/>`, n, n)
		links += fmt.Sprintf(`<Relationship Id="r%d" %sworksheet" Target="s%d.xml"/>`, n, kind, n)
		rows := ""
		for line := range strings.Lines(sheet) {
			rows += "<row>"
			for cell := range strings.SplitSeq(strings.TrimSpace(line), ",") {
				switch day, isDay := strings.CutPrefix(cell, "day "); {
				case isDay:
					rows += `<c s="1"><v>` + day + `</v></c>`
				case strings.Trim(cell, "-.0123456789") == "" && cell != "":
					rows += `<c><f>A1</f><v>` + cell + `</v></c>`
				default:
					rows += `<c t="inlineStr"><is><t>` + cell + `</t></is></c>`
				}
			}
			rows += "</row>"
		}
		add(fmt.Sprintf("xl/s%d.xml", n), "<worksheet><sheetData>"+rows+"</sheetData></worksheet>")
	}
	add("xl/workbook.xml", `<workbook><sheets>`+list+`</sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", "<R>"+links+"</R>")
	add("xl/styles.xml", `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`)
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return bookkeeping.Source{Name: name, Content: bytes.NewReader(b.Bytes())}
}

func TestTheFirstSheetWithATableIsImported(t *testing.T) {
	b := newBooks(t)
	book := excel(t, "lines.xlsx", "Exported by a bank\n",
		"Account number,x00123456789\nDate,Description,Amount,Currency\nday 46267,LANDLORD,-1234.5599999999999,USD\n"+
			"day 46268,CUSTOMER,1.5,USD\n", "Date,Description,Amount\nday 46267,OTHER,-1\n")
	text := source("lines.csv", "Date,Description,Amount,Currency\n2026-09-02,LANDLORD,-1234.56,USD\n"+
		"2026-09-03,CUSTOMER,1.50,USD\n")
	book.Options.Account, text.Options.Account = "00123456789", "00123456789"

	report := take(t, b, book)
	got := ledgerOf(t, b)
	take(t, b, text)

	if again := ledgerOf(t, b); len(got) != 2 || strings.Join(got, "\n") != strings.Join(again, "\n") {
		t.Errorf("the workbook is %q; with the same lines as CSV %q; %+v", got, again, report)
	}
}

func TestAWorkbookWithoutATableIsNamedAndADamagedOneStopsTheImport(t *testing.T) {
	lines := source("lines.csv", csvHead+"2026-09-02,LANDLORD,-5.00\n")
	damaged := excel(t, "damaged.xlsx", "Date,Description,Amount\nday 46267,< OTHER,-1\n")
	for want, file := range map[string]bookkeeping.Source{
		"is an Excel workbook without a table of bank lines, open invoices or rates; skipped": excel(t, "n.xlsx", "a,b\n"),
		"is a damaged workbook (s0.xml)": damaged,
	} {
		report, err := newBooks(t).Import(context.Background(), []bookkeeping.Source{file, lines}, bookkeeping.Options{})
		if err != nil || report.Failed() != strings.Contains(want, "damaged") {
			t.Fatalf("%s: %+v, %v", want, report, err)
		}
		said := report.Files[0].Error + strings.Join(report.Files[0].Problems, " ")
		if !strings.Contains(said, want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
}
