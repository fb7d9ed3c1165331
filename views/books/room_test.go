package books

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/sample"
	"tarmac/internal/testsupport/screen"
	"tarmac/theme"
	"tarmac/views"
)

// sizes are those of the page in terminals of 80x24, 120x40 and 200x60, with the largest share of
// the page that may be one blank rectangle, in percent.
var sizes = []struct{ width, height, blank int }{{80, 21, 15}, {120, 37, 15}, {200, 57, 25}}

// lived fills the books with what two years of statements leave: months, and a few imports.
func lived(b *bank) {
	for i := range b.contents.Accounts {
		a := &b.contents.Accounts[i]
		a.Months = nil
		for back := range 20 {
			first := day("2026-11-01").AddMonths(-back)
			in, out := int64(5_000_000+back%5*4_000_000), int64(20_000_000+back%3*7_000_000)
			a.Months = append(a.Months, ownbooks.AccountMonth{
				Period: ownbooks.Period{First: first, Last: first.LastOfMonth()}, Lines: 90 + back,
				CoveredDays: first.LastOfMonth().DaysSince(first) + 1, InMinor: &in, OutMinor: &out,
				ClosingMinor: ptr(int64(90_000_000 + back*15_000_000)),
			})
		}
	}
	for len(b.contents.Imports) < 6 {
		b.contents.Imports = append(b.contents.Imports, b.contents.Imports[0])
	}
}

// history returns a snapshot whose history has several transactions on each day.
func history(t *testing.T) views.Env {
	o := sample.New()
	for n := range 300 {
		o.Rows = append(o.Rows, apiclient.Transaction{
			ID: fmt.Sprint("txn_", n), Date: civil.MustParse("2026-11-01").AddDays(-n / 3), Direction: apiclient.Outflow,
			CounterpartyName: []string{"Ledgerline Payroll", "Cumulus Compute", "Harbour Lane Properties"}[n%3],
			Memo:             []string{"Payroll, second half of October", "Compute and storage", "Rent of the third floor"}[n%3],
			Account:          "Harbor & Pine Bank …4821",
			Amount:           apiclient.NewAmount(12_345_67, "USD"), Reporting: apiclient.NewAmount(12_345_67, "USD"),
		})
	}
	o.SortRows()
	return views.Env{Snapshot: o.SnapshotWithHistory(t)}
}

// checkBlank checks the sizes from the given one on.
func checkBlank(t *testing.T, d *fixture, what string, first int) {
	t.Helper()
	for _, size := range sizes[first:] {
		d.SetSize(size.width, size.height)
		if blank := screen.LargestBlank("\n\n"+ansi.Strip(d.View())+"\n.", size.width); blank > size.blank {
			t.Errorf("%s at %dx%d is blank to %d %%:\n%s", what, size.width, size.height, blank, ansi.Strip(d.View()))
		}
		sample.CheckSize(t, d.View(), size.width, size.height)
	}
}

func TestLittleOfBooksIsBlank(t *testing.T) {
	d := open(t, lived)
	checkBlank(t, d, "the list", 0)
	d.press("enter")
	checkBlank(t, d, "the opened account", 1)
}

func TestLittleOfAQuestionIsBlank(t *testing.T) {
	d := openAs(t, history(t), questioning, lived)
	d.press("a")
	checkBlank(t, d, "the first question", 0)
	d.press("s")
	checkBlank(t, d, "the last question", 0)
}

func TestTheMonthsOfAnAccountStandBesideItsFacts(t *testing.T) {
	d := open(t, lived)
	d.SetSize(200, 57)
	d.shows("Months, USD", "In and out a month, $k", "Nov so far", "1,050,000.00")
	d.press("down")
	d.shows("Months, EUR", "HRPIDEF0 …0731")

	looks := theme.New(true)
	looks.Masked = true
	d.SetTheme(looks)
	sample.CheckNoText(t, d, "1,050,000.00", "$k", "50,000")

	d.SetSize(80, 21)
	d.hides("Months, EUR")
}

func TestAQuestionShowsWhatIsAroundItsDayWhereThereIsRoom(t *testing.T) {
	d := openAs(t, history(t), questioning)
	d.press("a")
	d.SetSize(200, 57)
	d.shows("Transactions around 2026-09-03", "2026-09-05", "2026-09-03", "2026-09-01", "Rent of the third floor",
		"Harbor & Pine Bank …4821", "Asked next")
	d.SetSize(80, 16)
	d.shows("Transactions of 2026-09-03", "Asked next")
	d.hides("2026-09-05")
}
