// Package transactions is the page that lists the ledger: filters, totals of all matching
// transactions, details of one transaction, jumps to a date, percentage or row, and exports to
// files (docs/api.md, Transaction list, Transaction totals). A ledger may have millions of
// transactions, which the page fetches in parts.
package transactions

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/views"
	"tarmac/views/parts/annotate"
	"tarmac/views/parts/page"
)

// Page returns the page's name, key, required figures and constructor for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Transactions, Digit: "4", Title: "Transactions", Short: "Trans",
		Background: true, // exports continue while the page is hidden
		New:        func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Screen is the page of transactions.
type Screen struct {
	*page.Page

	reports string // currency of the snapshot's figures when it last changed
	store   store
	state   resource.Resource[apiclient.Summary] // totals of all matching rows, and the state of the latest request
	filter  filter
	own     filter // the filter that the user set last; unlike filter, no other page sets it
	window  window
	sorting sorting
	drawn   drawnTotals

	rows  rows
	list  *page.List[apiclient.Transaction]
	input *input

	request  request
	annotate *annotate.Editor
	seek     *seekState // the running seek; nil if none is running
	seeks    uint64     // number of seeks started so far
	exports  exports
	source   Source
}

// window tracks the newest row of the listing, and the rows between it and the store.
type window struct {
	head        headMark  // newest row of the listing when its first page was last fetched
	upper       newerRows // rows newer than those in the store, while they are being fetched
	scrollingUp bool      // the cursor last moved up
	counted     time.Time // time of the last recount of row numbers
}

// request is the state of the screen's running request, and what the next request must do.
type request struct {
	cancel context.CancelFunc // cancels the running request
	urgent bool               // the next request replaces the running one
	renew  bool               // the newest page must be fetched again
	newest string             // ID of the newest transaction when the newest page was requested last
}

// exports holds the export that is being prepared and the one that is running.
type exports struct {
	preparing *exporting // the export whose file is being created, or nil
	running   *exporting // the export that fetches and writes rows, or nil
	started   uint64     // number of exports started so far
}

// headMark is the newest row of the listing and the number of rows when it was fetched.
type headMark struct {
	date civil.Date
	rows int
	id   string
}

// New returns the screen without transactions. The command of Init requests them.
func New(env views.Env, source Source) *Screen {
	s := &Screen{Page: page.New(env), source: source, request: request{cancel: func() {}}}
	s.rows.annotated = cmp.Or(env.Annotations, annotations.NewFile(nil))
	s.annotate = annotate.New(s.rows.annotated, s.categories)
	s.input = newInput(s)
	s.list = page.NewList(s.Page, page.Listing[apiclient.Transaction]{
		Title: "Transactions", Noun: "Transaction", Framed: true,
		At: func(row int) *apiclient.Transaction {
			t, _ := s.row(row)
			return t
		},
		State: s.state.State, ID: func(t *apiclient.Transaction) string { return t.ID },
		Columns: columns(), Row: s.rows.cells, Detail: s.rows.fields, Empty: s.emptyText, CanMove: s.listed,
		Places: s.places,
	})
	for _, column := range [...]int{totalsColumn, categoryColumn} {
		s.list.Table.Hide(column, true)
	}
	s.rows.table = s.list.Table
	keys, share := s.keys()
	s.Declare(page.Spec{
		Title: "Transactions", Keys: func() views.Actions { return keys }, Lists: []page.Lister{s.list},
		Body: body{s.list, s, share}, Layers: views.Layers{s.annotate, s.input}, Head: s.head, Back: s.back,
		FetchHidden: true, Due: s.due, Refresh: s.again, Show: s.show, On: s.on, Sync: s.sync,
		Before:  func(tea.KeyPressMsg) (tea.Cmd, bool) { s.input.problem = ""; return nil, false },
		Themed:  func() { s.rows.setTheme(s.Theme); s.drawn.lines = nil },
		Kept:    func() views.Kept { return views.Kept{Filter: s.savedFilter()} },
		Restore: func(k views.Kept) { s.restoreFilter(k.Filter) },
		Records: s.records, State: s.describe,
	})
	return s
}

// body is the list. Its help ends with the key that jumps to a percentage.
type body struct {
	*page.List[apiclient.Transaction]
	screen *Screen
	share  views.Actions
}

func (b body) Move(press tea.KeyPressMsg) bool {
	before := b.Table.Cursor()
	moved := b.List.Move(press)
	if moved {
		b.screen.window.scrollingUp = b.Table.Cursor() < before
	}
	return moved
}

func (b body) Help() []views.HelpGroup {
	moves := b.List.Help()
	moves[0].Bindings = append(moves[0].Bindings, b.share.Help("").Bindings...)
	return moves
}

