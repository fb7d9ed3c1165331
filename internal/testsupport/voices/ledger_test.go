package voices_test

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/history"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

var before, after = civil.New(2026, 9, 1), civil.New(2026, 10, 1)

func (s *served) ledgerFacts(ctx context.Context) (facts []fact) {
	s.t.Helper()
	coverage, err := cash.Coverage(ctx, s.client)
	if err != nil {
		s.t.Fatal(err)
	}
	reader := history.NewReader()
	reader.SetCoverage(coverage)
	reader.ReadAll(history.Span(today()))
	for step := reader.Next(); step != nil; step = reader.Next() {
		o := step(ctx, s.client)
		if o.Err != nil {
			return append(facts, s.monthFacts(ctx, coverage)...) // no row can be read
		}
		reader.Apply(o)
	}
	l := reader.Ledger()
	for _, part := range [][]fact{
		s.monthFacts(ctx, coverage), s.counterpartyFacts(l), s.bridgeFacts(l), s.recurringFacts(l), s.forecastFacts(ctx, l),
	} {
		facts = append(facts, part...)
	}
	return facts
}

// monthFacts returns the totals of October, and of its listing.
func (s *served) monthFacts(ctx context.Context, coverage figures.Coverage) (facts []fact) {
	page, err := s.client.TransactionPage(ctx, apiclient.TransactionQuery{From: after, To: after.LastOfMonth(), Limit: 1})
	if page == nil {
		s.t.Fatal(err)
	}
	listed := figures.FlowsOf(page.Summary, "")
	month := coverage.Cover([]figures.Month{{First: after, Summary: page.Summary}})[0].Flows()
	for i, sum := range [...]figures.Total{month.In, month.Out, month.Net} {
		name := [...]string{"inflow", "outflow", "net"}[i] + "_usd_cents"
		path := [...]string{"money_in", "money_out", "net"}[i]
		want := figureOf(sum)
		want.note = s.company.Cash["runway_note"].(string)
		want.note, _, _ = strings.Cut(want.note, " [")
		facts = append(facts, fact{"MonthSummary." + name, want, slices.Concat(
			on(`^2026-10(?: in part)? `, i, "command overview", "report text"),
			on(`│ 2026-10(?: in part)? `, i, "dashboard runway"),
			on(`2026-10(?: in part)?: `, i, "line months", "copy runway"))},
			fact{"Summary." + name, figureOf([...]figures.Total{listed.In, listed.Out, listed.Net}[i]),
				in("assistant transactions", "", path)})
	}
	return facts
}

func (s *served) counterpartyFacts(l *spending.Ledger) (facts []fact) {
	all := l.Counterparties(apiclient.Outflow, after, 3)
	partial := l.Totals(apiclient.Outflow, after.AddMonths(-2), after).Operating
	for _, c := range all {
		if len(c.Rows) == 0 {
			continue
		}
		name := regexp.QuoteMeta(c.Name)
		screen := `^` + name + `  `
		line := `: ` + name + `, `
		share := figure{known: c.Share.Known, mark: c.Share.Mark()}
		share.why = figures.Total{Excluded: partial.Excluded, LeftOut: partial.LeftOut}.Why()
		share.texts = []string{figures.Percent(c.Share.Tenths), strings.TrimSuffix(figures.Percent(c.Share.Tenths), "%")}
		path := "counterparties/name=" + c.Name + "/"
		facts = append(facts,
			fact{"Counterparty.total_cents", figureOf(c.Total), slices.Concat(
				on(screen, 0, "dashboard spend", "small spend", "command spend"), on(line, 0, "line spend"),
				in("csv spend", c.Name, "total"), in("assistant spend", "", path+"total"))},
			fact{"Counterparty.share_percent", share, slices.Concat(on(screen, 1, "dashboard spend", "command spend"),
				in("assistant spend", "", path+"share_percent"))},
			fact{"Counterparty.average_cents", figureOf(c.Average()), slices.Concat(
				on(screen, 2, "dashboard spend", "command spend"),
				in("csv spend", c.Name, "average"), in("assistant spend", "", path+"monthly_average"))},
			fact{"Counterparty.before_cents", figureOf(c.Before), slices.Concat(on(screen, 3, "command spend"),
				in("csv spend", c.Name, "before"), in("assistant spend", "", path+"before"))},
		)
	}
	return facts
}

