// Package alerts decides what a person is told: which figures have crossed their limits, what has
// happened that they want to know of, and what cannot be known. Figures and rules are those of
// other packages; an alert is a rule, a limit and a state.
//
// A crossing is told once. A figure must come back beyond its limit by a twentieth before it is
// told again, so that one that stays at its limit is not told each day.
package alerts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/settings"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Alert is an alert of the settings with its rule.
type Alert struct {
	settings.Alert
	Rule *Rule

	months int64 // limit in tenths of a month
	amount money.Typed
	number int64 // limit in percent or days
	after  time.Duration
	repeat time.Duration
}

// Parse checks an alert of the settings. The error says in words that follow the name of the rule
// what to change.
func Parse(a settings.Alert) (*Alert, error) {
	at := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == a.Rule })
	if at < 0 {
		return nil, fmt.Errorf("is no rule; there are %s", strings.Join(RuleNames(), ", "))
	}
	one := &Alert{Alert: a, Rule: &rules[at]}
	if one.Limit == "" {
		one.Limit = one.Rule.Default
	}
	if err := one.setLimit(); err != nil {
		return nil, err
	}
	if a.Of != "" && !one.Rule.ofOne {
		return nil, errors.New("is about the whole company and takes no name")
	}
	if a.Repeat != "" {
		var err error
		if one.repeat, err = span(a.Repeat); err != nil {
			return nil, fmt.Errorf("is repeated after %s, which %w", strconv.Quote(a.Repeat), err)
		}
	}
	return one, nil
}

func (a *Alert) setLimit() (err error) {
	text := strings.TrimSpace(a.Limit)
	switch unit := a.Rule.Unit; {
	case unit == None && text != "":
		return errors.New("takes no limit")
	case text == "" && (unit == None || a.Rule.optional):
		return nil
	case text == "":
		return fmt.Errorf("needs a limit in %s, such as %s", unit, a.Rule.Example)
	case unit == Months:
		a.months, err = tenths(text)
	case unit == Amount:
		a.amount, err = money.ParseTyped(text)
	case unit == Percent:
		a.number, err = whole(strings.TrimSpace(strings.TrimSuffix(text, "%")))
	case unit == Days:
		a.number, err = whole(strings.TrimSpace(strings.TrimRight(text, "days ")))
	case unit == Span:
		a.after, err = span(text)
	}
	if err != nil {
		return fmt.Errorf("has the limit %s: it must be in %s, such as %s", strconv.Quote(a.Limit), a.Rule.Unit,
			a.Rule.Example)
	}
	return nil
}

// tenths parses a number of months with at most one decimal place.
func tenths(text string) (int64, error) {
	before, after, _ := strings.Cut(text, ".")
	n, err := whole(before)
	if err != nil || len(after) > 1 {
		return 0, errors.New("no months")
	}
	tenth := int64(0)
	if after != "" {
		if tenth, err = strconv.ParseInt(after, 10, 8); err != nil || tenth < 0 {
			return 0, errors.New("no months")
		}
	}
	return n*10 + tenth, nil
}

func whole(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 || n > 10_000 {
		return 0, errors.New("no whole number")
	}
	return n, nil
}

// span parses a time such as "15m", "6h" or "7d".
func span(text string) (time.Duration, error) {
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		n, err := whole(days)
		if err != nil || n == 0 {
			return 0, errors.New(`must be a time such as "7d"`)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > 10_000*24*time.Hour {
		return 0, errors.New(`must be a time such as "6h"`)
	}
	return d, nil
}

// Key identifies the alert in a State. Another limit is another alert.
func (a *Alert) Key() string { return a.Rule.Name + "|" + a.Limit + "|" + a.Of }

// Tells says when the alert is told, such as "tells below 9 months".
func (a *Alert) Tells() string {
	limit := a.Limit
	switch a.Rule.Unit {
	case Months:
		limit = apiclient.MonthsOf(a.months).String() + " months"
	case Percent:
		limit = strconv.FormatInt(a.number, 10) + " %"
	case Days:
		limit = plural.Count(a.number, "day")
	}
	says := a.Rule.Tells
	if limit == "" && a.Rule.optional {
		says = a.Rule.tellsEach
	}
	says = strings.ReplaceAll(says, "LIMIT", limit)
	if a.Of != "" {
		says += ", of " + a.Of
	}
	if a.repeat > 0 {
		n, unit := plural.Span(a.repeat)
		says += ", again after " + plural.Count(n, unit)
	}
	return says
}

// concerns reports whether the alert is about a name.
func (a *Alert) concerns(name string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(a.Of))
}

// Sample says what an alert of the rule with the limit of its example tells, and returns the
// command that adds it.
func (r *Rule) Sample() (tells, command string) {
	tells, command = r.Tells, strings.TrimSpace("tarmac alerts add "+r.Name+" "+r.Example)
	if a, err := Parse(settings.Alert{Rule: r.Name, Limit: r.Example}); err == nil {
		tells = a.Tells()
	}
	return tells, command
}
