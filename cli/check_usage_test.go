package cli_test

import (
	"strings"
	"testing"
)

func TestACheckThatCannotBeMadeSaysSoToMonitoring(t *testing.T) {
	home := t.TempDir()
	env := map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
	for _, args := range []string{
		"check", "check --runway-below 6", "check --runway-below six", "check --no-such-flag", "check extra",
		"check --once-per-crossing=", "check --timeout 0s", "check --runway-below",
		"--bogus check", "--plain --bogus check --runway-below 6", "-x check",
	} {
		r := tarmac(t, env, strings.Fields(args)...)

		if r.code != 3 || !strings.HasPrefix(r.stdout, "TARMAC UNKNOWN - ") || strings.Count(r.stdout, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, %q", args, r.code, r.stdout, r.stderr)
		}
	}
}

func TestACommandIsNoCheckBecauseAValueNamesOne(t *testing.T) {
	home := t.TempDir()
	env := map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
	for _, args := range []string{"--profile check", "--bogus admin --bogus check", "-- check"} {
		r := tarmac(t, env, strings.Fields(args)...)

		if r.code != 2 || r.stdout != "" {
			t.Errorf("%s: exit %d, %q, %q", args, r.code, r.stdout, r.stderr)
		}
	}
}
