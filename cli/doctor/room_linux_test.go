package doctor_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/testsupport/testprogram"
)

func TestDoctorReportsAFullDisk(t *testing.T) {
	environ, books := testprogram.NoBooks(t)
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	file := testprogram.StatementFile(t, "a.qfx", testprogram.RentLine)
	if r := testprogram.Run(t, environ, "import", "--yes", file); r.Code != 0 {
		t.Fatalf("exit %d, %q", r.Code, r.Stderr)
	}
	for _, args := range [][]string{{"doctor"}, {"doctor", "--db", books}} {
		for limit, full := range map[string]bool{"unlimited": false, "64": true} {
			cmd := testprogram.Command(t, []string{"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"]}, args...)
			// The shell limits the size of files that are written, in blocks of 512 bytes.
			cmd.Args = append([]string{"sh", "-c", "ulimit -f " + limit + `; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = shell

			output, err := cmd.CombinedOutput()

			if said := strings.Contains(string(output), "nothing can be written in"); said != full || full && err == nil {
				t.Errorf("%q with %s: %v\n%s", args, limit, err, output)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(books), ".tarmac-doctor-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
}
