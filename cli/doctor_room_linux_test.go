package cli_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestDoctorReportsAFullDisk(t *testing.T) {
	environ, books := withBooks(t)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	if r := tarmac(t, environ, "import", "--yes", statementFile(t, "a.qfx", rentLine)); r.code != 0 {
		t.Fatalf("exit %d, %q", r.code, r.stderr)
	}
	for _, args := range [][]string{{"doctor"}, {"doctor", "--db", books}} {
		for limit, full := range map[string]bool{"unlimited": false, "64": true} {
			cmd := program(t, []string{"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"]}, args...)
			// The shell limits the size of files that are written, in blocks of 512 bytes.
			cmd.Args = append([]string{"sh", "-c", "ulimit -f " + limit + `; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = shell

			output, err := cmd.CombinedOutput()

			if said := strings.Contains(string(output), "nothing can be written in"); said != full || full && err == nil {
				t.Errorf("%q with %s: %v\n%s", args, limit, err, output)
			}
		}
	}
	if left := strings.Join(filesIn(filepath.Dir(books)), " "); strings.Contains(left, "doctor") {
		t.Errorf("%s is left", left)
	}
}
