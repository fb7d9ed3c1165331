package receivables_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

func TestWhatIsSaidInEachState(t *testing.T) {
	states := sample.States(t)
	for name, c := range map[string]struct{ want, not []string }{
		"ready": {[]string{"Owed to us $626,351.49 ° ", "of which $213k is overdue", "65.9%", "20.5%", "7.0%", "2.0%",
			"4.6%", " 48 open", "° without 2 receivables that have no USD rate", "Northwind Traders",
			"no habits: broken pipe"}, []string{"stale"}},
		"stale":  {[]string{"◌ stale", "$626,351.49"}, nil},
		"empty":  {[]string{"No open receivables"}, []string{"$", "%"}},
		"failed": {[]string{"Could not load: broken pipe.", "r now"}, []string{"$"}},
		"buckets and no sum": {[]string{"Owed to us $626,351.49 ", "$214k is overdue", "overdue customers are not named"},
			[]string{"USD rate", "°", " open"}},
		"hostile": {[]string{"—"}, []string{"%"}},
	} {
		s := withoutInvoices(t, states[name])
		s.SetSize(120, 37)
		picture := ansi.Strip(s.View())
		for _, want := range c.want {
			if !strings.Contains(picture, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, picture)
			}
		}
		for _, not := range c.not {
			if strings.Contains(picture, not) {
				t.Errorf("%s says %q:\n%s", name, not, picture)
			}
		}
	}
}

// The total appears once, in the title of the buckets.
func TestTheTotalIsSaidOnce(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	for _, size := range [][2]int{{80, 21}, {99, 37}, {100, 21}, {120, 37}, {200, 57}, {100, 10}} {
		s.SetSize(size[0], size[1])
		if n := strings.Count(ansi.Strip(s.View()), "$626,351.49"); n != 1 {
			t.Errorf("at %v the sum is said %d times", size, n)
		}
	}
}

func TestTheSelectionStaysInSight(t *testing.T) {
	o := sample.New()
	s := withoutInvoices(t, o.Snapshot(t))
	s.SetSize(80, 16) // the table shows three customers
	selected := func() string {
		for line := range strings.SplitSeq(s.View(), "\n") {
			if strings.Contains(line, "\x1b[7m") {
				return strings.Fields(ansi.Strip(line))[0]
			}
		}
		return ""
	}
	s.SetTheme(theme.New(true))
	for _, c := range []struct{ key, want string }{
		{"k", "Northwind"}, {"j", "Acme"}, {"j", "日本電機株式会社"}, {"j", "Blue"}, {"G", "Contoso"},
		{"j", "Contoso"}, {"k", "Müller"}, {"g", "Northwind"},
	} {
		s.Update(tea.KeyPressMsg{Code: rune(c.key[0]), Text: c.key})
		if got := selected(); got != c.want {
			t.Errorf("after %s %q is selected, want %q", c.key, got, c.want)
		}
	}
}

func TestFiguresLeadToTheInvoicesBehindThem(t *testing.T) {
	s := withoutInvoices(t, sample.New().Snapshot(t))
	s.SetSize(120, 37)
	s.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
	for _, c := range []struct {
		press tea.KeyPressMsg
		want  views.InvoicesTarget
	}{
		{tea.KeyPressMsg{Code: tea.KeyEnter},
			views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "Acme Robotics GmbH", Owed: true}},
		{tea.KeyPressMsg{Code: 'o', Text: "o"}, views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Owed: true}},
	} {
		cmd := s.Update(c.press)
		if cmd == nil {
			t.Fatalf("%s leads nowhere", c.press)
		}
		if got := cmd(); got != (views.Visit{Screen: views.Invoices, Target: c.want}) {
			t.Errorf("%s leads to %v, want %v", c.press, got, c.want)
		}
	}
}

func TestBucketsLeadToTheInvoicesBehindThem(t *testing.T) {
	s := withoutInvoices(t, sample.New().Snapshot(t))
	s.SetSize(120, 37)
	const far = 1 << 30
	for _, want := range []views.InvoicesTarget{
		{Status: apiclient.InvoiceSent, PastDue: views.DaysPastDue{Name: "not due", From: -far}},
		{Status: apiclient.InvoiceOverdue, PastDue: views.DaysPastDue{Name: "1–30 days past due", From: 1, To: 30}},
		{Status: apiclient.InvoiceOverdue, PastDue: views.DaysPastDue{Name: "31–60 days past due", From: 31, To: 60}},
		{Status: apiclient.InvoiceOverdue, PastDue: views.DaysPastDue{Name: "61–90 days past due", From: 61, To: 90}},
		{Status: apiclient.InvoiceOverdue, PastDue: views.DaysPastDue{Name: "Over 90 days past due", From: 91, To: far}},
		{Status: apiclient.InvoiceOverdue, Customer: "Northwind Traders"},
	} {
		want.Owed = true
		s.Update(sample.Press("tab"))
		if got := s.Update(sample.Press("enter"))(); got != (views.Visit{Screen: views.Invoices, Target: want}) {
			t.Errorf("it leads to %v, want %v", got, want)
		}
	}
	s.Update(sample.Press("shift+tab"))
	if !s.Back() || s.Back() {
		t.Error("esc gives up the bucket once")
	}
	s.Update(sample.Press("tab"))
	s.Update(sample.Press("j"))
	got := s.Update(sample.Press("enter"))().(views.Visit).Target.(views.InvoicesTarget)
	if got.Customer != "Acme Robotics GmbH" {
		t.Errorf("after j it leads to %v", got)
	}
}

func TestNobodyToSelectMeansNoKeys(t *testing.T) {
	s := withoutInvoices(t, sample.BucketsOnly().Snapshot(t))
	s.SetSize(120, 37)
	for _, b := range s.Help()[0].Bindings {
		if b.Enabled() && !slices.Contains([]string{"o", "tab", "shift+tab", "Y", "e"}, b.Help().Key) {
			t.Errorf("%s is offered without customers", b.Help().Key)
		}
	}
	s.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
	sample.CheckSize(t, s.View(), 120, 37)
	if !strings.Contains(ansi.Strip(s.View()), "overdue customers are not named") {
		t.Error("it does not say that there is nobody to show")
	}
}

func TestTheTextFilterOutlivesTheSession(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	for _, press := range []string{"/", "n", "o", "r", "t", "h", "enter"} {
		s.Update(sample.Press(press))
	}
	saved := s.State().Kept.Filter

	next := newScreen(sample.New().Snapshot(t))
	next.SetSize(120, 37)
	next.Update(views.Restore{Filter: saved})

	if !next.Filtered() || ansi.Strip(next.View()) != ansi.Strip(s.View()) {
		t.Errorf("%+v is restored as\n%s\nand not\n%s", saved, ansi.Strip(next.View()), ansi.Strip(s.View()))
	}
}
