package service

import (
	"context"
	"fmt"

	"tarmac/service/store"
)

// CurrencyUpdate says that the books of an organization report in another currency than before.
type CurrencyUpdate struct {
	OrgPublicID string
	Currency    string
}

// UpdateCurrencies derives the books again that do not report in the currency that follows from
// them: those of earlier versions, which reported in US dollars alone.
func (s *Service) UpdateCurrencies(ctx context.Context) (updated []CurrencyUpdate, err error) {
	ctx = store.WithAudit(ctx, nil) // nobody has decided anything
	due, err := s.store.ForeignBooks(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range due {
		currency, err := s.booksOf(o.Org).UpdateCurrency(ctx)
		if err != nil {
			return updated, fmt.Errorf("deriving the books of %s in their currency: %w", o.PublicID, err)
		}
		if currency != "" {
			updated = append(updated, CurrencyUpdate{o.PublicID, currency})
		}
	}
	return updated, nil
}

// updateCurrencies is UpdateCurrencies for a service that runs.
func (s *Service) updateCurrencies(ctx context.Context) {
	updated, err := s.UpdateCurrencies(ctx)
	for _, u := range updated {
		s.logger.Info("books report in the currency of most of their lines now", "org", u.OrgPublicID, "currency", u.Currency)
	}
	if err != nil && ctx.Err() == nil {
		s.logger.Warn("books could not be derived in their currency; trying again at the next start", "error", err)
	}
}
