//go:build long && unix

package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// kills returns how often each kind of program is killed.
func kills() int {
	if testing.Short() {
		return 3
	}
	return 10
}

// killed runs a program, kills it at a random moment after it has begun, and returns its later
// output. A program that has exited before that is accepted.
func killed(t *testing.T, cmd *exec.Cmd, begun func(said *bufio.Reader), within time.Duration) string {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(testprogram.Patience, func() { _ = cmd.Process.Kill() }).Stop()
	said := bufio.NewReader(out)
	begun(said)
	<-time.After(rand.N(within))
	_ = cmd.Process.Kill()
	rest, _ := io.ReadAll(said)
	_ = cmd.Wait() // the error only reports the kill
	return string(rest)
}

// typist types into a program's line mode and kills it while it writes.
type typist struct {
	t       *testing.T
	environ []string
	dir     string // the directory it writes to
}

// kill types the first line and then further lines until the sign was printed a few times, and
// kills the program shortly after. It returns how often the sign was printed.
func (p typist) kill(first string, next func(n int) string, sign string, within time.Duration) (said int) {
	p.t.Helper()
	cmd := testprogram.Command(p.t, p.environ, "--plain")
	typed := first
	for n := range 100 {
		typed += "\n" + next(n)
	}
	cmd.Stdin = strings.NewReader(typed + "\n")
	wanted := 1 + rand.IntN(3)
	rest := killed(p.t, cmd, func(lines *bufio.Reader) {
		for said < wanted {
			line, err := lines.ReadString('\n')
			if err != nil {
				p.t.Error("it ended by itself")
				return
			}
			said += strings.Count(line, sign)
		}
	}, within)
	return said + strings.Count(rest, sign)
}

// ends types lines until the program exits, and returns its output.
func (p typist) ends(lines string) (said string) {
	p.t.Helper()
	r, _ := testprogram.Typing(p.t, p.environ, lines, "--plain")
	if r.Code != 0 {
		p.t.Fatalf("exit %d, %s", r.Code, r.Stderr)
	}
	return r.Stdout
}

// leave adds a partial file to a directory and sets all its files' times to hours ago.
func leave(t *testing.T, dir, part string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, part), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * time.Hour)
	for _, name := range parts(t, dir) {
		if err := os.Chtimes(filepath.Join(dir, name), long, long); err != nil {
			t.Fatal(err)
		}
	}
}

// parts returns the hidden files of a directory, except for lock files.
func parts(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	return names
}

// taken reads the files that match the pattern, removes them and returns their content.
func taken(t *testing.T, pattern string) map[string][]byte {
	t.Helper()
	found, err := filepath.Glob(pattern)
	files := map[string][]byte{}
	for _, path := range found {
		if files[filepath.Base(path)], err = os.ReadFile(path); err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// When a line-mode program is killed while writing, every named file is complete, and a later
// run removes the partial files.
func TestAProgramThatIsKilledLeavesWholeFiles(t *testing.T) {
	t.Parallel()
	environ := testprogram.Host(t, "2500")
	for name, test := range map[string]func(typist){"exports": killExports, "documents": killDocuments,
		"drafts": killDrafts} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			test(typist{t, append([]string{"XDG_STATE_HOME=" + dir}, environ...), dir})
		})
	}
}

func killExports(p typist) {
	left := 0
	for range kills() {
		said := p.kill("4", func(n int) string { return fmt.Sprintf("export %s/%d.csv", p.dir, n) }, "Exported 2,500 ",
			150*time.Millisecond)
		files := taken(p.t, filepath.Join(p.dir, "*.csv"))
		for name, content := range files {
			rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
			if err != nil || len(rows) != 2501 || !bytes.HasSuffix(content, []byte("\n")) {
				p.t.Errorf("%s has %d rows (%v)", name, len(rows), err)
			}
		}
		if len(files) < said || len(files) > said+1 {
			p.t.Errorf("%d of %d exports are there", len(files), said)
		}
		left = len(parts(p.t, p.dir))
	}
	p.t.Logf("%d parts were left", left)
	leave(p.t, p.dir, ".tarmac-export-1.part")
	p.ends("4\nexport " + p.dir + "/all.csv")
	if left := parts(p.t, p.dir); left != nil {
		p.t.Errorf("%q are left", left)
	}
}

func killDocuments(p typist) {
	const invoices = 12
	save := func(n int) string { return fmt.Sprintf("5\nopen %d\npdf %s", 1+n%invoices, p.dir) }
	documents := func() map[string][]byte { return taken(p.t, filepath.Join(p.dir, "*.pdf")) }
	var all strings.Builder
	for n := range invoices {
		all.WriteString(save(n) + "\n")
	}
	said := p.ends(all.String())
	whole := documents()
	if len(whole) < invoices/2 { // some invoices have no PDF
		p.t.Fatalf("%d documents are saved:\n%s", len(whole), said)
	}
	for range kills() {
		said := p.kill("5", save, "Saved as ", 40*time.Millisecond)
		files := documents()
		for name, content := range files {
			if !bytes.Equal(content, whole[name]) {
				p.t.Errorf("%s has %d bytes of %d", name, len(content), len(whole[name]))
			}
		}
		if len(files) < said || len(files) > said+1 {
			p.t.Errorf("%d of %d documents are there", len(files), said)
		}
	}
	p.t.Logf("%d parts were left", len(parts(p.t, p.dir)))
	leave(p.t, p.dir, ".tarmac-1.part")
	p.ends(save(0))
	if left := parts(p.t, p.dir); left != nil {
		p.t.Errorf("%q are left", left)
	}
}

func killDrafts(p typist) {
	kept := filepath.Join(p.dir, "tarmac")
	file := func() string {
		found, err := filepath.Glob(filepath.Join(kept, "*.json"))
		if err != nil || len(found) != 1 {
			p.t.Fatalf("there are the drafts %q (%v)", found, err)
		}
		return found[0]
	}
	for run := range kills() {
		// Each typed field is saved before the next prompt.
		said := p.kill("propose", func(n int) string { return fmt.Sprintf("Acme %d-%d\nback", run, n) }, "Recipient e-mail",
			20*time.Millisecond)
		content, err := os.ReadFile(file())
		if err != nil {
			p.t.Fatal(err)
		}
		var d struct {
			Key  string
			Name string `json:"recipient_name"`
		}
		var of, n int
		if err := json.Unmarshal(content, &d); err != nil || d.Key == "" || !bytes.HasSuffix(content, []byte("}\n")) {
			p.t.Fatalf("the draft is %q (%v)", content, err)
		}
		if _, err := fmt.Sscanf(d.Name, "Acme %d-%d", &of, &n); err != nil || of != run || n < said-1 || n > said {
			p.t.Errorf("the draft is of %q, after %d were kept (%v)", d.Name, said, err)
		}
	}
	p.t.Logf("%d parts were left", len(parts(p.t, kept)))
	leave(p.t, kept, "."+filepath.Base(file())+"-1")
	p.ends("propose\n\nback\ncancel")
	if left := parts(p.t, kept); left != nil {
		p.t.Errorf("%q are left", left)
	}
	if locks, _ := filepath.Glob(filepath.Join(kept, ".*.lock")); len(locks) > 1 {
		p.t.Errorf("locks grow: %q", locks)
	}
}
