package receivables_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/sample"
	"tarmac/views/receivables"
)

// many returns the page with many customers, who owe at most two invoices each.
func many(t *testing.T, customers int) *receivables.Screen {
	t.Helper()
	src := &source{}
	for i := range customers {
		name := fmt.Sprintf("Harbour Lane Properties %02d", i)
		src.open(name, fmt.Sprintf("ap@%d.example", i), 1_000_00, []int{10 + i, 40}[:1+i%2]...)
	}
	s := receivables.New(env(sample.New().Snapshot(t)), src)
	load(s)
	return s
}

// lineOf returns the number of the line that matches a pattern, and its submatch.
func lineOf(t *testing.T, s *receivables.Screen, pattern string) (y int, found string) {
	t.Helper()
	for y, line := range strings.Split(ansi.Strip(s.View()), "\n") {
		if match := regexp.MustCompile(pattern).FindStringSubmatch(line); match != nil {
			return y, match[len(match)-1]
		}
	}
	t.Fatalf("nothing matches %q in\n%s", pattern, ansi.Strip(s.View()))
	return 0, ""
}

func TestTheCustomersGetTheRowsThatNoInvoicesNeedAndTheRestIsCounted(t *testing.T) {
	for _, size := range [][2]int{{120, 37}, {200, 57}} {
		s := many(t, 50)
		s.SetSize(size[0], size[1])
		all := 0
		at, _ := lineOf(t, s, "Open invoices of")
		if rows := size[1] - 1 - at; rows > 5 {
			t.Errorf("at %v the panel of two invoices has %d lines", size, rows)
		}
		for range 50 {
			above, more := lineOf(t, s, `Customers.* \((\d+) more\)`)
			below, _ := lineOf(t, s, "Open invoices of")
			left, err := strconv.Atoi(more)
			if all == 0 {
				all = left + below - above - 3
			}
			if err != nil || all <= 50 || below != at || left+below-above-3 != all {
				t.Fatalf("at %v %s customers are counted below %d rows:\n%s", size, more, below-above-3, ansi.Strip(s.View()))
			}
			s.Update(sample.Press("down"))
		}
	}
}

func TestWhereAllCustomersFitTheInvoicesGetTheRest(t *testing.T) {
	s := many(t, 4)
	s.SetSize(120, 37)
	above, _ := lineOf(t, s, "Customers, ")
	if below, _ := lineOf(t, s, "Open invoices of"); below-above > 14 {
		t.Errorf("a panel of a few customers has %d lines:\n%s", below-above, ansi.Strip(s.View()))
	}
	sample.CheckNoText(t, s, "more)")
}

func TestTheNamesOfCustomersAreWholeBesideTheirBars(t *testing.T) {
	for _, size := range [][2]int{{120, 37}, {200, 57}} {
		s := many(t, 10)
		s.SetSize(size[0], size[1])
		sample.CheckText(t, s, "Harbour Lane Properties 09", "Open, by age")
		lineOf(t, s, `Harbour Lane Properties 09.*░`)
	}
}
