package testprogram

import (
	"encoding/json"
	"slices"
	"strings"
)

// Finding is a line of the doctor's report.
type Finding struct{ Status, Check, Found, Advice string }

// Doctor returns all findings of the doctor, and the problems among them.
func (p *Person) Doctor(args ...string) (all, problems []Finding) {
	p.t.Helper()
	r := p.Types("", append([]string{"doctor", "--json", "--timeout", "10s"}, args...)...)
	var report struct {
		Problems int
		Findings []Finding
	}
	if err := json.Unmarshal([]byte(r.Stdout), &report); err != nil {
		p.t.Fatalf("%v: %q, %q", err, r.Stdout, r.Stderr)
	}
	for _, f := range report.Findings {
		if f.Status == "problem" {
			problems = append(problems, f)
		}
	}
	if len(problems) != report.Problems || (r.Code == 0) != (len(problems) == 0) || r.Code > 1 {
		p.t.Errorf("exit %d with %d problems of %d", r.Code, len(problems), report.Problems)
	}
	return report.Findings, problems
}

// Configure sets the environment to a server and token.
func (p *Person) Configure(url, token string) *Person {
	p.Env["TARMAC_BASE_URL"], p.Env["TARMAC_TOKEN"] = url, token
	return p
}

// Has reports whether a finding has a status, a check and a text.
func Has(all []Finding, status, check, found string) bool {
	return slices.ContainsFunc(all, func(f Finding) bool {
		return f.Status == status && f.Check == check && strings.Contains(f.Found, found)
	})
}
