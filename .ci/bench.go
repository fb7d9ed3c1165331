// Prints the results of `go test -v -bench` from standard input: a line per benchmark, and
// those that were skipped. It fails if a benchmark failed, did not run, or took ten times
// longer than expected relative to a baseline measured in the same run. It checks ratios
// only, since a busy machine slows both.
//
//	go test -v -run '^$' -bench . $packages | go run .ci/bench.go $packages
package main

import (
	"bufio"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// check compares a measurement with its baseline, floor. limit is about ten times the ratio that
// was measured when the check was written.
type check struct {
	what        string
	name, floor measure
	limit       float64
}

// measure is the time per operation of a benchmark, or its rate.
type measure struct{ benchmark, unit string }

const rows, deliveries, each = "rows/s", "deliveries/s", "ns/op"

var checks = [...]check{
	{"a page's request, and net/http with the same bytes",
		measure{"service PageRequest/service", each}, measure{"service PageRequest/same-bytes", each}, 20},
	{"processor time of a page that is not remembered, and of net/http with the same bytes",
		measure{"service PageCPU", "first-µs"}, measure{"service PageCPU", "floor-µs"}, 40},
	{"a hundred rows with events and indexes, and without",
		measure{
			"service/store InsertTransactions/kept/100",
			rows,
		}, measure{"service/store InsertTransactions/bare/100", rows}, 30},
	{"deliveries to one endpoint, and plain posts",
		measure{
			"service/outbox Throughput/1_answer,_0_hang",
			deliveries,
		}, measure{"service/outbox Posts/4_at_a_time", deliveries}, 100},
	{"deliveries to 200 endpoints, and plain posts",
		measure{
			"service/outbox Throughput/200_answer,_0_hang",
			deliveries,
		}, measure{"service/outbox Posts/32_at_a_time", deliveries}, 40},
	{"the ledger's frame after a step, and its lines joined",
		measure{"views/transactions StepAndView", each}, measure{"floor joined", each}, 200},
	{"the start of the dashboard, and of a program that draws one screen",
		measure{"cli Start/served", each}, measure{"cli Start/bare", each}, 40},
	{"a step in a terminal, and the start of tarmac version",
		measure{"cli Step", each}, measure{"cli Version", each}, 15},
}

func main() {
	results, failed := read()
	for _, name := range expected(os.Args[1:]) {
		if _, ok := results[name]; !ok {
			fmt.Printf("did not run: %s\n", name)
			failed = true
		}
	}
	floors(results)
	fmt.Println()
	for _, c := range checks {
		one, floor := results[c.name.benchmark][c.name.unit], results[c.floor.benchmark][c.floor.unit]
		if one == 0 || floor == 0 {
			fmt.Printf("not measured: %s\n", c.what)
			failed = true
			continue
		}
		ratio := one / floor
		if strings.HasSuffix(c.name.unit, "/s") {
			ratio = floor / one
		}
		verdict := ""
		if ratio > c.limit {
			verdict, failed = "  TOO SLOW", true
		}
		fmt.Printf("%8.1f (at most %g)  %s%s\n", ratio, c.limit, c.what, verdict)
	}
	if failed {
		fmt.Println("FAILED")
		os.Exit(1)
	}
}

// read returns the measurements of all benchmarks, and whether anything failed. A benchmark that
// has sub-benchmarks or was skipped has an entry without a measurement.
func read() (results map[string]map[string]float64, failed bool) {
	results = map[string]map[string]float64{}
	pkg := ""
	ran := func(name string) (whole string) {
		whole, _, _ = strings.Cut(name, "/")
		if whole = pkg + " " + strings.TrimPrefix(whole, "Benchmark"); results[whole] == nil {
			results[whole] = map[string]float64{}
		}
		return whole
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		line := strings.TrimSpace(in.Text())
		switch fields := strings.Fields(line); {
		case strings.HasPrefix(line, "pkg: "):
			pkg = strings.TrimPrefix(line, "pkg: tarmac/")
		case strings.HasPrefix(line, "--- SKIP: "):
			ran(fields[2])
			fmt.Printf("skipped: %s %s\n", pkg, fields[2])
		case len(fields) >= 4 && strings.HasPrefix(line, "Benchmark"):
			fmt.Println(pkg, strings.Join(fields, " "))
			name := fields[0]
			if at := strings.LastIndexByte(name, '-'); at > 0 {
				name = name[:at] // without the number of processors at its end
			}
			ran(name)
			measured := map[string]float64{}
			for i := 2; i+1 < len(fields); i += 2 {
				if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
					measured[fields[i+1]] = value
				}
			}
			results[pkg+" "+strings.TrimPrefix(name, "Benchmark")] = measured
		case strings.HasPrefix(line, "FAIL"), strings.HasPrefix(line, "--- FAIL"), strings.HasPrefix(line, "panic:"):
			failed = true
			fmt.Println(line)
		case strings.HasPrefix(line, "Benchmark"), line == "PASS", strings.HasPrefix(line, "goos: "),
			strings.HasPrefix(line, "goarch: "), strings.HasPrefix(line, "cpu: "):
		default:
			fmt.Println(line)
		}
	}
	return results, failed
}

var declared = regexp.MustCompile(`(?m)^func Benchmark(\w+)\(`)

// expected returns the benchmarks in the packages.
func expected(packages []string) (names []string) {
	for _, dir := range packages {
		files, err := fs.Glob(os.DirFS(dir), "*_test.go")
		if err != nil {
			panic(err)
		}
		for _, file := range files {
			if ok, err := build.Default.MatchFile(dir, file); err != nil || !ok {
				continue // the file is for another operating system
			}
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				panic(err)
			}
			for _, match := range declared.FindAllStringSubmatch(string(text), -1) {
				names = append(names, filepath.ToSlash(filepath.Clean(dir))+" "+match[1])
			}
		}
	}
	return names
}

// floors adds the one baseline that is not a benchmark of the project.
func floors(results map[string]map[string]float64) {
	lines := make([]string, 40)
	for i := range lines {
		lines[i] = strings.Repeat("x", 120)
	}
	results["floor joined"] = map[string]float64{each: shortestTime(20, func() {
		for range 1000 {
			lines[0] = strings.Join(lines[1:], "\n")[:120]
		}
	}) / 1000}
}

// shortestTime returns the shortest time of several runs, in nanoseconds.
func shortestTime(times int, do func()) float64 {
	least := time.Hour
	for range times {
		begun := time.Now()
		do()
		least = min(least, time.Since(begun))
	}
	return float64(least)
}
