package runway_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/runway"
)

// invoiceList answers with invoices, or with an error.
type invoiceList struct {
	invoices []apiclient.Invoice
	err      error
}

func (l *invoiceList) Invoices(context.Context, apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	return l.invoices, l.err
}

// withBills is a list of invoices of a server that also has bills.
type withBills struct {
	invoiceList
	bills    []apiclient.Bill
	unkept   bool // it keeps no bills
	requests int
}

func (w *withBills) Bills(context.Context) (*apiclient.Bills, error) {
	w.requests++
	return &apiclient.Bills{Kept: !w.unkept, Known: true, Currency: "USD", All: w.bills}, nil
}

// openInvoices returns two invoices of one customer that have been sent and are due soon.
func openInvoices() (all []apiclient.Invoice) {
	for i := range 2 {
		sent, due := sample.Now.AddDate(0, 0, -10), sample.Now.AddDate(0, 0, 9+7*i)
		total := apiclient.NewAmount(4_500_00, "USD")
		all = append(all, apiclient.Invoice{
			ID: fmt.Sprint("inv_", i), Number: fmt.Sprint("INV-00", i), Status: apiclient.InvoiceSent,
			RecipientName: "Halden Freight", RecipientEmail: "ap@halden.example", Total: total,
			CreatedAt: sent, SentAt: &sent, DueDate: &due,
		})
	}
	return all
}

// settle delivers the results of a command, and of those that follow, until there are none.
func settle(s *runway.Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, views.Visit:
	case tea.BatchMsg:
		for _, c := range msg {
			settle(s, c)
		}
	default:
		settle(s, s.Update(msg))
	}
}

// withWeeks returns the page with its forecast, which is selected.
func withWeeks(t *testing.T, source collections.Source) *runway.Screen {
	return weeksOf(t, sample.New(), source)
}

func weeksOf(t *testing.T, o *sample.Organization, source collections.Source) *runway.Screen {
	s := runway.New(views.Env{
		Context: t.Context(), Timeout: time.Minute, Snapshot: o.SnapshotWithHistory(t),
		Now: func() time.Time { return sample.Now }, Theme: theme.New(true),
	}, source)
	s.SetSize(120, 37)
	s.Update(views.Visible(true))
	settle(s, s.Update(views.Tick{}))
	press(s, "]")
	return s
}

func TestPicturesOfWeeks(t *testing.T) {
	s := withWeeks(t, &invoiceList{invoices: openInvoices()})
	for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}} {
		s.SetSize(size[0], size[1])
		sample.CheckSize(t, s.View(), size[0], size[1])
		sample.Golden(t, fmt.Sprintf("weeks-%dx%d", size[0], size[1]), s.View(), *update)
	}
	press(s, "j", "enter")
	sample.Golden(t, "week-80x21", s.View(), *update)
	press(s, "esc", "i")
	sample.Golden(t, "weeks-basis-80x21", s.View(), *update)
}

// Burn may be unknown for lack of rates while the weeks ahead are not.
// Rounded to the places of their columns, money in less money out is the net in each row.
func TestTheRowsOfMonthsAndWeeksAddUpAsShown(t *testing.T) {
	s := withWeeks(t, &invoiceList{})
	s.SetSize(120, 37)
	row := regexp.MustCompile(`20\d\d-\d\d\S* [ °]*([\d,]+)[ °]+([\d,]+)[ °]+([-+]?[\d,]+)[ °]`)
	read := func(text string) (n int) {
		n, _ = strconv.Atoi(strings.NewReplacer(",", "", "+", "").Replace(text))
		return n
	}

	rows := row.FindAllStringSubmatch(ansi.Strip(s.View()), -1)

	for _, r := range rows {
		if read(r[1])-read(r[2]) != read(r[3]) {
			t.Errorf("%s less %s is not %s: %s", r[1], r[2], r[3], r[0])
		}
	}
	if len(rows) < 24 {
		t.Errorf("%d rows are read:\n%s", len(rows), ansi.Strip(s.View()))
	}
}

