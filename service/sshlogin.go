package service

import (
	"context"
	"strings"
	"time"

	"tarmac/service/ids"
	"tarmac/service/store"
)

// SSHLogin returns the SSH keys with which a person opens organizations over SSH, in the order in
// which they were added. user is the user name that the person's client sent. If it is the ID of an
// organization or the login of a key, only that organization's key is returned; if it is neither,
// all keys are returned, because clients send the person's name on their own machine by default.
// There are no keys for a public key that is unknown, or that is not valid any more for the
// organization that user names. SSHLogin always takes a single query, so that its time does not
// tell these cases apart.
func (s *Service) SSHLogin(ctx context.Context, user, fingerprint string) ([]store.SSHCredential, error) {
	keys, err := s.store.SSHKeysByFingerprint(ctx, fingerprint)
	if err != nil {
		return nil, err
	}
	return chooseSSHKeys(keys, user, s.now()), nil
}

// chooseSSHKeys returns those of the keys that a user name stands for and that are valid. The login
// of a key that has ended still names its organization: nobody who asks for one organization gets
// another one.
func chooseSSHKeys(keys []store.SSHCredential, user string, now time.Time) (chosen []store.SSHCredential) {
	named := strings.HasPrefix(strings.ToLower(user), ids.Organization)
	var org store.OrgKey
	for _, k := range keys {
		matches := strings.EqualFold(k.OrgPublicID, user) || k.Login != "" && strings.EqualFold(k.Login, user)
		if matches && (org == 0 || k.Valid(now)) { // a valid key may have the login of a revoked one
			named, org = true, k.Org
		}
	}
	for _, k := range keys {
		if k.Valid(now) && (!named || k.Org == org) {
			chosen = append(chosen, k)
		}
	}
	return chosen
}
