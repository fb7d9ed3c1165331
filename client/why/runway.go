package why

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Runway says why the runway at the end of the last full month differs from that at the end of the
// month before. Amounts are minor units.
type Runway struct {
	Currency              string
	Entered, Left         civil.Date // the months that came into the average and left it, by their first days
	Before, After         apiclient.Months
	Spent                 int64 // net of the month without financing; negative if cash fell
	Financing             int64 // net of financing in the month
	BurnBefore, BurnAfter int64 // average net burn of a month
	// By says how many tenths of a month each cause makes. They add up to the difference.
	By struct{ Spent, Financing, Burn int64 }
	// Parts are the counterparties whose net in the month that came differs most from that in the
	// month that left, of those that changed the average in its direction.
	Parts []Part
	// Used is the net of the current month so far, and Now the runway today. The net burn is that
	// of After.
	Used int64
	Now  apiclient.Months
	// Ends is the day on which the cash ends today; zero if unknown.
	Ends civil.Date
	// LeavesOut is true if rows without an exchange rate, or accounts, are in no figure.
	LeavesOut bool
}

// windowMonths is the number of full months over which net burn is averaged (docs/api.md, Runway
// estimate).
const windowMonths = 3

// RunwayOf explains the change of the runway. The basis must have cash and a ledger. RunwayOf
// returns false if the server's net burn is not the average of the rows, so that they do not
// explain it; if there is no runway at one of the ends; or if a question is open or a row is
// missing or has no direction.
func RunwayOf(b Basis) (r Runway, ok bool) {
	l, cash := b.Ledger, *b.Cash
	last := b.Month().AddMonths(-1)
	open := cash.Mark() == figures.Unanswered
	if cash.Runway == nil || cash.Spendable.Unknown || open || b.Begins.After(last.AddMonths(-windowMonths)) {
		return r, false
	}
	nets, leavesOut, ok := b.nets(windowMonths + 1)
	if !ok || !whole(l, last.AddMonths(-windowMonths), b.Today) {
		return r, false
	}
	after, before := nets[1:windowMonths+1], nets[2:windowMonths+2]
	r = Runway{
		Currency: l.Currency, Entered: last, Left: last.AddMonths(-windowMonths), BurnBefore: burnOf(before),
		BurnAfter: burnOf(after),
	}
	if r.BurnBefore <= 0 || r.BurnAfter <= 0 || r.BurnAfter != cash.NetBurn.Minor {
		return r, false
	}
	now := cash.Spendable.Minor - nets[0].all()
	then := now - nets[1].all()
	const most = math.MaxInt64 / (10 * figures.Horizon)
	if now <= 0 || then <= 0 || now > most || then > most || then/r.BurnBefore > figures.Horizon {
		return r, false
	}
	r.Spent, r.Financing = nets[1].operating+nets[1].own, nets[1].financing
	r.Before = apiclient.MonthsOf(tenths(then, r.BurnBefore))
	r.After = apiclient.MonthsOf(tenths(now, r.BurnAfter))
	r.divide(now)
	r.Used, r.Now, r.LeavesOut = nets[0].all(), *cash.Runway, leavesOut || cash.Mark() != figures.NoMark
	if used, later := netUntil(l, b.Month(), b.Today); later {
		r.Used, r.Now = used, apiclient.MonthsOf(tenths(max(0, now+used), r.BurnAfter))
	}
	r.Ends, _ = cash.ZeroDay()
	r.Parts = partsOf(l, r.Entered, r.Left, r.BurnAfter-r.BurnBefore)
	return r, true
}

// netUntil returns the net of the month that begins on first, up to a day: the last one for which
// all accounts are known.
// later reports whether the month has rows of later days, from accounts that are known for longer.
func netUntil(l *spending.Ledger, first, day civil.Date) (net int64, later bool) {
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Date.FirstOfMonth() != first {
			continue
		}
		if r.Date.After(day) {
			later = true
		} else if cents, known := r.Signed(); known {
			net += cents
		}
	}
	return net, later
}

// divide divides the difference of the runways among its causes: cash at the net burn before, and
// net burn at the cash after. The largest cause takes what rounding has left.
func (r *Runway) divide(now int64) {
	r.By.Spent = roundTenths(big.NewRat(r.Spent, r.BurnBefore))
	r.By.Financing = roundTenths(big.NewRat(r.Financing, r.BurnBefore))
	burn := new(big.Rat).Sub(big.NewRat(1, r.BurnAfter), big.NewRat(1, r.BurnBefore))
	burn.Mul(burn, new(big.Rat).SetInt64(now))
	r.By.Burn = roundTenths(burn)
	most := &r.By.Spent
	for _, by := range [...]*int64{&r.By.Financing, &r.By.Burn} {
		if size(*by) > size(*most) {
			most = by
		}
	}
	*most += r.Difference() - r.By.Spent - r.By.Financing - r.By.Burn
}

// Difference returns by how many tenths of a month the runway changed.
func (r *Runway) Difference() int64 { return r.After.Tenths() - r.Before.Tenths() }

