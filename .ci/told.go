// Tells what `go test -json` says on its standard input: a line for each package, what
// failing tests wrote, the slowest tests, and every test that was skipped with its
// reason. It fails when a test did, and when nothing was run.
//
//	set -o pipefail; go test -json ./... | go run .ci/told.go [FILE]
//
// A file that is named gets the lines about what was skipped too.
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

// event is one line of the stream, as `go doc test2json` has it.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

func main() {
	said := map[[2]string]string{} // what each test has written
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
		of := [2]string{e.Package, e.Test}
		switch e.Action {
		case "build-output":
			fmt.Print(e.Output)
		case "build-fail":
			failed = true
		case "output":
			said[of] += e.Output
		case "pass", "fail", "skip":
			failed = failed || e.Action == "fail"
			switch {
			case e.Test == "":
				packages++
				fmt.Printf("%-4s %s %.1fs\n", strings.Replace(e.Action, "skip", "none", 1), e.Package, e.Elapsed)
				if e.Action == "fail" {
					fmt.Print(said[of])
				}
			case e.Action == "fail":
				fmt.Print(said[of])
			case e.Action == "skip":
				e.Output = said[of]
				skipped = append(skipped, e)
			}
			if e.Test != "" && !strings.Contains(e.Test, "/") {
				ended = append(ended, e)
			}
			delete(said, of)
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
		if err := keep(os.Args[1], lines.String()); err != nil {
			fmt.Println(err)
			failed = true
		}
	}
	if failed || len(ended) == 0 {
		fmt.Println("FAILED")
		os.Exit(1)
	}
}

func keep(path, lines string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(lines)
	return errors.Join(err, f.Close())
}

// reason is what a test that was skipped gave as its reason, without the place.
func reason(output string) string {
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "===") || strings.HasPrefix(line, "---") {
			continue
		}
		_, said, _ := strings.Cut(line, ": ")
		return strings.TrimPrefix(said, "SKIPPED: ")
	}
	return "it gives no reason"
}
