package rates_test

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
	"tarmac/service/statements/rates"
)

// archive returns a ZIP archive of files, named and written in pairs.
func archive(t *testing.T, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		file, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(file, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const day = "Date, USD, JPY, \n30 September 2026, 1.1702, 174.55, \n"

func TestAnArchiveIsKnownByTheFileInIt(t *testing.T) {
	for content, want := range map[string]bool{
		archive(t, "any name", day): true, archive(t, "eurofxref.csv", "Date,Payee,Amount\n"): false,
		archive(t, "[Content_Types].xml", "<?xml version=\"1.0\"?>"): false, archive(t): false,
	} {
		if rates.Format().Recognize(bank.NewBudget(t.Context()), []byte(content)) != want {
			t.Errorf("%q: want %v", content, want)
		}
	}
}

func TestAnArchiveIsReadLikeItsFile(t *testing.T) {
	found, err := read(archive(t, "eurofxref.csv", day, "__MACOSX/._eurofxref.csv", "x"), bank.Options{})

	if err != nil || len(found.Rates) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestUnusableArchivesAreRefused(t *testing.T) {
	good := archive(t, "eurofxref.csv", day)
	broken := strings.Replace(good, string([]byte(good)[50:52]), "\xff\xfe", 1)
	bomb := archive(t, "bomb.csv", "Date,USD,\n"+strings.Repeat(strings.Repeat("2026-09-30,1,\n", 1000), 5000))
	for name, test := range map[string]struct{ content, want string }{
		"cut short":    {good[:len(good)-30], "is a damaged ZIP archive"},
		"flipped bits": {broken, "is a damaged ZIP archive"},
		"two files":    {archive(t, "a", day, "b", day), "is a ZIP archive of several files"},
		"a bomb":       {bomb, "is a ZIP archive of more than 64 MB when unpacked"},
		"too large":    {good + strings.Repeat("\x00", 5<<20), "is a ZIP archive of more than 4 MB"},
	} {
		_, err := read(test.content, bank.Options{})

		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