// String returns the sentence: "October took 1.6 months: cash fell $21,000.00 (-0.4), average burn
// rose to $18,500.00 (-1.2), most of that as Cloud cost $6,200.00 more than in July."
func (r *Runway) String() string { return r.Text(money.Text) }

// Text returns the sentence of String with amounts that the function write has written.
func (r *Runway) Text(write func(minor int64, currency string) string) string {
	return r.text(r.Parts, write)
}

// text returns the sentence with the given parts of the change of net burn.
func (r *Runway) text(parts []Part, write func(minor int64, currency string) string) string {
	var causes []string
	cause := func(by int64, text string, amount int64) {
		causes = append(causes, fmt.Sprintf("%s %s (%s)", text, write(size(amount), r.Currency), signed(by)))
	}
	if r.By.Spent != 0 {
		cash := "cash fell"
		if r.Spent > 0 {
			cash = "cash rose"
		}
		cause(r.By.Spent, cash, r.Spent)
	}
	if r.By.Financing != 0 {
		financing := "financing took"
		if r.Financing > 0 {
			financing = "financing brought"
		}
		cause(r.By.Financing, financing, r.Financing)
	}
	if r.By.Burn != 0 {
		burn := "average burn fell to"
		if r.BurnAfter > r.BurnBefore {
			burn = "average burn rose to"
		}
		cause(r.By.Burn, burn, r.BurnAfter)
		if len(parts) > 0 {
			causes[len(causes)-1] += ", " + r.share() + " of that as " + strings.Join(textsOf(parts, r.Currency, write), " and ")
		}
	}
	month := r.Entered.Month().String()
	difference := about(r.LeavesOut) + apiclient.MonthsOf(size(r.Difference())).String() + " months"
	switch {
	case len(causes) == 0 || r.Difference() == 0:
		difference = month + " left the runway at " + about(r.LeavesOut) + r.After.String() + " months"
	case r.Difference() < 0:
		difference = month + " took " + difference
	default:
		difference = month + " added " + difference
	}
	if len(causes) == 0 {
		return difference + "."
	}
	return difference + ": " + strings.Join(causes, ", ") + "."
}

// share says how much of the change of net burn the named counterparties explain.
func (r *Runway) share() string {
	var explained int64
	for i := range r.Parts {
		explained += size(r.Parts[i].Cents)
	}
	if explained/windowMonths > size(r.BurnAfter-r.BurnBefore)/2 {
		return "most"
	}
	return "part"
}

// used says what the days since the end of the last full month have burned: "November has burned
// $209k in 20 days". It returns "" if that is unknown.
func (r *Runway) used(today civil.Date, write func(minor int64, currency string) string) string {
	by := r.Now.Tenths() - r.After.Tenths()
	if r.Used == 0 || by != 0 && by < 0 != (r.Used < 0) {
		return ""
	}
	verb := "burned"
	if r.Used > 0 {
		verb = "added"
	}
	return fmt.Sprintf("%s has %s %s%s in %s", today.Month(), verb, about(r.LeavesOut),
		write(size(r.Used), r.Currency), plural.Count(today.Day(), "day"))
}

// left says how long the cash lasts, and how much that has changed since the end of the last full
// month: "12.1 months left, 0.8 less than on 31 October".
func (r *Runway) left() string {
	then := r.Entered.LastOfMonth()
	since := strconv.Itoa(then.Day()) + " " + then.Month().String()
	switch by := r.Now.Tenths() - r.After.Tenths(); {
	case by < 0:
		return r.Now.String() + " months left, " + apiclient.MonthsOf(-by).String() + " less than on " + since
	case by > 0:
		return r.Now.String() + " months left, " + apiclient.MonthsOf(by).String() + " more than on " + since
	}
	return r.Now.String() + " months left, as on " + since
}

// end says whether the month in which the cash ends is another one than it was at the end of the
// last full month: "; the end moves from November to December 2027". It returns "" if it is the
// same, or if one of the two is unknown.
func (r *Runway) end(today civil.Date) string {
	then, known := figures.ZeroDate(r.Entered.LastOfMonth().Time(), r.After)
	if !known || r.Ends.IsZero() {
		return ""
	}
	before, now := monthName(then, today), monthName(r.Ends, today)
	if before == now {
		return ""
	}
	if then.Year() == r.Ends.Year() {
		before = then.Month().String()
	}
	return "; the end moves from " + before + " to " + now
}

