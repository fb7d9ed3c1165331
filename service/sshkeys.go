package service

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/ssh"

	"tarmac/service/access"
	"tarmac/service/ids"
	"tarmac/service/lifecycle"
	"tarmac/service/store"
)

const maxSSHKeyName = 100

// loginForm matches the SSH user names that AddSSHKey accepts. No ID of an organization matches.
var loginForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// NewSSHKey describes an SSH key to add.
type NewSSHKey struct {
	OrgPublicID string
	Name        string         // name of the person
	Login       string         // see access.SSHKey; may be empty
	PublicKey   string         // content of the public key's file (access.ParsePublicKey)
	Scopes      []access.Scope // default: access.ReadScopes
	ExpiresIn   time.Duration  // 0 means that the key does not expire
}

// AddSSHKey allows a person to open the organization's dashboard over SSH. The error wraps
// store.ErrNotFound if there is no such organization. It is *lifecycle.Invalid for an invalid name,
// user name or lifetime.
func (s *Service) AddSSHKey(ctx context.Context, add NewSSHKey) (access.SSHKey, error) {
	public, k, err := s.newSSHKey(add)
	if err != nil {
		return access.SSHKey{}, err
	}
	_, org, err := s.Organization(ctx, add.OrgPublicID)
	if err != nil {
		return access.SSHKey{}, err
	}
	err = s.store.Write(ctx, func(tx *store.Tx) error { return tx.InsertSSHKey(org, k, public.Marshal()) })
	if err != nil {
		return access.SSHKey{}, s.explainSSHKeyConflict(ctx, err, org, k)
	}
	return k, nil
}

// newSSHKey checks the description of an SSH key and returns the key.
func (s *Service) newSSHKey(add NewSSHKey) (ssh.PublicKey, access.SSHKey, error) {
	name := strings.TrimSpace(add.Name)
	if n := utf8.RuneCountInString(name); n < 1 || n > maxSSHKeyName || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return nil, access.SSHKey{}, &lifecycle.Invalid{
			Text: fmt.Sprintf("the person's name must have 1 to %d characters and no control characters", maxSSHKeyName)}
	}
	if add.Login != "" && !loginForm.MatchString(add.Login) {
		return nil, access.SSHKey{}, &lifecycle.Invalid{Text: "the SSH user name must have at most 32 characters: " +
			"small letters, digits and hyphens, a letter first"}
	}
	if add.ExpiresIn < 0 {
		return nil, access.SSHKey{}, &lifecycle.Invalid{Text: "the key would have expired already; give a time in the future"}
	}
	if len(add.Scopes) == 0 {
		add.Scopes = access.ReadScopes()
	}
	scopes, err := access.Normalize(add.Scopes)
	if err != nil {
		return nil, access.SSHKey{}, err
	}
	public, err := access.ParsePublicKey(add.PublicKey)
	if err != nil {
		return nil, access.SSHKey{}, err
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	k := access.SSHKey{
		OrgPublicID: add.OrgPublicID, Name: name, Login: add.Login, Algorithm: public.Type(),
		Fingerprint: ssh.FingerprintSHA256(public), Scopes: scopes, CreatedAt: now,
	}
	if k.PublicID, err = s.ids.New(ids.SSHKey, now); err != nil {
		return nil, access.SSHKey{}, fmt.Errorf("making the id of an SSH key: %w", err)
	}
	if add.ExpiresIn > 0 {
		at := now.Add(add.ExpiresIn)
		k.ExpiresAt = &at
	}
	return public, k, nil
}

// explainSSHKeyConflict adds to the error of an SSH key that was not added which key is in the way.
func (s *Service) explainSSHKeyConflict(ctx context.Context, err error, org store.OrgKey, k access.SSHKey) error {
	if !errors.Is(err, store.ErrSSHKeyExists) && !errors.Is(err, store.ErrSSHLoginTaken) {
		return err
	}
	same, failure := s.store.SSHKeysByFingerprint(ctx, k.Fingerprint)
	if failure != nil {
		return err
	}
	for _, c := range same {
		switch {
		case c.RevokedAt != nil:
		case c.Org == org:
			return fmt.Errorf("%w: %s of %s; to change it, revoke that one and add the key again", err, c.PublicID, c.Name)
		case c.Login == k.Login && k.Login != "":
			return fmt.Errorf("%w: %s, by %s; choose another --user", err, c.OrgPublicID, c.PublicID)
		}
	}
	return err
}

// SSHKeys returns an organization's SSH keys, oldest first, including expired and revoked ones. The
// error wraps store.ErrNotFound if there is no such organization.
func (s *Service) SSHKeys(ctx context.Context, orgPublicID string) ([]access.SSHKey, error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return nil, err
	}
	return s.store.SSHKeys(ctx, org)
}

// RevokeSSHKey revokes an SSH key immediately. Its open sessions end within a second. The error
// wraps store.ErrNotFound if there is no such key.
func (s *Service) RevokeSSHKey(ctx context.Context, keyPublicID string) error {
	if err := checkID("an SSH key", keyPublicID, ids.SSHKey); err != nil {
		return err
	}
	err := s.store.Write(ctx, func(tx *store.Tx) error { return tx.RevokeSSHKey(keyPublicID, s.now()) })
	if err != nil {
		return fmt.Errorf("revoking the SSH key %q: %w", keyPublicID, err)
	}
	return nil
}
