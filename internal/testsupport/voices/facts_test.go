package voices_test

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/collections"
	"tarmac/client/figures"
)

// on returns spots of text voices with the same label.
func on(label string, nth int, texts ...string) (all []spot) {
	for _, text := range texts {
		all = append(all, spot{text: text, label: label, nth: nth})
	}
	return all
}

func in(text, row, name string) []spot { return []spot{{text: text, label: row, name: name}} }

func (s *served) cashFacts(ctx context.Context) []fact {
	s.t.Helper()
	c, err := cash.Read(ctx, s.client)
	if err != nil {
		s.t.Fatal(err)
	}
	burn := figureOf(c.NetBurn)
	if c.Burning == figures.NotBurning {
		burn.texts = append(burn.texts, "not burning")
	}
	runway := figure{known: c.Runway != nil, why: c.Reason}
	if c.Runway != nil {
		runway.mark, runway.texts = c.Mark(), []string{c.Runway.String()}
		runway.why = c.NetBurn.Why() + c.Spendable.Why()
	}
	overview, small := "dashboard overview", []string{"small overview", "small runway"}
	copies, lines := []string{"copy overview", "copy runway"}, []string{"line overview", "line runway"}
	everywhere := func(label, path string) []spot {
		return slices.Concat(
			on(`(?:│ |^)`+label+`  `, 0, small...), on(`^`+label+`  `, 0, "command cash"),
			on(`^ *`+label+`:`, 0, copies...), in("assistant cash", "", path))
	}
	noted := func(t figures.Total) figure {
		f := figureOf(t)
		f.note = cmp.Or(c.Caveat(), c.Note())
		return f
	}
	burn.note, runway.note = cmp.Or(c.Caveat(), c.Note()), cmp.Or(c.Caveat(), c.Note())
	zero := runway
	zero.known = c.Runway != nil && c.ZeroMonth() != "—"
	zero.texts = []string{c.ZeroMonth(), c.ZeroMonth() + " (estimate)"}
	var answers []spot // where a sentence says how long the cash lasts
	if c.Runway != nil {
		answers = on(`Webhooks +8 Spend`, 0, overview, "dashboard runway")
	}
	facts := []fact{
		{"CashPosition.cash_cents", noted(c.OnHand), slices.Concat(
			everywhere("Cash on hand", "position/cash_on_hand"), on(`(?:─ |^)Cash on hand `, 0, overview),
			on("Cash on hand:", 0, lines...), on("Estimated from", 0, "report text"), in("check figures", "", "cash"))},
		{"CashPosition.runway_cash_cents", noted(c.Spendable), slices.Concat(
			everywhere("Spendable", "position/spendable"), on(`(?:│ |^)Spendable  `, 0, overview),
			on("Spendable:", 0, lines...),
			on("spendable", 0, "report text"), in("check figures", "", "runway_cash"))},
		{"CashPosition.held_cents", noted(c.Held), slices.Concat(
			on(`(?:│ |^)Held or locked  `, 0, overview), on(`^Held or locked  `, 0, "command cash"),
			on(`^ *Held or locked:`, 0, "copy overview"), on("Held or locked:", 0, lines...),
			on("held or locked", 0, "report text"), in("assistant cash", "", "position/others/label=Held or locked/amount"),
			in("check figures", "", "held"))},
		{"CashPosition.monthly_burn_cents", burn, slices.Concat(
			everywhere("Net burn a month", "position/net_burn_per_month"), on(`^Burn [▁-▇ ]*`, 0, overview),
			on("Net burn:", 0, lines...),
			in("check figures", "", "monthly_burn"))},
		{"CashPosition.runway_months", runway, slices.Concat(
			on(`(?:│ |^)Runway  `, 0, small...), answers,
			on(`^Runway in months`, 0, "command cash"), on(`^ *Runway:`, 0, slices.Concat(copies, lines)...),
			on(`^Runway [^:]*:`, 0, "report text"), in("assistant cash", "", "position/runway_months"),
			in("check figures", "", "runway"))},
		{"CashPosition.zero_cash_month", zero, slices.Concat(on(`(?:│ |^)Zero-cash \(est.\)  `, 0, small...),
			on(`^Zero-cash \(est.\)`, 0, "command cash"), on(`^ *Zero-cash \(est.\):`, 0, copies...),
			on(`Zero-cash month:`, 0, lines...), on(`zero cash in`, 0, "report text"),
			in("assistant cash", "", "position/zero_cash_month"))},
	}
	return append(facts, s.accountFacts(ctx)...)
}

