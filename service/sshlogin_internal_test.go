package service

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/service/access"
	"tarmac/service/store"
)

func TestTheUserNameChoosesTheOrganization(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	keys := []store.SSHCredential{
		{SSHKey: access.SSHKey{PublicID: "acme", OrgPublicID: "org_0AcmeA", Login: "acme"}, Org: 1},
		{SSHKey: access.SSHKey{PublicID: "globex", OrgPublicID: "org_0Globex"}, Org: 2},
	}
	revoked := store.SSHCredential{SSHKey: access.SSHKey{
		PublicID: "initech-1", OrgPublicID: "org_0Initech", Login: "initech", RevokedAt: &now}, Org: 3}
	expired := store.SSHCredential{SSHKey: access.SSHKey{
		PublicID: "hooli", OrgPublicID: "org_0Hooli", Login: "hooli", ExpiresAt: &now}, Org: 4}
	again := store.SSHCredential{SSHKey: access.SSHKey{PublicID: "initech-2", OrgPublicID: "org_0Initech"}, Org: 3}
	elsewhere := store.SSHCredential{SSHKey: access.SSHKey{
		PublicID: "other", OrgPublicID: "org_0Other", Login: "initech"}, Org: 5}
	ended := append(slices.Clone(keys), revoked, expired)
	for _, c := range []struct {
		user, want string
		keys       []store.SSHCredential
	}{
		{"acme", "acme", keys},
		{"ACME", "acme", keys},
		{"org_0globex", "globex", keys},
		{"ORG_0GLOBEX", "globex", keys},
		{"ada", "acme globex", keys},
		{"", "acme globex", keys},
		{"globex", "acme globex", keys}, // names nothing
		{"ada", "globex", keys[1:]},
		{"acme", "globex", keys[1:]},
		{"org_0AcmeA", "", keys[1:]},
		{"org_unknown", "", keys},
		{"ada", "", nil},
		{"ada", "acme globex", ended},
		{"initech", "", ended}, // not another organization
		{"Initech", "", ended},
		{"org_0Initech", "", ended},
		{"hooli", "", ended},
		{"initech", "initech-2", append(slices.Clone(ended), again)}, // added again without a user name
		{"org_0Initech", "initech-2", append(slices.Clone(ended), again)},
		{"initech", "other", append(slices.Clone(ended), again, elsewhere)}, // the name was given to another one
		{"initech", "other", append([]store.SSHCredential{elsewhere}, ended...)},
	} {
		var got []string
		for _, k := range chooseSSHKeys(c.keys, c.user, now) {
			got = append(got, k.PublicID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q with %d keys: %q, want %q", c.user, len(c.keys), got, c.want)
		}
	}
}
