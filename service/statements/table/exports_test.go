package table_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/table"
)

// The files in testdata/exports have the columns of banks and payment services, and rows of our
// own. Each has a line of 3 April 2026 with 1.50 out, and one of 5 April with 2.50 in.
func TestExportsOfManyBanksAreRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "exports", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no exports: %v", err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		found, err := banks.Read(table.Format(), file, bank.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		out, in := false, false
		for _, line := range found.Statements[0].Lines {
			out = out || line.Booked.String() == "2026-04-03" && line.Minor == -150
			in = in || line.Booked.String() == "2026-04-05" && line.Minor == 250
		}
		if !out || !in || len(found.Statements) != 1 || len(found.Statements[0].Lines) > 4 {
			t.Errorf("%s: %d statements, %v %+v", name, len(found.Statements), found.Problems, found.Statements[0].Lines)
		}
	}
}

func TestJapaneseExportsAreRead(t *testing.T) {
	for name, content := range map[string]string{
		"one column of amounts": "取引日,入出金(円),取引後残高(円),入出金内容\n" +
			"20260403,-1500,98500,カブシキガイシャ\n20260405,30000,128500,フリコミ\n",
		"thousands": `"日付","摘要","摘要内容","支払い金額","預かり金額",` +
			`"差引残高","メモ","未資金化区分","入払区分"` + "\n" +
			`"2026/4/3","カード","ATM","1,500","","98,500","","","支払い"` + "\n" +
			`"2026/4/5","振込1","ヤマダ","","30,000","128,500","","","入金"` + "\n",
		"two columns": "日付,摘要,お支払金額,お預り金額,残高\n" +
			"2026/04/03,カード,1500,,98500\n2026/04/05,振込,,30000,128500\n",
	} {
		encoded, err := japanese.ShiftJIS.NewEncoder().String(content)
		if err != nil {
			t.Fatal(err)
		}

		found, err := banks.Read(table.Format(), strings.NewReader(encoded), bank.Options{Currency: "JPY"})

		if err != nil || len(found.Statements) != 1 || len(found.Statements[0].Lines) != 2 {
			t.Errorf("%s: %+v, %v", name, found, err)
			continue
		}
		out, in := found.Statements[0].Lines[0], found.Statements[0].Lines[1]
		if out.Minor != -1500 || in.Minor != 30000 || out.Booked.String() != "2026-04-03" ||
			found.Statements[0].Closing.Minor != 128500 {
			t.Errorf("%s: %+v", name, found.Statements[0])
		}
	}
}