func (s *served) accountFacts(ctx context.Context) (facts []fact) {
	a, err := s.client.Account(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	b := a.Balance
	if b == nil {
		b = &apiclient.Balance{}
	}
	for _, part := range [...]struct {
		name  string
		cents int64
	}{
		{"Available", b.AvailableCents}, {"Holding", b.HoldingCents}, {"Locked", b.LockedCents},
		{"Pending", b.PendingCents},
	} {
		total := figures.Total{Currency: "USD", Minor: part.cents, Kind: figures.Balance, Unknown: a.Balance == nil}
		if total.Unknown {
			total.Reason = "No account is open yet."
		}
		low := strings.ToLower(part.name)
		want := figureOf(total)
		at := slices.Concat(on(`^`+part.name+`  `, 0, "command overview"), on(`^ *`+part.name+`:`, 0, "copy overview"),
			on(`[ :]`+low+` `, 0, "line overview"), in("assistant cash", "", "account/"+low))
		facts = append(facts, fact{"Balance." + low + "_cents", want, at})
	}
	return facts
}

func (s *served) agingFacts(ctx context.Context) (facts []fact) {
	s.t.Helper()
	a, err := s.client.ReceivablesAging(ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	sums := figures.AgingOf(a)
	add := func(name string, want figure, places ...[]spot) {
		at := slices.Concat(places...)
		if a.Empty() { // sentences say that nobody owes anything
			at = onlyOf(at, "command aging", "csv aging", "assistant aging")
		}
		facts = append(facts, fact{name, want, at})
	}
	pages := []string{"dashboard overview", "dashboard aging", "small aging"}
	titles := on(`Owed to us `, 0, pages...)
	lines := []string{"line overview", "line aging"}
	add("Aging.outstanding_cents", figureOf(sums.Outstanding), titles,
		on(`^ *Outstanding:`, 0, "copy overview"), on(`^Outstanding  `, 0, "command aging", "report text"),
		on(`outstanding `, 0, lines...), in("assistant aging", "", "outstanding"))
	add("Aging.overdue_cents", figureOf(sums.Overdue), on(`of which `, 0, "dashboard aging"),
		on(`^ *Overdue:`, 0, "copy overview"), on(`^Overdue  `, 0, "command aging"),
		on(`, overdue `, 0, lines...), on(`Overdue receivables today:`, 0, "report text"),
		in("assistant aging", "", "overdue"), in("check limits", "", "overdue"))
	for i, bucket := range sums.Buckets {
		label, name := figures.BucketLabels[i], figures.BucketNames[i]
		plain := strings.ReplaceAll(label, "–", "-")
		label = regexp.QuoteMeta(label)
		add("Aging."+name+"_cents", figureOf(bucket), on(label+`  `, 0, pages[1:]...),
			on(`^`+label+`  `, 0, "command aging", "report text"), on(strings.ToLower(plain)+` `, 0, "line aging"),
			in("csv aging", name, "amount"), in("assistant aging", "", "buckets/name="+name+"/amount"))
		if text := sums.Share(i); text != "" && !bucket.Unknown {
			share := parsed(text)
			share.why = figures.Excluded(0, sums.Excluded, "USD")
			screens := pages[1:2]
			if figureOf(bucket).isLarge() {
				screens = nil // the amount takes the room of the share
			}
			add("Aging.share", share, on(label+`  `, 1, screens...), on(`^`+label+`  `, 1, "report text"),
				on(strings.ToLower(plain)+` `, 1, "line aging"))
		}
	}
	for i, one := range a.TopOverdue {
		add("Aging.customers", figureOf(sums.Customers[i]), on(`^`+one.Name+`  `, 0, "command aging"),
			on(one.Name+`, `, 0, "line aging"),
			in("assistant aging", "", "most_overdue/customer="+one.Name+"/overdue"))
	}
	return append(facts, s.customerFacts(ctx, a)...)
}

func onlyOf(all []spot, texts ...string) (left []spot) {
	for _, text := range texts {
		for _, at := range all {
			if at.text == text {
				left = append(left, at)
			}
		}
	}
	return left
}

func (s *served) customerFacts(ctx context.Context, a *apiclient.ReceivablesAging) (facts []fact) {
	list, err := collections.Read(ctx, s.client)
	if err != nil {
		s.t.Fatal(err)
	}
	customers, named := collections.WithAging(collections.Customers(list.Invoices, today()), a, today()), map[string]int{}
	for _, c := range customers {
		named[c.Name]++
	}
	for _, c := range customers {
		if named[c.Name] > 1 {
			continue // one has invoices that are not those of the aging
		}
		want := parsed(c.OwedText())
		want.texts = append(want.texts, figureOf(c.Owed).texts...)
		want.why = figures.Excluded(0, figures.AgingOf(a).Excluded, "USD")
		facts = append(facts, fact{"Customer.overdue_cents", want, slices.Concat(
			on(`(?:│ |^)`+c.Name+`  `, 0, "dashboard aging", "report text"), on(c.Name+`, `, 0, "line customers"))})
	}
	return facts
}
