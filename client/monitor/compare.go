package monitor

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// part is the result for one figure.
type part struct {
	state State
	text  string
	value string // performance data
}

// orWorse returns the part, or its figure compared with other limits if that is more urgent. The
// performance data stays.
func (p part) orWorse(other part) part {
	if worse(p.state, other.state) != p.state {
		p.state, p.text = other.state, other.text
	}
	return p
}

// runwayOrGone compares the runway with the limits, or with a tenth of a month if none is critical.
func (t Thresholds) runwayOrGone(c *figures.Cash) part {
	p := t.runway(c)
	if t.RunwayCritical == nil {
		least := apiclient.MonthsOf(1)
		p = p.orWorse(Thresholds{RunwayCritical: &least}.runway(c))
	}
	return p
}

// oldStatements is the number of days after which figures from statements say nothing of today: a
// monthly statement that is out for a week would be newer.
const oldStatements = 35

// ifRecent returns a part that is OK as unknown if the statements of an account are too old.
func ifRecent(c *figures.Cash, p part) part {
	if p.state != OK || c.Position == nil {
		return p
	}
	today := civil.Of(c.Position.AsOf)
	if today.DaysSince(figures.CoverageOf(c.Position).KnownTo(today)) <= oldStatements {
		return p
	}
	p.state = Unknown
	if at := c.At(); at != "" {
		p.text += " " + at + ", but newer statements are missing"
	} else {
		p.text += ", but newer statements of an account are missing"
	}
	return p
}

// estimated returns a part about figures that are estimated for today.
func estimated(p part) part {
	p.text += ", estimated for today"
	return p
}

// cashOrGone compares the cash on hand with the limits, or cash below zero with zero if no limit is
// critical.
func (t Thresholds) cashOrGone(c *figures.Cash) part {
	p := t.cash(c)
	if t.CashCritical == nil && c.OnHand.Minor < 0 {
		p = p.orWorse(Thresholds{CashCritical: new(int64)}.cash(c))
	}
	return p
}

// runway compares the runway with the limits. While questions about the books are unanswered, it
// compares the runways that answers can make of it too, and the least urgent state counts. If that
// is OK and another is not, the state is Unknown.
func (t Thresholds) runway(c *figures.Cash) part {
	p := t.runwayAsIs(c)
	low, high, open := c.Alternatives()
	if !open {
		return p
	}
	states := []State{p.state}
	var texts []string
	for _, r := range [...]figures.Runway{high, low} {
		text, state := noBurn, OK
		if r.Burning == figures.IsBurning {
			text, state = r.Months.String(), t.runwayState(r.Months)
		}
		texts, states = append(texts, text), append(states, state)
	}
	first, last := slices.Min(states), slices.Max(states)
	p.state = first
	if first == OK && last != OK {
		p.state = Unknown
	}
	p.text = readings(texts) + ": " + plural.Count(c.Questions().Questions, "unanswered question")
	return p
}

// readings says the runways that answers to questions can make of the cash, the shortest first,
// such as "runway 13.2 or 28.5 months".
func readings(texts []string) string {
	texts = slices.Compact(texts)
	switch none := texts[0] == noBurn; {
	case none:
		return noBurn
	case texts[len(texts)-1] == noBurn:
		return "runway " + texts[0] + " months or longer"
	}
	return "runway " + strings.Join(texts, " or ") + " months"
}

const noBurn = "no net burn"

func (t Thresholds) runwayAsIs(c *figures.Cash) part {
	warning, critical := atLeastMonths(t.RunwayBelow), atLeastMonths(t.RunwayCritical)
	if c.Runway == nil {
		p := part{Unknown, "runway unknown" + because(c.Reason), value("runway", "U", warning, critical)}
		if c.Burning == figures.NotBurning {
			p.state, p.text = OK, noBurn+because(c.NetBurn.Why())
		}
		return p
	}
	months := *c.Runway
	p := part{
		state: t.runwayState(months),
		text:  "runway " + c.Mark().Sign() + months.String() + " months",
		value: value("runway", months.String(), warning, critical),
	}
	switch p.state {
	case Critical:
		p.text += " (below " + t.RunwayCritical.String() + ")"
		if lifted, known := c.ForgottenRunway(); known && t.runwayState(lifted) != Critical {
			p = withForgotten(c, p)
		}
	case Warning:
		p.text += " (below " + t.RunwayBelow.String() + ")"
	}
	return p
}

// withForgotten returns a critical part as unknown. Accounts whose statements ended long ago may
// have received money since then: if it is as much as their last balances, the figure is not
// critical.
func withForgotten(c *figures.Cash, p part) part {
	accounts, _ := c.Forgotten()
	p.state = Unknown
	p.text += ", but " + plural.Count(accounts, "account") + " without newer statements may have more"
	return p
}

// runwayState compares a runway with the limits.
func (t Thresholds) runwayState(months apiclient.Months) State {
	switch {
	case t.RunwayCritical != nil && months.Tenths() < t.RunwayCritical.Tenths():
		return Critical
	case t.RunwayBelow != nil && months.Tenths() < t.RunwayBelow.Tenths():
		return Warning
	}
	return OK
}

// because returns a sentence in parentheses, or "" for none.
func because(sentence string) string {
	if sentence == "" {
		return ""
	}
	return " (" + strings.TrimSuffix(sentence, ".") + ")"
}

// atLeastMonths returns, for performance data, the range of values that are not below the limit. It
// returns "" without a limit.
func atLeastMonths(limit *apiclient.Months) string {
	if limit == nil {
		return ""
	}
	return limit.String() + ":"
}

