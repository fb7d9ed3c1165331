package sample

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Golden compares a screen, without its styles, with the file testdata/NAME.golden of the tested
// package. If update is set, it writes that file instead.
func Golden(t *testing.T, name, picture string, update bool) {
	t.Helper()
	var b strings.Builder
	for line := range strings.SplitSeq(ansi.Strip(picture), "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	path := filepath.Join("testdata", name+".golden")
	if update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s is not as it was; got:\n%s\nwant:\n%s\n(go test -update writes it anew)", name, b.String(), want)
	}
}

// UpdateFlag declares the flag -update for the tests of a package.
func UpdateFlag() *bool { return flag.Bool("update", false, "write the golden files anew") }
