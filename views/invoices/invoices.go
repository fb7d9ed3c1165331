// Package invoices is the screen of invoices: the newest ones by status, the details of one
// with its timeline, and its PDF saved to a file (docs/api.md, Invoice list, Invoice PDF).
package invoices

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/client/figures"
	"tarmac/client/filters"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/client/state"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/amount"
	"tarmac/views/parts/page"
	"tarmac/views/parts/saveas"
)

// Source lists the API requests of the screen. *apiclient.Client implements it.
type Source interface {
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
	download.Source
}

// Page returns the page's name, key and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Invoices, Digit: "5", Title: "Invoices", Short: "Inv",
		New: func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// statuses has the status of each tab, ordered by when an invoice gets it. "" means all invoices.
var statuses = [...]apiclient.InvoiceStatus{
	"", apiclient.InvoiceDraft, apiclient.InvoiceSent, apiclient.InvoiceOverdue, apiclient.InvoicePaid,
	apiclient.InvoiceVoided,
}

// pageLimit is the number of invoices that the screen requests, the API's maximum. The API has no
// cursor to list older ones (docs/api.md, Invoice list).
const pageLimit = 200

// minRefetchAge is how old a list must be before an event causes it to be fetched again, so that a
// burst of events causes one request.
const minRefetchAge = 5 * time.Second

// Screen is the page of invoices: one list per status, each on its own tab, and a detail pane.
type Screen struct {
	*page.Page

	list   *page.List[apiclient.Invoice]
	lists  [len(statuses)]page.Data[[]apiclient.Invoice]
	single page.Data[*apiclient.Invoice] // opened by its ID
	tabs   page.Tabs
	filter filter
	inks   inks
	source Source
	saving string // number of the invoice whose PDF is being fetched
}

// filter holds the filters that the page Receivables sets. All of them must match.
type filter struct {
	customer    string // name of the invoiced customer; "" matches all
	pastDue     views.DaysPastDue
	receivables bool // the list was opened from that page
	owed        bool // that page counts something for these filters
}

// New returns the screen. Its first request is sent by Init or Show.
func New(env views.Env, source Source) *Screen {
	s := &Screen{Page: page.New(env), source: source}
	s.single = page.Data[*apiclient.Invoice]{
		Read: source.Invoice, Optional: true, When: s.alone, Changes: page.IsInvoice, MinAge: minRefetchAge,
	}
	data := []page.Source{&s.single}
	for i, status := range statuses {
		d := &s.lists[i]
		*d = page.Records("invoice", func(ctx context.Context, _ string) ([]apiclient.Invoice, error) {
			return source.Invoices(ctx, apiclient.InvoiceFilter{Status: status, Limit: pageLimit})
		})
		d.When = func() bool { return !s.alone() && s.tabs.Selected == i }
		d.Changes, d.MinAge = page.IsInvoice, minRefetchAge
		d.OnValue = func() tea.Cmd { invoices, _ := d.Value(); s.Snapshot.SetCustomers(invoices); return nil }
		s.tabs.Names, data = append(s.tabs.Names, cmp.Or(string(status), "all")), append(data, d)
	}
	s.tabs.OnSelect = func() { s.list.ShowPart(string(statuses[s.tabs.Selected])); s.filter.receivables = false }
	s.list = page.NewList(s.Page, page.Listing[apiclient.Invoice]{
		Title: "Invoices", Noun: "Invoice", Hint: "number, recipient, e-mail, description or id",
		Data:     func() *page.Data[[]apiclient.Invoice] { return &s.lists[s.tabs.Selected] },
		Single:   &s.single,
		ID:       func(i *apiclient.Invoice) string { return i.ID },
		Record:   record.Invoice,
		Searched: []string{"number", "recipient_name", "recipient_email", "description", "id"},
		Columns:  columns(), Cell: s.cell, Row: s.unreadable, Detail: s.fields, Empty: s.emptyText, Matches: s.matches,
		Lost: s.lost,
		Widest: map[int]func(*apiclient.Invoice) int{
			numberColumn: func(i *apiclient.Invoice) int { return termtext.Width(numberOf(i)) },
			totalColumn:  func(i *apiclient.Invoice) int { return amount.Needed(i.Total) },
		},
		Places: func(i *apiclient.Invoice) []views.Place { return views.PlacesOf(i.RecipientName) },
	})
	list, detail := s.keys()
	s.Declare(page.Spec{
		Keys: func() views.Actions {
			if s.list.Opened {
				return detail
			}
			return list
		},
		Title: "Invoices", Data: data, Lists: []page.Lister{s.list}, Head: s.head, On: s.on, Show: s.show,
		Themed: func() { s.inks = newInks(s.Theme) },
		Chips: []page.Chip{
			s.fromReceivables(func() string { return s.filter.pastDue.Name }, func() { s.filter.pastDue = views.DaysPastDue{} }),
			s.fromReceivables(func() string { return s.filter.customer }, func() { s.filter.customer = "" }),
			s.list.Chip(),
		},
		Kept: s.kept, Restore: s.restore, Records: s.records, FetchHidden: true,
	})
	return s
}

