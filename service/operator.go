package service

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tarmac/service/access"
	"tarmac/service/ids"
	"tarmac/service/store"
)

const maxOrganizationName = 200

// CreateOrganization creates an organization that has neither an owner nor an open account.
func (s *Service) CreateOrganization(ctx context.Context, name string) (store.Organization, error) {
	name, err := CheckOrganizationName(name)
	if err != nil {
		return store.Organization{}, err
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	id, err := s.ids.New(ids.Organization, now)
	if err != nil {
		return store.Organization{}, fmt.Errorf("making an organization id: %w", err)
	}
	o := store.Organization{PublicID: id, Name: name, CreatedAt: now}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.CreateOrganization(o)
		return err
	})
	return o, err
}

// CheckOrganizationName returns the name of an organization without spaces around it, or an error
// that says what is wrong with it.
func CheckOrganizationName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > maxOrganizationName || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return "", fmt.Errorf("the name must have 1 to %d characters and no control characters", maxOrganizationName)
	}
	return name, nil
}

// Rename gives an organization another name.
func (s *Service) Rename(ctx context.Context, orgPublicID, name string) error {
	name, err := CheckOrganizationName(name)
	if err != nil {
		return err
	}
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx *store.Tx) error { return tx.Rename(org, name) })
}

// LimitOrganization changes the limits of an organization. The error wraps store.ErrNotFound if
// there is no such organization.
func (s *Service) LimitOrganization(
	ctx context.Context, orgPublicID string, change func(*store.OrganizationLimits),
) (o store.Organization, err error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return store.Organization{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) (err error) {
		if o, err = tx.Organization(org); err != nil {
			return err
		}
		change(&o.OrganizationLimits)
		return tx.SetLimits(org, o.OrganizationLimits)
	})
	return o, err
}

// Drafts returns how many drafts an organization has. The error wraps store.ErrNotFound if there is
// no such organization.
func (s *Service) Drafts(ctx context.Context, orgPublicID string) (usage store.DraftUsage, err error) {
	err = s.readOrganization(ctx, orgPublicID, func(snap *store.Snapshot, org store.OrgKey) (err error) {
		usage, err = snap.Drafts(org, math.MaxInt32)
		return err
	})
	return usage, err
}

// EraseOrganization deletes everything of an organization but its ID, and returns the number of
// deleted rows. After an interruption it can be called again. The error wraps store.ErrNotFound if
// there is no such organization, or no more.
func (s *Service) EraseOrganization(ctx context.Context, orgPublicID string) (deleted int64, err error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return 0, err
	}
	return s.store.Erase(ctx, org)
}

// Organizations returns all organizations, oldest first.
func (s *Service) Organizations(ctx context.Context) ([]store.Organization, error) {
	return s.store.Organizations(ctx)
}

// CreateToken creates a token for an organization and returns its secret, which is not stored. The
// token does not expire if expiresIn is 0. The error wraps store.ErrNotFound if there is no such
// organization.
func (s *Service) CreateToken(
	ctx context.Context, orgPublicID string, scopes []access.Scope, expiresIn time.Duration,
) (secret string, t access.Token, err error) {
	if scopes, err = access.Normalize(scopes); err != nil {
		return "", access.Token{}, err
	}
	if expiresIn < 0 {
		return "", access.Token{}, errors.New("the token would have expired already; give a time in the future")
	}
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return "", access.Token{}, err
	}
	if secret, err = access.NewSecret(s.entropy); err != nil {
		return "", access.Token{}, err
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	t = access.Token{OrgPublicID: orgPublicID, LastFour: access.LastFour(secret), Scopes: scopes, CreatedAt: now}
	if t.PublicID, err = s.ids.New(ids.Token, now); err != nil {
		return "", access.Token{}, fmt.Errorf("making a token id: %w", err)
	}
	if expiresIn > 0 {
		at := now.Add(expiresIn)
		t.ExpiresAt = &at
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error { return tx.InsertToken(org, t, access.Hash(secret)) })
	if err != nil {
		return "", access.Token{}, err
	}
	return secret, t, nil
}

// Tokens returns an organization's tokens, oldest first, including expired and revoked ones.
// The error wraps store.ErrNotFound if there is no such organization.
func (s *Service) Tokens(ctx context.Context, orgPublicID string) ([]access.Token, error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return nil, err
	}
	return s.store.Tokens(ctx, org)
}

// RevokeToken revokes a token immediately. The error wraps store.ErrNotFound if there is no such
// token.
func (s *Service) RevokeToken(ctx context.Context, tokenPublicID string) error {
	if err := checkID("a token", tokenPublicID, ids.Token); err != nil {
		return err
	}
	err := s.store.Write(ctx, func(tx *store.Tx) error { return tx.RevokeToken(tokenPublicID, s.now()) })
	if err != nil {
		return fmt.Errorf("revoking the token %q: %w", tokenPublicID, err)
	}
	return nil
}

// DeleteToken revokes a token and removes it from the list of tokens. It is for tokens that a
// program makes for itself. The error wraps store.ErrNotFound if there is no such token.
func (s *Service) DeleteToken(ctx context.Context, tokenPublicID string) error {
	return s.store.Write(ctx, func(tx *store.Tx) error { return tx.DeleteToken(tokenPublicID) })
}

// Organization returns the organization with the given public id, and its key in the database. The
// error wraps store.ErrNotFound if there is no such organization.
func (s *Service) Organization(ctx context.Context, publicID string) (store.Organization, store.OrgKey, error) {
	if err := checkID("an organization", publicID, ids.Organization); err != nil {
		return store.Organization{}, 0, err
	}
	o, key, err := s.store.Organization(ctx, publicID)
	if err != nil {
		return o, key, fmt.Errorf("the organization %q: %w", publicID, err)
	}
	return o, key, nil
}

// checkID returns an error if an id that a person typed does not have the given prefix. The error
// does not repeat the id, which may be a secret typed by mistake.
func checkID(what, id, prefix string) error {
	if !strings.HasPrefix(id, prefix) || access.ContainsSecret(id) {
		return fmt.Errorf("%s must be given by its id, which begins with %s: %w", what, prefix, store.ErrNotFound)
	}
	return nil
}

// DropSecrets removes everything from the database that gives access to something
// (store.Tx.DropSecrets), so that a backup of it can be given away.
func (s *Service) DropSecrets(ctx context.Context) error {
	return s.store.Write(ctx, func(tx *store.Tx) error { return tx.DropSecrets(sealingFingerprint, s.now()) })
}

// Backup copies the database to a new file at path and returns its size in bytes
// (store.Store.Backup). The service may run meanwhile. The key that encrypts webhook secrets is not
// included.
func (s *Service) Backup(ctx context.Context, path string) (int64, error) {
	return s.store.Backup(ctx, path)
}
