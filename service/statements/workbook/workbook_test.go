package workbook_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/workbook"
)

const (
	mainPart   = "xl/workbook.xml"
	sheetPart  = "xl/worksheets/sheet1.xml"
	textsPart  = "xl/sharedStrings.xml"
	stylesPart = "xl/styles.xml"
)

// parts returns the parts of a workbook with one visible sheet, with the given rows.
func parts(rows string) map[string]string {
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	link := func(id, kind, target string) string {
		return fmt.Sprintf(`<Relationship Id="%s" Type="%s/%s" Target="%s"/>`, id, office, kind, target)
	}
	return map[string]string{
		"_rels/.rels": `<Relationships>` + link("r1", "officeDocument", mainPart) + `</Relationships>`,
		"xl/_rels/workbook.xml.rels": `<Relationships>` + link("r1", "worksheet", "worksheets/sheet1.xml") +
			link("r2", "styles", "styles.xml") + link("r3", "sharedStrings", "/xl/sharedStrings.xml") +
			link("r4", "worksheet", "worksheets/none.xml") + `</Relationships>`,
		mainPart: `<workbook xmlns:r="` + office + `"><workbookPr/><sheets><sheet name="gone" state="hidden" r:id="r4"/>` +
			`<sheet name="Lines" sheetId="1" r:id="r1"/></sheets></workbook>`,
		stylesPart: `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\.mm\.yyyy"/>` +
			`<numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;;[Red]-0.00"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/>` +
			`</cellXfs>` +
			`</styleSheet>`,
		textsPart: `<sst><si><t>Name</t></si><si><r><t>Søren</t></r><r><t xml:space="preserve"> &amp; Co</t></r></si>` +
			`<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>`,
		sheetPart: `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
	}
}

func packed(t testing.TB, all map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for name, content := range all {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// text returns the first visible sheet of a workbook as CSV.
func text(content []byte) (string, error) {
	w, err := workbook.Open(bank.NewBudget(context.Background()), content)
	if err != nil {
		return "", err
	}
	if w.Sheets() == 0 {
		return "", errors.New("no sheets")
	}
	var got []byte
	for sheet := w.Sheets() - 1; sheet >= 0 && err == nil; sheet-- {
		got, err = w.CSV(sheet)
	}
	return string(got), err
}

func TestCellsAreWrittenByTheirTypes(t *testing.T) {
	for _, c := range []struct{ cells, want string }{
		{`<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c>`, "Name,Søren & Co,東京"},
		{`<c t="s"><v>3</v></c><c t="s"><v>-1</v></c><c><v>1</v></c>`, ",,1"},
		{`<c r="B1"><v>1</v></c><c r="D1"><v>2</v></c>`, ",1,,2"},
		{
			`<c r="A1" s="1"><v>46267</v></c><c s="2"><v>46267.5</v></c><c s="1"><v>1</v></c>`,
			"2026-09-02,2026-09-02 12:00:00,1900-01-01",
		},
		{`<c s="4"><v>0.5</v></c><c s="3"><v>46267</v></c><c s="9"><v>46267</v></c>`, "12:00:00,46267,46267"},
		{
			`<c><v>-1234.5599999999999</v></c><c><v>1E-2</v></c><c><v>1.23456789E+10</v></c>`,
			"-1234.56,0.01,12345678900",
		},
		{`<c><v>1.234</v></c><c><v>0.1</v></c><c><v>-5</v></c>`, "1.2340,0.1,-5"},
		{`<c t="str"><f>A1&amp;"x"</f><v>kept</v></c><c><f>SUM(B1:B9)</f><v>7.5</v></c>`, "kept,7.5"},
		{`<c><f>SUM(B1:B9)</f></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c t="b"><v>1</v></c>`, ",#DIV/0!,TRUE"},
		{
			`<c t="inlineStr"><is><t>a, "b"` + "\n" + `c</t></is></c><c t="d"><v>2026-09-02T00:00:00</v></c>`,
			`"a, ""b"" c",2026-09-02`,
		},
		{`<x:c xmlns:x="y"><x:v>4</x:v></x:c>`, "4"},
	} {
		got, err := text(packed(t, parts(`<row>`+c.cells+`</row>`)))
		if err != nil || strings.TrimSuffix(got, "\n") != c.want {
			t.Errorf("%s is %q, %v; want %q", c.cells, got, err, c.want)
		}
	}
}

func TestLinesHaveTheNumbersOfRows(t *testing.T) {
	got, err := text(packed(t, parts(`<row r="2"><c><v>2</v></c></row><row/><row r="5"><c><v>5</v></c></row>`)))
	if want := "\n2\n\n\n5\n"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestDatesMayBeCountedFrom1904(t *testing.T) {
	all := parts(`<row><c s="1"><v>44805</v></c></row>`)
	all[mainPart] = strings.Replace(all[mainPart], "<workbookPr/>", `<workbookPr date1904="1"/>`, 1)
	if got, err := text(packed(t, all)); err != nil || got != "2026-09-02\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHostileWorkbooksAreRefused(t *testing.T) {
	const entity = `<a><row><c t="str"><v>&e;</v></c></row></a>`
	with := func(part, content string) map[string]string {
		all := parts(`<row><c><v>1</v></c></row>`)
		all[part] = content
		return all
	}
	without := func(part string) map[string]string {
		all := with(part, "")
		delete(all, part)
		return all
	}
	many := without("none")
	for n := range 2001 {
		many[fmt.Sprint("xl/", n)] = ""
	}
	large := with(mainPart, "<a>"+strings.Repeat("<!--"+strings.Repeat(" ", 1<<16)+"-->", 1400)+"</a>")
	large[stylesPart], large[textsPart] = large[mainPart], large[mainPart]
	shared := with(textsPart, "<a><si><t>"+strings.Repeat("x", 1<<20)+"</t></si></a>")
	shared[sheetPart] = "<a><row>" + strings.Repeat(`<c t="s"><v>0</v></c>`, 70) + "</row></a>"
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"an archive of nothing": {packed(t, map[string]string{"a": ""}), "is no Excel workbook"},
		"no archive":            {[]byte("PK\x03\x04xl/"), "is no Excel workbook"},
		"too large":             {make([]byte, workbook.MaxSize+1), "more than 20 MB"},
		"too many parts":        {packed(t, many), "is no Excel workbook"},
		"no sheet":              {packed(t, without(sheetPart)), "is no Excel workbook"},
		"parts that unpack to more than 256 MB": {
			packed(t, large), "larger than 256 MB when unpacked",
		},
		"a tag without end": {packed(t, with(mainPart, "<a "+strings.Repeat(`b="" `, 1<<20))),
			"a tag is longer than 65536 bytes"},
		"elements without ends":     {packed(t, with(mainPart, strings.Repeat("<a>", 1<<20))), "nested deeper than 64"},
		"a long text in many cells": {packed(t, shared), "more than 32 MB of text"},
		"cut short":                 {packed(t, with(sheetPart, "<a><row><c><v>1")), "damaged workbook (sheet1.xml)"},
		"cut short in a text":       {packed(t, with(textsPart, "<a><si><t>1")), "damaged workbook (sharedStrings.xml)"},
		"an entity of a file": {
			packed(t, with(sheetPart, `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>`+entity)), "damaged workbook",
		},
		"entities of entities": {
			packed(t, with(sheetPart, `<!DOCTYPE a [<!ENTITY e "&f;&f;"><!ENTITY f "x">]>`+entity)), "damaged workbook",
		},
		"too many rows": {packed(t, with(sheetPart, "<a>"+strings.Repeat("<row/>", 1<<20+1)+"</a>")),
			"more than 1,048,576 rows"},
		"rows out of order":    {packed(t, with(sheetPart, `<a><row r="2"/><row r="1"/></a>`)), "rows are not in order"},
		"a row beyond Excel's": {packed(t, with(sheetPart, `<a><row r="99999999"/></a>`)), "rows are not in order"},
	} {
		if got, err := text(c.content); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d bytes, %v; want %q", name, len(got), err, c.want)
		}
	}
}

func TestColumnsBeyondThe200thAreLeftOut(t *testing.T) {
	cells := `<c r="XFD1"><v>1</v></c><c r="ZZZZZZZZ1"><v>1</v></c><c r="B1"><v>2</v></c>`
	got, err := text(packed(t, parts(`<row>`+cells+`</row>`)))
	if err != nil || got != ",2\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestReadingStopsWhenItIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := workbook.Open(bank.NewBudget(ctx), packed(t, parts(`<row/>`))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Parts of a workbook never make it panic, nor take more memory than the limits.
func FuzzSheet(f *testing.F) {
	for _, rows := range []string{
		`<row r="1"><c r="A1" s="2" t="s"><v>1</v></c></row>`, `<row><c t="inlineStr"><is><t>x</t></is></c></row>`,
	} {
		all := parts(rows)
		f.Add(all[sheetPart], all[textsPart], all[stylesPart])
	}
	f.Fuzz(func(t *testing.T, sheet, texts, styles string) {
		all := parts("")
		all[sheetPart], all[textsPart], all[stylesPart] = sheet, texts, styles
		budget, content := bank.NewBudget(t.Context()), packed(t, all)
		if w, err := workbook.Open(budget, content); err == nil {
			_, _ = w.CSV(0)
		}
		banks.CheckSteps(t, budget, append(content, sheet+texts+styles...))
	})
}
