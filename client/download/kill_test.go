package download_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/client/download"
)

const saveInto = "TARMAC_TEST_SAVE_INTO"

// document returns a large document that states its own length.
func document(n int) []byte {
	return bytes.Repeat([]byte{byte(n)}, 1<<20+n)
}

// TestMain also runs the program to kill, which saves until then.
func TestMain(m *testing.M) {
	dir := os.Getenv(saveInto)
	if dir == "" {
		os.Exit(m.Run())
	}
	for n := 1; n < 256; n++ {
		if _, _, err := download.Save(dir, "a.pdf", document(n)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
}

// Wherever a saving program is killed, every file with the name is complete.
func TestAKillLeavesWholeFilesOnly(t *testing.T) {
	for kill := range 6 {
		dir := t.TempDir()
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), saveInto+"="+dir)
		out, err := program.StdoutPipe()
		if err == nil {
			err = program.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range kill + 1 {
			if !lines.Scan() {
				t.Fatal("the program ended by itself")
			}
		}
		if err := program.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = program.Wait() // the error only says that it was killed
		saved := 0
		for _, name := range names(t, dir) {
			if !strings.HasSuffix(name, ".pdf") {
				continue
			}
			saved++
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || len(got) == 0 || !bytes.Equal(got, document(int(got[0]))) {
				t.Errorf("%s is not whole: %d bytes, %v", name, len(got), err)
			}
		}
		if saved <= kill {
			t.Errorf("%d files of at least %d are there", saved, kill+1)
		}
	}
}
