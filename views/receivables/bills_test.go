package receivables_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/importing"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
	"tarmac/views/receivables"
)

// payer is a server with invoices and bills. If billsErr is set, requests for bills fail.
type payer struct {
	*source
	bills    apiclient.Bills
	billsErr error
}

func (p *payer) Bills(context.Context) (*apiclient.Bills, error) { return &p.bills, p.billsErr }

// bill adds a bill that is due the given number of days after today.
func (p *payer) bill(number, vendor string, cents int64, days int) *apiclient.Bill {
	due := civil.Of(sample.Now).AddDays(days)
	p.bills.All = append(p.bills.All, apiclient.Bill{
		Number: number, VendorName: vendor, State: apiclient.BillOpen, Open: apiclient.NewAmount(cents, "USD"),
		Reporting: apiclient.NewAmount(cents, "USD"), IssuedOn: due.AddDays(-30), DueOn: due, Source: "quickbooks",
	})
	return &p.bills.All[len(p.bills.All)-1]
}

func toPay() *payer {
	p := &payer{source: invoices(), bills: apiclient.Bills{Kept: true, Known: true, Currency: "USD"}}
	p.bill("2026-118", "Cloudhost Inc.", 12_345_67, 3)
	p.bill("2026-131", "Cloudhost Inc.", 8_200_00, 33)
	p.bill("7741", "Harbor Print", 4_501_11, -45)
	p.bill("7802", "Harbor Print", 9_876_54, -12).MayBePaid = true
	p.bill("L-9", "Miller Legal LLP", 31_415_92, 5).DueOn = apiclient.Date{}
	disputed := p.bill("7666", "Harbor Print", 2_718_28, -80)
	disputed.State = apiclient.BillDisputed
	paid := p.bill("2026-104", "Cloudhost Inc.", 0, -28)
	paid.State, paid.PaidOn, paid.PaidBy = apiclient.BillPaid, civil.Of(sample.Now).AddDays(-20), "txn_7"
	gone := p.bill("H-1", "Old Landlord", 0, -60)
	gone.State = apiclient.BillPaid
	return p
}

// marker marks bills, and returns err if that is set.
type marker struct {
	importing.Books
	marked []string
	err    error
}

func (m *marker) MarkBill(_ context.Context, text, state string) (ownbooks.MarkedBill, error) {
	m.marked = append(m.marked, text+": "+state)
	return ownbooks.MarkedBill{Number: "7741", Vendor: "Harbor Print", State: state, Open: 1}, m.err
}

// toPaySide returns the page with its bills shown.
func toPaySide(t *testing.T, p *payer, books importing.Books, readOnly bool) *receivables.Screen {
	t.Helper()
	e := env(sample.New().Snapshot(t))
	e.Books, e.ReadOnly = books, readOnly
	s := receivables.New(e, p)
	load(s)
	s.SetSize(120, 37)
	run(s, s.Update(sample.Press("]")))
	return s
}

// run passes the messages of a command to the page, and returns those that are not for it.
func run(s *receivables.Screen, cmd tea.Cmd) (told []tea.Msg) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, one := range msg {
			told = append(told, run(s, one)...)
		}
		return told
	case views.Visit, views.Notice, views.LedgerChanged, views.Copy:
		return []tea.Msg{msg}
	default:
		return run(s, s.Update(msg))
	}
}

// press presses keys, and returns the messages that are not for the page.
func press(s *receivables.Screen, keys ...string) (told []tea.Msg) {
	for _, key := range keys {
		told = append(told, run(s, s.Update(sample.Press(key)))...)
	}
	return told
}

func TestPicturesOfBills(t *testing.T) {
	s := toPaySide(t, toPay(), &marker{}, false)
	for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}, {40, 9}} {
		s.SetSize(size[0], size[1])
		sample.CheckSize(t, s.View(), size[0], size[1])
		sample.Golden(t, fmt.Sprintf("bills-%dx%d", size[0], size[1]), s.View(), *update)
	}
	s.SetSize(80, 21)
	press(s, "enter")
	sample.Golden(t, "bills-inside-80x21", s.View(), *update)
	sample.CheckAllSizes(t, s)
}

func TestMaskedNoAmountOfABillIsSeen(t *testing.T) {
	sample.CheckMasked(t, toPaySide(t, toPay(), &marker{}, false), 12_345_67, 8_200_00+12_345_67, 4_501_11, 9_876_54,
		31_415_92, 2_718_28, 66_339_24)
}

func TestWhatIsNotKnownAboutBillsIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		bills apiclient.Bills
		err   error
		books importing.Books
		want  []string
	}{
		"kept by nobody": {want: []string{"This server keeps no bills."}},
		"not imported":   {bills: apiclient.Bills{Kept: true}, want: []string{"No bills were imported. Import"}},
		"own books": {bills: apiclient.Bills{Kept: true}, books: &marker{},
			want: []string{"No bills were imported. Import", "n opens Books"}},
		"none left": {bills: apiclient.Bills{Kept: true, Known: true, Currency: "USD"}, want: []string{"No bills to pay."}},
		"failed":    {err: errors.New("broken pipe"), want: []string{"Could not load: broken pipe."}},
	} {
		s := toPaySide(t, &payer{source: invoices(), bills: c.bills, billsErr: c.err}, c.books, false)
		picture := strings.Join(strings.Fields(ansi.Strip(s.View())), " ")
		for _, want := range c.want {
			if !strings.Contains(picture, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, picture)
			}
		}
		if strings.Contains(picture, "$") || strings.Contains(picture, "0.00") {
			t.Errorf("%s has a figure:\n%s", name, picture)
		}
		for _, size := range [][2]int{{200, 57}, {40, 9}, {20, 3}, {1, 1}} {
			s.SetSize(size[0], size[1])
			sample.CheckSize(t, s.View(), size[0], size[1])
		}
	}
}

