package table

import (
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// provider is a bank whose exports are known by their headings.
type provider struct {
	bank     string
	kind     bank.Kind
	headings []string // folded; all of them are in each of its exports
}

// providers lists headings that no other bank writes, from exports that are published or
// documented.
var providers = [...]provider{
	{bank: "Wise", headings: []string{"transferwise id"}},
	{bank: "Wise", headings: []string{"source amount after fees", "target amount after fees"}},
	{bank: "Revolut", headings: []string{"date started utc", "date completed utc", "orig currency", "payment currency"}},
	{bank: "Revolut", headings: []string{"started date", "completed date", "product", "state"}},
	{bank: "N26", headings: []string{"partner name", "partner iban", "amount eur", "account name"}},
	{bank: "AIB", headings: []string{"posted account", "posted transactions date"}},
	{bank: "AIB", kind: bank.KindCard, headings: []string{"masked card number", "posted transactions date"}},
	{bank: "Starling", headings: []string{"counter party", "spending category", "reference"}},
	{bank: "Monzo", headings: []string{"emoji", "local amount", "notes and tags"}},
	{bank: "Mercury", headings: []string{"source account", "bank description", "last four digits"}},
	{bank: "Qonto", headings: []string{"settlement date utc", "operation date utc", "total amount incl vat"}},
}

// providerOf returns the bank that writes files with these names of columns, or nil.
func providerOf(names []string) *provider {
	for n := range providers {
		if !slices.ContainsFunc(providers[n].headings, func(heading string) bool {
			return !slices.Contains(names, heading)
		}) {
			return &providers[n]
		}
	}
	return nil
}

// samples is how many rows a question shows.
const samples = 3

// withSamples adds the first rows of the file to a question about it.
func (l *layout) withSamples(err error, records []record) error {
	q, ok := err.(*bank.Question)
	if !ok {
		return err
	}
	shown := *q
	for _, one := range records {
		if one.line <= l.headerLine || len(shown.Samples) == samples {
			continue
		}
		var cells []string
		for _, field := range one.fields {
			if field = clean(field); field != "" {
				cells = append(cells, field)
			}
		}
		if len(cells) > 1 {
			shown.Samples = append(shown.Samples, strings.Join(cells, " · "))
		}
	}
	return &shown
}
