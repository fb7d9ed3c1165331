package transactions

import (
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/filters"
	"tarmac/client/rowfilter"
	"tarmac/client/seek"
	"tarmac/internal/civil"
	"tarmac/views"
	"tarmac/views/parts/listdetail"
)

// kind says what the user enters in the prompt: a part of the filter, a position or a file name.
type kind int

const (
	byDirection kind = iota
	byPeriod
	byKeyword
	byLocal
	toPosition // a position that the cursor jumps to
	toPercent  // a percentage of the rows that the cursor jumps to
	toFile     // the file name of an export
)

// filter restricts the listing of transactions by direction, period and keyword.
type filter struct {
	direction apiclient.Direction
	period    civil.Period
	keyword   string
	local     rowfilter.Filter // searched in the rows in memory
	order     []kind           // the parts of the filter that are set, the oldest first
}

func (f filter) empty() bool { return len(f.order) == 0 }

// with returns a copy of the filter whose part k the function set has changed. That part
// then counts as the last one that was set.
func (f filter) with(k kind, set func(*filter)) filter {
	out := f
	out.order = slices.DeleteFunc(slices.Clone(f.order), func(o kind) bool { return o == k })
	set(&out)
	if !out.blank(k) {
		out.order = append(out.order, k)
	}
	return out
}

// filterFor returns the filter for a target that another screen opens.
func filterFor(t views.TransactionsTarget) filter {
	return filter{}.
		with(byDirection, func(f *filter) { f.direction = t.Direction }).
		with(byPeriod, func(f *filter) { f.period = civil.Period{From: t.From, To: t.To} }).
		with(byKeyword, func(f *filter) { f.keyword = t.Keyword })
}

// savedFilter returns the filter that the user set last.
func (s *Screen) savedFilter() filters.Filter {
	return filters.Filter{
		Direction: string(s.own.direction), Dates: s.own.period.String(), Text: s.own.typed(),
	}
}

// restoreFilter sets a filter that an earlier session saved.
func (s *Screen) restoreFilter(saved filters.Filter) {
	f := filter{}
	if typed, err := f.withTyped(saved.Text, s.currency()); err == nil {
		f = typed
	}
	if p, err := civil.ParsePeriod(saved.Dates, civil.Of(s.Now())); err == nil {
		f = f.with(byPeriod, func(f *filter) { f.period = p })
	}
	if d := apiclient.Direction(saved.Direction); d == apiclient.Inflow || d == apiclient.Outflow {
		f = f.with(byDirection, func(f *filter) { f.direction = d })
	}
	s.setFilter(f)
}

func (f filter) blank(k kind) bool {
	switch k {
	case byDirection:
		return f.direction == ""
	case byPeriod:
		return f.period == civil.Period{}
	case byLocal:
		return f.local.Empty()
	}
	return f.keyword == ""
}

// typed returns the text and the local part of the filter as a user types them.
func (f filter) typed() string { return strings.TrimSpace(f.keyword + " " + f.local.String()) }

// withTyped returns a copy of the filter with the text and the local part that a user has typed.
// The error says which amount is invalid.
func (f filter) withTyped(text, currency string) (filter, error) {
	keyword, l, err := rowfilter.Parse(text, currency)
	if err != nil {
		return f, err
	}
	return f.with(byKeyword, func(f *filter) { f.keyword = keyword }).with(byLocal, func(f *filter) { f.local = l }), nil
}

// withoutLast returns a copy of the filter without the part that was set last.
func (f filter) withoutLast() filter {
	if f.empty() {
		return f
	}
	return f.without(f.order[len(f.order)-1])
}

func (f filter) without(k kind) filter {
	return f.with(k, func(f *filter) {
		switch k {
		case byDirection:
			f.direction = ""
		case byPeriod:
			f.period = civil.Period{}
		case byKeyword:
			f.keyword = ""
		case byLocal:
			f.local = rowfilter.Filter{}
		}
	})
}

// nextDirection returns a copy of the filter with the next direction: money in after both, money
// out after money in, and both after money out.
func (f filter) nextDirection() filter {
	next := map[apiclient.Direction]apiclient.Direction{
		"": apiclient.Inflow, apiclient.Inflow: apiclient.Outflow, apiclient.Outflow: "",
	}[f.direction]
	return f.with(byDirection, func(f *filter) { f.direction = next })
}

// chips returns a short label for each part of the filter that is set, the oldest first.
func (f filter) chips() listdetail.Chips {
	var out listdetail.Chips
	for _, k := range f.order {
		switch {
		case k == byDirection && f.direction == apiclient.Inflow:
			out = append(out, "money in")
		case k == byDirection:
			out = append(out, "money out")
		case k == byPeriod:
			out = append(out, f.period.String())
		case k == byLocal:
			out = append(out, f.local.String())
		default:
			out = append(out, `"`+f.keyword+`"`)
		}
	}
	return out
}

// query returns the API query for the page at cursor, restricted to the filter and to the given
// days.
func (f filter) query(days span, cursor string) apiclient.TransactionQuery {
	from, to := f.period.From, f.period.To
	if days.from.After(from) {
		from = days.from
	}
	if !days.to.IsZero() && (to.IsZero() || days.to.Before(to)) {
		to = days.to
	}
	return apiclient.TransactionQuery{
		Direction: f.direction, From: from, To: to, Keyword: f.keyword, Limit: seek.PageRows, Cursor: cursor,
	}
}

// same reports whether two filters select the same transactions.
func (f filter) same(o filter) bool { return f.query(span{}, "") == o.query(span{}, "") }