// cash compares the cash on hand. A cash that leaves accounts out cannot be compared with a limit.
func (t Thresholds) cash(c *figures.Cash) part {
	total := c.OnHand
	warning, critical := atLeast(t.CashBelow, total.Currency), atLeast(t.CashCritical, total.Currency)
	if total.Unknown {
		return part{Unknown, "cash unknown" + because(total.Reason), value("cash", "U", warning, critical)}
	}
	p := part{text: "cash " + total.String(), value: value("cash", plain(total.Minor, total.Currency), warning, critical)}
	switch {
	case total.Mark() != figures.NoMark && (t.CashBelow != nil || t.CashCritical != nil):
		p.state, p.text = Unknown, p.text+because(total.Why())
	case t.CashCritical != nil && total.Minor < *t.CashCritical:
		p.state, p.text = Critical, p.text+" (below "+money.Text(*t.CashCritical, total.Currency)+")"
		_, forgotten := c.Forgotten()
		if lifted, fits := money.Add(total.Minor, forgotten); fits && lifted >= *t.CashCritical {
			p = withForgotten(c, p)
		}
	case t.CashBelow != nil && total.Minor < *t.CashBelow:
		p.state, p.text = Warning, p.text+" (below "+money.Text(*t.CashBelow, total.Currency)+")"
	}
	return p
}

func (t Thresholds) overdue(a *apiclient.ReceivablesAging) part {
	total := figures.AgingOf(a).Overdue
	warning, critical := atMost(t.OverdueAbove, total.Currency), atMost(t.OverdueCritical, total.Currency)
	if total.Unknown {
		p := part{text: "overdue unknown" + because(total.Why()), value: value("overdue", "U", warning, critical)}
		if t.OverdueAbove != nil || t.OverdueCritical != nil {
			p.state = Unknown
		}
		return p
	}
	p := part{text: "overdue " + total.String(), value: value("overdue", plain(total.Minor, total.Currency), warning,
		critical)}
	if day := figures.ListDay(a); day != "" {
		p.text += " as of " + day
	}
	switch {
	case t.OverdueCritical != nil && total.Minor > *t.OverdueCritical:
		p.state, p.text = Critical, p.text+" (above "+money.Text(*t.OverdueCritical, total.Currency)+")"
	case t.OverdueAbove != nil && total.Minor > *t.OverdueAbove:
		p.state, p.text = Warning, p.text+" (above "+money.Text(*t.OverdueAbove, total.Currency)+")"
	}
	return p
}

// bills compares the bills that have limits. The state is unknown if the sum may be above its limit
// or not.
func (t Thresholds) bills(r Reading) (parts []part) {
	for _, one := range [...]struct {
		label, text string
		total       figures.Total
		limit       *int64
	}{
		{"bills_past_due", "bills past due ", r.Bills.PastDue, t.BillsPastDueAbove},
		{"bills_due", "bills due in " + plural.Count(r.BillDays, "day") + " ", r.Bills.Due(r.BillDays), t.BillsDueAbove},
	} {
		if one.limit == nil {
			continue
		}
		currency, limit := one.total.Currency, atMost(one.limit, one.total.Currency)
		if one.total.Unknown {
			text := one.text + "unknown" + because(one.total.Why())
			parts = append(parts, part{Unknown, text, value(one.label, "U", limit, "")})
			continue
		}
		p := part{
			text:  one.text + one.total.String(),
			value: value(one.label, plain(one.total.Minor, currency), limit, ""),
		}
		above := one.total.Minor > *one.limit
		switch mark := one.total.Mark(); {
		case mark == figures.Partial || above && mark == figures.AtMost:
			p.state, p.text = Unknown, p.text+because(one.total.Why())
		case above:
			p.state, p.text = Warning, p.text+" (above "+money.Text(*one.limit, currency)+")"
		}
		parts = append(parts, p)
	}
	return parts
}

// decision compares the days that are left to sign for money, or until the money must be there if
// the plan does not say when to sign.
func (t Thresholds) decision(d *plan.Decision, today civil.Date) part {
	limit := strconv.Itoa(*t.DecideWithin) + ":"
	last := d.SignBy
	if last.IsZero() {
		last = d.MoneyBy
	}
	text := strings.TrimSuffix(d.Text, ".")
	switch {
	case !d.Known:
		return part{Unknown, text, value("decide_days", "U", limit, "")}
	case last.IsZero():
		return part{OK, text, ""}
	}
	days := last.DaysSince(today)
	p := part{text: text, value: value("decide_days", strconv.Itoa(days), limit, "")}
	if days < *t.DecideWithin {
		p.state, p.text = Warning, text+" ("+plural.Count(max(0, days), "day")+" left)"
	}
	return p
}

func (t Thresholds) age(a *apiclient.Account, now time.Time) part {
	limit := ""
	if t.StaleAfter > 0 {
		limit = strconv.FormatInt(int64(t.StaleAfter/time.Second), 10)
	}
	if a.SyncedAt == nil || !figures.IsPlausible(*a.SyncedAt) {
		return part{Unknown, "age of the balance unknown", value("age", "U", "", limit)}
	}
	age := max(0, now.Sub(*a.SyncedAt))
	n, unit := plural.Span(age)
	p := part{text: "balance of " + plural.Count(n, unit) + " ago"}
	p.value = value("age", strconv.FormatInt(int64(age/time.Second), 10)+"s", "", limit)
	if t.StaleAfter > 0 && age > t.StaleAfter {
		p.state, p.text = Unknown, p.text+" (too old)"
	}
	return p
}
