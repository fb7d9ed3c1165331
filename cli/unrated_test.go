//go:build unix

package cli_test

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/internal/testsupport/unrated"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// serveCompany returns an environment whose commands read the company.
func serveCompany(t *testing.T, c unrated.Company) map[string]string {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	return map[string]string{"TARMAC_BASE_URL": server.URL, "TARMAC_TOKEN": "svc_org_test"}
}

// Commands state what each sum excludes, like the dashboard.
func TestEverySumSaysWhatItLeavesOut(t *testing.T) {
	for name, c := range unrated.Companies(noon) {
		t.Run(name, func(t *testing.T) {
			env := serveCompany(t, c)
			for _, line := range []string{"overview", "aging", "cash-position", "transactions",
				"transactions --direction inflow", "transactions --all"} {
				var stdout, stderr bytes.Buffer
				code := cli.Run(t.Context(), command.Env{
					Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string { return env[name] },
					Now: func() time.Time { return c.Now },
				}, strings.Fields(line))
				if code != 0 {
					t.Fatalf("tarmac %s: exit %d, %s", line, code, stderr.String())
				}
				judge := c
				judge.InflowsShown = strings.Contains(line, "inflow")
				for _, wrong := range judge.FalseStatements(stdout.String()) {
					t.Errorf("tarmac %s: %s\n%s", line, wrong, stdout.String())
				}
				left := line == "overview" && c.Rated != unrated.All
				if left != strings.Contains(stdout.String(), "transactions have no USD rate and are excluded.") {
					t.Errorf("tarmac %s: what the months leave out:\n%s", line, stdout.String())
				}
				runway := line == "overview" || line == "cash-position"
				if runway && !strings.Contains(stdout.String(), c.Caveat()) {
					t.Errorf("tarmac %s: what the runway leaves out is not said:\n%s", line, stdout.String())
				}
			}
		})
	}
}

// Sums stay marked when their column has no room for details.
func TestEverySumOnANarrowTerminalSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	for name, c := range unrated.Companies(time.Now().UTC()) {
		for _, columns := range []int{40, 80, 200} {
			term := startTerminal(t, columns, 24, environ(serveCompany(t, c)), "overview")
			if code := term.ended(); code != 0 {
				t.Fatalf("exit %d", code)
			}
			for _, wrong := range c.FalseStatements(term.output()) {
				t.Errorf("%s at %d columns: %s", name, columns, wrong)
			}
		}
	}
}

func TestTheBucketsOfAFileSayWhatTheyLeaveOut(t *testing.T) {
	for name, want := range map[string]string{"all": "0", "some": "3", "none": "12"} {
		env := serveCompany(t, unrated.Companies(noon)[name])
		r := tarmac(t, env, "aging", "--csv")
		for _, row := range sheet(t, r.stdout) {
			if unknown := row["amount"] == "—"; row["unconverted_count"] != want || unknown != (name == "none") {
				t.Errorf("%s: %v", name, row)
			}
		}
		if r := tarmac(t, env, "overview", "--json"); strings.Count(r.stdout, `"unconverted_count":`) != 13 {
			t.Errorf("%s: the JSON lacks what is left out: %s", name, r.stdout)
		}
	}
}

func TestATimeThatIsNoneIsADash(t *testing.T) {
	env := serveCompany(t, unrated.Company{Now: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)})
	for _, command := range []string{"cash-position", "aging", "overview"} {
		if r := tarmac(t, env, command); !strings.Contains(strings.Join(strings.Fields(r.stdout), " "), "As of —") ||
			strings.Contains(r.stdout, "0001-01-01") {
			t.Errorf("tarmac %s: %s%s", command, r.stdout, r.stderr)
		}
	}
}
