package cli_test

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarmac/internal/civil"
)

// BenchmarkOwnBooks imports statements of TARMAC_BENCH_ROWS lines (default 5,000) into new books,
// the same file again and thirty new lines, and opens the dashboard on them. In turns with that,
// hledger imports the same lines, and hledger and ledger compute balances of what it wrote. They
// are left out where they are not installed. It logs a table of medians.
func BenchmarkOwnBooks(b *testing.B) {
	lines, err := strconv.Atoi(cmp.Or(os.Getenv("TARMAC_BENCH_ROWS"), "5000"))
	if err != nil {
		b.Fatal(err)
	}
	r := newImportRace(b, lines)
	for b.Loop() {
		r.tarmac("csv")
		r.tarmac("ofx")
		r.journals()
	}
	r.report()
}

// importRace runs programs on the same lines and records what they use.
type importRace struct {
	b       *testing.B
	lines   int
	binary  string
	dir     string // of the files to import
	steps   []string
	results map[string][]usage
}

// usage is what a program used until it ended.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // resident memory in kB
}

func newImportRace(b *testing.B, lines int) *importRace {
	r := &importRace{b: b, lines: lines, binary: compiled(b, ".."), dir: b.TempDir(), results: map[string][]usage{}}
	today := civil.Of(time.Now())
	days := max(365, lines/1000)
	first := today.AddDays(-days)
	r.write("year.csv", first, days, lines, "Date,Description,Amount\n", "%[1]s,%[3]s,%[2]s\n", "")
	r.write("day.csv", today, 1, 30, "Date,Description,Amount\n", "%[1]s,NEW %[3]s,%[2]s\n", "")
	r.write("year.ofx", first, days, lines, "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"+
		"<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>121000248<ACCTID>Main<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n",
		"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>%[1]s<TRNAMT>%[2]s<FITID>%[4]d<NAME>%[3]s</STMTTRN>\n",
		"</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n")
	rules := "skip 1\nfields date,description,amount\ncurrency $\naccount1 assets:bank:checking\n"
	if err := os.WriteFile(filepath.Join(r.dir, "year.rules"), []byte(rules), 0o600); err != nil {
		b.Fatal(err)
	}
	return r
}

// write writes a statement. The format of a line gets the date, the amount, the text and the number
// of the line.
func (r *importRace) write(name string, first civil.Date, days, lines int, head, line, end string) {
	file, err := os.Create(filepath.Join(r.dir, name))
	if err != nil {
		r.b.Fatal(err)
	}
	out := bufio.NewWriter(file)
	fmt.Fprint(out, head)
	names := [...]string{
		"CARD PURCHASE STORE %05d SEATTLE WA", "ACH DEBIT GUSTO PAYROLL REF %06d", "STRIPE TRANSFER ST-%07d",
		"AMZN MKTP US*%06d AMZN.COM/BILL WA", "SQ *BLUE BOTTLE COFFEE %04d", "WIRE OUT NORTHWIND CLINICS INV-%06d",
	}
	for n := range lines {
		date, amount := first.AddDays(n*days/lines).String(), fmt.Sprintf("-%d.%02d", 5+n*79%997, n%100)
		if n%9 == 2 {
			amount = amount[1:]
		}
		if strings.HasSuffix(name, "ofx") {
			date = strings.ReplaceAll(date, "-", "")
		}
		fmt.Fprintf(out, line, date, amount, fmt.Sprintf(names[n%len(names)], n*31%5000), n)
	}
	fmt.Fprint(out, end)
	if err := cmp.Or(out.Flush(), file.Close()); err != nil {
		r.b.Fatal(err)
	}
}

