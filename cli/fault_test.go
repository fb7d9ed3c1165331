package cli_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/internal/testsupport/testprogram"
)

func TestAFaultInACommandIsOneLineWithoutData(t *testing.T) {
	var stderr bytes.Buffer
	env := map[string]string{"TARMAC_BASE_URL": "http://127.0.0.1:1", "TARMAC_TOKEN": "svc_org_x"}
	code := cli.Run(t.Context(), command.Env{
		Stdout: io.Discard, Stderr: &stderr, Getenv: func(name string) string { return env[name] },
		Now: func() time.Time { panic(testprogram.PanicText) },
	}, []string{"transactions", "--period", "last month"})
	told := stderr.String()
	if code != 1 || !strings.HasPrefix(told, "tarmac: a fault in the program ended it: string at cli") ||
		strings.Count(told, "\n") != 1 || strings.Contains(told, "Acme") {
		t.Errorf("exit %d, %q", code, told)
	}
}
