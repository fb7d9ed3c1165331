package voices_test

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/payables"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

var before, after = civil.New(2026, 9, 1), civil.New(2026, 10, 1)

func number(n int64) string { return strconv.FormatInt(n, 10) }

func (s *served) ledgerFacts(ctx context.Context) (facts []fact) {
	s.t.Helper()
	coverage, err := cash.Coverage(ctx, s.client, today())
	if err != nil {
		s.t.Fatal(err)
	}
	s.coverage = coverage
	l := s.ledger()
	for _, part := range [][]fact{
		s.monthFacts(ctx), s.counterpartyFacts(l), s.spendFacts(), s.reportFacts(l), s.bridgeFacts(l), s.recurringFacts(l),
		s.forecastFacts(ctx, l),
	} {
		facts = append(facts, part...)
	}
	return facts
}

// monthFacts returns the totals of October, and of its listing.
func (s *served) monthFacts(ctx context.Context) (facts []fact) {
	page, err := s.client.TransactionPage(ctx, apiclient.TransactionQuery{From: after, To: after.LastOfMonth(), Limit: 1})
	if page == nil {
		s.t.Fatal(err)
	}
	listed := figures.FlowsOf(page.Summary, "")
	month := s.coverage.Cover([]figures.Month{{First: after, Summary: page.Summary}})[0].Flows()
	for i, sum := range [...]figures.Total{month.In, month.Out, month.Net} {
		name := [...]string{"inflow", "outflow", "net"}[i] + "_usd_cents"
		path := [...]string{"money_in", "money_out", "net"}[i]
		card := [...][]spot{on(`^  In `, 0, "report text"), on(`^  In .*, out`, 0, "report text"),
			on(`^Net in Oct:`, 0, "report text")}[i]
		want := figureOf(sum)
		want.note = s.company.Cash["runway_note"].(string)
		table := on(`│ (?:▸ )?2026-10(?: in part)? `, i, "dashboard runway")
		if sum.Uncovered {
			table = nil // the days take the room of the column Out
		}
		for _, largest := range [...]int64{99_999_00, 999_999_00} { // with and without a decimal place
			want.texts = append(want.texts, money.ScaleOf(largest, "USD", 3, 3).Text(sum.Minor))
		}
		facts = append(facts, fact{"MonthSummary." + name, want, slices.Concat(
			on(`^2026-10(?: in part)? `, i, "command overview", "report text"), card,
			on(`2026-10(?: in part)?: `, i, "line months", "copy runway"),
			table, in("json report", "", "months/month=2026-10/"+name))},
			fact{"Summary." + name, figureOf([...]figures.Total{listed.In, listed.Out, listed.Net}[i]),
				in("assistant transactions", "", path)})
	}
	return facts
}

func (s *served) counterpartyFacts(l *spending.Ledger) (facts []fact) {
	first := after.AddMonths(-2)
	all := l.Counterparties(apiclient.Outflow, after, 3)
	whole := s.total(apiclient.Outflow, first, after, anyone)
	for _, c := range all {
		if len(c.Rows) == 0 {
			continue
		}
		name := regexp.QuoteMeta(c.Name)
		screen := `^` + name + `  `
		line := `: ` + name + `, `
		path, row := "counterparties/name="+c.Name+"/", "counterparty_name="+c.Name+"/"
		total := s.total(apiclient.Outflow, first, after, c.Name)
		earlier := s.total(apiclient.Outflow, first.AddMonths(-3), first.AddMonths(-1), c.Name)
		facts = append(facts,
			fact{"Counterparty.total_cents", figureOf(total), slices.Concat(
				on(screen, 0, "command spend"), on(line, 0, "line spend"),
				in("csv spend", c.Name, "total"), in("assistant spend", "", path+"total"),
				in("json spend", "", row+"total_cents"))},
			fact{"Counterparty.share_percent", shareOf(c.Share, total, whole), slices.Concat(
				on(screen, 1, "command spend"), in("assistant spend", "", path+"share_percent"),
				in("json spend", "", row+"share_percent"))},
			fact{"Counterparty.average_cents", figureOf(averageOf(total)), slices.Concat(
				on(screen, 2, "command spend"), in("json spend", "", row+"average_cents"),
				in("csv spend", c.Name, "average"), in("assistant spend", "", path+"monthly_average"))},
			fact{"Counterparty.before_cents", figureOf(earlier), slices.Concat(on(screen, 3, "command spend"),
				in("csv spend", c.Name, "before"), in("assistant spend", "", path+"before"),
				in("json spend", "", row+"before_cents"))},
		)
		facts = append(facts, countFacts("Counterparty", total, spot{text: "csv spend", label: c.Name},
			spot{text: "json spend", name: strings.TrimSuffix(row, "/")})...)
	}
	return facts
}

