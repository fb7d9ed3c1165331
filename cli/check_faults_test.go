package cli_test

import (
	"maps"
	"strings"
	"testing"

	"tarmac/internal/testsupport/faults"
	"tarmac/service/egress"
)

// No fault of the server or of the network is a good state. The state is unknown, and the line says
// why.
func TestCheckIsUnknownAfterEveryFault(t *testing.T) {
	t.Parallel()
	c := newAPICommands(t, egress.Config{})
	all := append(faults.Answers(), faults.Connections()...)
	for _, status := range []int{401, 403, 404, 429, 500, 503} {
		all = append(all, faults.Refusal(status))
	}
	for _, fault := range all {
		if fault.Name == "another content type" || fault.Name == "the status of another success" {
			continue // the figures arrive whole
		}
		t.Run(fault.Name, func(t *testing.T) {
			handler := faults.New(c.service.Handler(), faults.Options{Elsewhere: "http://127.0.0.1:1"})
			handler.Script(faults.Rule{Fault: fault})
			f := serveHTTP(t, handler)
			env := maps.Clone(c.env)
			env["TARMAC_BASE_URL"] = f.url
			r := tarmac(t, env, "check", "--runway-below", "1", "--overdue-above", "900M", "--stale-after", "9d",
				"--timeout", "300ms")
			if r.code != 3 || !strings.HasPrefix(r.stdout, "TARMAC UNKNOWN - ") || strings.Count(r.stdout, "\n") != 1 ||
				len(r.stdout) < len("TARMAC UNKNOWN - ")+10 {
				t.Errorf("%+v", r)
			}
		})
	}
}
