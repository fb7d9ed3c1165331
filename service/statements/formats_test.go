package statements_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/statements"
	"tarmac/service/statements/bank"
)

// ownFiles are those of formats that are not named like their package.
var ownFiles = map[string]string{
	"receivables": "openitems/testdata/*", "csv": "table/testdata/*", "hledger": "journal/testdata/*.journal",
	"beancount": "journal/testdata/*.beancount",
}

// Each reader's own files are recognized as its format and no other.
func TestFilesAreRecognizedByTheirContent(t *testing.T) {
	for _, format := range statements.Formats(civil.Date{}) {
		files, err := filepath.Glob(filepath.FromSlash(cmp.Or(ownFiles[format.Name], format.Name+"/testdata/*")))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files of its own: %v", format.Name, err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.IsDir() || filepath.Ext(file) == ".golden" {
				continue
			}
			head, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found, ok, _ := statements.Detect(bank.NewBudget(t.Context()), head[:min(len(head), bank.HeadSize)], civil.Date{})

			if !ok || found.Name != format.Name {
				t.Errorf("%s is recognized as %q", file, found.Name)
			}
		}
	}
}

func TestOtherFilesAreOfNoFormat(t *testing.T) {
	for name, head := range map[string]string{
		"nothing": "", "a PDF": "%PDF-1.7\n", "a picture": "\x89PNG\r\n\x1a\n", "a web page": "<!DOCTYPE html><html><OFX>",
		"bytes": "\x00\x01\x02\xff\xfe", "prose": "Dear customer,\nplease find your statement below.\n",
	} {
		if found, ok, _ := statements.Detect(bank.NewBudget(t.Context()), []byte(head), civil.Date{}); ok {
			t.Errorf("%s is recognized as %s", name, found.Name)
		}
	}
}

func TestFormatsAreNamedTheMostDetailedFirst(t *testing.T) {
	titles := statements.Titles()

	formats := statements.Formats(civil.Date{})
	if len(titles) != len(formats) || titles[0] != "CAMT" || titles[1] != "OFX" || !slices.Contains(titles, "CSV") {
		t.Errorf("the formats are %q", titles)
	}
	for _, f := range formats {
		if f.Title == "" || f.Rank < 0 || f.Rank > 3 {
			t.Errorf("%s has the title %q and the rank %d", f.Name, f.Title, f.Rank)
		}
	}
}