// fromReceivables returns the chip of a filter that the page Receivables has set.
func (s *Screen) fromReceivables(label func() string, off func()) page.Chip {
	return page.Chip{Label: label, Off: func() {
		off()
		s.filter.receivables = s.filter.receivables && (s.filter.customer != "" || s.filter.pastDue.Name != "")
	}}
}

func (s *Screen) alone() bool { return s.list.ShowsSingle() }

// listed reports whether the screen shows a list that the token may read.
func (s *Screen) listed() bool { return !s.alone() && s.list.State().Status != resource.NotAllowed }

// keys returns the keys. A narrow footer shows only the first ones, so the keys of an invoice
// come first while its details are open.
func (s *Screen) keys() (list, detail views.Actions) {
	next, previous := s.tabs.Keys("status", s.listed)
	steps := views.Actions{s.list.BackKey(), s.list.OpenKey()}
	ofList := views.Actions{
		s.list.FilterKey(s.listed),
		next,
		{Key: "n", Help: "new invoice", When: func() bool { return !s.ReadOnly }, Do: func() tea.Cmd {
			return views.Go(views.Propose, views.ProposeTarget{})
		}},
		{Key: "n", Hidden: true, Do: func() tea.Cmd {
			return views.Warn("read-only session: no invoice can be proposed")
		}},
		s.list.ExportKey(func() saveas.Table { return saveas.List(s.list.All(), record.Invoice, "invoice") },
			"tarmac invoices list --limit 200", s.fileWords),
		s.RemoveKey(func() bool { return !s.alone() }),
	}
	free := func() bool { return s.list.HasCurrent() && s.saving == "" }
	save := views.Action{Key: "s", Help: "save PDF", When: free, Do: func() tea.Cmd {
		return s.confirmSave("Save", false)
	}}
	if s.Env.Places.Remote {
		save.Help = "how to save PDF"
	}
	ofOne := views.Actions{
		save,
		{Key: "o", Help: "open PDF", When: func() bool { return free() && s.Env.Open != nil },
			Do: func() tea.Cmd { return s.confirmSave("Open", true) }},
		s.list.CopyKey("y", "copy number", "the invoice's number", func(i *apiclient.Invoice) string { return i.Number }),
		s.list.CopyKey("Y", "copy id", "the invoice's id", func(i *apiclient.Invoice) string { return i.ID }),
	}
	return slices.Concat(steps, ofList, ofOne, views.Actions{previous}),
		slices.Concat(steps, ofOne, ofList, views.Actions{previous})
}

// show opens an invoice by its ID, or the list of a status with filters.
func (s *Screen) show(target any) (tea.Cmd, bool) {
	switch target := target.(type) {
	case views.InvoiceTarget:
		s.list.ShowSingle(target.ID)
		// Another page may have just created this draft. The event feed does not report drafts, so
		// the lists may lack it.
		s.Outdate()
	case views.InvoicesTarget:
		s.filter.customer, s.filter.pastDue = strings.TrimSpace(target.Customer), target.PastDue
		s.list.Text = target.Search
		s.tabs.Select(max(0, slices.Index(statuses[:], target.Status)))
		s.filter.receivables, s.filter.owed = target.Search == "", target.Owed
	default:
		return nil, false
	}
	return nil, true
}

func (s *Screen) on(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case views.InvoiceCreated:
		s.showCreated(msg.ID)
	case savedMsg:
		return s.reportSaved(msg), true
	case viewerClosed:
		return msg.notice(), true
	default:
		return nil, false
	}
	return nil, true
}

