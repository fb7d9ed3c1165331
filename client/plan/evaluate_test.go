package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

var today = civil.MustParse("2026-11-20")

// row returns a transaction. Negative cents are money out.
func row(day, name string, cents int64) apiclient.Transaction {
	t := apiclient.Transaction{
		Date: civil.MustParse(day), CounterpartyName: name, Direction: apiclient.Inflow,
		Amount: apiclient.NewAmount(max(cents, -cents), "USD"), Reporting: apiclient.NewAmount(max(cents, -cents), "USD"),
	}
	if cents < 0 {
		t.Direction = apiclient.Outflow
	}
	return t
}

// ledger returns a ledger of rows. Rows with the memo "own" or "financing" have that purpose.
func ledger(rows ...apiclient.Transaction) *spending.Ledger {
	own, financing := map[string]bool{}, map[string]bool{}
	for i := range rows {
		rows[i].ID = fmt.Sprintf("txn_%d", i)
		own[rows[i].ID], financing[rows[i].ID] = rows[i].Memo == "own", rows[i].Memo == "financing"
	}
	slices.SortStableFunc(rows, func(a, b apiclient.Transaction) int { return b.Date.Compare(a.Date) })
	return spending.NewLedger(rows, own, financing)
}

// basis returns the state of a company with some cash and net burn a month, in cents.
func basis(cash, burn int64, rows ...apiclient.Transaction) plan.Basis {
	position := &apiclient.CashPosition{
		Currency: "USD", RunwayCashCents: &cash, MonthlyBurnCents: burn, Sufficient: true, IsBurning: burn > 0,
		AsOf: today.Time(), Status: "open",
	}
	if burn > 0 && cash >= 0 {
		months := apiclient.MonthsOf(10 * cash / burn)
		position.RunwayMonths = &months
	}
	return plan.Basis{
		Currency: "USD", Day: today, Cash: figures.CashOf(position, figures.Window{}), Ledger: ledger(rows...),
		Overdue: figures.Total{Currency: "USD", Minor: 5_000_00},
	}
}

// column returns the outlook with a name that there must be.
func column(t testing.TB, o *plan.Outcome, name string) plan.Outlook {
	t.Helper()
	at := slices.IndexFunc(o.Columns, func(c plan.Outlook) bool { return c.Name == name })
	if at < 0 {
		t.Fatalf("there is no column %q", name)
	}
	return o.Columns[at]
}

func months(o plan.Outlook) string {
	if o.Runway == nil {
		return "no end"
	}
	return o.Runway.String()
}