// sync names the ends of the list.
func (s *Screen) sync() {
	top, bottom := "first", "last"
	if s.isListing() {
		top, bottom = "newest", "oldest"
	}
	s.Nav.Top.SetHelp("g", top)
	s.Nav.Bottom.SetHelp("G", bottom)
}

// due returns the commands that fetch what is needed, and the next page of an export.
func (s *Screen) due() tea.Cmd { return tea.Batch(s.advance(), s.continueExport()) }

// again returns the command that requests the newest page again, even if a scheduled retry is not
// due yet. While a request is running, it returns nil; the newest page is then requested
// afterwards. If the list is sorted, all rows are read again instead.
func (s *Screen) again() tea.Cmd {
	if s.sorting.order != byDate || s.sorting.whole {
		s.readAll(s.sorting.order)
		return s.advance()
	}
	s.request.renew = true
	if s.state.Waiting() {
		return nil
	}
	return s.fetch(pageRequest{kind: newestPage})
}

func (s *Screen) on(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case Begun:
		s.exportCreated(msg)
	case Exported:
		return s.exported(msg), true
	case annotate.Saved:
		return s.annotate.Take(msg), true
	case views.Annotated:
		s.annotated()
	case Loaded:
		s.loaded(msg)
	case snapshot.Result:
		s.followOutage()
		s.followCurrency()
		// The newest rows are fetched before the page opens, so that keys pressed right after the
		// page's own find them.
		return s.advance(), true
	default:
		return nil, false
	}
	return nil, true
}

// setFilter changes the filter to one that the user has chosen.
func (s *Screen) setFilter(f filter) {
	s.own = f
	s.applyFilter(f)
}

// applyFilter changes the filter. If the new filter selects other transactions, applyFilter drops
// all rows and cancels the running request.
func (s *Screen) applyFilter(f filter) {
	same := f.same(s.filter)
	s.filter, s.sorting.cancelled = f, false
	switch {
	case !same:
		s.list.Opened = false
		s.restart()
	case s.isListing():
		s.sorting = sorting{}
		s.showRows()
	case s.store.known && !s.sorting.reading:
		s.searchMemory()
	}
}

// show sets the filter that a views.TransactionsTarget describes.
func (s *Screen) show(target any) (tea.Cmd, bool) {
	t, ok := target.(views.TransactionsTarget)
	if !ok {
		return nil, false
	}
	s.input.Cancel()
	s.closeAnnotate()
	s.applyFilter(filterFor(t))
	if t.ID != "" {
		s.seekRow(t.From, t.ID)
	}
	return nil, true
}

func (s *Screen) restart() {
	s.request.cancel()
	s.state.Forget()
	s.store, s.sorting = store{}, sorting{}
	s.request.renew, s.request.newest = false, ""
	s.window.head, s.seek, s.window.upper, s.window.scrollingUp = headMark{}, nil, newerRows{}, false
	s.list.Table.SetRows(0, 0)
	s.list.Table.Hide(totalsColumn, true)
	s.showAnnotated(nil)
	s.list.Invalidate()
}

// back stops what is running, closes the details, or cancels an export.
func (s *Screen) back() bool {
	switch {
	case s.seekingByUser():
		s.seek = nil
	case s.sorting.reading:
		s.cancelReading()
		s.sorting.cancelled = true
	case s.list.Opened:
		s.list.Opened = false
	case s.exports.running != nil:
		s.endExport()
		s.input.problem = exportCanceledText
	default:
		return false
	}
	return true
}

// describe adds the fetch state, and that an export is running.
func (s *Screen) describe(is *views.State) {
	is.Filtered, is.Fetched = !s.filter.empty(), []resource.State{s.state.State()}
	if s.exports.running != nil || s.exports.preparing != nil {
		is.Unfinished = "an export is running"
	}
}

// records returns the counterparties of the rows in memory, from the newest row to the oldest.
func (s *Screen) records() (names []views.Record) {
	seen := map[string]bool{}
	for i := range s.store.pages {
		for j := range s.store.pages[i].rows {
			name := s.store.pages[i].rows[j].CounterpartyName
			if name != "" && !seen[name] {
				seen[name] = true
				names = append(names, views.NameOf(name))
			}
		}
	}
	return names
}

// places returns where else the counterparty of a transaction is, and what changed its month.
func (s *Screen) places(t *apiclient.Transaction) []views.Place {
	if !s.allowed() {
		return nil
	}
	places := views.PlacesOf(t.CounterpartyName)
	if !t.Date.IsZero() {
		places = append(places, views.PlacesOfMonth(t.Date.FirstOfMonth(), civil.Of(s.Now()))...)
	}
	return places
}
