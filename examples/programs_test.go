// Package examples_test runs the programs of this directory against the service, and checks
// that the documents show them unchanged.
package examples_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is the longest time that a test waits for something to happen.
const patience = 30 * time.Second

// requireVariable, when set, makes tests fail instead of skip on a machine without Node or
// Python.
const requireVariable = "TARMAC_REQUIRE_INTERPRETERS"

// interpreter returns the path of an interpreter. Without one it skips or, with
// requireVariable, fails the test.
func interpreter(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv(requireVariable) != "" {
		t.Fatalf("%s is not installed, and %s asks for it", name, requireVariable)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// built builds a package of this module and returns the path of the program.
func built(t *testing.T, pkg string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	if output, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, output)
	}
	return program
}

// started runs a program until the test ends and returns the lines of its output.
func started(t *testing.T, program string, args ...string) <-chan string {
	t.Helper()
	cmd := exec.Command(program, args...)
	reader, writer := io.Pipe()
	cmd.Stdout, cmd.Stderr = writer, writer
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = writer.Close()
	})
	lines := make(chan string, 1000)
	go func() {
		for text := bufio.NewScanner(reader); text.Scan(); {
			lines <- text.Text()
		}
	}()
	return lines
}

// awaited returns the rest of the next line after mark. The line must contain it.
func awaited(t *testing.T, lines <-chan string, mark string) string {
	t.Helper()
	select {
	case line := <-lines:
		_, rest, found := strings.Cut(line, mark)
		if !found {
			t.Fatalf("%q has no %q", line, mark)
		}
		return rest
	case <-time.After(patience):
		t.Fatalf("nothing was written with %q", mark)
		return ""
	}
}