func TestLinesMoveTheDayOnWhichTheCashIsGone(t *testing.T) {
	var paid []apiclient.Transaction // Gusto takes 400.00 of the net burn of 1,000.00
	for _, month := range []string{"08", "09", "10"} {
		paid = append(paid, row("2026-"+month+"-15", "GUSTO Inc", -400_00))
	}
	for name, test := range map[string]struct {
		lines  string
		months string // for which 10,000.00 last at 1,000.00 a month
	}{
		"nothing":                         {"", "10.0"},
		"half the burn":                   {"burn -50%", "20.0"},
		"no burn":                         {"burn -100%", "no end"},
		"a hire from now":                 {`hire "A" 1k/month`, "5.0"},
		"two of them":                     {`hire 2 "A" 500/month`, "5.0"},
		"a hire in some months":           {`hire "A" 1k/month from 2027-05`, "7.6"},
		"a hire after the end":            {`hire "A" 1k/month from 2027-11`, "10.0"},
		"income":                          {`income "A" 500/month`, "19.9"},
		"income until March":              {`income "A" 1k/month to March`, "14.3"},
		"a cost":                          {`cost "A" 2500 on 2027-01-15`, "7.5"},
		"a cost of today":                 {`cost "A" 2500 on 2026-11-20`, "10.0"},
		"a raise":                         {`raise "A" 2500 on 2027-01-15`, "12.5"},
		"a raise too late":                {`raise "A" 2500 on 2027-12-15`, "10.0"},
		"a raise that has been":           {`raise "A" 2500 on 2026-11-10`, "10.0"},
		"overdue":                         {"overdue", "15.0"},
		"a customer who leaves":           {`lose "A" 1k/month from 2027-05`, "7.6"},
		"a floor":                         {"floor 2500", "7.5"},
		"a floor above the cash":          {"floor 12k", "0.0"},
		"a budget of the same":            {`budget "A" 400/month: Gusto`, "10.0"},
		"a smaller budget":                {`budget "A" 200/month: Gusto`, "12.5"},
		"a budget from March":             {`budget "A" 1400/month from March: Gusto`, "6.6"},
		"a hire in it":                    {"budget \"A\" 400/month: Gusto\nhire \"B\" 1k/month in \"A\"", "5.0"},
		"the first line names it":         {"budget \"A\" 400/month: Gusto\nbudget \"B\" 1k/month: Gusto", "5.0"},
		"weekly":                          {`cost "A" 1 on 2026-12-01` + "\n" + `budget "B" 70/week`, "7.6"},
		"every quarter":                   {`tax "A" 3k every quarter on 15 from 2026-12`, "4.0"},
		"every year":                      {`tax "A" 3k every year on 15 from 2026-12`, "7.0"},
		"confirmed":                       {`hire "A" 200/month from 2026-11, since 2026-11-15 as "Gusto"`, "8.3"},
		"a case":                          {`case "A": burn -50%`, "10.0"},
		"another currency, no rate":       {`hire "A" 500 EUR/month`, "10.0"},
		"days that a month does not have": {`budget "A" 1k/month on 31`, "5.0"},
	} {
		p := parse(t, "plan from 2026-11 in USD\n"+test.lines)
		got := column(t, plan.Evaluate(p, basis(10_000_00, 1000_00, paid...)), plan.WholePlan)
		if months(got) != test.months {
			t.Errorf("%s: %s months, zero day %s, want %s", name, months(got), got.Zero, test.months)
		}
	}
}

// Without lines, all columns are the server's runway. Lines that change nothing leave it as it is,
// to a tenth of a month.
func TestAPlanWithoutLinesIsTheServersRunway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := basis(rapid.Int64Range(0, 1e12).Draw(t, "cash"), rapid.Int64Range(100_00, 1e11).Draw(t, "burn"))
		empty := plan.Evaluate(parsed(t, "plan from 2026-11 in USD\n"), b)
		server, none := empty.Columns[0], empty.Columns[1]
		if months(server) != months(none) || server.Zero != none.Zero || server.Burning != none.Burning ||
			b.Cash.Runway != nil && *server.Runway != *b.Cash.Runway {
			t.Fatalf("%+v\nwithout lines\n%+v", server, none)
		}
		same := plan.Evaluate(parsed(t, "plan from 2026-11 in USD\nburn +0%\n"), b).Columns[1]
		if b.Cash.Runway == nil || b.Cash.Runway.Tenths() >= 10*12*plan.Years-1 {
			return
		}
		if difference := same.Runway.Tenths() - b.Cash.Runway.Tenths(); difference < -1 || difference > 1 {
			t.Fatalf("%s months, the server has %s", same.Runway, b.Cash.Runway)
		}
	})
}

