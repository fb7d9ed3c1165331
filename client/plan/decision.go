package plan

import (
	"strconv"

	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Decision says by when money must be there, and by when it must be signed for. It is hypothetical,
// and front ends must say so. Days are zero if there are none; Text says why.
type Decision struct {
	Zero    civil.Date // first day at whose end the cash is below the floor, without raises
	MoneyBy civil.Date // the day before, the last one for the money
	SignBy  civil.Date // the last day to sign
	Known   bool       // false if the cash or the net burn is unknown
	Text    string     // a sentence
}

// decide sets the decision. The raises are in the order of the plan.
func (e *evaluator) decide(raises []*Line, without Outlook) {
	d := &e.Decision
	floor := "gone"
	if e.Floor.Minor > 0 {
		floor = "below " + e.Floor.String()
	}
	raise, if0 := firstOf(raises, e.Basis.Day), "Without the raise cash"
	if raise == nil {
		if0 = "Cash"
	}
	switch {
	case without.Reason != "":
		d.Text = "By when money must be there is not known: " + without.Reason
		return
	case without.Zero.IsZero() && !without.Burning:
		d.Known = true
		d.Text = "No net burn: no money is needed."
		return
	case without.Zero.IsZero():
		d.Known = true
		d.Text = if0 + " is not " + floor + " within eight years."
		return
	}
	d.Known, d.Zero = without.leftOut == "", without.Zero
	d.MoneyBy = d.Zero.AddDays(-1)
	d.Text = if0 + " is " + floor + " on " + dayText(d.Zero) + ": money by " + dayText(d.MoneyBy)
	switch {
	case raise == nil:
		d.Text += ". No raise is planned, so there is no day to sign."
		return
	case raise.Takes.Count == 0:
		d.Text += ". Line " + lineText(raise) + " does not say how long it takes, so there is no day to sign."
	default:
		d.SignBy = raise.Takes.Before(d.MoneyBy)
		d.Text += ", signed by " + dayText(d.SignBy)
		if d.SignBy.Before(e.Basis.Day) {
			d.Text += ", which has passed"
		}
		d.Text += "."
	}
	e.decideNext(raises, raise)
}

// decideNext says by when the second raise must be there if the first one is.
func (e *evaluator) decideNext(raises []*Line, first *Line) {
	var rest []*Line
	for _, l := range raises {
		if l != first {
			rest = append(rest, l)
		}
	}
	next := firstOf(rest, e.Basis.Day)
	if next == nil {
		return
	}
	var lines []*Line
	for _, l := range e.Plan.Of("") {
		if l.Kind != Raise || l == first {
			lines = append(lines, l)
		}
	}
	with := e.outlook(WholePlan, lines, true)
	d := &e.Decision
	if with.Zero.IsZero() {
		d.Text += " With it, " + quote(next.Name) + " is not needed within eight years."
		return
	}
	by := with.Zero.AddDays(-1)
	d.Text += " With it, " + quote(next.Name) + " by " + dayText(by)
	if next.Takes.Count > 0 {
		d.Text += ", signed by " + dayText(next.Takes.Before(by))
	}
	d.Text += "."
}

// firstOf returns the raise that comes first of those after a day, or nil.
func firstOf(raises []*Line, day civil.Date) (first *Line) {
	for _, l := range raises {
		if l.On.After(day) && l.Since.IsZero() && (first == nil || l.On.Before(first.On)) {
			first = l
		}
	}
	return first
}

// noteConfirmations says which lines have begun and are not confirmed.
func (e *evaluator) noteConfirmations() {
	for _, l := range e.Plan.Lines {
		name := quote(l.Name)
		switch {
		case l.Case != "" || !l.Since.IsZero() || len(l.Names) > 0 || l.In != "" || !l.IsCash() || !l.hasBegun(e.Basis.Day):
		case l.Kind == Raise:
			e.note(name + " was planned for " + dayText(l.On) + " and not seen: it counts nothing.")
		case l.Rhythm == Once:
			e.note(name + " was planned for " + dayText(l.On) + " and is not confirmed: it counts nothing.")
		case l.From.After(e.Plan.First):
			e.note(name + " has begun and is not confirmed: it counts on top of the net burn.")
		}
	}
}

// hasBegun reports whether the first day of the line is not after the given one.
func (l *Line) hasBegun(day civil.Date) bool {
	if l.Rhythm == Once {
		return !l.On.After(day)
	}
	return !l.From.After(day)
}

// dayText returns a day such as "18 Aug 2027".
func dayText(day civil.Date) string { return day.Time().Format("2 Jan 2006") }

func lineText(l *Line) string { return strconv.Itoa(l.Number) }

// ZeroMonth returns the month in which the cash is gone, such as "2027-08", or "".
func (o *Outlook) ZeroMonth() string {
	if o.Zero.IsZero() {
		return ""
	}
	return figures.YearMonth(o.Zero)
}
