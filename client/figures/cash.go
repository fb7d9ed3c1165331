package figures

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/readings"
)

// Burning says whether money out exceeds money in.
type Burning uint8

// Values of Burning.
const (
	BurningUnknown Burning = iota
	IsBurning
	NotBurning
)

// Cash is a cash position as people may read it (docs/api.md, Cash position). A zero that stands
// for something unknown is unknown here.
type Cash struct {
	Position  *apiclient.CashPosition // the position as the server sent it
	OnHand    Total
	Spendable Total // the cash from which the runway is computed
	Held      Total // the part of OnHand that is not Spendable
	NetBurn   Total // average of a month: 0 if NotBurning, unknown if BurningUnknown
	Burning   Burning
	Runway    *apiclient.Months // nil if unknown; Reason then says why
	Reason    string            // a sentence; "" if there is a runway
}

// Window counts the transactions from which net burn is computed. The zero value means that they
// are not known.
type Window struct {
	Rows      int64  // all transactions, internal transfers and financing included
	NoRate    int64  // those without an exchange rate
	NoRateOut int64  // those of them that are money out
	months    string // such as "2026-08 to 2026-10"
}

// WindowMonths is the number of full months over which servers compute net burn (docs/api.md,
// Runway estimate).
const WindowMonths = 3

// WindowDates returns the first and the last day of the months over which net burn is computed that
// is given as of a time.
func WindowDates(asOf time.Time) (first, last civil.Date) {
	month := civil.Of(asOf).FirstOfMonth()
	return month.AddMonths(-WindowMonths), month.AddDays(-1)
}

// WindowOf returns the Window of a position from the summary of the transactions of its months. The
// number noRateOut is that of the money out without an exchange rate; see NeedsMoneyOut. If the
// summary is in another currency than the position, the Window is not known.
func WindowOf(c *apiclient.CashPosition, s apiclient.Summary, noRateOut int64) Window {
	if s.Currency != c.Currency {
		return Window{}
	}
	first, last := WindowDates(c.AsOf)
	return Window{
		Rows: max(0, s.Count), NoRate: max(0, s.UnconvertedCount), NoRateOut: max(0, noRateOut),
		months: YearMonth(first) + " to " + YearMonth(last),
	}
}

// WindowOfMonths returns the Window of a position from the summaries of months, which are in any
// order. If one of the window is missing, the Window is not known.
func WindowOfMonths(c *apiclient.CashPosition, months []Month) Window {
	first, last := WindowDates(c.AsOf)
	found, sum, noRateOut := 0, apiclient.Summary{Currency: c.Currency}, int64(0)
	for _, m := range months {
		if !m.First.Before(first) && !m.First.After(last) && m.Summary.Currency == c.Currency {
			found++
			sum.Count = addCount(sum.Count, m.Summary.Count)
			sum.UnconvertedCount = addCount(sum.UnconvertedCount, m.Summary.UnconvertedCount)
			noRateOut = addCount(noRateOut, m.NoRateOut)
		}
	}
	if found != WindowMonths {
		return Window{}
	}
	return WindowOf(c, sum, noRateOut)
}

// NeedsMoneyOut reports whether the position can be believed only if none of the transactions
// without an exchange rate is money out: few lack one, and the position says that the rest is no
// burn.
func (w Window) NeedsMoneyOut(c *apiclient.CashPosition) bool {
	return !c.IsBurning && w.NoRate > 0 && w.NoRate <= w.Rows/10
}

// unknown reports whether too many transactions of the window lack an exchange rate for an
// estimate, or whether one of them is money out that could be a burn. The rule is the service's
// (docs/api.md, Runway estimate), for servers that do not know it.
func (w Window) unknown(c *apiclient.CashPosition) bool {
	return w.NoRate > w.Rows/10 || w.NeedsMoneyOut(c) && w.NoRateOut > 0
}

// CashOf returns the figures of a cash position. Without a known window, the server's word stands.
func CashOf(c *apiclient.CashPosition, w Window) Cash {
	cash := Cash{Position: c, OnHand: onHand(c, w), Spendable: spendable(c)}
	cash.Held = step(cash.OnHand, cash.Spendable)
	said := cash.noEstimate()
	switch {
	case c.Status == apiclient.AccountNotOpen:
		cash.Reason = noAccount
	case !c.Sufficient && said != "":
		cash.Reason = said + cash.forgotten()
	case w.unknown(c):
		cash.Reason = unratedWindow(w.NoRate, w.Rows, w.months, c.Currency)
	case !c.Sufficient:
		cash.Reason = "There is not enough history, or no cash balance."
	case !c.IsBurning:
		cash.Burning, cash.Reason = NotBurning, "Not burning: money out does not exceed money in."
		cash.NetBurn = Total{Currency: c.Currency, Kind: Balance, Excluded: w.NoRate}
	default:
		cash.Burning = IsBurning
		cash.NetBurn = Total{Minor: c.MonthlyBurnCents, Currency: c.Currency, Kind: Balance, Excluded: w.NoRate}
		cash.setRunway()
	}
	if cash.Burning == BurningUnknown {
		cash.NetBurn = UnknownTotal(c.Currency, Balance, cash.Reason)
	} else {
		cash.NetBurn.Unanswered = cash.Unanswered()
	}
	return cash
}

