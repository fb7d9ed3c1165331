package ui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/fold"
	"tarmac/views"
)

// index holds the records in memory that the palette finds. It is made when the palette opens, not
// for each key. The names of the history, of which there may be many, are indexed by a command.
type index struct {
	ledger  *spending.Ledger // whose names are in names
	names   []indexed        // counterparties of the ledger, those with the newest rows first
	records []indexed        // what screens and the snapshot have
	running bool
	// invoices is true if there is a page whose list of invoices can be searched.
	invoices bool
}

// indexed is a record with the text in which it is found.
type indexed struct {
	views.Record
	text string // folded
}

// namesIndexed is the message with the indexed names of a ledger.
type namesIndexed struct {
	ledger *spending.Ledger
	names  []indexed
}

// mostFound is the number of records of one kind that the palette lists.
const mostFound = 5

// update indexes what screens have in memory, and returns the command that indexes the names of the
// history, or nil if that is not needed.
func (x *index) update(s *session) tea.Cmd {
	x.records, x.invoices = nil, s.indexOf(views.Invoices) >= 0
	seen := map[string]bool{}
	add := func(r views.Record) {
		if id := r.Kind.String() + r.Name; !seen[id] {
			seen[id] = true
			x.records = append(x.records, newIndexed(r))
		}
	}
	for i := range s.pages {
		if records := s.pages[i].screen.State().Records; records != nil {
			for _, r := range records() {
				add(r)
			}
		}
	}
	months, _ := s.data.Months.Value()
	for _, month := range slices.Backward(months) {
		add(views.Record{
			Kind: views.MonthRecord, Name: month.First.Time().Format("January 2006"), Hint: figures.YearMonth(month.First),
			To: views.Visit{Screen: views.Transactions,
				Target: views.TransactionsTarget{From: month.First, To: month.First.LastOfMonth()}},
		})
	}
	ledger := s.data.History.Ledger()
	if ledger == nil || ledger == x.ledger || x.running {
		return nil
	}
	x.running = true
	return s.address(noPage, func() tea.Msg { return namesIndexed{ledger, ledgerNames(ledger)} })
}

// store keeps the names of a ledger.
func (x *index) store(msg namesIndexed) { x.ledger, x.names, x.running = msg.ledger, msg.names, false }

func ledgerNames(ledger *spending.Ledger) (names []indexed) {
	seen := map[string]bool{}
	for i := range ledger.Rows {
		r := &ledger.Rows[i]
		if r.Key == counterparty.Unknown || seen[r.CounterpartyName] {
			continue
		}
		seen[r.CounterpartyName] = true
		names = append(names, newIndexed(views.NameOf(r.CounterpartyName)))
	}
	return names
}

func newIndexed(r views.Record) indexed {
	return indexed{r, fold.String(r.Name + " " + r.Hint)}
}

// find returns the entries of the records that match the typed text, at most mostFound of each
// kind, and last the one that searches all transactions. Before it is the one that searches
// invoices, if the text may be a number of one that is not in memory.
func (x *index) find(typed string) (out []entry) {
	words := strings.Fields(fold.String(typed))
	type ranked struct {
		*indexed
		rank int
	}
	var best [views.RecordKinds][]ranked
	named := map[string]bool{}
	for _, records := range [][]indexed{x.records, x.names} {
		for i := range records {
			r := &records[i]
			rank, ok := r.rank(words)
			kept := best[r.Kind]
			if !ok || len(kept) == mostFound && kept[mostFound-1].rank <= rank || r.Kind == views.NameRecord && named[r.Name] {
				continue
			}
			if r.Kind == views.NameRecord {
				named[r.Name] = true
			}
			at, _ := slices.BinarySearchFunc(kept, rank+1, func(k ranked, rank int) int { return cmp.Compare(k.rank, rank) })
			best[r.Kind] = slices.Insert(kept, at, ranked{r, rank})
			if len(best[r.Kind]) > mostFound {
				best[r.Kind] = best[r.Kind][:mostFound]
			}
		}
	}
	for _, found := range best {
		for _, r := range found {
			out = append(out, entry{name: r.Name, hint: cmp.Or(r.Hint, r.Kind.String()), run: visit(r.To)})
		}
	}
	if x.invoices && len(best[views.InvoiceRecord]) == 0 && strings.ContainsAny(typed, "0123456789") {
		to := views.Visit{Screen: views.Invoices, Target: views.InvoicesTarget{Search: strings.TrimSpace(typed)}}
		out = append(out, entry{name: "search invoices for “" + typed + "”", run: visit(to)})
	}
	all := views.Visit{Screen: views.Transactions, Target: views.TransactionsTarget{Keyword: typed}}
	return append(out, entry{name: "search all transactions for “" + typed + "”", run: visit(all)})
}

func visit(to views.Visit) func() tea.Cmd {
	return func() tea.Cmd { return views.Go(to.Screen, to.Target) }
}

// rank returns how well a record matches folded words: 0 if it begins with the first, 1 if one of
// its words does, else 2. ok is false if it lacks a word.
func (r *indexed) rank(words []string) (rank int, ok bool) {
	for _, word := range words {
		if !strings.Contains(r.text, word) {
			return 0, false
		}
	}
	switch {
	case len(words) == 0:
		return 0, false
	case strings.HasPrefix(r.text, words[0]):
		return 0, true
	case strings.Contains(r.text, " "+words[0]):
		return 1, true
	}
	return 2, true
}
