//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func environ(env map[string]string) (list []string) {
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	return list
}

// How far a long list is, is told where somebody looks and the list goes elsewhere.
func TestProgressIsForTerminals(t *testing.T) {
	env, _ := ledger(t, 1000)
	cmd := program(t, environ(env), "transactions", "--all", "--csv")
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = out
	term := runInTerminal(t, cmd, 80, 24)
	if code := term.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
	told := term.output()
	if !strings.Contains(told, "800 of 1,000 transactions") || !strings.HasSuffix(told, "\r\x1b[K") {
		t.Errorf("the terminal was told %q", told)
	}
	listed, err := os.ReadFile(out.Name())
	if err != nil || bytes.Count(listed, []byte("\n")) != 1001 || bytes.ContainsRune(listed, '\x1b') {
		t.Errorf("%d lines in the file, %v", bytes.Count(listed, []byte("\n")), err)
	}

	cmd = program(t, environ(env), "transactions", "--all", "--csv")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if _, err := cmd.Output(); err != nil || stderr.Len() > 0 {
		t.Errorf("without a terminal: %v, %q", err, stderr.String())
	}
}

func TestADocumentIsNothingForATerminal(t *testing.T) {
	env, requests := ledger(t, 0)
	term := startTerminal(t, 80, 24, environ(env), "invoices", "pdf", "inv_1", "-o", "-")
	if code := term.ended(); code != 2 || requests.Load() > 0 {
		t.Errorf("exit %d after %d requests", code, requests.Load())
	}
}

// What head does to a long list is no failure that anybody is told of.
func TestAPipeThatClosesEndsAListQuietly(t *testing.T) {
	env, requests := ledger(t, 1_000_000)
	cmd := program(t, environ(env), "transactions", "--all")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 100)); err != nil {
		t.Error(err)
	}
	if err := stdout.Close(); err != nil {
		t.Error(err)
	}
	err = cmd.Wait()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || stderr.Len() > 0 || requests.Load() > 1000 {
		t.Errorf("%v, %q, after %d requests", err, stderr.String(), requests.Load())
	}
}

func TestAnInterruptedListSaysSo(t *testing.T) {
	env, _ := ledger(t, 1_000_000)
	cmd := program(t, environ(env), "transactions", "--all", "--json")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdout.Read(make([]byte, 100)); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	rest := make([]byte, 64<<10)
	for err == nil {
		_, err = stdout.Read(rest)
	}
	err = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || stderr.String() != "tarmac: ended by a signal\n" {
		t.Errorf("%v, %q", err, stderr.String())
	}
}
