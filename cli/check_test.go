package cli_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/service/egress"
)

func TestCheckExitsWithItsState(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	for args, want := range map[string]struct {
		code int
		line string
	}{
		"":                            {0, "TARMAC OK - runway "},
		"--runway-below 900":          {1, "TARMAC WARNING - runway "},
		"--runway-critical 900.5":     {2, "TARMAC CRITICAL - runway "},
		"--overdue-above 1":           {1, "TARMAC WARNING - overdue "},
		"--stale-after 1ns":           {3, "TARMAC UNKNOWN - "},
		"--cash-below 1 --json":       {0, `{"state":"ok"`},
		"--cash-critical 900M --json": {2, `{"state":"critical"`},
	} {
		r := c.run(append([]string{"check"}, strings.Fields(args)...)...)
		if r.code != want.code || !strings.HasPrefix(r.stdout, want.line) || strings.Count(r.stdout, "\n") != 1 ||
			r.stderr != "" {
			t.Errorf("check %s: %+v", args, r)
		}
	}
}

// A monitoring system would take tarmac's usual exit codes for a warning or a critical state.
func TestCheckIsUnknownIfItFails(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	env := map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_x"}
	if r := tarmac(t, env, "check", "--timeout", "1s"); r.code != 3 || !strings.HasPrefix(r.stdout, "TARMAC UNKNOWN - ") ||
		strings.Count(r.stdout, "\n") != 1 {
		t.Errorf("%+v", r)
	}
	for args, want := range map[string]string{
		"--nope": "unknown flag", "--runway-below six": "a number of months", "--runway-below 6.55": "a number of months",
		"--cash-below -1": "--cash-below", "--stale-after 0s": "greater than zero", "extra": "extra",
	} {
		r := tarmac(t, env, append([]string{"check"}, strings.Fields(args)...)...)
		if r.code != 3 || !strings.Contains(r.stderr, want) {
			t.Errorf("check %s: %+v", args, r)
		}
	}
}

func TestCheckTellsAChangeOnce(t *testing.T) {
	c := newAPICommands(t, egress.Config{})
	file := filepath.Join(t.TempDir(), "state")
	for i, step := range []struct {
		limit string
		code  int
		says  bool
	}{{"1", 0, false}, {"900M", 1, true}, {"900M", 1, false}, {"1", 0, true}, {"1", 0, false}} {
		r := c.run("check", "--cash-below", step.limit, "--once-per-crossing", file)
		if r.code != step.code || (r.stdout != "") != step.says {
			t.Errorf("step %d: %+v", i, r)
		}
	}
}
