package cli_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"tarmac/internal/testsupport/voices"
)

// Rows that cannot be read are not denied: the figures say that they lack them.
func TestFiguresWithoutUnreadableRowsSaySoAndEndWithFive(t *testing.T) {
	server := httptest.NewServer(companyNamed(t, "unreadable rows"))
	t.Cleanup(server.Close)
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_voices"}
	for command, want := range map[string]string{
		"spend":     "No such transaction could be read from",
		"recurring": "transactions could not be read and are not listed",
		"forecast":  "transactions could not be read and are not listed",
	} {
		r := tarmac(t, env, command)

		if r.code != 5 || !strings.Contains(r.stderr, want) || strings.Contains(r.stderr, "There are no such") {
			t.Errorf("tarmac %s: exit %d, %s", command, r.code, r.stderr)
		}
	}
}

func companyNamed(t *testing.T, name string) voices.Company {
	t.Helper()
	for _, c := range voices.Companies() {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("there is no company %q", name)
	return voices.Company{}
}
