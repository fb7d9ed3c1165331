package demodata

import (
	"fmt"

	"tarmac/service/invoicing"
	"tarmac/service/ledger"
)

// History holds the generated ledger rows and invoices of an organization in memory.
type History struct {
	Rows     []ledger.Transaction // ordered by date
	Invoices []invoicing.Invoice  // ordered by number
}

// NewHistory returns the transactions and invoices that Generate writes for the same options. Their
// public ids differ from those of Generate.
func NewHistory(opts Options) (*History, error) {
	p, err := newPlan(opts, newIDSources(opts.Seed, streamIDs, 0))
	if err != nil {
		return nil, fmt.Errorf("planning the organization: %w", err)
	}
	h := &History{Rows: make([]ledger.Transaction, 0, p.transactions())}
	err = p.stream(newRand(opts.Seed, streamSmall), func(rows []ledger.Transaction, _ bool) error {
		h.Rows = append(h.Rows, rows...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("generating the organization: %w", err)
	}
	for _, b := range p.bills {
		h.Invoices = append(h.Invoices, b.inv)
	}
	return h, nil
}