// noEstimate says why the server does not estimate burn and runway. It returns "" if the server
// does not say it, or for a reason that this version does not know.
func (c Cash) noEstimate() string {
	x := c.Position.Extension
	if x == nil || x.NoEstimate == nil {
		return ""
	}
	months := ""
	if x.Window != nil {
		months = x.Window.FirstMonth + " to " + x.Window.LastMonth
	}
	switch data := x.NoEstimate.Data; x.NoEstimate.Code {
	case apiclient.NoEstimateShortHistory:
		return fmt.Sprintf("Not enough history: %d of %d full months.", data.FullMonths, data.NeededMonths)
	case apiclient.NoEstimateCommonMonths:
		return "Not enough history: the statements of all accounts cover no two consecutive full months."
	case apiclient.NoEstimateNoBalance:
		return fmt.Sprintf("No estimate: no account has both a balance and %d full months of history.", data.NeededMonths)
	case apiclient.NoEstimateWindowTooOld:
		return "No estimate: the newest full months that all accounts cover, " + months + ", are too old."
	case apiclient.NoEstimateUnratedWindow:
		return unratedWindow(data.Unconverted, data.Transactions, months, c.Position.Currency)
	}
	return ""
}

func unratedWindow(unrated, rows int64, months, currency string) string {
	return "No estimate: " + money.Count(unrated) + " of " + money.Count(rows) + " transactions of " + months +
		" have no " + Rate(currency) + "."
}

// forgotten says that statements of accounts are missing, or that these are closed, either of which
// may be why there is no estimate. It returns "" if no account seems forgotten.
func (c Cash) forgotten() string {
	n, _ := c.Forgotten()
	if n == 0 {
		return ""
	}
	return " The statements of " + plural.Count(n, "account") + " end long before those of others. " +
		"Import newer ones, or say with `tarmac books role` that an account is closed."
}

// Forgotten returns the number of accounts whose statements end long before those of the others,
// and the sum of their last balances in the currency of the position, without negative ones.
func (c Cash) Forgotten() (accounts int, minor int64) {
	for _, a := range accountsOf(c.Position) {
		if a.State != apiclient.AccountForgotten {
			continue
		}
		accounts++
		if a.CountedCents != nil && *a.CountedCents > 0 {
			if sum, fits := money.Add(minor, *a.CountedCents); fits {
				minor = sum
			}
		}
	}
	return accounts, minor
}

// accountsOf returns what is known of the accounts of own books.
func accountsOf(c *apiclient.CashPosition) []apiclient.AccountCoverage {
	if c.Extension == nil || c.Extension.Coverage == nil {
		return nil
	}
	return c.Extension.Coverage.Accounts
}

// Questions returns the unanswered questions about the net burn, with other readings of it. It
// returns the zero value if there are none.
func (c Cash) Questions() apiclient.Unanswered {
	if c.Position.Extension == nil {
		return apiclient.Unanswered{}
	}
	return c.Position.Extension.Unanswered
}

// Unanswered says what the net burn leaves out because nobody has answered questions about it, and
// what it is after other answers. It returns "" if there are no such questions.
func (c Cash) Unanswered() string {
	return c.Questions().Sentence(c.Position.MonthlyBurnCents, c.Position.Currency)
}

// UnansweredShort returns a shorter form of Unanswered, such as "2 unanswered questions: net burn
// $14.0k to $28.0k".
func (c Cash) UnansweredShort() string {
	u := c.Questions()
	if u.Questions == 0 {
		return ""
	}
	text := plural.Count(u.Questions, "unanswered question")
	if u.Low.BurnMinor != u.High.BurnMinor {
		text += ": net burn " + money.Short(u.Low.BurnMinor, c.Position.Currency) + " to " + money.Short(u.High.BurnMinor,
			c.Position.Currency)
	}
	return text
}

// Alternatives returns the runway after the answers that make net burn lowest and highest, and
// whether the company is burning then. It returns false if there are no such questions.
func (c Cash) Alternatives() (low, high Runway, open bool) {
	u := c.Questions()
	return runwayOf(u.Low), runwayOf(u.High), u.Questions > 0 && c.Burning != BurningUnknown
}

// Runway is how long the cash lasts.
type Runway struct {
	Months  apiclient.Months // 0 if NotBurning
	Burning Burning          // IsBurning or NotBurning
}

func runwayOf(r readings.Reading) Runway {
	if r.BurnMinor == 0 {
		return Runway{Burning: NotBurning}
	}
	return Runway{apiclient.MonthsOf(r.Tenths), IsBurning}
}

func (c *Cash) setRunway() {
	switch {
	case c.Position.RunwayMonths != nil:
		c.Runway = c.Position.RunwayMonths
	case c.Spendable.Unknown:
		c.Reason = c.Spendable.Reason
	default:
		c.Reason = "There is no estimate."
	}
}

const noAccount = "No account is open yet."