func TestWhyThereIsNoRunwayHasRoomAndTheWeeksAreDrawn(t *testing.T) {
	o := sample.NoHistory()
	reason := "No estimate: 60 of 250 transactions of 2026-08 to 2026-10 have no USD rate."
	o.Cash.Extension = &apiclient.Extension{
		NoEstimate: &apiclient.NoEstimate{Code: apiclient.NoEstimateUnratedWindow},
		Window:     &apiclient.BurnWindow{FirstMonth: "2026-08", LastMonth: "2026-10", Months: 3},
	}
	o.Cash.Extension.NoEstimate.Data.Unconverted, o.Cash.Extension.NoEstimate.Data.Transactions = 60, 250
	o.Cash.RunwayNote = reason + strings.Repeat(" More is said, about many accounts and days.", 12)
	s := weeksOf(t, o, &invoiceList{})

	press(s, "[")
	s.SetSize(80, 21)

	if picture := text(s); !strings.Contains(picture, reason) || !strings.Contains(picture, "today") ||
		strings.Contains(picture, "More is said") {
		t.Errorf("the page is\n%s", picture)
	}
}

func TestTheTargetOfThePaletteSelectsTheWeeks(t *testing.T) {
	s := withWeeks(t, &invoiceList{})
	s.SetSize(80, 21)
	press(s, "[")
	sample.CheckNoText(t, s, "Thirteen weeks")
	s.Show(views.RunwayTarget{Weeks: true})
	sample.CheckText(t, s, "Thirteen weeks")
}

func TestWeeksFillEverySize(t *testing.T) {
	for name, keys := range map[string][]string{
		"weeks": nil, "a week": {"enter"}, "rows": {"enter", "G", "enter"}, "basis": {"i"},
	} {
		t.Run(name, func(t *testing.T) {
			s := withWeeks(t, &invoiceList{invoices: openInvoices()})
			press(s, keys...)
			for width, height := range sample.Sizes {
				if width > 32 && width%18 != 0 && width != 80 {
					continue
				}
				s.SetSize(width, height)
				if sample.CheckSize(t, s.View(), width, height); t.Failed() {
					return
				}
			}
		})
	}
}

func TestAWeekOpensWhatItIsMadeOf(t *testing.T) {
	s := withWeeks(t, &invoiceList{invoices: openInvoices()})
	press(s, "j", "enter")
	sample.CheckText(t, s, "Week 2026-11-28–12-04", "not added: invoice INV-000", "-$118,500.00",
		"recurring, twice a month")

	visit, _ := press(s, "enter")().(views.Visit)
	if visit.Screen != views.Invoices || visit.Target != (views.InvoiceTarget{ID: "inv_0"}) {
		t.Errorf("the invoice opens %+v", visit)
	}
}

// The rows behind an item come from memory, and esc leads back step by step.
func TestAnItemOpensItsTransactions(t *testing.T) {
	s := withWeeks(t, &invoiceList{invoices: openInvoices()})
	press(s, "j", "enter", "j", "enter")
	sample.CheckText(t, s, "Week 2026-11-28–12-04 · Gusto", "Memo", "2026-11-15     -$118,500.00")
	for _, want := range []string{"Made of", "Spendable $M"} {
		if s.Back(); !strings.Contains(text(s), want) {
			t.Errorf("no %q after going back:\n%s", want, text(s))
		}
	}
	if s.Back() {
		t.Error("something is still open")
	}
}

// A new forecast keeps the open week and the cursor, although its rows have other places.
func TestWhatIsOpenStaysOpenWhenRowsChange(t *testing.T) {
	s := withWeeks(t, &invoiceList{invoices: openInvoices()})
	press(s, "j", "enter", "j", "enter")
	before := text(s)

	settle(s, s.Refresh())

	if after := text(s); after != before {
		t.Errorf("it shows\n%s\ninstead of\n%s", after, before)
	}
}

func TestTheWeeksHaveTheLinesOfThePlan(t *testing.T) {
	s := withWeeks(t, &invoiceList{})
	runAll(s, press(s, "n", `cost "Move" 50k on 2026-12-15`, "enter"))
	sample.CheckText(t, s, "Weeks with the plan, hypothetical", "Plan")
	press(s, "jjj", "enter")
	sample.CheckText(t, s, "Move", "planned, ", "-$50,000.00")
	press(s, "esc", "]")
	press(s, "D")
	runAll(s, press(s, "y"))
	sample.CheckNoText(t, s, "hypothetical")
}