// A mark beside small amounts takes none of the room of the column's title.
func TestTitlesOfSumsAreWhole(t *testing.T) {
	p := &payer{source: invoices(), bills: apiclient.Bills{Kept: true, Known: true, Currency: "USD"}}
	p.bill("1", "Harbor Print", 90_00, 3).MayBePaid = true
	p.bill("2", "Cloudhost Inc.", 80_00, 5)
	s := toPaySide(t, p, &marker{}, false)
	s.SetSize(120, 37)

	if picture := ansi.Strip(s.View()); !strings.Contains(picture, "Past due  Next 7 days  ") {
		t.Errorf("a title is cut:\n%s", picture)
	}
}

func TestABillLeadsToWhatSettledIt(t *testing.T) {
	s := toPaySide(t, toPay(), &marker{}, false)
	day := civil.Of(sample.Now).AddDays(-20)
	for _, c := range []struct {
		keys []string
		want tea.Msg // nil if enter has no effect
	}{
		{[]string{"enter"}, nil}, // the bill that is past due for longest
		{[]string{"j", "enter"}, views.Visit{Screen: views.Books}},
		{[]string{"esc", "j", "j", "enter", "G", "enter"}, views.Visit{Screen: views.Transactions,
			Target: views.TransactionsTarget{From: day, To: day, Direction: apiclient.Outflow, ID: "txn_7"}}},
	} {
		told := press(s, append(c.keys, "enter")...)
		if c.want == nil && len(told) > 0 || c.want != nil && (len(told) == 0 || told[0] != c.want) {
			t.Errorf("%q lead to %v, want %v:\n%s", c.keys, told, c.want, ansi.Strip(s.View()))
		}
	}
}

func TestABillIsMarkedAfterAConfirmation(t *testing.T) {
	m := &marker{}
	s := toPaySide(t, toPay(), m, false)

	press(s, "enter", "m", "d", "n", "m", "esc", "m", "o", "esc")
	if len(m.marked) != 0 {
		t.Fatalf("without a confirmation it marks %q", m.marked)
	}
	told := press(s, "m", "d", "y")

	if want := "7741 Harbor Print: disputed"; len(m.marked) != 1 || m.marked[0] != want {
		t.Fatalf("it marks %q, want %q", m.marked, want)
	}
	notice := views.Notice{Text: "7741 of Harbor Print is marked disputed. 1 question open."}
	if len(told) != 2 || told[0] != notice || told[1] != (views.LedgerChanged{}) {
		t.Errorf("it tells %v", told)
	}

	m.err = errors.New("the books are in use")
	told = press(s, "m", "p", "y")
	if want := (views.Notice{Text: "The bill was not marked: the books are in use", Problem: true}); len(told) != 1 ||
		told[0] != want {
		t.Errorf("a failure tells %v", told)
	}
}

func TestWithoutOwnBooksNothingIsMarked(t *testing.T) {
	for name, s := range map[string]*receivables.Screen{
		"a server":  toPaySide(t, toPay(), nil, false),
		"read only": toPaySide(t, toPay(), &marker{}, true),
	} {
		press(s, "enter")
		for _, b := range s.Help()[0].Bindings {
			if b.Enabled() && (b.Help().Key == "m" || b.Help().Key == "n") {
				t.Errorf("%s offers %s", name, b.Help().Key)
			}
		}
		press(s, "m")
		if s.Typing() {
			t.Errorf("%s asks how to mark a bill", name)
		}
	}
}

func TestTheBillsAreFilteredAndKept(t *testing.T) {
	s := toPaySide(t, toPay(), nil, false)
	press(s, "/", "7", "8", "0", "2", "enter")
	sample.CheckText(t, s, "Harbor Print")
	sample.CheckNoText(t, s, "Miller Legal", "Cloudhost")
	if !s.Filtered() || !s.Back() || s.Filtered() || s.Back() {
		t.Error("esc removes the filter once")
	}
	kept := s.State().Kept.Shown

	press(s, "[")
	sample.CheckText(t, s, "Owed to us")
	s.Update(views.Restore{Shown: kept})
	sample.CheckText(t, s, "Miller Legal")
	run(s, s.Show(views.ReceivablesTarget{Customer: "Contoso"}))
	sample.CheckText(t, s, "Owed to us")
	run(s, s.Show(views.ReceivablesTarget{Bills: true}))
	sample.CheckText(t, s, "Miller Legal")
}

func TestAClickOpensAVendorsBills(t *testing.T) {
	s := toPaySide(t, toPay(), nil, false)
	at := func(text string) (x, y int) {
		for y, line := range strings.Split(ansi.Strip(s.View()), "\n") {
			if x := strings.Index(line, text); x >= 0 {
				return 3, y
			}
		}
		t.Fatalf("no %s:\n%s", text, ansi.Strip(s.View()))
		return 0, 0
	}
	run(s, s.Click(at("Miller Legal")))
	sample.CheckText(t, s, "Bills of Miller Legal LLP")
	run(s, s.Click(at("L-9")))
	if !s.Back() || s.Back() {
		t.Error("a click does not select a bill")
	}
}