func parsed(t *rapid.T, text string) *plan.Plan {
	p, err := plan.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestByWhenMoneyMustBeThere(t *testing.T) {
	const seed = "raise \"Seed\" 1.5k on 2027-06-15, takes 10 weeks\n"
	for name, test := range map[string]struct {
		burn       int64
		text, want string
	}{
		"a raise": {1000_00, seed + "floor 1000",
			"Without the raise cash is below $1,000.00 on 21 Aug 2027: money by 20 Aug 2027, signed by 11 Jun 2027."},
		"without a floor": {1000_00, seed,
			"Without the raise cash is gone on 21 Sep 2027: money by 20 Sep 2027, signed by 12 Jul 2027."},
		"no takes": {1000_00, `raise "Seed" 1k on 2027-06-15`,
			"Without the raise cash is gone on 21 Sep 2027: money by 20 Sep 2027. Line 2 does not say how long it takes, so " +
				"there is no day to sign."},
		"no raise": {1000_00, `hire "A" 1k/month`,
			"Cash is gone on 21 Apr 2027: money by 20 Apr 2027. No raise is planned, so there is no day to sign."},
		"too late": {9000_00, seed,
			"Without the raise cash is gone on 24 Dec 2026: money by 23 Dec 2026, signed by 14 Oct 2026, which has passed."},
		"two": {1000_00, seed + `raise "A" 9k on 2028-01-15, takes 1 month`,
			"Without the raise cash is gone on 21 Sep 2027: money by 20 Sep 2027, signed by 12 Jul 2027. With it, \"A\" by " +
				"4 Nov 2027, signed by 4 Oct 2027."},
		"cash stays": {1000_00, seed + "burn -100%", "Without the raise cash is not gone within eight years."},
		"no burn":    {0, "floor 5", "No net burn: no money is needed."},
	} {
		o := plan.Evaluate(parse(t, "plan from 2026-11 in USD\n"+test.text), basis(10_000_00, test.burn))
		if o.Decision.Text != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, o.Decision.Text, test.want)
		}
	}
}

func TestWhatIsNotCountedIsSaid(t *testing.T) {
	rate := row("2026-11-02", "Berlin", -110_00)
	rate.Amount = apiclient.NewAmount(100_00, "EUR")
	text := "plan from 2026-11 in USD\nhire \"A\" 100 EUR/month\nhire \"B\" 100 CHF/month\n" +
		"raise \"C\" 5k on 2026-11-10\ncost \"D\" 5 on 2026-11-12\n"
	o := plan.Evaluate(parse(t, text), basis(10_000_00, 1000_00, rate))

	notes := strings.Join(o.Notes, "\n")
	for _, want := range []string{
		"euros counts at the rate of 2026-11-02.", `"C" was planned for 10 Nov 2026 and not seen: it counts nothing.`,
		`"D" was planned for 12 Nov 2026 and is not confirmed: it counts nothing.`, "lines in it are in no sum.",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	// 10,000.00 less three months of 1,000.00, and 110.00 × (10/30 + 2 + 20/28).
	if got := column(t, o, plan.WholePlan).Cash[0].String(); got != "~$6,664.76" {
		t.Errorf("cash in three months is %s", got)
	}
	unknown := plan.Evaluate(parse(t, text), plan.Basis{Currency: "USD", Cash: figures.Cash{Reason: "No history."}})
	if c := unknown.Columns[1]; c.Reason != "No history." || c.Cash[0].String() != "—" {
		t.Errorf("%+v", c)
	}
}

// A second, slow implementation: the cash at the end of each day, from the words of the lines.
func TestThePathIsThatOfTheSecondImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(drawLine), 0, 12).Draw(t, "lines")
		text := "plan from 2026-11 in USD\nfloor 0\n"
		for i, l := range lines {
			text += fmt.Sprintf(l.text, i) + "\n"
		}
		cash := rapid.Int64Range(0, 1e8).Draw(t, "cash")
		b := basis(cash, rapid.Int64Range(1, 1e7).Draw(t, "burn"))
		got := plan.Evaluate(parsed(t, text), b).Columns[1]
		burn := b.Cash.NetBurn.Minor

		end, zero := today.AddMonths(12), civil.Date{}
		var begins civil.Date
		var days int64
		for day := today.AddDays(1); !day.After(end); day = day.AddDays(1) {
			if day.Day() == 21 {
				begins, days = day.AddDays(-1), int64(day.AddDays(-1).AddMonths(1).DaysSince(day.AddDays(-1)))
			}
			n := int64(day.DaysSince(begins))
			cash -= burn*n/days - burn*(n-1)/days
			for _, l := range lines {
				cash += l.on(day)
			}
			if cash < 0 && zero.IsZero() {
				zero = day
			}
		}
		early := !got.Zero.IsZero() && !got.Zero.After(end)
		if got.Cash[2].Minor != cash || (early || !zero.IsZero()) && got.Zero != zero {
			t.Fatalf("cash is %d, zero day %s; want %d, %s of\n%s", got.Cash[2].Minor, got.Zero, cash, zero, text)
		}
	})
}

