//go:build unix

package cli_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tarmac/internal/money"
)

// These benchmarks run the real program in a pseudo-terminal of 120x40, against a service in
// its own process. TARMAC_BENCH_ROWS sets the organization's number of transactions (default
// 1,000).

// benchDashboard builds the program, serves a seeded organization, and returns a function that
// opens the dashboard on it.
func benchDashboard(b *testing.B) (start func() *terminal, rows int) {
	b.Helper()
	rows = 1000
	if text := os.Getenv("TARMAC_BENCH_ROWS"); text != "" {
		if _, err := fmt.Sscan(text, &rows); err != nil {
			b.Fatal(err)
		}
	}
	binary := compiled(b, "..")
	database, _, tokenFile := organization(b, fmt.Sprint(rows), readScopes)
	s := serve(b, database, "127.0.0.1:0")
	return func() *terminal {
		cmd := exec.Command(binary)
		cmd.Env = []string{"HOME=" + b.TempDir(), "TARMAC_BASE_URL=http://" + s.addr, "TARMAC_TOKEN_FILE=" + tokenFile}
		return runInTerminal(b, cmd, 120, 40)
	}, rows
}

// compiled builds a package and returns the program's path.
func compiled(b *testing.B, dir string) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", binary, dir).CombinedOutput(); err != nil {
		b.Fatalf("building the program: %v\n%s", err, out)
	}
	return binary
}

const fullOverview = `Latest[\s\S]*[0-9]{4}-[0-9]{2}-[0-9]{2}`

// BenchmarkStart measures the time from exec to a complete Overview: with a running service,
// and for the demo starting from nothing. A minimal Bubble Tea program is the baseline.
func BenchmarkStart(b *testing.B) {
	start, _ := benchDashboard(b)
	bare, demo := compiled(b, "./testdata/bare"), compiled(b, "..")
	run := func(binary string, arguments ...string) func() *terminal {
		return func() *terminal {
			cmd := exec.Command(binary, arguments...)
			cmd.Env = []string{"HOME=" + b.TempDir(), "TMPDIR=" + b.TempDir()}
			return runInTerminal(b, cmd, 120, 40)
		}
	}
	for _, c := range []struct {
		name  string
		start func() *terminal
		full  []string
	}{
		{"served", start, []string{"● live", fullOverview, "Money out a month"}},
		{"demo", run(demo, "demo"), []string{"● live", fullOverview, "Money out a month"}},
		{"bare", run(bare), []string{"drawn"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				term := c.start()
				term.until(c.full...)
				b.StopTimer()
				term.press("q")
				term.ended()
				b.StartTimer()
			}
		})
	}
}

var ofRow = regexp.MustCompile(`row ([0-9,]+) of `)

// position returns the row number of the cursor, or 0 if the screen shows none.
func position(screen string) int {
	match := ofRow.FindStringSubmatch(screen)
	if match == nil {
		return 0
	}
	row, _ := strconv.Atoi(strings.ReplaceAll(match[1], ",", ""))
	return row
}

// BenchmarkVersion measures a command without a server or a screen.
func BenchmarkVersion(b *testing.B) {
	binary := compiled(b, "..")
	for b.Loop() {
		if out, err := exec.Command(binary, "version").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}

// BenchmarkPlace measures a jump to a percentage of the transactions, from the key to a row
// within one percent of it. Each jump starts at a different row.
func BenchmarkPlace(b *testing.B) {
	start, rows := benchDashboard(b)
	term := start()
	term.until("● live")
	term.press("4")
	term.until("row 1 of " + money.Count(int64(rows)))
	percent := 0
	for b.Loop() {
		percent = (percent + 37) % 100
		term.press("t", fmt.Sprint(percent), "%", "enter")
		term.wait(func(screen string) bool {
			return math.Abs(float64(position(screen)-rows*percent/100)) <= float64(rows/100+1)
		}, fmt.Sprintf("to be at %d %%", percent))
	}
}

// BenchmarkStep measures one step down in Transactions, from the key to the frame that shows
// it, and its bytes of output.
func BenchmarkStep(b *testing.B) {
	start, rows := benchDashboard(b)
	term := start()
	term.until("● live")
	term.press("4")
	term.until("row 1 of " + money.Count(int64(rows)))
	before, row := len(term.output()), 1
	for b.Loop() {
		key, next := "j", row+1
		if row == rows {
			key, next = "g", 1
		}
		term.press(key)
		want := "row " + money.Count(int64(next)) + " of"
		term.wait(func(screen string) bool { return strings.Contains(screen, want) }, "to show "+want)
		row = next
	}
	b.ReportMetric(float64(len(term.output())-before)/float64(b.N), "B/step")
}
