//go:build unix

package cli_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tarmac/internal/testsupport/unrated"
)

// A broken connection fails only its own part of the overview.
func TestThePartsOfAnOverviewFailEachByItself(t *testing.T) {
	company := unrated.Companies(noon)["all"]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/receivables/aging") {
			panic(http.ErrAbortHandler)
		}
		company.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_test"}

	r := tarmac(t, env, "overview", "--timeout", "1s")

	for _, want := range []string{"Available", "Receivables\nnot available: GET /receivables/aging: the connection closed",
		"Latest events\nnone yet"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("it does not say %q:\n%s", want, r.stdout)
		}
	}
	if r.code != 5 || !strings.Contains(r.stderr, "/receivables/aging") {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}

	r = tarmac(t, env, "overview", "--json", "--timeout", "1s")

	if !strings.Contains(r.stdout, `"aging":null`) || !strings.Contains(r.stdout, `"events":[]`) || r.code != 5 {
		t.Errorf("exit %d:\n%s", r.code, r.stdout)
	}
}
