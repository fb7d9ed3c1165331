//go:build unix

package cluster_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// pgBackRest refuses a segment that is in the archive with another content. Only the last one of a
// timeline that has ended is passed over.
func TestOnlyTheEndOfAFormerTimelineNeedsNoArchive(t *testing.T) {
	script, err := filepath.Abs("../../packaging/cluster/archive")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const history = "1\t0/3000060\tno recovery target specified\n2\tA/4A00028\tno recovery target specified\n"
	for name, content := range map[string]string{
		"pg_wal/00000003.history": history, "bin/pgbackrest": "#!/bin/sh\nexit $ANSWER\n",
	} {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o700))
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		segment       string
		answer, wants int
	}{
		{"000000010000000000000003", 45, 0}, {"000000020000000A00000004", 45, 0}, {"000000020000000A00000003", 45, 45},
		{"000000020000000000000004", 45, 45}, {"000000030000000A00000004", 45, 45}, {"00000003.history", 45, 45},
		{"000000010000000000000003", 103, 103}, {"000000030000000A00000005", 0, 0},
	} {
		archive := exec.Command("sh", script, "pg_wal/"+c.segment)
		archive.Dir = dir
		archive.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"),
			fmt.Sprint("ANSWER=", c.answer))
		out, _ := archive.CombinedOutput()
		if got := archive.ProcessState.ExitCode(); got != c.wants {
			t.Errorf("%s, which pgBackRest answers with %d: %d, want %d\n%s", c.segment, c.answer, got, c.wants, out)
		}
	}
}
