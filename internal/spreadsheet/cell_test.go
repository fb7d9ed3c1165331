package spreadsheet_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"tarmac/internal/spreadsheet"
)

func TestOnlyWhatWouldBeAFormulaIsMarkedAsText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Acme": "Acme", "a=1": "a=1", "'=1": "'=1", "1-1": "1-1", " Acme": " Acme",
		"Coca-Cola; a|b, c": "Coca-Cola; a|b, c",
		"=1+1":              "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "＝1": "'＝1", "﹦1": "'﹦1",
		" =1+1": "' =1+1", "\u00a0=1": "'\u00a0=1", "\u3000+1": "'\u3000+1", "\u2003-1": "'\u2003-1", "\ufeff=1": "'\ufeff=1",
		"\u200b@a": "'\u200b@a",
		"\u2060=1": "'\u2060=1", "\u00ad=1": "'\u00ad=1", "\x00=1": "'\x00=1", "\ufe0f=1": "'\ufe0f=1",
		"\u3164=1": "'\u3164=1",
		"\tx":      "'\tx", "\rx": "'\rx", "\n=1": "\n'=1", `"=1"`: `'"=1"`,
		"x;=cmd|' /C calc'!A0": "x;'=cmd|' /C calc'!A0", "x,=1": "x,'=1", "x|=1": "x|'=1", "x\t=1": "x\t'=1",
		"x\n=1":   "x\n'=1",
		"x\r\n=1": "x\r\n'=1", `x;"=1"`: `x;'"=1"`, "x; ＝1": "x;' ＝1", "x;\ufeff@a;-1": "x;'\ufeff@a;'-1",
		";;=1":      ";;'=1",
		"x;a=1;'=1": "x;a=1;'=1",
	} {
		if got := spreadsheet.Cell(text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}

// computed reports whether a spreadsheet that drops invisible characters would compute a
// cell.
func computed(cell string) bool {
	seen := strings.TrimLeftFunc(cell, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
	return seen != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(seen)[0])
}

// formula returns a cell that a spreadsheet would compute in a file with the text, or "". The file
// has commas; spreadsheets read it with other separators, with and without its quotes.
func formula(t interface{ Fatal(...any) }, text string) string {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	if err := w.Write([]string{"2026-01-02", spreadsheet.Cell(text), "end"}); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	for _, separator := range ",;\t|" {
		r := csv.NewReader(strings.NewReader(file.String()))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = separator, true, -1
		records, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(file.String()) {
			for _, cell := range strings.Split(line, string(separator)) {
				records = append(records, []string{strings.TrimLeft(cell, `"`)})
			}
		}
		for _, record := range records {
			for _, cell := range record {
				if computed(cell) {
					return cell
				}
			}
		}
	}
	return ""
}

// altered reports whether more than apostrophes distinguishes a cell from its text.
func altered(text string) bool {
	return strings.ReplaceAll(spreadsheet.Cell(text), "'", "") != strings.ReplaceAll(text, "'", "")
}

func TestNoTextIsComputed(t *testing.T) {
	letters := rapid.RuneFrom(
		[]rune("=+-@＝＋－＠ \t\r\n\u00a0\u2003\u3000\ufeff\u200b\u200f\u2028\u2060\x00a1'\",;|"),
		unicode.Cf, unicode.Z, unicode.Cc,
	)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(letters).Draw(t, "text")
		if cell := formula(t, text); cell != "" || altered(text) {
			t.Fatalf("%q became %q with the cell %q", text, spreadsheet.Cell(text), cell)
		}
	})
}

func TestACellIsMarkedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := spreadsheet.Cell(rapid.StringOf(rapid.SampledFrom([]rune("=+-@a '\",;| \n"))).Draw(t, "text"))
		if again := spreadsheet.Cell(cell); again != cell {
			t.Fatalf("%q became %q", cell, again)
		}
	})
}

func FuzzNoCellIsAFormula(f *testing.F) {
	for _, seed := range []string{"=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "＝1", "plain", "'=1", "", "a=b",
		"\u00a0=1", "\ufeff-1", "x;=1", "x;\"=1", "x\n=1", "\"=1\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if cell := formula(t, text); cell != "" || altered(text) {
			t.Fatalf("%q became %q with the cell %q", text, spreadsheet.Cell(text), cell)
		}
	})
}
