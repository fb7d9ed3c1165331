package cli_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
		invoices, err2 := filepath.Glob(filepath.Join(dir, "e-invoice-*"))
		if len(bills) != 1 || len(invoices) != 3 || err != nil || err2 != nil {
			t.Errorf("%s: bills %v, electronic invoices %v", currency, bills, invoices)
		}
	}
}

func TestDemoFilesHaveRulesForTheCategoriesOfCosts(t *testing.T) {
	for _, currency := range []string{"USD", "EUR"} {
		dir := filepath.Join(t.TempDir(), "sample")
		environ, rules := withRules(t, "")
		demo := tarmac(t, environ, "demo", "--files", dir, "--currency", currency)
		if step := "/rules.toml " + filepath.ToSlash(filepath.Dir(rules)) + "/\n"; !strings.Contains(demo.stdout, step) {
			t.Errorf("%s: %q lacks %q", currency, demo.stdout, step)
		}
		text, err := os.ReadFile(filepath.Join(dir, "rules.toml"))
		if err != nil {
			t.Fatal(err)
		}
		writeRules(t, rules, string(text))
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}

		imported := tarmac(t, environ, append([]string{"import", "--yes"}, files...)...)
		categories, all := spentBy(t, environ, "category")
		_, want := spentBy(t, environ, "counterparty")

		if !strings.Contains(imported.stdout, "is a rules file") {
			t.Errorf("%s: exit %d, %q, %q", currency, imported.code, imported.stdout, imported.stderr)
		}
		for _, category := range []string{"payroll", "cloud", "rent", "travel", "meals", "vendor_payments"} {
			if !slices.Contains(categories, category) {
				t.Errorf("%s: nothing was spent for %s: %v", currency, category, categories)
			}
		}
		if all != want || all == 0 {
			t.Errorf("%s: the categories add up to %d, want %d", currency, all, want)
		}
	}
}

// spentBy returns the groups of `tarmac spend --by`, those with a category, and their sum.
func spentBy(t *testing.T, environ map[string]string, group string) (categories []string, cents int64) {
	t.Helper()
	var rows []struct {
		Category   string `json:"category"`
		TotalCents int64  `json:"total_cents"`
	}
	r := tarmac(t, environ, "spend", "--json", "--by", group)
	if err := json.Unmarshal([]byte(r.stdout), &rows); err != nil {
		t.Fatalf("exit %d, %q, %v", r.code, r.stderr, err)
	}
	for _, row := range rows {
		categories, cents = append(categories, row.Category), cents+row.TotalCents
	}
	return categories, cents
}
