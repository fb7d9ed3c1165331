package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestDemoFilesAreWrittenToANewPrivateDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "sample files")

	r := tarmac(t, nil, "demo", "--files", dir)

	if r.code != 0 || !strings.Contains(r.stdout, "tarmac import '"+filepath.ToSlash(dir)+"'/*\n") {
		t.Fatalf("exit %d, %q, %q", r.code, r.stdout, r.stderr)
	}
	found, err := os.ReadDir(dir)
	if err != nil || len(found) < 20 {
		t.Fatalf("%d files, %v", len(found), err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has the mode %v, %v", info.Mode(), err)
	}
	for _, file := range found {
		if info, err := file.Info(); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s has the mode %v, %v", file.Name(), info.Mode(), err)
		}
	}
}

func TestDemoFilesDifferBySeed(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	tarmac(t, nil, "demo", "--files", one, "--seed", "7")
	tarmac(t, nil, "demo", "--files", two)

	rates, err := os.ReadFile(filepath.Join(one, "exchange-rates.csv"))
	if err != nil {
		t.Fatal(err)
	}
	others, err := os.ReadFile(filepath.Join(two, "exchange-rates.csv"))
	if err != nil || string(rates) == string(others) {
		t.Errorf("both seeds have the same rates, %v", err)
	}
}

func TestDemoFilesAreNotMixedWithOthers(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "statement.csv")
	if err := os.WriteFile(own, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}

	refused(t, tarmac(t, nil, "demo", "--files", dir), 1, "is not empty; name a new directory")
	refused(t, tarmac(t, nil, "demo", "--files", own), 1, "not a directory")

	if found, err := os.ReadDir(dir); err != nil || len(found) != 1 {
		t.Errorf("the directory has %v, %v", found, err)
	}
}

func TestDemoFilesThatCannotBeWrittenLeaveNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("directories have no modes here")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, fs.FileMode(0o777)); err != nil {
		t.Fatal(err)
	}

	refused(t, tarmac(t, nil, "demo", "--files", dir), 1, "others can write to")

	if found, err := os.ReadDir(dir); err != nil || len(found) != 0 {
		t.Errorf("the directory has %v, %v", found, err)
	}
}

func TestDemoFilesExcludeFlagsOfTheDashboard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sample")

	refused(t, tarmac(t, nil, "demo", "--files", dir, "--data", dir), 2, "--files cannot be combined")
	refused(t, tarmac(t, nil, "demo", "--files", dir, "--transactions", "5"), 2, "--files cannot be combined")
	refused(t, tarmac(t, nil, "demo", "--files", ""), 2, "--files is empty")
}

func TestDemoFilesHaveBillsAndAPlan(t *testing.T) {
	for _, currency := range []string{"USD", "EUR"} {
		dir := filepath.Join(t.TempDir(), "sample")
		tarmac(t, nil, "demo", "--files", dir, "--currency", currency)

		checked := tarmac(t, nil, "plan", "check", "--plan", filepath.Join(dir, "northlight.plan"))
		if checked.code != 0 || !strings.Contains(checked.stderr, "12 lines, no mistakes.") {
			t.Errorf("%s: exit %d, %q, %q", currency, checked.code, checked.stdout, checked.stderr)
		}
		bills, err := filepath.Glob(filepath.Join(dir, "bills-to-pay-*.csv"))
		invoices, err2 := filepath.Glob(filepath.Join(dir, "e-invoice-*.xml"))
		if len(bills) != 1 || len(invoices) != 3 || err != nil || err2 != nil {
			t.Errorf("%s: bills %v, electronic invoices %v", currency, bills, invoices)
		}
	}
}
