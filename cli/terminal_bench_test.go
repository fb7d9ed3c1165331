//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/money"
)

// These benchmarks run the real program in a pseudo-terminal of 120x40 against a
// service in a process of its own. TARMAC_BENCH_ROWS is how many transactions
// the organization has (1,000 without it).

// benchDashboard builds the program, serves a seeded organization and returns
// what starts the dashboard on it.
func benchDashboard(b *testing.B) (start func() *terminal, rows int) {
	b.Helper()
	rows = 1000
	if text := os.Getenv("TARMAC_BENCH_ROWS"); text != "" {
		if _, err := fmt.Sscan(text, &rows); err != nil {
			b.Fatal(err)
		}
	}
	binary := filepath.Join(b.TempDir(), "tarmac")
	if out, err := exec.Command("go", "build", "-o", binary, "..").CombinedOutput(); err != nil {
		b.Fatalf("building the program: %v\n%s", err, out)
	}
	database, _, tokenFile := organization(b, fmt.Sprint(rows), readScopes)
	s := serve(b, database, "127.0.0.1:0")
	return func() *terminal {
		cmd := exec.Command(binary)
		cmd.Env = []string{"HOME=" + b.TempDir(), "TARMAC_BASE_URL=http://" + s.addr, "TARMAC_TOKEN_FILE=" + tokenFile}
		return runInTerminal(b, cmd, 120, 40)
	}, rows
}

const fullOverview = `Latest events[\s\S]*(invoice|payment)\.`

// BenchmarkStart measures from exec to a full Overview.
func BenchmarkStart(b *testing.B) {
	start, _ := benchDashboard(b)
	for b.Loop() {
		term := start()
		term.until("● live", fullOverview, "Net burn / mo")
		b.StopTimer()
		term.press("q")
		term.ended()
		b.StartTimer()
	}
}

// BenchmarkStep measures one step down in Transactions, from the key to the
// frame that shows it, and the bytes it costs.
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