// onHand returns the cash on hand.
func onHand(c *apiclient.CashPosition, w Window) Total {
	if c.Status == apiclient.AccountNotOpen {
		return UnknownTotal(c.Currency, Balance, noAccount)
	}
	total := withoutAccounts(c, c.CashCents)
	if total.Minor == 0 && w.Rows > 0 && w.NoRate >= w.Rows {
		return UnknownTotal(c.Currency, Balance,
			"No transaction has a "+Rate(c.Currency)+", and the cash of 0 may leave accounts out.")
	}
	return total
}

// spendable returns the cash from which the server computes the runway.
func spendable(c *apiclient.CashPosition) Total {
	switch {
	case c.Status == apiclient.AccountNotOpen:
		return UnknownTotal(c.Currency, Balance, noAccount)
	case c.RunwayCashCents == nil:
		return UnknownTotal(c.Currency, Balance, "The spendable cash is not known.")
	}
	return withoutAccounts(c, *c.RunwayCashCents)
}

// withoutAccounts returns an amount of cash that excludes the accounts without an exchange rate. If
// the other accounts have no cash, the amount is unknown and not zero.
func withoutAccounts(c *apiclient.CashPosition, minor int64) Total {
	names := unratedAccounts(c)
	switch {
	case names == "":
		return Total{Minor: minor, Currency: c.Currency, Kind: Balance}
	case minor == 0:
		return UnknownTotal(c.Currency, Balance, "There is no exchange rate for the accounts that have a balance.")
	}
	return Total{
		Minor: minor, Currency: c.Currency, Kind: Balance, Names: names,
		LeftOut: "Accounts without an exchange rate are left out.",
	}
}

// unratedAccounts names the accounts that the cash leaves out, such as "mBank …6666 in PLN and N26
// …1111 in CHF". It returns "" if there are none.
func unratedAccounts(c *apiclient.CashPosition) string {
	var names []string
	for _, a := range accountsOf(c) {
		if a.Unrated {
			names = append(names, a.Account+" in "+a.Currency)
		}
	}
	return strings.Join(names, " and ")
}

// ForgottenRunway returns the runway that the spendable cash and, besides, the last balances of
// forgotten accounts would have, in addition to what the cash has of them. It returns false without
// such accounts or without a runway.
func (c Cash) ForgottenRunway() (apiclient.Months, bool) {
	_, forgotten := c.Forgotten()
	if c.Runway == nil || forgotten == 0 || c.Spendable.Unknown || c.NetBurn.Minor <= 0 {
		return apiclient.Months{}, false
	}
	sum := c.Spendable
	sum.Add(forgotten)
	if sum.Unknown || sum.Minor > math.MaxInt64/10 {
		return apiclient.Months{}, false
	}
	return apiclient.MonthsOf(max(0, sum.Minor) * 10 / c.NetBurn.Minor), true
}

// Mark returns the mark of the runway.
func (c Cash) Mark() Mark { return cmp.Or(c.NetBurn.Mark(), c.Spendable.Mark()) }

// Note returns the sentences of the server's note about the runway, which are text of the server.
// Where the server's estimate is not believed, the Reason replaces the note's first sentence.
func (c Cash) Note() string {
	note := c.Position.RunwayNote
	if c.believed() {
		return note
	}
	_, rest, _ := strings.Cut(note, ". ")
	return strings.TrimSpace(c.Reason + " " + rest)
}

// believed reports whether the figures have the server's estimate, if it has one.
func (c Cash) believed() bool {
	if c.Runway != nil {
		return true
	}
	return c.Position.RunwayMonths == nil && (c.Burning != BurningUnknown || !c.Position.Sufficient)
}

// Caveat returns the note without its first sentence, which only repeats the runway. It
// returns "" without a runway.
func (c Cash) Caveat() string {
	if c.Runway == nil {
		return ""
	}
	_, rest, _ := strings.Cut(c.Note(), ". ")
	return rest
}

// ZeroDay returns the estimated day (UTC) on which the cash runs out, counted from the day for
// which the cash is known. It returns false if there is no runway, it exceeds Horizon, the cash is
// used up already, or the server's time is implausible.
func (c Cash) ZeroDay() (civil.Date, bool) {
	if c.Runway == nil || c.IsUsedUp() {
		return civil.Date{}, false
	}
	day, stale := c.KnownTo()
	if stale {
		return ZeroDate(day.Time(), *c.Runway)
	}
	return ZeroDate(c.Position.AsOf, *c.Runway)
}

// ZeroMonth returns the month in which cash runs out, such as "2027-10", or "over 100 years away".
// It returns a dash if the runway is unknown, the cash is used up already, or the server's time is
// implausible.
func (c Cash) ZeroMonth() string {
	if c.Runway == nil || c.IsUsedUp() || !IsPlausible(c.Position.AsOf) {
		return money.Dash
	}
	if day, ok := c.ZeroDay(); ok {
		return YearMonth(day)
	}
	return "over 100 years away"
}

// IsUsedUp reports whether there is no spendable cash left.
func (c Cash) IsUsedUp() bool { return !c.Spendable.Unknown && c.Spendable.Minor <= 0 }
