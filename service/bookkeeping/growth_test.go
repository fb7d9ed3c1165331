package bookkeeping_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
)

// mostGrowth is the largest factor by which the cost of an import may grow when its lines and open
// items are doubled.
const mostGrowth = 2.2

// shapeFile writes files in JSON lines of n lines, open items, or accounts.
type shapeFile struct{ strings.Builder }

func (g *shapeFile) add(format string, args ...any) { fmt.Fprintf(g, format+"\n", args...) }

func (g *shapeFile) account(number, currency, rest string) {
	g.add(`{"account":%q,"currency":%q,"from":"2026-08-01","to":"2026-10-30"%s}`, number, currency, rest)
}

func (g *shapeFile) line(account, currency, day, amount, rest string) {
	g.add(`{"date":"2026-%s","account":%q,"currency":%q,"amount":%q%s}`, day, account, currency, amount, rest)
}

func (g *shapeFile) items(n int, side string, item func(i int) (number, party, amount string)) {
	g.add(`{"source":"list %s","as_of":"2026-09-30","side":%q}`, side,
		map[string]string{"customer": "receivable", "vendor": "payable"}[side])
	for i := range n {
		number, party, amount := item(i)
		g.add(`{%q:%q,"amount":%q,%q:%q,"issued":"2026-09-01","due":"2026-10-01","currency":"USD"}`,
			map[string]string{"customer": "invoice", "vendor": "bill"}[side], number, amount, side, party)
	}
}

const main, other = "111111116789", "222222221234"

func counterparty(format string, args ...any) string {
	return fmt.Sprintf(`,"counterparty":%q`, fmt.Sprintf(format, args...))
}

func description(format string, args ...any) string {
	return fmt.Sprintf(`,"description":%q`, fmt.Sprintf(format, args...))
}

// spread returns one of the days of August to October.
func spread(i int) string { return civil.New(2026, 8, 1).AddDays(i % 85).String()[len("2026-"):] }

func letters(i int) string {
	return string([]byte{byte('a' + i%26), byte('a' + i/26%26), byte('a' + i/676%26), byte('a' + i/17576%26)})
}

// growths are files whose matching has grown faster than they do, or might.
var growths = map[string]func(g *shapeFile, n int){
	"payments that name none of the invoices of one customer": func(g *shapeFile, n int) {
		g.items(n, "customer", func(i int) (string, string, string) { return fmt.Sprint("I", i), "Acme", "100.00" })
		g.account(main, "USD", "")
		for range n {
			g.line(main, "USD", "10-10", "100.00", counterparty("Acme"))
		}
	},
	"payments that name an invoice each": func(g *shapeFile, n int) {
		g.items(n, "customer", func(i int) (string, string, string) {
			return fmt.Sprint("I", i), "Customer " + letters(i), "100.00"
		})
		g.account(main, "USD", "")
		for i := range n {
			g.line(main, "USD", "10-10", "100.00", counterparty("Customer %s", letters(i))+description("invoice I%d", i))
		}
	},
	"customers and payers": func(g *shapeFile, n int) {
		g.items(n, "customer", func(i int) (string, string, string) {
			return fmt.Sprint("I", i), "Customer " + letters(i), "99"
		})
		g.account(main, "USD", "")
		for i := range n {
			g.line(main, "USD", "10-10", fmt.Sprintf("%d.00", i+7), counterparty("Customer %s x", letters(i)))
		}
	},
	"payers of one customer": func(g *shapeFile, n int) {
		g.items(n, "customer", func(i int) (string, string, string) { return fmt.Sprint("I", i), "Acmeville", "99" })
		g.account(main, "USD", "")
		for i := range n {
			g.line(main, "USD", "10-10", "7.00", counterparty("Acmeville %s", letters(i)))
		}
	},
	"a payer that may be any customer": func(g *shapeFile, n int) {
		g.items(n, "customer", func(i int) (string, string, string) {
			return fmt.Sprint("I", i), "Acmeville " + letters(i), "99"
		})
		g.account(main, "USD", "")
		for range n {
			g.line(main, "USD", "10-10", "7.00", counterparty("Acmeville"))
		}
	},
	"bills of one number": func(g *shapeFile, n int) {
		g.items(n, "vendor", func(i int) (string, string, string) { return "7", "Vendor " + letters(i), "99" })
		g.account(main, "USD", "")
		for i := range n {
			g.line(main, "USD", "10-10", "-7.00", counterparty("Vendor %s", letters(n-i))+description("bill 7"))
		}
	},
	"accounts and transfers between them": func(g *shapeFile, n int) {
		for i := range n {
			number := fmt.Sprintf("9%09d", i)
			g.account(number, "USD", fmt.Sprintf(`,"bank":"Bank%d Trust","name":"Reserve %d"`, i, i))
			g.line(number, "USD", "09-10", fmt.Sprintf("%d.00", i+1000),
				description("transfer to Reserve %d payment ach", i*7%n))
		}
	},
	"accounts of one bank whose numbers end alike": func(g *shapeFile, n int) {
		for i := range n {
			number := fmt.Sprintf("%08d6789", i)
			g.account(number, "USD", `,"bank":"First Harbor Bank"`)
			g.line(number, "USD", "09-10", "-5000.00", description("ACH First Harbor Bank transfer to account 6789"))
		}
	},
	"honest transfers": func(g *shapeFile, n int) {
		g.account(main, "USD", `,"bank":"First Harbor Bank"`)
		g.account(other, "USD", `,"bank":"Union Trust"`)
		for i := range n / 2 {
			amount := fmt.Sprintf("%d.%02d", 10+i/100, i%100)
			g.line(main, "USD", spread(i), "-"+amount, description("transfer to account %s", other))
			g.line(other, "USD", spread(i), amount, description("transfer from %s", main))
		}
	},
	"transfers of one amount on one day": func(g *shapeFile, n int) {
		g.account(main, "USD", "")
		g.account(other, "USD", "")
		for range n / 2 {
			g.line(main, "USD", "09-10", "-10.00", description("transfer to account %s", other))
			g.line(other, "USD", "09-10", "10.00", description("transfer from %s", main))
		}
	},
	"lines of one amount that fit no transfer": func(g *shapeFile, n int) {
		g.account(main, "USD", "")
		g.account(other, "USD", "")
		for i := range n / 2 {
			g.line(main, "USD", "09-10", "-5000.00", counterparty("Acme %s", letters(i%7)))
			g.line(main, "USD", "09-11", "5000.00", description("transfer to account %s", other))
		}
	},
	"transfers between currencies": func(g *shapeFile, n int) {
		g.account(main, "USD", "")
		g.account(other, "EUR", "")
		for range n / 2 {
			g.line(main, "USD", "09-10", "-1100.00", description("transfer to account %s", other))
			g.line(other, "EUR", "09-10", "1000.00", `,"original":{"currency":"USD","amount":"1100.00"}`)
		}
	},
	"large payments of many payers": func(g *shapeFile, n int) {
		g.account(main, "USD", "")
		for i := range n {
			g.line(main, "USD", spread(i), fmt.Sprintf("%d.00", 5000+i), counterparty("%s Ventures", letters(i)))
		}
	},
	"ordinary lines": func(g *shapeFile, n int) {
		g.account(main, "USD", "")
		for i := range n {
			g.line(main, "USD", spread(i), fmt.Sprintf("-%d.%02d", 5+i%997, i%100), description("CARD PURCHASE STORE %05d", i))
		}
	},
}

