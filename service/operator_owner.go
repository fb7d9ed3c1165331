package service

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

// Limits of an owner's name and e-mail address, in characters. They equal those of an invoice's
// recipient (docs/api.md, Invoice proposal).
const (
	maxOwnerName  = 200
	maxOwnerEmail = 254
)

// SetOwner sets an organization's active owner, in whose name invoices are proposed from then on
// (docs/api.md, Active owner). The error wraps store.ErrNotFound if there is no such organization.
// It is *lifecycle.Invalid for an invalid name or address.
func (s *Service) SetOwner(ctx context.Context, orgPublicID, name, email string) (store.Organization, error) {
	name, email = strings.TrimSpace(name), strings.TrimSpace(email)
	if n := utf8.RuneCountInString(name); n < 1 || n > maxOwnerName || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return store.Organization{}, &lifecycle.Invalid{
			Text: fmt.Sprintf("the owner's name must have 1 to %d characters and no control characters", maxOwnerName)}
	}
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > maxOwnerEmail ||
		strings.ContainsFunc(email, unicode.IsSpace) {
		return store.Organization{}, &lifecycle.Invalid{Text: "the owner's e-mail address must be like name@example.com"}
	}
	return s.setOwner(ctx, orgPublicID, name, email)
}

// ClearOwner removes an organization's active owner. Without an owner, no invoice can be proposed.
// The error wraps store.ErrNotFound if there is no such organization.
func (s *Service) ClearOwner(ctx context.Context, orgPublicID string) (store.Organization, error) {
	return s.setOwner(ctx, orgPublicID, "", "")
}

func (s *Service) setOwner(ctx context.Context, orgPublicID, name, email string) (store.Organization, error) {
	o, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return store.Organization{}, err
	}
	o.OwnerName, o.OwnerEmail = name, email
	return o, s.store.Write(ctx, func(tx *store.Tx) error { return tx.SetOwner(org, name, email) })
}
