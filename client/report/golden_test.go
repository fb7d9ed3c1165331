package report_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

func TestReportsAreWhatTheyWere(t *testing.T) {
	for name, in := range cases() {
		file := strings.ReplaceAll(name, " ", "-")
		golden(t, file+".txt", textOf(t, in, false))
		if name == "hostile" {
			continue // its other forms have the IDs of ten thousand transactions, or depend on names alone
		}
		golden(t, file+".json", jsonOf(t, in))
	}
	usual := company().input()
	golden(t, "usual.html", pageOf(t, usual, false))
	golden(t, "masked.html", pageOf(t, usual, true))
	golden(t, "masked.txt", textOf(t, usual, true))
	golden(t, "hostile-names.html", pageOf(t, renamed(hostileNames), false))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at it with go test ./client/report -update and git diff", name)
	}
}
