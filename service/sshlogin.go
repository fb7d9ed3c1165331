package service

import (
	"context"
	"slices"
	"strings"

	"tarmac/service/ids"
	"tarmac/service/store"
)

// SSHLogin returns the SSH keys with which a person opens organizations over SSH, in the order in
// which they were added. user is the user name that the person's client sent. If it is the ID of an
// organization or the login of a key, only that key is returned; if it is neither, all keys are
// returned, because clients send the person's name on their own machine by default. There are no
// keys for a public key that is unknown or not valid any more, or that the organization in user
// does not have. SSHLogin always takes a single query, so that its time does not tell these cases
// apart.
func (s *Service) SSHLogin(ctx context.Context, user, fingerprint string) ([]store.SSHCredential, error) {
	keys, err := s.store.SSHKeysByFingerprint(ctx, fingerprint)
	if err != nil {
		return nil, err
	}
	now := s.now()
	keys = slices.DeleteFunc(keys, func(k store.SSHCredential) bool { return !k.Valid(now) })
	return chooseSSHKeys(keys, user), nil
}

// chooseSSHKeys returns those of the keys that a user name stands for.
func chooseSSHKeys(keys []store.SSHCredential, user string) []store.SSHCredential {
	for _, k := range keys {
		if strings.EqualFold(k.OrgPublicID, user) || k.Login != "" && strings.EqualFold(k.Login, user) {
			return []store.SSHCredential{k}
		}
	}
	if strings.HasPrefix(strings.ToLower(user), ids.Organization) {
		return nil
	}
	return keys
}
