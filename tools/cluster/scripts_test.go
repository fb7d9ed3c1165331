//go:build unix

package cluster_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pgBackRest refuses a segment that is in the archive with another content. Only the last one of a
// timeline that has ended is passed over.
func TestOnlyTheEndOfAFormerTimelineNeedsNoArchive(t *testing.T) {
	script, err := filepath.Abs("../../packaging/cluster/archive")
	if err != nil {
		t.Fatal(err)
	}
	const history = "1\t0/3000060\tno recovery target specified\n2\tA/4A00028\tno recovery target specified\n"
	dir := writeFiles(t, map[string]string{
		"pg_wal/00000003.history": history, "bin/pgbackrest": "#!/bin/sh\nexit $ANSWER\n",
	})
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

// A primary that crashed is told no history before it has read its own log to the end.
func TestACrashedPrimaryReadsNoHistoryOfAnother(t *testing.T) {
	script, err := os.ReadFile("../../packaging/cluster/fetch")
	if err != nil {
		t.Fatal(err)
	}
	dir := writeFiles(t, map[string]string{
		"bin/pgbackrest": "#!/bin/sh\n[ \"$*\" = \"--stanza=tarmac archive-get $FILE place\" ] && exit 3\n",
		"bin/pg_controldata": "#!/bin/sh\n[ \"$*\" = . ] && printf 'Database system identifier:   7\n" +
			"Database cluster state:               %s\n' \"$STATE\"\n",
	})
	installed := filepath.Join(dir, "fetch")
	content := strings.ReplaceAll(string(script), "@BIN@", filepath.Join(dir, "bin"))
	if err := os.WriteFile(installed, []byte(content), 0o700); err != nil {
		t.Fatal(err)
	}
	const segment, history, asked, refused = "000000020000000A00000004", "00000003.history", 3, 1
	for _, c := range []struct {
		file, state string
		want        int
	}{
		{history, "in production", refused}, {history, "in crash recovery", refused}, {history, "in archive recovery", asked},
		{history, "shut down in recovery", asked}, {history, "shut down", asked}, {segment, "in production", asked},
	} {
		fetch := exec.Command("sh", installed, c.file, "place")
		fetch.Dir = dir
		fetch.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "FILE="+c.file,
			"STATE="+c.state)
		out, _ := fetch.CombinedOutput()
		if got := fetch.ProcessState.ExitCode(); got != c.want {
			t.Errorf("%s for a server that is %s: %d, want %d\n%s", c.file, c.state, got, c.want, out)
		}
	}
}

// A query that fails is not a database without sums, and a restored server that ends is not waited
// for.
func TestTheDrillSaysWhatItCannotRead(t *testing.T) {
	script, err := os.ReadFile("../../packaging/cluster/drill")
	if err != nil {
		t.Fatal(err)
	}
	dir := writeFiles(t, map[string]string{
		"bin/pgbackrest": "#!/bin/sh\nmkdir -p restored/data\n", "bin/pg_ctl": "#!/bin/sh\n",
		"bin/psql": "#!/bin/sh\nfor query; do :; done\ncase $query in *$FAILS*) exit 1 ;; esac\necho f\n",
	})
	drill := filepath.Join(dir, "drill")
	installed := strings.ReplaceAll(string(script), "@BIN@", filepath.Join(dir, "bin"))
	if err := os.WriteFile(drill, []byte(installed), 0o700); err != nil {
		t.Fatal(err)
	}
	for fails, want := range map[string]string{
		"ledger_daily": "drill: the served database cannot be read\n", "recovery": "drill: the restored server has ended\n",
		"restore_point": "drill: this is not the primary\n", "transactions": "drill: the restored database cannot be read\n",
	} {
		run := exec.CommandContext(t.Context(), "sh", drill, "restored")
		run.Dir = dir
		run.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "FAILS="+fails)

		out, _ := run.CombinedOutput()

		if run.ProcessState.ExitCode() != 2 || !strings.HasSuffix(string(out), want) {
			t.Errorf("without %s: exit %d, %q, want %q", fails, run.ProcessState.ExitCode(), out, want)
		}
	}
}

// Programs that check certificates strictly accept those of the machines, as Python 3.13 does.
func TestTheCertificatesAreStrictlyValid(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl makes and checks the certificates: ", err)
	}
	script, err := filepath.Abs("../../packaging/cluster/make-certificates")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, command := range [][]string{
		{"sh", script, "127.0.0.11", "127.0.0.12", "127.0.0.13"},
		{"openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-verify_ip", "127.0.0.12", "-CAfile",
			"certificates/authority.pem", "certificates/tarmac2.pem"},
		{"openssl", "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", "certificates/authority.pem",
			"certificates/tarmac1.pem", "certificates/tarmac2.pem", "certificates/tarmac3.pem"},
	} {
		run := exec.CommandContext(t.Context(), command[0], command[1:]...)
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
}

// writeFiles writes executable files into a new directory.
func writeFiles(t *testing.T, contents map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range contents {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o700))
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
