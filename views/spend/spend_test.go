package spend_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

// first returns the first word of each row of the list.
func (r *rig) first() (words []string) {
	_, list, _ := strings.Cut(sample.Text(r), "\nCounterparty")
	for _, line := range strings.Split(list, "\n")[1:] {
		if strings.TrimSpace(line) == "" {
			break
		}
		words = append(words, strings.Fields(line)[0])
	}
	return words
}

func (r *rig) lists(want ...string) {
	r.t.Helper()
	if got := r.first(); !slices.Equal(got, want) {
		r.t.Errorf("the list has %q, want %q", got, want)
	}
}

func TestEachFigureOpensItsRowsAndEscLeadsBackToIt(t *testing.T) {
	r := open(t, nil)
	for _, c := range []struct {
		tab  string
		rows string
	}{
		{"", "3 transactions · out $63,222.00"},
		{"]", "25 transactions · out $"},
		{"]", "2 transactions · out $43,161.00"},
	} {
		if c.tab != "" {
			r.press(c.tab)
		}
		r.press("j", "enter")
		sample.CheckText(t, r, " › Amazon Web Services", c.rows)
		r.press("enter")
		sample.CheckText(t, r, "Id  ")
		r.press("esc", "esc")
		sample.CheckText(t, r, "row 2 of ")
		if r.Back() {
			t.Error("esc closes more than what was open")
		}
	}
}

func TestTheChangesAddUpToTheServersTotals(t *testing.T) {
	r := open(t, nil)
	r.press("shift+tab")
	for i, month := range []civil.Date{civil.MustParse("2026-09-01"), civil.MustParse("2026-10-01")} {
		rows := slices.Clone(r.org.Rows)
		rows = slices.DeleteFunc(rows, func(t apiclient.Transaction) bool { return t.Date.FirstOfMonth() != month })
		sum, _ := history.Total(rows)
		net := figures.FlowsOf(sum, "").Net.String()
		sample.CheckText(t, r, "of "+figures.YearMonth(month)+" "+figures.Unmarked(net)+" °")
		if i == 1 {
			sample.CheckText(t, r, money.Text(sum.NetMinor, "USD"), "to the cent")
		}
	}
}

func TestDirectionMonthsAndOrderChangeTheFigures(t *testing.T) {
	r := open(t, nil)
	r.lists("Gusto", "Amazon", "Harbor", "LANTERN,", "Quillbot", "Tbilisi")
	r.press("S")
	r.lists("Amazon", "Gusto", "Harbor", "LANTERN,", "Quillbot", "Tbilisi")
	sample.CheckText(t, r, "[by change]")
	r.press("d", "f")
	r.lists("Northwind", "Contoso")
	sample.CheckText(t, r, "[money in] [6 months] [by change]", "2026-05..2026-10", "income $")
	r.press("x", "x")
	sample.CheckText(t, r, "[money in]", "2026-08..2026-10")
	r.press("X")
	sample.CheckText(t, r, "no filter", "money out")
}

func TestAFilterHidesOtherFigures(t *testing.T) {
	r := open(t, nil)
	r.press("/")
	if !r.Typing() {
		t.Fatal("/ takes no text")
	}
	r.typed("prop")
	r.press("enter")
	r.lists("Harbor")
	if !r.State().Filtered {
		t.Error("the page does not say that it is filtered")
	}
	r.press("/")
	r.typed("zzz")
	r.press("enter")
	sample.CheckText(t, r, "Nothing matches this filter.")
	r.press("x")
	if r.State().Filtered {
		t.Error("the filter is still set")
	}
}

func TestRecurringPaymentsAreOrderedByTheirRise(t *testing.T) {
	r := open(t, nil)
	r.press("]", "S")
	r.lists("Lantern", "Amazon", "Gusto", "Harbor", "Quillbot")
	sample.CheckText(t, r, "+25 % since 2025-11", "stopped", "money out $3.27M ° a year")
}

func TestTheComparedMonthsMove(t *testing.T) {
	r := open(t, nil)
	r.press("shift+tab", "<")
	sample.CheckText(t, r, "net of 2026-08 ", "of 2026-09 ", "[2026-08..2026-09]")
	r.press(">")
	sample.CheckText(t, r, "net of 2026-09 ", "no filter")
	r.press(">")
	sample.CheckText(t, r, "net of 2026-09 ")
	r.press("f")
	for range 20 {
		r.press("backspace")
	}
	r.typed("2025-10..2026-11")
	r.press("enter")
	sample.CheckText(t, r, "needs full months from 2023-08 to 2026-10")
	for range 2 {
		r.press("backspace")
	}
	r.typed("10")
	r.press("enter")
	sample.CheckText(t, r, "net of 2025-10 ", "of 2026-10 ", "[2025-10..2026-10]")
}

