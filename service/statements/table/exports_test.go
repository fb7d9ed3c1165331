package table_test

import (
	"os"
	"path/filepath"
	"testing"

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
