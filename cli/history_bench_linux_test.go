package cli_test

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/history"
	"tarmac/internal/civil"
)

// BenchmarkHistory measures how long it takes to read the newest three months and all 40 months
// from a service in another process, and the time, processor time and peak resident memory of
// `tarmac recurring`, which reads all of them. TARMAC_BENCH_ROWS sets the number of transactions
// (default 6,400, a company of thirty).
func BenchmarkHistory(b *testing.B) {
	database, _, tokenFile := organization(b, cmp.Or(os.Getenv("TARMAC_BENCH_ROWS"), "6400"), readScopes)
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		b.Fatal(err)
	}
	served := serveBuilt(b, database)
	client, err := apiclient.New("http://"+served.addr, apiclient.Token(bytes.TrimSpace(token)))
	if err != nil {
		b.Fatal(err)
	}
	for name, months := range map[string]int{"three-months": 3, "all-months": history.Months} {
		b.Run(name, func(b *testing.B) {
			var read int64
			for b.Loop() {
				read = readMonths(b, client, months)
			}
			b.ReportMetric(float64(read), "rows")
		})
	}
	b.Run("recurring", func(b *testing.B) {
		binary, cpu, most := served.cmd.Path, time.Duration(0), int64(0)
		for b.Loop() {
			cmd := exec.Command(binary, "recurring", "--json")
			cmd.Env = []string{
				"HOME=" + b.TempDir(), "TARMAC_BASE_URL=http://" + served.addr, "TARMAC_TOKEN_FILE=" + tokenFile,
			}
			peak, err := runMeasured(cmd)
			if err != nil {
				b.Fatal(err)
			}
			cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			most = max(most, peak)
		}
		b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/op")
		b.ReportMetric(float64(most)/(1<<20), "MiB-peak")
	})
}

// readMonths reads a history until it has the newest months, and returns its number of rows.
func readMonths(b *testing.B, source history.Source, months int) int64 {
	b.Helper()
	reader := history.NewReader()
	reader.ReadLarge()
	reader.ReadAll(history.Span(civil.Of(time.Now())))
	for reader.Progress().Months < months {
		outcome := reader.Next()(b.Context(), source)
		if outcome.Err != nil {
			b.Fatal(outcome.Err)
		}
		reader.Apply(outcome)
	}
	return reader.Progress().Rows
}
