package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service/demodata/samplefiles"
)

// writeDemoFiles writes the bank files of the sample company in a currency to a directory, which
// must be new or empty, and tells the user what to do with them. After an error none of the files
// is left.
func writeDemoFiles(env command.Env, dir, currency string, seed int64) error {
	files, err := samplefiles.Generate(samplefiles.Options{
		Company: demoCompany, Currency: currency, Seed: seed, Today: civil.Of(env.Now().UTC()),
	})
	if err != nil {
		return err
	}
	remove, err := newDirectory(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if err := privatefile.Create(path, f.Content); err != nil {
			remove()
			return err
		}
		removeDirectory := remove
		remove = func() { _ = os.Remove(path); removeDirectory() }
	}
	return describeDemoFiles(env, dir, currency, len(files))
}

// newDirectory makes a private directory, unless there is an empty one. The returned function
// removes what it made.
func newDirectory(dir string) (remove func(), err error) {
	found, err := os.ReadDir(dir)
	switch {
	case err == nil && len(found) > 0:
		return nil, fmt.Errorf("%s is not empty; name a new directory", termtext.Line(dir))
	case err == nil:
		return func() {}, nil
	case !os.IsNotExist(err):
		return nil, fmt.Errorf("cannot use %s: %w", termtext.Line(dir), privatefile.Reason(err))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make %s: %w", termtext.Line(dir), privatefile.Reason(err))
	}
	return func() { _ = os.Remove(dir) }, nil
}

// describeDemoFiles says what the files are and what to type next.
func describeDemoFiles(env command.Env, dir, currency string, count int) error {
	name := termtext.Line(dir)
	sample, takeRules := privatefile.ShellWord(filepath.ToSlash(name)), ""
	if config, err := settings.ConfigDirectory(env.Getenv); err == nil {
		config = privatefile.ShellWord(filepath.ToSlash(termtext.Line(config)))
		takeRules = fmt.Sprintf("  mkdir -p %s && cp -n %s/%s %s/\n", config, sample, samplefiles.RulesFile, config)
	}
	foreign, rates := "euro-*            euro", "US dollars for a euro"
	if currency == "EUR" {
		foreign, rates = "pound-*           pound", "US dollars for a euro and a pound"
	}
	_, err := fmt.Fprintf(env.Stdout, `%s has %s of %s, a sample company:
  operating-*       bank account in %s: QFX files that overlap, and the last 90 days as CSV
  savings-*         savings account at another bank: MT940
  %s account: CAMT.053 for each month
  card-*            company card: CSV with positive purchases, and statements as QFX
  open-invoices-*   what customers owe
  bills-to-pay-*    what is to be paid to vendors, and electronic invoices (e-invoice-*)
  exchange-rates    %s
  *.plan            a plan: budgets, hires, a raise
  rules.toml        rules that give costs their categories
Everything in them is invented. Try them:
%[8]s  tarmac import %[7]s/*
  tarmac
  tarmac spend --by category
  tarmac plan --plan %[7]s/*.plan
`, name, plural.Count(count, "file"), demoCompany, currency, foreign, rates,
		sample, takeRules)
	return err
}
