package books

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestOnlyTheNewestBankFilesAreLookedAt(t *testing.T) {
	dir := t.TempDir()
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	write := func(name, content string, age int) {
		path, at := filepath.Join(dir, name), start.Add(-time.Duration(age)*time.Hour)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	const qif = "!Type:Bank\nD2026-10-30\nT-12.00\nPRent\n^\n"
	for n := range mostLookedAt - 2 {
		write(fmt.Sprintf("picture-%03d.png", n), "\x89PNG\x00", n)
	}
	write("second.qif", qif, 500)
	write("first.qif", qif, 0)
	write("too old.qif", qif, 501)
	write(".hidden.qif", qif, 0)
	if err := os.Mkdir(filepath.Join(dir, "folder.qif"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := forScreens{now: func() time.Time { return start }}

	found, err := s.BankFiles(t.Context(), dir)

	if err != nil || len(found) != 2 || found[0].Name != "first.qif" || found[1].Name != "second.qif" {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err = s.BankFiles(t.Context(), filepath.Join(dir, "none")); err != nil || found != nil {
		t.Errorf("a folder that does not exist has %+v, %v", found, err)
	}
}