// together has everything at once.
func together(g *shapeFile, n int) {
	for _, name := range slices.Sorted(maps.Keys(growths)) {
		write := growths[name]
		if name != "accounts of one bank whose numbers end alike" { // their common end is that of no other account
			write(g, n/len(growths))
		}
	}
}

// runGrowth imports a file of a shape, then another file, and reads the questions.
func runGrowth(t testing.TB, b *bookkeeping.Books, write func(g *shapeFile, n int), n int) {
	var g shapeFile
	write(&g, n)
	later := statement{
		account: "5555", first: "2026-09-01", last: "2026-09-30", lines: []line{{"2026-09-02", "-1.00", "1", "x"}},
	}
	options := bookkeeping.Options{AcceptResidual: true}
	for _, file := range []bookkeeping.Source{source("a.jsonl", g.String()), source("later.qfx", later.ofx())} {
		report, err := b.Import(t.Context(), []bookkeeping.Source{file}, options)
		if err != nil || report.Failed() {
			t.Fatalf("%s is not imported: %v %+v", file.Name, err, report)
		}
	}
	questions, err := b.Questions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		if len(q.Choices) > 20 {
			t.Fatalf("a question has %d choices", len(q.Choices))
		}
	}
}

func TestMatchingGrowsLikeWhatIsImported(t *testing.T) {
	sizes := long.Size([]int{2000, 4000}, []int{2000, 4000, 8000, 16000})
	shapes := map[string]func(g *shapeFile, n int){"everything together": together}
	for name, write := range growths {
		shapes[name] = write
	}
	for name, write := range shapes {
		t.Run(name, func(t *testing.T) {
			var before map[string]float64
			for _, n := range sizes {
				cost := costOf(t, name, write, n)
				for what, amount := range cost {
					if growth := amount / before[what]; before != nil && growth > mostGrowth {
						t.Errorf("%s grow from %.0f to %.0f, %.2f times, when %d is doubled", what, before[what], amount, growth, n/2)
					}
				}
				before = cost
			}
		})
	}
}

// costOf returns how many allocations the import of a file takes and, if the test counts the
// statements of the rules (go test -covermode=count -coverpkg=…), how many of them run.
func costOf(t *testing.T, name string, write func(g *shapeFile, n int), n int) map[string]float64 {
	books := newBooks(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runGrowth(t, books, write, n)
	runtime.ReadMemStats(&after)
	cost := map[string]float64{
		"allocations":     float64(after.Mallocs - before.Mallocs),
		"allocated bytes": float64(after.TotalAlloc - before.TotalAlloc),
	}
	if testing.CoverMode() != "" {
		cost["statements"] = statements(t, name, n)
	}
	return cost
}

// The environment of a test that imports one file.
const growthShape, growthSize = "TARMAC_GROWTH_SHAPE", "TARMAC_GROWTH_SIZE"

// statements returns how many statements of the packages under test run when a file is imported.
func statements(t *testing.T, name string, n int) (count float64) {
	profile := filepath.Join(t.TempDir(), "profile")
	cmd := exec.Command(os.Args[0], "-test.run=^TestOneGrowth$", "-test.coverprofile="+profile)
	cmd.Env = append(os.Environ(), growthShape+"="+name, growthSize+"="+strconv.Itoa(n))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); { // place, number of statements, how often they ran
		if fields := strings.Fields(lines.Text()); len(fields) == 3 {
			statements, _ := strconv.ParseFloat(fields[1], 64)
			times, _ := strconv.ParseFloat(fields[2], 64)
			count += statements * times
		}
	}
	return count
}

// TestOneGrowth imports one file for the test above.
func TestOneGrowth(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv(growthSize))
	if err != nil {
		t.Skip("imports a file for another test")
	}
	write := growths[os.Getenv(growthShape)]
	if write == nil {
		write = together
	}
	runGrowth(t, newBooks(t), write, n)
}
