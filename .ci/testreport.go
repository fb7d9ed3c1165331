// Prints a report of `go test -json` from standard input: a line for each package, the
// output of failed tests, the slowest tests, and all skipped tests with their reasons. It
// fails if a test failed or none ran.
//
//	set -o pipefail; go test -json ./... | go run .ci/testreport.go [FILE]
//
// It also appends the lines about skipped tests to FILE.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

const slowest = 25

// event is a line of the stream (see go doc test2json).
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

func main() {
	output := map[[2]string]string{} // by package and test
	var ended, skipped []event
	packages, failed := 0, false
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			break
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			fmt.Printf("%s", line)
			continue
		}
		test := [2]string{e.Package, e.Test}
		switch e.Action {
		case "build-output":
			fmt.Print(e.Output)
		case "build-fail":
			failed = true
		case "output":
			output[test] += e.Output
		case "pass", "fail", "skip":
			failed = failed || e.Action == "fail"
			switch {
			case e.Test == "":
				packages++
				fmt.Printf("%-4s %s %.1fs\n", strings.Replace(e.Action, "skip", "none", 1), e.Package, e.Elapsed)
				if e.Action == "fail" {
					printAll(output, e.Package)
				}
			case e.Action == "fail":
				fmt.Print(output[test])
			case e.Action == "skip":
				e.Output = output[test]
				skipped = append(skipped, e)
			}
			if e.Test != "" && !strings.Contains(e.Test, "/") {
				ended = append(ended, e)
			}
			delete(output, test)
		}
	}

	slices.SortStableFunc(ended, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	fmt.Printf("\n%d tests in %d packages; the slowest:\n", len(ended), packages)
	for _, e := range ended[:min(slowest, len(ended))] {
		fmt.Printf("%8s %s %s\n", time.Duration(e.Elapsed*1000)*time.Millisecond, e.Package, e.Test)
	}
	var lines strings.Builder
	for _, e := range skipped {
		fmt.Fprintf(&lines, "SKIPPED: %s %s: %s\n", e.Package, e.Test, reason(e.Output))
	}
	fmt.Print(lines.String())
	if len(os.Args) > 1 {
		if err := appendTo(os.Args[1], lines.String()); err != nil {
			fmt.Println(err)
			failed = true
		}
	}
	if failed || len(ended) == 0 {
		fmt.Println("FAILED")
		os.Exit(1)
	}
}

// printAll prints the output of a package and of those of its tests that have not ended: a package
// whose time ran out fails with the stacks of all goroutines there.
func printAll(output map[[2]string]string, of string) {
	for test, text := range output {
		if test[0] == of {
			fmt.Print(text)
		}
	}
}

func appendTo(path, lines string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(lines)
	return errors.Join(err, f.Close())
}

// reason returns the reason that a skipped test printed, without the file and line.
func reason(output string) string {
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "===") || strings.HasPrefix(line, "---") {
			continue
		}
		_, text, _ := strings.Cut(line, ": ")
		return strings.TrimPrefix(text, "SKIPPED: ")
	}
	return "it gives no reason"
}
