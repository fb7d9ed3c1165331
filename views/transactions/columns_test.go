package transactions

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
)

// dollars returns a screen on a listing of transactions in USD, except for one in euros in every
// given number of rows; 0 means none.
func dollars(t *testing.T, rows, euroEvery int) *fixture {
	t.Helper()
	d := open(t, 0)
	d.server.alter = func(number int, row *apiclient.Transaction) {
		row.Amount = apiclient.NewAmount(123456, "USD")
		row.Reporting, row.USD = row.Amount, row.Amount
		row.CounterpartyName, row.Memo = "Cloud Hosting Ltd", "servers of October"
		if euroEvery > 0 && number%euroEvery == 0 {
			row.Amount = apiclient.NewAmount(654321, "EUR")
		}
	}
	d.server.insert(0, rows)
	d.drain(d.Refresh())
	return d
}

func (d *fixture) header() string {
	for line := range strings.SplitSeq(ansi.Strip(d.View()), "\n") {
		if strings.HasPrefix(line, "Date ") {
			return line
		}
	}
	d.t.Fatal("there is no header")
	return ""
}

func TestUSDHasAColumnOnlyWhereItDiffers(t *testing.T) {
	for _, size := range [][2]int{{80, 21}, {120, 37}, {200, 57}} {
		plain, mixed := dollars(t, 60, 0), dollars(t, 60, 7)
		plain.SetSize(size[0], size[1])
		mixed.SetSize(size[0], size[1])
		if strings.Contains(plain.header(), "USD") {
			t.Errorf("%v: dollars have a column for USD: %s", size, plain.header())
		}
		if wide := size[0] >= 120; strings.Contains(mixed.header(), "USD") != wide {
			t.Errorf("%v: with euros: %s", size, mixed.header())
		}
		plain.says("servers of October")
	}
}

func TestUSDIsShownForRowsInAnotherCurrencyOnly(t *testing.T) {
	for _, width := range []int{80, 120, 200} {
		d := dollars(t, 20, 4)
		d.SetSize(width, 30)
		d.showsUSDOfEuros()
	}
}

func (d *fixture) showsUSDOfEuros() {
	d.t.Helper()
	shown := 0
	for line := range strings.SplitSeq(ansi.Strip(d.View()), "\n") {
		switch dollar := strings.Count(line, "1,234.56"); {
		case strings.Contains(line, "6,543.21"):
			shown++
			if dollar != 1 {
				d.t.Errorf("euros without dollars: %q", line)
			}
		case dollar > 1:
			d.t.Errorf("dollars twice: %q", line)
		}
	}
	if shown != 5 {
		d.t.Errorf("%d rows are in euros, want 5", shown)
	}
}

// The column appears with the first row that needs it and stays until the filter changes.
func TestColumnsDoNotMoveWhileTheListScrolls(t *testing.T) {
	d := dollars(t, 900, 300) // the first row in euros is on the second page
	before := d.header()
	d.SetSize(120, 10)
	for range 40 {
		d.press("pgdown")
	}
	during := d.header()
	d.press("g")
	after := d.header()

	if before == during || !strings.Contains(during, "USD") || after != during {
		t.Errorf("the headers are\n%s\n%s\n%s", before, during, after)
	}
}

func TestUSDDiffers(t *testing.T) {
	dollar, unknown := apiclient.NewAmount(5, "USD"), apiclient.UnknownAmount("USD")
	for name, c := range map[string]struct {
		amount, usd apiclient.Amount
		want        bool
	}{
		"dollars":                {dollar, dollar, false},
		"unknown dollars":        {apiclient.UnknownAmount("USD"), unknown, false},
		"euros":                  {apiclient.NewAmount(5, "EUR"), dollar, true},
		"euros without a rate":   {apiclient.NewAmount(5, "EUR"), unknown, true},
		"dollars, USD unknown":   {dollar, unknown, true},
		"dollars, another USD":   {dollar, apiclient.NewAmount(6, "USD"), true},
		"a currency not told":    {apiclient.NewAmount(5, ""), dollar, true},
		"unknown, USD is known":  {apiclient.UnknownAmount("USD"), dollar, true},
		"an unknown euro amount": {apiclient.UnknownAmount("EUR"), unknown, true},
	} {
		if got := totalDiffers(&apiclient.Transaction{Amount: c.amount, Reporting: c.usd}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCategoriesAreWholeBeforeMemosAre(t *testing.T) {
	d := open(t, 0)
	d.server.alter = func(number int, row *apiclient.Transaction) {
		row.Category, row.Memo = "Travel", "servers of October and November"
		if number == 3 {
			row.Category = "Advertising"
		}
	}
	d.server.insert(0, 60)
	d.drain(d.Refresh())
	d.SetSize(80, 21)

	d.says("Advertising")
	d.says("servers of ")
}

func TestCategoriesAreWholeBesideAnOpenDetail(t *testing.T) {
	d := open(t, 0)
	d.server.alter = func(number int, row *apiclient.Transaction) {
		row.Category, row.CounterpartyName = "office_supplies", "Tamarack Credit UX"
	}
	d.server.insert(0, 60)
	d.drain(d.Refresh())
	d.SetSize(120, 37)
	d.press("enter")

	for line := range strings.SplitSeq(d.text(), "\n") {
		list, _, beside := strings.Cut(line, "│")
		if beside && strings.Contains(list, "office") {
			if !strings.Contains(list, "Tamarack Credit UX") || !strings.Contains(list, "office_supplies") {
				t.Fatalf("beside the detail, the list says %q", list)
			}
			return
		}
	}
	t.Fatal("the list is not beside the detail")
}