// shareOf returns a share with what the whole leaves out. It is unknown if one of both is.
func shareOf(share figures.Share, part, whole figures.Total) figure {
	f := figure{known: !part.Unknown && !whole.Unknown, why: whole.Why()}
	if whole.Mark() != figures.NoMark && f.known {
		f.mark = figures.Partial
	}
	percent := figures.Percent(share.Tenths)
	number := strings.TrimSuffix(percent, "%")
	f.texts = []string{percent, number, strings.TrimSuffix(number, ".0")} // JSON has no zero after the point
	return f
}

// averageOf returns a third of a total of three months. It is unknown if statements do not cover
// all days.
func averageOf(t figures.Total) figures.Total {
	t.Unknown = t.Unknown || t.Uncovered
	t.Minor /= 3
	return t
}

// spendFacts returns the total of the money out of three months.
func (s *served) spendFacts() []fact {
	total := s.total(apiclient.Outflow, after.AddMonths(-2), after, anyone)
	at := slices.Concat(on(`^money out `, 0, "dashboard spend", "small spend"),
		on(`together `, 0, "line spend"), in("assistant spend", "", "total"))
	if total.Unreadable == 0 || !total.Unknown { // a sentence stands for an empty list
		at = append(at, on(`compared with the 3 months before:`, 0, "command spend", "line spend")...)
	}
	return []fact{{"Counterparty.all", figureOf(total), at}}
}

// reportFacts returns the money out and in of October by counterparty, with their averages before.
func (s *served) reportFacts(l *spending.Ledger) (facts []fact) {
	first := after.AddMonths(-3)
	for _, one := range [...]struct {
		direction  apiclient.Direction
		text, list string
	}{{apiclient.Outflow, "report spend", "spend"}, {apiclient.Inflow, "report income", "income"}} {
		average := func(names ...string) figure {
			t := averageOf(s.total(one.direction, first, before, names...))
			t.Unknown = t.Unknown || !l.Begins().Before(after)
			return figureOf(t)
		}
		add := func(name, names string, share *figures.Share) {
			label, row := `^`+regexp.QuoteMeta(name)+`  `, one.list+"/counterparty_name="+name
			total := s.total(one.direction, after, after, names)
			facts = append(facts,
				fact{"CounterpartyOfMonth.total_cents", figureOf(total), slices.Concat(on(label, 0, one.text),
					in("json report", "", row+"/total_cents"))},
				fact{"CounterpartyOfMonth.average_cents", average(names), slices.Concat(on(label, 1, one.text),
					in("json report", "", row+"/average_cents"))})
			facts = append(facts, countFacts("CounterpartyOfMonth", total, spot{text: "json report", name: row})...)
			if share != nil {
				whole := s.total(one.direction, after, after, anyone)
				facts = append(facts, fact{"CounterpartyOfMonth.share", shareOf(*share, total, whole), on(label, 2, one.text)})
			}
		}
		named := 0
		for _, c := range l.Counterparties(one.direction, after, 1) {
			if len(c.Rows) > 0 && named < 8 {
				named++
				add(c.Name, c.Name, &c.Share)
			}
		}
		if named > 0 {
			add("Total", anyone, nil)
			continue
		}
		total := s.total(one.direction, after, after, anyone)
		none := figure{why: "There are no such transactions in October 2026."}
		switch {
		case total.LeavesOut() > 0:
			none.why = "No such transaction of October 2026 could be read."
		case total.Uncovered:
			none.why = "No such transaction of October 2026 is known."
		}
		facts = append(facts, fact{"CounterpartyOfMonth.total_cents", none, on(`^Total  `, 0, one.text)})
	}
	return facts
}

