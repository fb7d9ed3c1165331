package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/testsupport/long"
)

// planted holds files of every format that is recognized, with what other programs would run,
// include or compute in them.
var planted = map[string]string{
	"bank statement.csv": "plugin \"os\" \"system\"\nplugin \"beancount.plugins.auto\"\n" +
		"option \"insert_pythonpath\" \"TRUE\"\n2026-01-01 open Assets:A USD\n",
	"plugin.py":       "option \"plugin\" \"evil\"\n2026-01-01 open Assets:A USD\ninclude \"/dev/zero\"\n",
	"include.journal": "include /dev/zero\n2026-01-01 x\n  assets:a  1 USD\n  income\n",
	"pipe.journal":    "include |touch planted\n2026-01-01 x\n  assets:a  1 USD\n  income\n",
	"python.ledger": "2026-01-01 x\n  assets:a  1 USD\n  income\n\npython\n  import os\n  os.system('touch " +
		"planted')\n",
	"import.ledger": "2026-01-01 x\n  assets:a  1 USD\n  income\n\nimport os\n\neval system('touch " +
		"planted')\n",
	"value.ledger":  "2026-01-01 x\n  assets:a  (system('touch planted'))\n  income\n",
	"plain.journal": "2026-01-01 `touch planted` $(touch planted)\n  assets:a  1 USD\n  income\n",
	"formula.csv": "Date,Description,Amount\n2026-01-02,=cmd|'/C calc'!A0,1.00\n2026-01-03,@SUM(1+1)*cmd|' " +
		"/C calc'!A0,-2.50\n",
	"entity.ofx": "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"expect://touch\">]><?OFX " +
		"OFXHEADER=\"200\"?><OFX>&e;</OFX>",
	"entity.xml": "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><Document><B" +
		"kToCstmrStmt>&e;</BkToCstmrStmt></Document>",
	"statement.sta": ":20:`touch planted`\n:25:1/2\n:28C:1\n:60F:C260101EUR1,00\n:61:2601010101C1,00NMSC$(touch " +
		"planted)\n:86:`x`\n:62F:C260101EUR2,00\n",
	"statement.bai": "01,`touch planted`,B,260101,0000,1,80,1,2/\n99,0,1,2/\n",
	"statement.qif": "!Type:Bank\nD01/31/2026\nT-1.00\nP`touch planted`\n^\n",
	"statement.json": "{\"account\":\"1\",\"date\":\"2026-01-01\",\"amount\":\"1.00\",\"currency\":\"USD\",\"descr" +
		"iption\":\"$(touch planted)\"}\n",
	"invoices.csv": "Number,Customer,Issued,Due,Currency,Amount due\n1,=cmd|' /C calc'!A0,2026-01-01,2026-02-01," +
		"USD,1.00\n",
	"rates.csv":         "date,currency,usd\n2026-01-01,EUR,1.1\n",
	"macro.docm":        "PK\x03\x04 macro",
	"script.sh":         "#!/bin/sh\ntouch planted\n",
	"-exec touch x ;":   "2026-01-01 x\n  assets:a  1 USD\n  income\n",
	"$(touch planted)":  "2026-01-01 x\n  assets:a  1 USD\n  income\n",
	"budget.journal":    "= expenses\n  assets:a  (system('x'))\n\n2026-01-01 x\n  assets:a  1 USD\n  income\n",
	"expression.beanco": "2026-01-01 open Assets:A\n2026-01-01 * \"x\"\n  Assets:A  (1+1) USD\n",
}

// interpreters are the programs that a file might want to start.
var interpreters = []string{
	"hledger", "ledger", "bean-check", "bean-query", "bean-report", "bean-doctor", "python", "python3", "sh", "bash",
	"dash", "perl", "ruby", "node", "touch", "cat", "curl", "wget", "open", "xdg-open", "unzip", "soffice", "git", "tmux",
}

func TestNoFileStartsAProgram(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the programs that stand in for others are scripts")
	}
	stubs, downloads := t.TempDir(), t.TempDir()
	started := filepath.Join(stubs, "started")
	for _, name := range interpreters {
		script := fmt.Sprintf("#!/bin/sh\necho %s >>'%s'\n", name, started)
		if err := os.WriteFile(filepath.Join(stubs, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	paths := []string{filepath.Join(downloads, "absent")}
	for name, content := range planted {
		path := filepath.Join(downloads, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	database, org, _ := organization(t, "", readScopes)
	slices.Sort(paths[1:])

	for n, path := range append(paths, "") {
		if path != "" && n%long.Size(4, 1) != 0 {
			continue // it is imported with all others
		}
		runs := [][]string{{"import", "--dry-run", path}}
		switch {
		case path == "": // all of them, as a pattern of a shell gives them
			runs = [][]string{append([]string{"import", "--yes", "--name", "Acme"}, paths[1:]...)}
		case strings.HasSuffix(path, ".csv"), strings.HasSuffix(path, ".journal"):
			runs = append(runs, []string{"admin", "--db", database, "import", "--org", org, "--dry-run", "-"})
		}
		for _, args := range runs {
			calls := runWatched(t, stubs, path, args)

			if output, err := os.ReadFile(started); err == nil {
				t.Fatalf("%q started %s", args, output)
			}
			if calls > 1 {
				t.Errorf("%q called execve %d times", args, calls)
			}
		}
	}
}

// runWatched runs tarmac with a file on standard input and programs that stand in for others first
// in PATH. It returns how many programs were started, itself among them, and 0 where no program
// counts that.
func runWatched(t *testing.T, stubs, input string, args []string) (calls int) {
	t.Helper()
	cmd := program(t, []string{"PATH=" + stubs + string(os.PathListSeparator) + os.Getenv("PATH")}, args...)
	trace := filepath.Join(t.TempDir(), "trace")
	if watcher, err := exec.LookPath("strace"); err == nil {
		watched := []string{"strace", "-f", "-qq", "-e", "trace=execve,execveat", "-o", trace, cmd.Path}
		cmd.Args = append(watched, cmd.Args[1:]...)
		cmd.Path = watcher
	}
	if file, err := os.Open(input); err == nil {
		defer file.Close()
		cmd.Stdin = file
	}
	if output, err := cmd.CombinedOutput(); err != nil && len(output) == 0 {
		t.Fatalf("%q: %v", args, err)
	}
	text, _ := os.ReadFile(trace) // absent without strace, empty where tracing is forbidden
	return strings.Count(string(text), "execve(") + strings.Count(string(text), "execveat(")
}
