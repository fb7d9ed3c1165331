// Command scale computes and simulates the tables of docs/scale.md: sizes, rates and waits beyond
// what a single machine can measure. It uses no system clock and no network. The same seed prints
// the same tables.
//
//	go run ./tools/scale
//	go run ./tools/scale -seed 2 -only locks,deliveries
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"tarmac/internal/money"
)

// part is a table of docs/scale.md with the function that prints it.
type part struct {
	name  string
	print func(w io.Writer, seed uint64)
}

var parts = [...]part{
	{
		"sizes",
		printSizes,
	}, {"rates", printRates}, {"locks-checked", printLocksChecked}, {"beside-checked", printBesideChecked},
	{"locks", printLocks},
	{"deliveries-checked", printDeliveriesChecked}, {"deliveries", printDeliveries}, {"trouble", printTrouble},
	{"allowances", printAllowances}, {"restores", printRestores},
}

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seed := flags.Uint64("seed", 1, "another `number` is another course of events")
	only := flags.String("only", "", "print these `parts` alone, such as locks,rates")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var wanted []string
	if *only != "" {
		wanted = strings.Split(*only, ",")
	}
	for _, name := range wanted {
		if !slices.ContainsFunc(parts[:], func(p part) bool { return p.name == name }) {
			return fmt.Errorf("-only names %q, and no part has that name", name)
		}
	}
	for _, p := range parts {
		if wanted != nil && !slices.Contains(wanted, p.name) {
			continue
		}
		if _, err := fmt.Fprintf(stdout, "%s\n\n", p.name); err != nil {
			return err
		}
		p.print(stdout, *seed)
		fmt.Fprintln(stdout)
	}
	return nil
}

// row writes a row of a Markdown table.
func row(w io.Writer, cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(w, "| %v ", c)
	}
	fmt.Fprintln(w, "|")
}

// head writes the header of a Markdown table. The first column holds text, the others numbers.
func head(w io.Writer, names ...any) {
	row(w, names...)
	fmt.Fprintln(w, "|---"+strings.Repeat("|---:", len(names)-1)+"|")
}

// ms formats a duration in milliseconds or seconds.
func ms(d time.Duration) string {
	switch v := float64(d) / float64(time.Millisecond); {
	case v >= 1000:
		return fmt.Sprintf("%.1f s", v/1000)
	case v >= 100:
		return fmt.Sprintf("%.0f ms", v)
	case v >= 10:
		return fmt.Sprintf("%.1f ms", v)
	default:
		return fmt.Sprintf("%.2f ms", v)
	}
}

// count formats a number with thousands separators. Numbers below 10 have one decimal, unless it is
// 0.
func count(v float64) string {
	switch {
	case v < 10:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	case v < 1000:
		return fmt.Sprintf("%.0f", v)
	}
	return money.Count(int64(math.Round(v)))
}

// size formats a number of bytes with a unit such as MB.
func size(bytes float64) string {
	for _, unit := range [...]string{"B", "kB", "MB", "GB", "TB"} {
		if bytes < 1000 || unit == "TB" {
			if bytes < 10 {
				return fmt.Sprintf("%.1f %s", bytes, unit)
			}
			return fmt.Sprintf("%.0f %s", bytes, unit)
		}
		bytes /= 1000
	}
	panic("unreachable")
}