func TestTheSelectionStaysWhenRowsAreReadAgain(t *testing.T) {
	r := open(t, nil)
	r.press("j", "j")
	sample.CheckText(t, r, "row 3 of 6")
	r.org.Rows = slices.DeleteFunc(r.org.Rows, func(t apiclient.Transaction) bool { return t.CounterpartyName == "Gusto" })
	r.data.RenewHistory()
	r.read(1000)
	sample.CheckText(t, r, "row 2 of 5")
}

func TestFiguresAndRowsAreCopied(t *testing.T) {
	r := open(t, nil)
	for _, c := range []struct {
		keys []string
		want []string
	}{
		{nil, []string{"Counterparties, 2026-08..2026-10\n", "Counterparty: Gusto\n", "Total: $711,000.00\n"}},
		{[]string{"]"}, []string{"Recurring, since 2024-11\n", "Rhythm: twice a month\n"}},
		{[]string{"]"}, []string{"Changes, 2026-09..2026-10\n", "What: paid more\n"}},
		{[]string{"enter"}, []string{"2026-10-12\t$95,100.00\t"}},
	} {
		r.press(c.keys...)
		copied, _ := r.press("y").(views.Copy)
		for _, want := range c.want {
			if !strings.Contains(copied.Text, want) {
				t.Errorf("%q lacks %q", copied.Text, want)
			}
		}
	}
}

func TestThePaletteOpensEachListOfFigures(t *testing.T) {
	r := open(t, nil)
	r.press("enter")
	for figures, want := range map[views.SpendFigures]string{
		views.SpendByCounterparty: "months, share", views.SpendRecurring: "Rhythm", views.SpendChanges: "What",
	} {
		r.run(r.Show(views.SpendTarget{Figures: figures}))
		sample.CheckText(t, r, want)
	}
}

func TestClicksChooseListsRowsAndFilters(t *testing.T) {
	r := open(t, nil)
	r.run(r.Click(18, 0))
	sample.CheckText(t, r, "Rhythm")
	r.run(r.Click(1, 0))
	r.press("S")
	r.run(r.Click(2, 3))
	sample.CheckText(t, r, "no filter")
	r.run(r.Click(5, 6))
	sample.CheckText(t, r, "row 2 of 6")
	r.run(r.Click(5, 6))
	sample.CheckText(t, r, " › Amazon Web Services")
	r.run(r.Click(2, 0))
	sample.CheckText(t, r, "months, share", "row 2 of 6")
}

func BenchmarkStep(b *testing.B) {
	data := sample.New().SnapshotWithHistory(b)
	now := sample.Now
	s := newScreen(data, &now)
	s.SetSize(120, 37)
	for i := range b.N {
		s.Update(sample.Press([]string{"j", "k"}[i%2]))
		s.View()
	}
}

func TestAFilterOutlivesTheSession(t *testing.T) {
	r := open(t, nil)
	r.press("d", "/")
	r.typed("north")
	r.press("enter")
	saved := r.State().Kept.Filter

	next := newRig(t, nil)
	next.run(next.Update(views.Restore{Filter: saved}))
	next.read(1000)
	next.lists("Northwind")
	sample.CheckText(t, next, "[money in]")
}

// What rounds to zero in its column is neither dearer nor cheaper.
func TestAChangeTooSmallForItsColumnHasNoSign(t *testing.T) {
	r := open(t, func(o *sample.Organization) {
		for month, cents := range map[string]int64{"2026-07": 9_000_00, "2026-10": 9_001_00} {
			row := o.Rows[0]
			row.ID, row.Date, row.Direction = "txn_small_"+month, civil.MustParse(month+"-09"), apiclient.Outflow
			row.CounterpartyName, row.Memo = "Smallest Change", ""
			row.Amount = apiclient.NewAmount(cents, "USD")
			row.USD, row.Reporting = row.Amount, row.Amount
			o.Rows = append(o.Rows, row)
		}
	})
	for _, line := range strings.Split(sample.Text(r), "\n") {
		if strings.Contains(line, "Smallest Change") {
			if fields := strings.Fields(line); !slices.Contains(fields, "0.0") || strings.Contains(line, "+") {
				t.Errorf("the change is %q", line)
			}
			return
		}
	}
	t.Fatalf("it is not listed in\n%s", sample.Text(r))
}