func (s *served) bridgeFacts(l *spending.Ledger) (facts []fact) {
	b, ok := l.Bridge(before, after)
	if !ok {
		return nil
	}
	for _, c := range b.Parts() {
		for i, sum := range [...]figures.Total{c.Before, c.After, c.Change()} {
			field := [...]string{"before", "after", "change"}[i]
			name := regexp.QuoteMeta(c.Name)
			at := slices.Concat(on(`^`+name+`  `, i, "dashboard bridge", "command bridge"),
				in("csv bridge", c.Name, field), on(`: `+name+`, `, (i+1)%3, "line bridge"))
			rows, isOld := len(c.RowsBefore)+len(c.RowsAfter), l.Begins().Before(after)
			if rows > 0 && isOld && c.Kind != spending.KindNet {
				at = append(at, on(`^`+name+`  `, i, "report bridge")...)
			}
			facts = append(facts, fact{"BridgePart." + field + "_cents", figureOf(sum), at})
		}
	}
	return facts
}

func (s *served) recurringFacts(l *spending.Ledger) []fact {
	costs := func(l *spending.Ledger, day civil.Date) []spending.Recurring {
		return slices.DeleteFunc(l.Recurring(day), func(r spending.Recurring) bool {
			return r.Direction != apiclient.Outflow
		})
	}
	past := slices.IndexFunc(l.Rows, func(r spending.Row) bool { return r.Date.Before(after.AddMonths(1)) })
	until := spending.Ledger{Rows: l.Rows[max(0, past):], Coverage: l.Coverage}
	all, then := costs(l, today()), costs(&until, after.LastOfMonth())
	if len(all) == 0 || len(then) == 0 {
		return nil
	}
	return []fact{
		{"Recurring.yearly_cents", figureOf(l.YearlyTotal(all, apiclient.Outflow)), slices.Concat(
			on(`money out (?:about )?`, 0, "dashboard recurring"),
			on(`brings (?:about )?`, 0, "command recurring"),
			on(`recurs: (?:about )?`, 0, "line recurring"))},
		{"Recurring.yearly_cents", figureOf(until.YearlyTotal(then, apiclient.Outflow)),
			on(`cost (?:about )?`, 0, "report text")},
	}
}

func (s *served) forecastFacts(ctx context.Context, l *spending.Ledger) (facts []fact) {
	s.t.Helper()
	c, err := cash.Read(ctx, s.client)
	if err != nil {
		s.t.Fatal(err)
	}
	list, err := collections.Read(ctx, s.client)
	if err != nil {
		s.t.Fatal(err)
	}
	add := func(name string, sum figures.Total, dashboard, command, line int, column, path string) {
		facts = append(facts, fact{"ForecastWeek." + name, figureOf(sum), slices.Concat(
			on(`2026-11-21–11-27`, dashboard, "dashboard forecast"), on(`^ +1  2026-11-21`, command, "command forecast"),
			on(`^2026-11-27 `, command, "report text"), on(`Week 1,`, line, "line forecast"),
			in("csv forecast", "2026-11-21", column), in("assistant forecast", "", "weeks/first_day=2026-11-21/"+path),
			in("json forecast", "", "weeks/week=1/"+name))})
	}
	f, err := forecast.New(l, list, c.Position, today())
	if err != nil {
		none := figures.UnknownTotal(figures.Balance, err.Error())
		add("in_cents", none, 0, 0, 0, "in", "money_in")
	} else {
		w := f.Figures(0)
		add("in_cents", w.In, 0, 0, 0, "in", "money_in")
		add("out_cents", w.Out, 1, 1, 1, "out", "money_out")
		add("cash_cents", w.Cash, 3, 2, 2, "cash", "cash")
		if !w.Band.Unknown {
			add("worst_miss_cents", w.Band, 4, 3, 3, "worst_miss", "worst_miss")
		}
	}
	sentences := []string{"dashboard forecast", "command forecast", "line forecast", "report text"}
	a, err := forecast.NewAlive(l, c.Position, today())
	if err != nil {
		return append(facts, fact{"Alive.monthly_in_cents", figure{why: "Default alive? Unknown: " + err.Error()},
			on(`Hypothetical: money in of `, 0, sentences[1:]...)})
	}
	return append(facts, fact{"Alive.monthly_in_cents", figureOf(a.Figures().In),
		on(`Hypothetical: money in of `, 0, sentences[1:]...)})
}
