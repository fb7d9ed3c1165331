package service

import (
	"strings"
	"testing"

	"tarmac/service/access"
	"tarmac/service/store"
)

func TestTheUserNameChoosesTheOrganization(t *testing.T) {
	keys := []store.SSHCredential{
		{SSHKey: access.SSHKey{PublicID: "acme", OrgPublicID: "org_0AcmeA", Login: "acme"}},
		{SSHKey: access.SSHKey{PublicID: "globex", OrgPublicID: "org_0Globex"}},
	}
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
	} {
		var got []string
		for _, k := range chooseSSHKeys(c.keys, c.user) {
			got = append(got, k.PublicID)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q with %d keys: %q, want %q", c.user, len(c.keys), got, c.want)
		}
	}
}
