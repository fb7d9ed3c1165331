package monitor_test

import (
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/monitor"
	"tarmac/client/plan"
	"tarmac/internal/civil"
	"tarmac/internal/readings"
	"tarmac/internal/testsupport/extension"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func months(tenths int64) *apiclient.Months {
	m := apiclient.MonthsOf(tenths)
	return &m
}

func ptr[T any](v T) *T { return &v }

// figuresRead are the figures of a check, with the cash position as the server sends it.
type figuresRead struct {
	monitor.Reading
	cash *apiclient.CashPosition
}

// check compares the figures with limits.
func (r figuresRead) check(limits monitor.Thresholds) monitor.Result {
	if r.cash != nil {
		r.Reading.Cash = ptr(figures.CashOf(r.cash, figures.Window{}))
	}
	return limits.Check(r.Reading)
}

// reading has the figures of a company with a runway of 5.2 months, 1,234.50 in cash and 90.00
// overdue.
func reading() figuresRead {
	return figuresRead{
		Reading: monitor.Reading{
			Now:     now,
			Account: &apiclient.Account{Currency: "USD", SyncedAt: ptr(now.Add(-3 * time.Hour))},
			Aging: &apiclient.ReceivablesAging{Currency: "USD",
				Totals: apiclient.AgingTotals{OverdueCents: ptr(int64(90_00))}},
		},
		cash: &apiclient.CashPosition{
			Currency:  "USD",
			CashCents: 1234_50, IsBurning: true, Sufficient: true, RunwayMonths: months(52), RunwayCashCents: ptr(int64(5)),
		},
	}
}

func TestFiguresAreComparedWithTheirLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limits monitor.Thresholds
		change func(*figuresRead)
		want   string
	}{
		"no limits": {monitor.Thresholds{}, nil,
			"TARMAC OK - runway 5.2 months, cash $1,234.50, overdue $90.00, balance of 3 hours ago | " +
				"'runway'=5.2;;;; 'cash'=1234.50;;;; 'overdue'=90.00;;;; 'age'=10800s;;;;"},
		"warning": {monitor.Thresholds{RunwayBelow: months(60), RunwayCritical: months(30)}, onlyCash,
			"TARMAC WARNING - runway 5.2 months (below 6.0) | 'runway'=5.2;6.0:;3.0:;; 'cash'=1234.50;;;;"},
		"critical": {monitor.Thresholds{RunwayBelow: months(60), RunwayCritical: months(53)}, onlyCash,
			"TARMAC CRITICAL - runway 5.2 months (below 5.3) | 'runway'=5.2;6.0:;5.3:;; 'cash'=1234.50;;;;"},
		"at the limit": {monitor.Thresholds{RunwayBelow: months(52), CashBelow: ptr(int64(1234_50))}, onlyCash,
			"TARMAC OK - runway 5.2 months, cash $1,234.50 | 'runway'=5.2;5.2:;;; 'cash'=1234.50;1234.50:;;;"},
		"cash": {monitor.Thresholds{CashBelow: ptr(int64(2000_00)), CashCritical: ptr(int64(1000_00))}, onlyCash,
			"TARMAC WARNING - cash $1,234.50 (below $2,000.00) | 'runway'=5.2;;;; 'cash'=1234.50;2000.00:;1000.00:;;"},
		"overdue": {monitor.Thresholds{OverdueAbove: ptr(int64(90_00)), OverdueCritical: ptr(int64(89_99))}, onlyAging,
			"TARMAC CRITICAL - overdue $90.00 (above $89.99) | 'overdue'=90.00;90.00;89.99;;"},
		"no net burn": {monitor.Thresholds{RunwayBelow: months(60)}, func(r *figuresRead) {
			onlyCash(r)
			r.cash.IsBurning, r.cash.RunwayMonths = false, nil
		}, "TARMAC OK - no net burn, cash $1,234.50 | 'runway'=U;6.0:;;; 'cash'=1234.50;;;;"},
		"too little history": {monitor.Thresholds{RunwayBelow: months(60)}, func(r *figuresRead) {
			onlyCash(r)
			r.cash.Sufficient, r.cash.RunwayMonths = false, nil
		}, "TARMAC UNKNOWN - runway unknown (There is not enough history, or no cash balance) | " +
			"'runway'=U;6.0:;;; 'cash'=1234.50;;;;"},
		"unknown without limits": {monitor.Thresholds{}, func(r *figuresRead) {
			onlyCash(r)
			*r.cash = apiclient.CashPosition{Currency: "USD", Status: apiclient.AccountNotOpen}
		}, "TARMAC UNKNOWN - runway unknown (No account is open yet), cash unknown (No account is open yet) | " +
			"'runway'=U;;;; 'cash'=U;;;;"},
		"a partial cash with a limit": {monitor.Thresholds{CashCritical: ptr(int64(2000_00))}, func(r *figuresRead) {
			onlyCash(r)
			r.cash.Extension = extension.Unrated("N26 …1111", "EUR")
		}, "TARMAC UNKNOWN - cash ~$1,234.50 (Accounts without an exchange rate are left out) | " +
			"'runway'=5.2;;;; 'cash'=1234.50;;2000.00:;;"},
		"no cash left": {monitor.Thresholds{}, gone,
			"TARMAC CRITICAL - runway 0.0 months (below 0.1), cash -$50.00 (below $0.00) | " +
				"'runway'=0.0;;;; 'cash'=-50.00;;;;"},
		"no cash left, with other limits": {monitor.Thresholds{RunwayBelow: months(60), CashBelow: ptr(int64(1000_00))}, gone,
			"TARMAC CRITICAL - runway 0.0 months (below 0.1), cash -$50.00 (below $0.00) | " +
				"'runway'=0.0;6.0:;;; 'cash'=-50.00;1000.00:;;;"},
		"a critical limit of 0 months": {monitor.Thresholds{RunwayCritical: months(0), CashCritical: ptr(int64(0))}, gone,
			"TARMAC CRITICAL - cash -$50.00 (below $0.00) | 'runway'=0.0;;0.0:;; 'cash'=-50.00;;0.00:;;"},
		"overdrawn without net burn": {monitor.Thresholds{}, func(r *figuresRead) {
			gone(r)
			r.cash.IsBurning, r.cash.RunwayMonths = false, nil
		}, "TARMAC CRITICAL - cash -$50.00 (below $0.00) | 'runway'=U;;;; 'cash'=-50.00;;;;"},
		"a partial cash below zero": {monitor.Thresholds{}, func(r *figuresRead) {
			gone(r)
			r.cash.RunwayMonths = months(10)
			r.cash.Extension = extension.Unrated("N26 …1111", "EUR")
		}, "TARMAC UNKNOWN - cash ~-$50.00 (Accounts without an exchange rate are left out) | " +
			"'runway'=1.0;;;; 'cash'=-50.00;;;;"},
		"old": {monitor.Thresholds{StaleAfter: time.Hour, RunwayBelow: months(60)}, nil,
			"TARMAC UNKNOWN - runway 5.2 months (below 6.0), balance of 3 hours ago (too old) | " +
				"'runway'=5.2;6.0:;;; 'cash'=1234.50;;;; 'overdue'=90.00;;;; 'age'=10800s;;3600;;"},
		"age unknown": {monitor.Thresholds{StaleAfter: time.Hour}, func(r *figuresRead) {
			*r = figuresRead{Reading: monitor.Reading{Account: &apiclient.Account{Currency: "USD"}, Now: now}}
		}, "TARMAC UNKNOWN - age of the balance unknown | 'age'=U;;3600;;"},
		"a figure failed": {monitor.Thresholds{}, func(r *figuresRead) {
			*r = figuresRead{Reading: monitor.Reading{Failures: []string{"no | answer"}}}
		}, "TARMAC UNKNOWN - no / answer"},
		"critical counts before unknown": {monitor.Thresholds{OverdueCritical: ptr(int64(1))}, func(r *figuresRead) {
			onlyAging(r)
			r.Failures = []string{"no answer"}
		}, "TARMAC CRITICAL - overdue $90.00 (above $0.01), no answer | 'overdue'=90.00;;0.01;;"},
	} {
		r := reading()
		if c.change != nil {
			c.change(&r)
		}
		if got, _, _ := strings.Cut(r.check(c.limits).Line(), " 'monthly_burn'="); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestALimitDecidesWhileAFigureWithoutOneIsUnknown(t *testing.T) {
	noRunway := func() figuresRead {
		r := reading()
		r.Account, r.Aging = nil, nil
		r.cash.Sufficient, r.cash.RunwayMonths = false, nil
		return r
	}
	for name, c := range map[string]struct {
		limits monitor.Thresholds
		want   string
	}{
		"below":    {monitor.Thresholds{CashBelow: ptr(int64(5_000_00))}, "WARNING - cash $1,234.50 (below $5,000.00)"},
		"critical": {monitor.Thresholds{CashCritical: ptr(int64(5_000_00))}, "CRITICAL - cash $1,234.50 (below $5,000.00)"},
		"not below": {monitor.Thresholds{CashBelow: ptr(int64(5_00))},
			"OK - runway unknown (There is not enough history, or no cash balance), cash $1,234.50"},
		"both": {monitor.Thresholds{CashBelow: ptr(int64(5_00)), RunwayBelow: months(60)},
			"UNKNOWN - runway unknown (There is not enough history, or no cash balance)"},
		"no limit": {monitor.Thresholds{}, "UNKNOWN - runway unknown (There is not enough history, or no cash balance)"},
	} {
		r := noRunway()
		if got, _, _ := strings.Cut(r.check(c.limits).Line(), " | "); got != "TARMAC "+c.want {
			t.Errorf("%s: %s, want TARMAC %s", name, got, c.want)
		}
	}
}

func TestMainFiguresWithoutLimitsArePerformanceData(t *testing.T) {
	r := reading()
	onlyCash(&r)
	r.cash.MonthlyBurnCents = 12_34

	known := r.check(monitor.Thresholds{}).Line()
	r.cash.RunwayCashCents = nil
	unknown := r.check(monitor.Thresholds{}).Line()

	if want := " 'monthly_burn'=12.34;;;; 'runway_cash'=0.05;;;; 'held'=1234.45;;;;"; !strings.HasSuffix(known, want) {
		t.Errorf("%s", known)
	}
	if want := " 'runway_cash'=U;;;; 'held'=U;;;;"; !strings.HasSuffix(unknown, want) {
		t.Errorf("%s", unknown)
	}
}

// A question about money in of which one reading makes a runway of 2.8 months and the other of 1.3,
// while 2.0 months are shown.
func TestBothReadingsOfUnansweredQuestionsAreCompared(t *testing.T) {
	for name, c := range map[string]struct {
		limits    monitor.Thresholds
		low, high readings.Reading
		want      string
	}{
		"no limits": {monitor.Thresholds{}, readings.Reading{BurnMinor: 70, Tenths: 28},
			readings.Reading{BurnMinor: 150, Tenths: 13},
			"TARMAC OK - runway 1.3 or 2.8 months: 2 unanswered questions"},
		"both below": {monitor.Thresholds{RunwayCritical: months(30)}, readings.Reading{BurnMinor: 70, Tenths: 28},
			readings.Reading{BurnMinor: 150, Tenths: 13},
			"TARMAC CRITICAL - runway 1.3 or 2.8 months: 2 unanswered questions"},
		"the milder counts": {monitor.Thresholds{RunwayBelow: months(30), RunwayCritical: months(20)},
			readings.Reading{BurnMinor: 70, Tenths: 28}, readings.Reading{BurnMinor: 150, Tenths: 13},
			"TARMAC WARNING - runway 1.3 or 2.8 months: 2 unanswered questions"},
		"OK or not": {monitor.Thresholds{RunwayBelow: months(25)}, readings.Reading{BurnMinor: 70, Tenths: 28},
			readings.Reading{BurnMinor: 100, Tenths: 20}, "TARMAC UNKNOWN - runway 2.0 or 2.8 months: 2 unanswered questions"},
		"gone or not": {monitor.Thresholds{}, readings.Reading{BurnMinor: 70, Tenths: 28},
			readings.Reading{BurnMinor: 900, Tenths: 0}, "TARMAC UNKNOWN - runway 0.0 or 2.8 months: 2 unanswered questions"},
		"no burn or too short": {monitor.Thresholds{RunwayBelow: months(25)}, readings.Reading{},
			readings.Reading{BurnMinor: 100, Tenths: 20},
			"TARMAC UNKNOWN - runway 2.0 months or longer: 2 unanswered questions"},
	} {
		r := reading()
		onlyCash(&r)
		r.cash.MonthlyBurnCents, r.cash.RunwayMonths = 100, months(20)
		r.cash.Extension = extension.Asking(readings.Unanswered{Questions: 2, InMinor: 90, Low: c.low, High: c.high})

		got, _, _ := strings.Cut(r.check(c.limits).Line(), " | ")

		if got, _, _ = strings.Cut(got, ", cash"); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// gone leaves only a company that is overdrawn and burns.
func gone(r *figuresRead) {
	onlyCash(r)
	r.cash.CashCents, r.cash.RunwayMonths = -50_00, months(0)
}

func onlyCash(r *figuresRead)  { r.Account, r.Aging = nil, nil }
func onlyAging(r *figuresRead) { r.Account, r.cash = nil, nil }

func TestAForgottenAccountTurnsCriticalIntoUnknownOnlyIfItsBalanceWouldLiftIt(t *testing.T) {
	for name, test := range map[string]struct {
		limits    monitor.Thresholds
		forgotten int64
		want      monitor.State
	}{
		"runway":               {monitor.Thresholds{RunwayCritical: months(60)}, 200_00, monitor.Unknown},
		"runway, too little":   {monitor.Thresholds{RunwayCritical: months(60)}, 50_00, monitor.Critical},
		"cash":                 {monitor.Thresholds{CashCritical: ptr(int64(1400_00))}, 200_00, monitor.Unknown},
		"cash, too little":     {monitor.Thresholds{CashCritical: ptr(int64(1500_00))}, 200_00, monitor.Critical},
		"a warning stays one":  {monitor.Thresholds{CashBelow: ptr(int64(1400_00))}, 200_00, monitor.Warning},
		"no forgotten account": {monitor.Thresholds{CashCritical: ptr(int64(1400_00))}, 0, monitor.Critical},
	} {
		r := reading()
		r.cash.RunwayCashCents, r.cash.MonthlyBurnCents = ptr(int64(1040_00)), 200_00
		if test.forgotten > 0 {
			r.cash.Extension = extension.Forgetting(test.forgotten)
		}

		got := r.check(test.limits)

		named := strings.Contains(got.Text, "but 1 account without newer statements may have more")
		if got.State != test.want || named != (test.want == monitor.Unknown) {
			t.Errorf("%s: %s", name, got.Line())
		}
	}
}

func TestTheDayToSignIsWatched(t *testing.T) {
	now := time.Date(2027, 5, 20, 12, 0, 0, 0, time.UTC)
	day := civil.MustParse
	within := 30
	for name, test := range map[string]struct {
		decision plan.Decision
		state    monitor.State
		says     string
	}{
		"near": {plan.Decision{Known: true, SignBy: day("2027-06-08"), MoneyBy: day("2027-08-17"), Text: "Signed by 8 Jun."},
			monitor.Warning, "Signed by 8 Jun (19 days left) | 'decide_days'=19;30:;;;"},
		"passed": {plan.Decision{Known: true, SignBy: day("2027-05-08"), Text: "Signed by 8 May."},
			monitor.Warning, "(0 days left) | 'decide_days'=-12;30:;;;"},
		"far": {plan.Decision{Known: true, SignBy: day("2027-06-19"), Text: "Signed by 19 Jun."},
			monitor.OK, "Signed by 19 Jun | 'decide_days'=30;30:;;;"},
		"no day to sign": {plan.Decision{Known: true, MoneyBy: day("2027-05-21"), Text: "Money by 21 May."},
			monitor.Warning, "Money by 21 May (1 day left)"},
		"no money needed": {plan.Decision{Known: true, Text: "Not gone within eight years."}, monitor.OK, "Not gone"},
		"unknown":         {plan.Decision{Text: "Not known."}, monitor.Unknown, "'decide_days'=U;30:;;;"},
	} {
		got := monitor.Thresholds{DecideWithin: &within}.Check(monitor.Reading{Decision: &test.decision, Now: now})
		if got.State != test.state || !strings.Contains(got.Line(), test.says) {
			t.Errorf("%s: %s", name, got.Line())
		}
	}
}

func TestOldFiguresAreAlsoComparedAsTheyAreEstimatedForToday(t *testing.T) {
	for name, c := range map[string]struct {
		limits monitor.Thresholds
		want   string
	}{
		"no limits":  {monitor.Thresholds{}, "OK - runway 6.1 months, cash $6,100.00"},
		"far limits": {monitor.Thresholds{RunwayBelow: months(50)}, "OK - runway 6.1 months, cash $6,100.00"},
		"runway": {
			monitor.Thresholds{RunwayBelow: months(60)}, "WARNING - runway 5.3 months (below 6.0), estimated for today",
		},
		"cash": {
			monitor.Thresholds{CashCritical: ptr(int64(6000_00))},
			"CRITICAL - cash $5,376.72 (below $6,000.00), estimated for today",
		},
		"worse before": {monitor.Thresholds{RunwayBelow: months(70)}, "WARNING - runway 6.1 months (below 7.0)"},
	} {
		r := reading()
		onlyCash(&r)
		r.cash.AsOf = now
		r.cash.CashCents, r.cash.RunwayCashCents = 6100_00, ptr(int64(6100_00))
		r.cash.MonthlyBurnCents, r.cash.RunwayMonths = 1000_00, months(61)
		r.cash.Extension = extension.Covering("2026-10-31")

		got := r.check(c.limits).Line()

		if line, _, _ := strings.Cut(got, " |"); line != "TARMAC "+c.want {
			t.Errorf("%s: %s, want %s", name, line, c.want)
		}
	}
}
