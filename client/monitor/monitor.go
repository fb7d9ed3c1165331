// Package monitor compares an organization's figures with thresholds, in the form of the Monitoring
// Plugins guidelines: a state, one line of text, and performance data.
package monitor

import (
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/internal/civil"
)

// State is the state that a check reports. Its number is the exit code.
type State int

// Values of State.
const (
	OK State = iota
	Warning
	Critical
	Unknown
)

// String returns the state as monitoring systems show it.
func (s State) String() string { return [...]string{"OK", "WARNING", "CRITICAL", "UNKNOWN"}[s] }

// worse returns the more urgent of two states. Critical is the most urgent, then Unknown, Warning
// and OK.
func worse(a, b State) State {
	rank := [...]int{OK: 0, Warning: 1, Unknown: 2, Critical: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// Thresholds are the limits of a check. A nil limit is not checked. Amounts are in minor units of
// the currency of the figures.
type Thresholds struct {
	RunwayBelow, RunwayCritical   *apiclient.Months
	CashBelow, CashCritical       *int64
	OverdueAbove, OverdueCritical *int64
	BillsPastDueAbove             *int64
	BillsDueAbove                 *int64
	DecideWithin                  *int          // days until the last day to sign for money, or for the money
	StaleAfter                    time.Duration // 0 if the age of the balance is not checked
}

// Reading holds the figures that a check compares. A figure that was not read is nil. Failures are
// the reasons why figures could not be read.
type Reading struct {
	Account  *apiclient.Account
	Cash     *figures.Cash
	Aging    *apiclient.ReceivablesAging
	Bills    *payables.Payables
	Decision *plan.Decision
	BillDays int // number of days in which bills are due for the limit BillsDueAbove
	Failures []string
	Now      time.Time
}

// Result is the outcome of a check.
type Result struct {
	State  State
	Text   string // such as "runway 5.2 months (below 6.0)"
	values []string
}

// Line returns the result as monitoring systems read it, such as
// "TARMAC OK - runway 14.2 months | 'runway'=14.2;6.0:;3.0:;;".
func (r Result) Line() string {
	line := "TARMAC " + r.State.String() + " - " + r.Text
	if len(r.values) > 0 {
		line += " | " + strings.Join(r.values, " ")
	}
	return line
}

// Check compares the figures with the thresholds. Without critical limits of their own, a runway of
// 0.0 months and cash below zero are critical. If other figures have limits, an unknown figure
// without one doesn't count.
func (t Thresholds) Check(r Reading) Result {
	var parts []part
	if r.Cash != nil {
		runway, cash := t.runwayOrGone(r.Cash), t.cashOrGone(r.Cash)
		if today, ok := r.Cash.Today(); ok {
			runway = runway.orWorse(estimated(t.runwayOrGone(&today)))
			cash = cash.orWorse(estimated(t.cashOrGone(&today)))
		}
		ofRunway, ofCash, ofOthers := t.limited()
		switch counts := ofRunway || !ofCash && !ofOthers; {
		case counts:
			runway = ifRecent(r.Cash, runway)
		case r.Cash.Runway == nil:
			runway.state = OK
		}
		switch counts := ofCash || !ofRunway && !ofOthers; {
		case counts:
			cash = ifRecent(r.Cash, cash)
		case r.Cash.OnHand.Unknown:
			cash.state = OK
		}
		parts = append(parts, runway, cash)
	}
	if r.Aging != nil {
		parts = append(parts, t.overdue(r.Aging))
	}
	if r.Bills != nil {
		parts = append(parts, t.bills(r)...)
	}
	if r.Decision != nil && t.DecideWithin != nil {
		parts = append(parts, t.decision(r.Decision, civil.Of(r.Now)))
	}
	if r.Account != nil {
		parts = append(parts, t.age(r.Account, r.Now))
	}
	if r.Cash != nil {
		parts = append(parts, others(r.Cash)...)
	}
	for _, reason := range r.Failures {
		// The character | separates the text from the performance data.
		parts = append(parts, part{state: Unknown, text: strings.ReplaceAll(reason, "|", "/")})
	}
	return resultOf(parts...)
}

// limited reports which figures have limits.
func (t Thresholds) limited() (runway, cash, others bool) {
	return t.RunwayBelow != nil || t.RunwayCritical != nil, t.CashBelow != nil || t.CashCritical != nil,
		t.OverdueAbove != nil || t.OverdueCritical != nil || t.BillsPastDueAbove != nil || t.BillsDueAbove != nil ||
			t.DecideWithin != nil
}

// Runway compares the runway alone.
func (t Thresholds) Runway(c *figures.Cash) Result { return resultOf(t.runway(c)) }

// Cash compares the cash alone.
func (t Thresholds) Cash(c *figures.Cash) Result { return resultOf(t.cash(c)) }

// resultOf returns the worst state of the parts, with the texts of those that are not OK.
func resultOf(parts ...part) Result {
	result := Result{}
	var problems, all []string
	for _, p := range parts {
		result.State = worse(result.State, p.state)
		if p.value != "" {
			result.values = append(result.values, p.value)
		}
		if p.text != "" {
			all = append(all, p.text)
		}
		if p.state != OK {
			problems = append(problems, p.text)
		}
	}
	if problems == nil {
		problems = all
	}
	result.Text = strings.Join(problems, ", ")
	return result
}
