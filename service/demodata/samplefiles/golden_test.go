package samplefiles_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/service/demodata/samplefiles"
)

var update = flag.Bool("update", false, "write the golden checksums anew")

var today = civil.MustParse("2026-11-21")

func generate(t *testing.T, seed int64, currency string) []samplefiles.File {
	t.Helper()
	files, err := samplefiles.Generate(samplefiles.Options{
		Company: "Northlight Labs", Currency: currency, Seed: seed, Today: today,
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestTheSameSeedAndDayGiveTheSameFiles(t *testing.T) {
	var sums strings.Builder
	for _, f := range generate(t, 1, "USD") {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(f.Content), f.Name)
	}
	path := filepath.Join("testdata", "2026-11-21.sha256")
	if *update {
		if err := os.WriteFile(path, []byte(sums.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := sums.String(); got != string(want) {
		t.Errorf("the checksums are\n%swant\n%s", got, want)
	}
}