func (s *served) bridgeFacts(l *spending.Ledger) (facts []fact) {
	b, ok := l.Bridge(before, after)
	if !ok {
		large := on(`^Net  `, 0, "dashboard bridge", "command bridge", "line bridge", "report bridge")
		return []fact{{"BridgePart.change_cents", figure{why: "too large"}, large}}
	}
	named := map[string]bool{}
	for _, c := range b.Changes {
		named[c.Name] = true
	}
	var others []string
	for _, r := range s.company.Rows {
		if !named[r.Name] {
			others = append(others, r.Name)
		}
	}
	for _, c := range b.Parts() {
		names := []string{c.Name}
		switch c.Kind {
		case spending.KindRest:
			names = others
		case spending.KindNet:
			names = []string{anyone}
		}
		from, to := s.total("", before, before, names...), s.total("", after, after, names...)
		if c.Kind == spending.KindOwnTransfers || c.Kind == spending.KindFinancing { // the company has none
			none := figures.Total{Currency: "USD", Kind: figures.Net}
			from, to = s.missing(before, before).Of(none, 0), s.missing(after, after).Of(none, 0)
		}
		change := figures.Difference(to, from)
		name := regexp.QuoteMeta(c.Name)
		for i, sum := range [...]figures.Total{from, to, change} {
			field := [...]string{"before", "after", "change"}[i]
			at := slices.Concat(on(`^`+name+`  `, i, "dashboard bridge", "command bridge"),
				in("csv bridge", c.Name, field), on(`: `+name+`, `, i, "line bridge"),
				in("json bridge", "", "name="+c.Name+"/"+field+"_cents"))
			rows, isOld := len(c.RowsBefore)+len(c.RowsAfter), l.Begins().Before(after)
			if rows > 0 && isOld && c.Kind != spending.KindNet {
				at = append(at, on(`^`+name+`  `, i, "report bridge")...)
			}
			if c.Kind == spending.KindNet {
				at = append(at, on(`^net of 2026-09 `, i, "dashboard bridge")...)
			}
			if c.Kind == spending.KindNet && i < 2 {
				at = append(at, on(`^Net of 2026-09:`, i, "command bridge", "line bridge")...)
			}
			facts = append(facts, fact{"BridgePart." + field + "_cents", figureOf(sum), at})
		}
		facts = append(facts, countFacts("BridgePart", change, spot{text: "csv bridge", label: c.Name},
			spot{text: "json bridge", name: "name=" + c.Name})...)
	}
	return facts
}

// costs returns the recurring costs in a ledger.
func costs(l *spending.Ledger, day civil.Date) []spending.Recurring {
	return slices.DeleteFunc(l.Recurring(day), func(r spending.Recurring) bool {
		return r.Direction != apiclient.Outflow
	})
}

func (s *served) recurringFacts(l *spending.Ledger) (facts []fact) {
	october := after.LastOfMonth()
	until := s.ledgerTo(october)
	all, then, oldest := costs(l, today()), costs(until, october), civil.New(2024, 1, 1)
	yearly := func(l *spending.Ledger, all []spending.Recurring, day civil.Date) figures.Total {
		return with(s.leftOut(apiclient.Outflow, oldest, day), l.YearlyTotal(all, apiclient.Outflow))
	}
	add := func(want figure, at ...[]spot) {
		facts = append(facts, fact{"Recurring.yearly_cents", want, slices.Concat(at...)})
	}
	if len(all) == 0 {
		none := figure{why: l.NoneText("money out", apiclient.Outflow)}
		add(none, on(`^money out (?:about )?`, 0, "dashboard recurring"),
			on(`^Money out (?:about )?`, 0, "command recurring", "line recurring"))
	} else {
		sum := yearly(l, all, today())
		add(figureOf(sum), on(`^money out (?:about )?`, 0, "dashboard recurring"),
			on(`^Money out (?:about )?`, 0, "command recurring", "line recurring"))
		facts = append(facts, s.seriesFacts(all)...)
	}
	if sum := yearly(until, then, october); len(then) > 0 {
		add(figureOf(sum), on(`recurs? and costs? (?:about )?`, 0, "report text"),
			in("json report", "", "recurring/yearly_cents"))
		facts = append(facts, countFacts("Recurring", sum, spot{text: "json report", name: "recurring"})...)
		return facts
	}
	none := figure{why: "No payment recurs"}
	if until.UnsearchedText(apiclient.Outflow) != "" {
		none.why = until.NoneText("money out", apiclient.Outflow)
	}
	add(none, on(`recurs? and costs? (?:about )?`, 0, "report text"))
	return facts
}