// showCreated marks the lists as outdated and moves the cursor to a newly created draft once it is
// listed. It removes all filters. If the tab's status would hide the draft, it shows the tab of all
// invoices.
func (s *Screen) showCreated(id string) {
	s.filter, s.list.Text, s.list.NextID = filter{}, "", id
	if status := statuses[s.tabs.Selected]; status != "" && status != apiclient.InvoiceDraft {
		s.tabs.Select(0)
	}
	s.list.Search.Close()
	s.Outdate()
}

// lost returns the notice that the opened invoice is no longer listed.
func (s *Screen) lost(i *apiclient.Invoice) tea.Cmd {
	return views.Tell(numberOf(i) + " is no longer in this list")
}

// head returns the tabs, the filters and the notice: that a PDF is being saved, why the invoices
// are stale, or how the listed totals differ from the page Receivables.
func (s *Screen) head() []page.Line {
	notice, style := s.list.Stale(), s.Theme.Caution
	switch {
	case s.saving != "":
		notice = "saving the PDF of " + s.saving + "…"
	case !s.filter.receivables || s.alone():
	case notice == "":
		notice, style = figures.TotalsMeaning, s.Theme.Faint
	default:
		notice += " · " + figures.TotalsMeaning
	}
	right := s.list.Position()
	if loaded, _ := s.lists[s.tabs.Selected].Value(); right != "" && len(loaded) == pageLimit {
		right = s.Theme.Caution.Render("newest "+strconv.Itoa(pageLimit)) + "  " + right
	}
	return s.list.Head([]page.Line{s.tabs.Line(s.Theme, s.Width)}, right, style, notice)
}

// emptyText returns the text that replaces an empty list.
func (s *Screen) emptyText() string {
	status := string(statuses[s.tabs.Selected])
	if status != "" {
		status += " "
	}
	data := &s.lists[s.tabs.Selected]
	loaded, _ := data.Value()
	switch {
	case s.filter.receivables && s.filter.owed && s.list.Text == "" && len(loaded) < pageLimit:
		if data.State().Partial.Records > 0 {
			return figures.UnreadableItems
		}
		return figures.ImportedItems
	case len(loaded) > 0:
		return "None of these " + status + "invoices match. x removes the last filter."
	case s.tabs.Selected == 0 && s.Books != nil && !s.ReadOnly:
		return "No invoices of your own yet. Press n to draft one. Imported open invoices are on Receivables."
	case s.tabs.Selected == 0 && !s.ReadOnly:
		return "No invoices yet. Press n to draft one."
	case s.tabs.Selected == 0:
		return "No invoices yet."
	}
	return "No " + status + "invoices."
}

// matches applies the filters of the page Receivables.
func (s *Screen) matches(i *apiclient.Invoice) bool {
	if s.filter.customer != "" && !strings.EqualFold(strings.TrimSpace(i.RecipientName), s.filter.customer) {
		return false
	}
	late := daysPastDue(i, s.Today)
	return s.filter.pastDue.Name == "" || s.filter.pastDue.From <= late && late <= s.filter.pastDue.To
}

// fileWords returns the parts of the exported file's name: the invoice status and the filters.
func (s *Screen) fileWords() []string {
	words := []string{
		"invoices", string(statuses[s.tabs.Selected]), s.filter.pastDue.Name, strings.TrimSpace(s.filter.customer),
		s.list.Text,
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// kept returns the text filter and the status, unless the page Receivables has chosen it.
func (s *Screen) kept() views.Kept {
	k := views.Kept{Filter: filters.Filter{Text: s.list.Text}}
	if !s.filter.receivables {
		k.Shown = state.Shown{Part: string(statuses[s.tabs.Selected])}
	}
	return k
}

func (s *Screen) restore(k views.Kept) {
	s.list.SetText(cmp.Or(k.Filter.Text, s.list.Text))
	if at := slices.Index(statuses[:], apiclient.InvoiceStatus(k.Shown.Part)); at > 0 {
		s.tabs.Select(at)
	}
}

// records returns the invoices of all lists in memory, the newest first, and their customers.
func (s *Screen) records() (all []views.Record) {
	for i := range s.lists {
		list, _ := s.lists[i].Value()
		for j := range list {
			one := &list[j]
			all = append(all, views.Record{
				Kind: views.InvoiceRecord, Name: numberOf(one), Hint: one.RecipientName,
				To: views.Visit{Screen: views.Invoices, Target: views.InvoiceTarget{ID: one.ID}},
			})
			if one.RecipientName != "" {
				all = append(all, views.NameOf(one.RecipientName))
			}
		}
	}
	return all
}