// sentences returns what the month that begins on this has used up to today, and why the runway
// changed.
func (r *Runway) sentences(l *spending.Ledger, today, this civil.Date) (all []Sentence) {
	if text := r.used(today, money.Short); text != "" {
		all = append(all, Sentence{
			Subject: Used, Text: text + ". " + r.left() + r.end(today) + ".", Brief: r.left() + ": " + text + ".",
			Rows:    rowsWithin(l, func(d civil.Date) bool { return !d.Before(this) && !d.After(today) }),
			Figures: []Figure{amountsOf(l, this, today).of("net of "+figures.YearMonth(this)+" so far", r.Used)},
		})
	}
	in := amountsOf(l, r.Left, r.Entered.LastOfMonth())
	of := []Figure{in.of("change of cash in "+figures.YearMonth(r.Entered), r.Spent)}
	if r.Financing != 0 {
		of = append(of, in.of("financing", r.Financing))
	}
	of = append(of, in.of("net burn a month before", r.BurnBefore), in.of("net burn a month after", r.BurnAfter))
	return append(all, Sentence{
		Subject: Changed, Text: r.Text(money.Short), Brief: r.text(nil, money.Short), Rows: r.rows(l),
		Figures: append(of, in.ofParts(r.Parts)...), Names: r.By.Burn != 0 && len(r.Parts) > 0,
	})
}

// rows returns the rows of the months that came into the average and left it.
func (r *Runway) rows(l *spending.Ledger) []int {
	return rowsOf(l, r.Entered, r.Left)
}

// net is the net of a month by purpose, in minor units.
type net struct{ operating, own, financing int64 }

func (n net) all() int64 { return n.operating + n.own + n.financing }

// nets returns the nets of the current month and of the given number of months before it, as
// netsOf does.
func (b Basis) nets(before int) (nets []net, leavesOut, ok bool) {
	nets, leavesOut, ok = netsOf(b.Ledger, b.Month(), before)
	if ok && b.SoFar != nil && before >= 0 {
		nets[0] = net{operating: *b.SoFar}
	}
	return nets, leavesOut, ok
}

// netsOf returns the nets of the month that begins on this and of the given number of months before
// it, newest first. leavesOut reports whether rows without an exchange rate are left out. netsOf
// returns false if a direction is unknown, or if a sum overflows.
func netsOf(l *spending.Ledger, this civil.Date, before int) (nets []net, leavesOut, ok bool) {
	nets = make([]net, before+1)
	var all int64 // bounds the sums of the nets, too
	for i := range l.Rows {
		r := &l.Rows[i]
		back := this.MonthsSince(r.Date.FirstOfMonth())
		if back < 0 || back > before {
			continue
		}
		cents, known := r.Signed()
		if all, ok = money.Add(all, size(cents)); !r.Direction.Known() || !ok || cents == -cents && cents != 0 {
			return nil, false, false
		}
		if !known {
			leavesOut = true
			continue
		}
		at := &nets[back].operating
		switch r.Purpose {
		case spending.OwnTransfer:
			at = &nets[back].own
		case spending.Financing:
			at = &nets[back].financing
		}
		*at += cents
	}
	return nets, leavesOut, true
}

// burnOf returns the average net burn of months, rounded up as the service does. It is negative or
// 0 if they do not burn.
func burnOf(months []net) int64 {
	var out int64
	for _, n := range months {
		out -= n.operating
	}
	burn := out / windowMonths
	if out > 0 && out%windowMonths != 0 {
		burn++
	}
	return burn
}

// tenths returns 10 × cash ÷ burn, rounded down.
func tenths(cash, burn int64) int64 { return 10 * cash / burn }

// roundTenths returns a number of months in tenths, rounded to the nearest, half away from zero.
func roundTenths(months *big.Rat) int64 {
	n := new(big.Rat).Mul(months, big.NewRat(10, 1))
	half := big.NewRat(1, 2)
	if n.Sign() < 0 {
		half.Neg(half)
	}
	n.Add(n, half)
	return new(big.Int).Quo(n.Num(), n.Denom()).Int64()
}

// signed returns tenths of a month with their sign, such as "-1.2".
func signed(tenths int64) string {
	text := apiclient.MonthsOf(tenths).String()
	if tenths > 0 {
		return "+" + text
	}
	return text
}

// mostParts is the largest number of counterparties that RunwayOf names.
const mostParts = 2

// partsOf returns the counterparties whose net in the month entered differs most from that in the
// month left, if it changed net burn in the direction of more.
func partsOf(l *spending.Ledger, entered, left civil.Date, more int64) (parts []Part) {
	b, ok := l.Bridge(left, entered)
	if !ok {
		return nil
	}
	for _, c := range b.Changes {
		d := c.Change()
		least := size(more) * windowMonths / leastShare
		if d.Unknown || more > 0 != (d.Minor < 0) || len(parts) == mostParts || size(d.Minor) <= least {
			continue
		}
		p := Part{
			Name: counterparty.Display(c.Name), Cents: d.Minor,
			Rows: append(append([]int{}, c.RowsAfter...), c.RowsBefore...),
		}
		p.nameFlow(c.Before.Minor, c.After.Minor, spending.Operating)
		if now, before := len(c.RowsAfter), len(c.RowsBefore); now != before && before > 0 && now > 0 {
			p.Reason = fmt.Sprintf("%s, not %d", plural.Count(now, "payment"), before)
		}
		parts = append(parts, p)
	}
	if len(parts) > 0 {
		parts[len(parts)-1].than = "in " + monthName(left, entered) // "A cost $1 more and B cost $2 more than in July"
	}
	return parts
}
