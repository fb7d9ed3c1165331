// Command scale computes and simulates what docs/scale.md says of sizes that no
// machine at hand holds: how large, how many a second, who waits for whom. What it
// prints is in that file. It has no clock and asks no network; the same seed prints
// the same.
//
//	go run ./tools/scale
//	go run ./tools/scale -seed 2 -only locks,deliveries
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// part is a table of the file.
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
	{"allowances", printAllowances}, {"replicas", printReplicas}, {"restores", printRestores}, {"machines", printMachines},
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
	only := flags.String("only", "", "print these `parts` alone, such as locks,replicas")
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

// row prints a row of a table.
func row(w io.Writer, cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(w, "| %v ", c)
	}
	fmt.Fprintln(w, "|")
}

// head prints a table's head: the first column is text, the others are numbers.
func head(w io.Writer, names ...any) {
	row(w, names...)
	fmt.Fprintln(w, "|---"+strings.Repeat("|---:", len(names)-1)+"|")
}

// ms writes a time in milliseconds.
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

// count writes a number with its thousands apart, and without digits that mean nothing.
func count(v float64) string {
	switch {
	case v < 10:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	case v < 1000:
		return fmt.Sprintf("%.0f", v)
	}
	text := fmt.Sprintf("%.0f", v)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// size writes a number of bytes.
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