func TestTheForecastSaysWhatItLacks(t *testing.T) {
	forbidden := &apiclient.Error{Status: 403}
	s := withWeeks(t, &invoiceList{err: forbidden})
	s.SetSize(200, 57)
	sample.CheckText(t, s, "The token may not read invoices", "Estimate from ", "The band is the second largest miss")

	failed := withWeeks(t, &invoiceList{err: &apiclient.Error{Status: 500}})
	sample.CheckNoText(t, failed, "Week until")
	sample.CheckText(t, failed, "Thirteen weeks, estimate")
}

func TestBeforeTheHistoryIsReadThePageSaysSo(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	press(s, "]")
	sample.CheckText(t, s, "Thirteen weeks, estimate", "Waiting for transactions")
}

func TestMaskedTheShapesOfTheForecastAreHidden(t *testing.T) {
	s := withWeeks(t, &invoiceList{invoices: openInvoices()})
	looks := theme.New(true)
	looks.Masked = true
	s.SetTheme(looks)
	for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}} {
		s.SetSize(size[0], size[1])
		sample.CheckNoText(t, s, "●", "━", "▇", "⠶")
	}
	sample.CheckMasked(t, s, sample.New().Amounts()...)
}

// Bills that are due have a column, a line about the runway, and stand in their week.
func TestBillsStandInTheirWeeks(t *testing.T) {
	bill := func(number string, days int, cents int64) apiclient.Bill {
		return apiclient.Bill{
			Number: number, VendorName: "Quay Movers", State: apiclient.BillOpen,
			DueOn: civil.Of(sample.Now).AddDays(days), Open: apiclient.NewAmount(cents, "USD"),
			Reporting: apiclient.NewAmount(cents, "USD"),
		}
	}
	server := &withBills{bills: []apiclient.Bill{bill("Q-1", -3, 70_000_00), bill("Q-2", 9, 30_000_00)}}
	s := withWeeks(t, server)
	sample.CheckText(t, s, "Of it bills", "after $70,000.00 past due to vendors.")
	sample.Golden(t, "weeks-bills-120x37", s.View(), *update)
	press(s, "enter")
	sample.CheckText(t, s, "bill Q-1, 3 days past due", "-$70,000.00", "Quay Movers")
	press(s, "esc", "j", "enter")
	sample.CheckText(t, s, "bill Q-2, due", "-$30,000.00")

	sample.CheckNoText(t, withWeeks(t, &invoiceList{}), "Of it bills")
}

func TestOnlyAServerThatKeepsBillsIsAskedAgain(t *testing.T) {
	for unkept, want := range map[bool]int{true: 1, false: 2} {
		server, now := &withBills{unkept: unkept}, sample.Now
		s := runway.New(views.Env{
			Context: t.Context(), Timeout: time.Minute, Snapshot: sample.New().SnapshotWithHistory(t),
			Now: func() time.Time { return now }, Theme: theme.New(true),
		}, server)
		settle(s, s.Init())
		settle(s, s.Update(views.Tick{}))
		now = now.Add(time.Hour)
		settle(s, s.Update(views.Tick{}))

		if server.requests != want {
			t.Errorf("unkept %v: %d requests in an hour, want %d", unkept, server.requests, want)
		}
	}
}

// On a small screen the reason is above a chart and five months or weeks.
func TestTheReasonOfTheRunwayIsSaidOnASmallScreen(t *testing.T) {
	o := sample.New()
	runwayNow := apiclient.MonthsOf(182)
	o.Cash.MonthlyBurnCents, o.Cash.RunwayMonths = 13_022_400, &runwayNow // the average of its rows
	s := weeksOf(t, o, &invoiceList{})
	s.SetSize(80, 21)

	sample.CheckText(t, s, " took about", "Week until", "2026-11-27", "2026-12-25")
	press(s, "[")
	sample.CheckText(t, s, " took about", "Month ", "Nov so far", "2026-07")
}

// The sample leaves out transactions without a rate in the weeks from which the forecast is made.
func TestTheWeeksAndTheChartBesideThemSayThatTheyAreIncomplete(t *testing.T) {
	s := withWeeks(t, &invoiceList{})
	s.SetSize(120, 37)
	press(s, "[")

	for _, title := range []string{"Cash, $M: past", "Thirteen weeks, estimate"} {
		line := strings.Split(text(s), "\n")[lineOf(t, s, title)]
		if _, after, _ := strings.Cut(line, title); !strings.Contains(after, "°") {
			t.Errorf("the title has no mark: %s", line)
		}
	}
}