// drawn is a line with what it brings on a day.
type drawn struct {
	text string
	on   func(day civil.Date) int64
}

func drawLine(t *rapid.T) drawn {
	cents := rapid.Int64Range(1, 1e7).Draw(t, "cents")
	amount := fmt.Sprintf("%d.%02d", cents/100, cents%100)
	month := civil.New(2026, 11, 1).AddMonths(rapid.IntRange(0, 13).Draw(t, "from"))
	from := month.String()[:7]
	begun := func(day civil.Date) bool { return !day.Before(month) }
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0: // on two days of the month
		return drawn{`budget "%d" ` + amount + "/month on 15 and last from " + from, func(day civil.Date) (sum int64) {
			if begun(day) && day.Day() == 15 {
				sum -= cents/2 + cents%2
			}
			if begun(day) && day == day.LastOfMonth() {
				sum -= cents / 2
			}
			return sum
		}}
	case 1: // two people, evenly
		return drawn{`hire 2 "%d" ` + amount + "/month from " + from, func(day civil.Date) int64 {
			days := int64(civil.DaysIn(day.Year(), day.Month()))
			if !begun(day) {
				return 0
			}
			return -(2*cents*int64(day.Day())/days - 2*cents*int64(day.Day()-1)/days)
		}}
	case 2:
		return drawn{`cost "%d" ` + amount + " on " + month.AddDays(6).String(), func(day civil.Date) int64 {
			if day == month.AddDays(6) {
				return -cents
			}
			return 0
		}}
	case 3:
		return drawn{`raise "%d" ` + amount + " on " + month.AddDays(27).String(), func(day civil.Date) int64 {
			if day == month.AddDays(27) {
				return cents
			}
			return 0
		}}
	case 4:
		return drawn{`tax "%d" ` + amount + " every quarter on 31 from " + from, func(day civil.Date) int64 {
			if begun(day) && (day.Month()-month.Month()+12)%3 == 0 && day == day.LastOfMonth() {
				return -cents
			}
			return 0
		}}
	case 5:
		return drawn{`budget "%d" ` + amount + "/week on Tuesday from " + from, func(day civil.Date) int64 {
			if begun(day) && day.Weekday() == time.Tuesday {
				return -cents
			}
			return 0
		}}
	}
	until := month.AddMonths(2)
	return drawn{`income "%d" ` + amount + "/month on 3 from " + from + " to " + until.String()[:7],
		func(day civil.Date) int64 {
			if begun(day) && day.Before(until.AddMonths(1)) && day.Day() == 3 {
				return cents
			}
			return 0
		}}
}

func BenchmarkEvaluate(b *testing.B) {
	text := "plan from 2026-11 in USD\nraise \"R\" 1M on 2027-06-15\ncase \"A\": burn -10%\ncase \"B\": burn +10%\n"
	for i := range 197 {
		text += fmt.Sprintf("budget \"%d\" %d/month on 15 and last from 2027-01\n", i, i+1)
	}
	p, err := plan.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	of := basis(1_000_000_00, 10_000_00)
	for b.Loop() {
		plan.Evaluate(p, of)
	}
}

func TestAPlanSaysThatItsCashIsGoneAtTheFloor(t *testing.T) {
	const want = "With the floor of $2,500.00, the cash of the plan and its cases is gone when it falls below that."
	for lines, said := range map[string]bool{"floor 2500": true, "floor 0": false, "burn -5%": false} {
		o := plan.Evaluate(parse(t, "plan from 2026-11 in USD\n"+lines), basis(10_000_00, 1000_00))
		if got := slices.Contains(o.Notes, want); got != said {
			t.Errorf("%s: %q", lines, o.Notes)
		}
	}
}
