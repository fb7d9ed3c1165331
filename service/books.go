package service

import (
	"context"

	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// Books returns the books that an organization keeps from its bank statements. The error wraps
// store.ErrNotFound if there is no such organization.
func (s *Service) Books(ctx context.Context, orgPublicID string) (*bookkeeping.Books, error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return nil, err
	}
	return s.booksOf(org), nil
}

func (s *Service) booksOf(org store.OrgKey) *bookkeeping.Books {
	return &bookkeeping.Books{Store: s.store, Org: org, IDs: s.ids, Now: s.now, RulesFile: s.rules}
}