// seriesFacts returns the amounts of each payment that recurs.
func (s *served) seriesFacts(all []spending.Recurring) (facts []fact) {
	largest := int64(0)
	for _, r := range all {
		largest = max(largest, r.Yearly().Minor)
	}
	for _, r := range all {
		year := figures.Total{Currency: "USD"}
		cents, ok := r.YearlyCents()
		year.Minor, year.Unknown = cents, !ok
		name := regexp.QuoteMeta(r.Name)
		for i, sum := range [...]figures.Total{{Currency: "USD", Minor: r.Usual}, year} {
			field := [...]string{"usual", "yearly"}[i]
			paid, drawn := figureOf(sum), figureOf(sum)
			for at := range paid.texts {
				paid.texts[at] = "-" + paid.texts[at]
			}
			if field == "yearly" { // the column has one unit
				drawn.texts = append(drawn.texts, money.ScaleOf(largest, "USD", 4, 5).Text(sum.Minor))
			}
			facts = append(facts,
				fact{"Recurring." + field + "_cents", drawn, on(`^`+name+`  `, i, "dashboard recurring")},
				fact{"Recurring." + field + "_cents", figureOf(sum), slices.Concat(in("csv recurring", r.Name, field),
					in("json recurring", "", "counterparty_name="+r.Name+"/"+field+"_cents"))},
				fact{"Recurring." + field + "_cents", paid, on(`^`+name+`  `, i, "command recurring")})
			if !sum.Unknown { // line mode leaves it out
				line := on(`: `+name+`, `, i, "line recurring")
				facts = append(facts, fact{"Recurring." + field + "_cents", figureOf(sum), line})
			}
		}
	}
	return facts
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
	bills, err := payables.Read(ctx, s.client, today())
	if err != nil {
		s.t.Fatal(err)
	}
	column, words := 0, 0 // number of figures about bills before cash, in columns and in words
	add := func(name string, sum figures.Total, command, line int, column, path string) {
		facts = append(facts, fact{"ForecastWeek." + name, figureOf(sum), slices.Concat(
			on(`^ +1  2026-11-21`, command, "command forecast"),
			on(`^2026-11-27 `, command, "report text"), on(`week 1,`, line, "line forecast"),
			in("csv forecast", "2026-11-21", column), in("assistant forecast", "", "weeks/first_day=2026-11-21/"+path),
			in("json forecast", "", "weeks/week=1/"+name), in("json report", "", "forecast/weeks/week=1/"+name))})
	}
	f, err := forecast.New(l, list, c.Position, today())
	if err == nil {
		f, err = f.WithBills(l, bills)
	}
	if err != nil {
		none := figures.UnknownTotal("USD", figures.Balance, err.Error())
		add("in_cents", none, 0, 0, "in", "money_in")
	} else {
		w, left := f.Figures(0), s.leftOut("", f.Basis.First, f.Basis.Last)
		left.LeftOut = f.Basis.Uncovered
		add("in_cents", with(left, w.In), 0, 0, "in", "money_in")
		if f.KnowsBills() {
			column = 1
			if due := s.billTotal(isInFirstWeek); !due.IsNothing() {
				words = 1
				add("bills_cents", due, 2, 2, "bills", "bills")
				left.MayBeLess, left.LeftOut = due.MayBeLess, cmp.Or(left.LeftOut, due.LeftOut)
			}
		}
		add("out_cents", with(left, w.Out), 1, 1, "out", "money_out")
		left.LeftOut, left.Names = cmp.Or(w.Cash.LeftOut, left.LeftOut), w.Cash.Names
		add("cash_cents", with(left, w.Cash), 2+column, 2+words, "cash", "cash")
		left.LeftOut, left.Names, left.MayBeLess = f.Basis.Uncovered, "", ""
		if !w.Band.Unknown {
			add("worst_miss_cents", with(left, w.Band), 3+column, 3+words, "worst_miss", "worst_miss")
		}
		facts = append(facts, countFacts("ForecastWeek", left, spot{text: "csv forecast", label: "2026-11-21"},
			spot{text: "json forecast", name: "weeks/week=1"}, spot{text: "json forecast", name: "basis"})...)
	}
	sentences := []string{"command forecast", "line forecast", "report text"}
	a, err := forecast.NewAlive(l, c.Position, today())
	if err != nil {
		answer := figure{known: true, texts: []string{string(forecast.Unknown)}}
		return append(facts, fact{"Alive.monthly_in_cents", figure{why: "Default alive? Unknown: " + err.Error()},
			on(`Hypothetical: money in of `, 0, sentences...)}, fact{"Alive.answer", answer,
			slices.Concat(in("json forecast", "", "default_alive/answer"), in("json report", "", "default_alive/answer"))})
	}
	left := s.leftOut("", a.First, a.End.AddDays(-1))
	facts = append(facts, fact{"Alive.monthly_in_cents", figureOf(with(left, a.Figures().In)),
		slices.Concat(on(`Hypothetical: money in of `, 0, sentences...),
			in("json forecast", "", "default_alive/monthly_in_cents"), in("json report", "", "default_alive/monthly_in_cents"))})
	return append(facts, countFacts("Alive", left, spot{text: "json forecast", name: "default_alive"},
		spot{text: "json report", name: "default_alive"})...)
}