// tarmac imports the statement of a format into new books, and opens the dashboard on them.
func (r *importRace) tarmac(format string) {
	home := r.b.TempDir()
	run := func(step string, args ...string) {
		cmd := exec.Command(r.binary, args...)
		cmd.Env = []string{"HOME=" + home, "LANG=C.UTF-8"}
		r.run(format+": "+step, cmd)
	}
	importing := []string{"import", "--yes", "--name", "Harbour", "--account", "Main", "--currency", "USD"}
	balance := fmt.Sprintf("250000000.00@%s", civil.Of(time.Now()).AddDays(-1))
	run("import", append(importing, "--balance", balance, filepath.Join(r.dir, "year."+format))...)
	run("again", append(importing, filepath.Join(r.dir, "year."+format))...)
	run("thirty lines", append(importing, "--sign", "out-negative", filepath.Join(r.dir, "day.csv"))...)
	cmd := exec.Command(r.binary)
	cmd.Env = []string{"HOME=" + home, "LANG=C.UTF-8"}
	began := time.Now()
	term := runInTerminal(r.b, cmd, 120, 40)
	term.until("Harbour", `NEW \w+`, "Zero-cash", "No events yet")
	r.add(format+": Overview", usage{wall: time.Since(began)})
	_ = cmd.Process.Kill()
}

// journals imports the CSV statement with hledger and computes balances.
func (r *importRace) journals() {
	journal := filepath.Join(r.b.TempDir(), "books.journal")
	if err := os.WriteFile(journal, nil, 0o600); err != nil {
		r.b.Fatal(err)
	}
	// hledger keeps beside the statement what it has imported.
	_ = os.Remove(filepath.Join(r.dir, ".latest.year.csv"))
	imports := []string{"-f", journal, "import", "--rules-file", filepath.Join(r.dir, "year.rules")}
	for _, step := range []struct {
		name, program string
		args          []string
	}{
		{"hledger import", "hledger", append(imports, filepath.Join(r.dir, "year.csv"))},
		{"hledger import again", "hledger", append(imports, filepath.Join(r.dir, "year.csv"))},
		{"hledger balance", "hledger", []string{"-f", journal, "balance"}},
		{"ledger balance", "ledger", []string{"-f", journal, "balance"}},
	} {
		program, err := exec.LookPath(step.program)
		if err != nil {
			continue
		}
		cmd := exec.Command(program, step.args...)
		cmd.Env = append(os.Environ(), "LANG=C.UTF-8")
		r.run(step.name, cmd)
	}
}

// run runs a program to its end.
func (r *importRace) run(step string, cmd *exec.Cmd) {
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		r.b.Fatalf("%s: %v\n%s", step, err, out)
	}
	used := usage{wall: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if resources, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		used.peak = resources.Maxrss
	}
	r.add(step, used)
}

func (r *importRace) add(step string, used usage) {
	if !slices.Contains(r.steps, step) {
		r.steps = append(r.steps, step)
	}
	r.results[step] = append(r.results[step], used)
}

// report logs the medians of each step, and reports those of the import of a CSV file.
func (r *importRace) report() {
	table := fmt.Sprintf("%d lines\n| step | time | processor time | memory |\n|---|---:|---:|---:|\n", r.lines)
	for _, step := range r.steps {
		used := r.results[step]
		wall := middle(used, func(u usage) float64 { return u.wall.Seconds() })
		cpu := middle(used, func(u usage) float64 { return u.cpu.Seconds() })
		peak := middle(used, func(u usage) float64 { return float64(u.peak) / 1000 })
		table += fmt.Sprintf("| %s | %.2f s | %.2f s | %.0f MB |\n", step, wall, cpu, peak)
		if step == "csv: import" {
			r.b.ReportMetric(float64(r.lines)/wall, "lines/s")
			r.b.ReportMetric(float64(r.lines)/cpu, "lines/cpu-s")
			r.b.ReportMetric(peak, "MB-peak")
		}
	}
	r.b.Log(table)
}

// middle returns the median of a figure.
func middle(used []usage, figure func(usage) float64) float64 {
	figures := make([]float64, len(used))
	for n, u := range used {
		figures[n] = figure(u)
	}
	slices.Sort(figures)
	return figures[len(figures)/2]
}
