package cli

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/client/importing"
	"tarmac/internal/civil"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/demodata/samplefiles"
	"tarmac/service/store"
)

// importDemo imports the bank files of the sample company into the books of an organization.
func importDemo(ctx context.Context, svc *service.Service, org store.Organization, env command.Env, f demoFlags) error {
	files, err := samplefiles.Generate(samplefiles.Options{
		Company: demoCompany, Currency: f.currency, Seed: f.seed, Today: civil.Of(env.Now().UTC()),
	})
	if err != nil {
		return err
	}
	var sources []bookkeeping.Source
	rules := ""
	for _, file := range files {
		switch {
		case file.Name == samplefiles.RulesFile:
			rules = string(file.Content)
		case filepath.Ext(file.Name) != ".plan":
			sources = append(sources, bookkeeping.Source{Name: file.Name, Content: bytes.NewReader(file.Content)})
		}
	}
	own, err := svc.Books(ctx, org.PublicID)
	if err != nil {
		return err
	}
	if _, err := own.EditRules(ctx, func(string) string { return rules }); err != nil {
		return err
	}
	report, err := own.Import(ctx, sources, bookkeeping.Options{ReportIn: f.currency})
	if err != nil {
		return err
	}
	for _, file := range report.Files {
		if file.Error != "" {
			return fmt.Errorf("%s: %s", file.Name, file.Error)
		}
	}
	return nil
}

// demoBooks returns the own books of the sample company, for the page Books.
func demoBooks(svc *service.Service, org store.Organization, env command.Env) importing.Books {
	return books.ForScreens(func(ctx context.Context) (*bookkeeping.Books, error) {
		return svc.Books(ctx, org.PublicID)
	}, env.Now, nil)
}
