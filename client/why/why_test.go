package why_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

var today = civil.New(2026, 11, 20)

// row is a transaction of the ledgers of the tests. Cents are negative for money out.
type row struct {
	date    string
	name    string
	cents   int64
	purpose spending.Purpose
}

func ledger(rows []row) *spending.Ledger {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(b.date, a.date) })
	own, financing := map[string]bool{}, map[string]bool{}
	transactions := make([]apiclient.Transaction, len(rows))
	for i, r := range rows {
		t := &transactions[i]
		t.ID, t.Date, t.CounterpartyName = fmt.Sprint(i), civil.MustParse(r.date), r.name
		t.Direction, t.Reporting = apiclient.Inflow, apiclient.NewAmount(r.cents, "USD")
		if r.cents < 0 {
			t.Direction, t.Reporting = apiclient.Outflow, apiclient.NewAmount(-r.cents, "USD")
		}
		own[t.ID], financing[t.ID] = r.purpose == spending.OwnTransfer, r.purpose == spending.Financing
	}
	return spending.NewLedger(transactions, own, financing)
}

// company pays rent on the first day of each month and its payroll twice, and gets money from
// Hooli. In October payroll was paid three times, the yearly insurance was due and the cloud became
// dearer.
func company() []row {
	var rows []row
	for month := civil.New(2024, 10, 1); !month.After(today); month = month.AddMonths(1) {
		day := func(n int) string { return month.AddDays(n - 1).String() }
		cloud := int64(-1_200_00)
		if !month.Before(civil.New(2026, 10, 1)) {
			cloud = -1_590_00
		}
		rows = append(rows, row{day(1), "Quayside Rent", -4_000_00, 0}, row{day(3), "Payroll", -8_200_00, 0},
			row{day(5), "Hooli", 9_000_00, 0}, row{day(8), "Cloud", cloud, 0}, row{day(17), "Payroll", -8_200_00, 0})
		if month.Month() == time.October {
			rows = append(rows, row{day(20), "Anchor Insurance", -9_100_00, 0})
		}
	}
	return append(rows, row{"2026-10-30", "Payroll", -8_200_00, 0}, row{"2026-10-12", "Corner Cafe", -33_00, 0})
}

func TestTheSentenceNamesWhatMadeAMonthWorse(t *testing.T) {
	l := ledger(company())

	m, ok := why.MonthOf(l, civil.New(2026, 10, 1), l.Begins(), today)

	const want = "October burned $17,723.00 more than September: Anchor Insurance cost $9,100.00 more " +
		"(yearly), Payroll cost $8,200.00 more (3 payments, not 2), other costs rose $423.00."
	if got := m.String(); !ok || got != want {
		t.Errorf("it says %q, %v,\nwant %q", got, ok, want)
	}
	const brief = "October burned $17,723.00 more than September. Worse: Anchor Insurance $9,100.00, " +
		"Payroll $8,200.00, other costs $423.00."
	if got := m.Brief(money.Text); got != brief {
		t.Errorf("in brief it says %q,\nwant %q", got, brief)
	}
}

func TestABriefSentenceSetsWhatWasBetterApart(t *testing.T) {
	l := ledger(append(company(), each("Agency", -6_000_00, "07-02", "08-02", "09-02")...))

	m, ok := why.MonthOf(l, civil.New(2026, 10, 1), l.Begins(), today)

	const want = "Worse: Anchor Insurance $9,100.00, Payroll $8,200.00, other costs $423.00. Better: Agency $6,000.00."
	if got := m.Brief(money.Text); !ok || !strings.HasSuffix(got, "September. "+want) {
		t.Errorf("it says %q, want %q", got, want)
	}
}

func TestPartsSayHowPaymentsChanged(t *testing.T) {
	rows := append(company(), row{"2026-10-25", "Newcomer", -20_000_00, 0}, row{"2026-10-26", "Investor", 50_000_00, 2},
		row{"2026-10-27", "Harbor", -700_00, 1})
	for i := range rows {
		if rows[i].name == "Cloud" && rows[i].date == "2026-10-08" {
			rows[i].cents *= 4
		}
	}

	m, ok := why.MonthOf(ledger(rows), civil.New(2026, 10, 1), civil.New(2024, 10, 1), today)

	got := map[string]string{}
	for _, p := range m.Parts {
		got[p.Name] = p.Reason
	}
	for name, reason := range map[string]string{
		"Newcomer": "new", "financing": "", "own transfers": "", "other costs": "",
	} {
		if has, named := got[name]; !ok || !named || has != reason {
			t.Errorf("%s is %q, %v; all: %v", name, has, named, got)
		}
	}
}

// Each part says in words whether more or less came in or went out, so that no sign can be misread.
func TestPartsSayTheirDirectionInWords(t *testing.T) {
	october := civil.New(2026, 10, 1)
	for want, rows := range map[string][]row{
		"Newcomer paid $20,000.00 more (new)":  {{"2026-10-25", "Newcomer", 20_000_00, 0}},
		"no payment from Initech ($5,000.00)":  each("Initech", 5_000_00, "07-02", "08-02", "09-02"),
		"no payment to Agency ($6,000.00)":     each("Agency", -6_000_00, "07-02", "08-02", "09-02"),
		"own transfers took $7,000.00 more":    {{"2026-10-27", "Harbor", -7_000_00, 1}},
		"own transfers brought $7,000.00 less": {{"2026-09-27", "Harbor", 7_000_00, 1}},
		"financing brought $50,000.00 more":    {{"2026-10-26", "Investor", 50_000_00, 2}},
		"financing took $2,000.00 less":        {{"2026-09-26", "Lender", -2_000_00, 2}},
		"Refunder cost $9,500.00 less": {
			{"2026-09-03", "Refunder", -9_000_00, 0}, {"2026-10-03", "Refunder", 500_00, 0},
		},
		"other income fell $900.00, other costs rose $423.00.": {{"2026-09-26", "Once Only", 900_00, 0}},
	} {
		l := ledger(append(company(), rows...))

		m, ok := why.MonthOf(l, october, l.Begins(), today)

		if got := m.String(); !ok || !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

// each returns a row of the year 2026 for each month and day.
func each(name string, cents int64, days ...string) (rows []row) {
	for _, day := range days {
		rows = append(rows, row{"2026-" + day, name, cents, 0})
	}
	return rows
}

func TestTheSentenceSeparatesTheTimePassedFromWhatChanged(t *testing.T) {
	for _, c := range []struct {
		cents int64
		asOf  time.Time
		want  string
	}{
		{-33_00, today.Time(), "November has burned $13.0k in 20 days. 27.0 months left, 0.7 less than on 31 October."},
		{-10_000_00, today.Time(), "November has burned $23.0k in 20 days. 27.0 months left, 1.2 less than on " +
			"31 October; the end moves from March to February 2029."},
		{40_000_00, today.Time(), "November has added $27.0k in 20 days. 27.0 months left, 1.5 more than on " +
			"31 October; the end moves from December 2028 to February 2029."},
		{12_500_00, today.Time(), "November has burned $490 in 20 days. 27.0 months left, as on 31 October; the end " +
			"moves from January to February 2029."},
		{-33_00, time.Time{}, "November has burned $13.0k in 20 days. 27.0 months left, 0.7 less than on 31 October."},
	} {
		b := basis(ledger(append(company(), row{"2026-11-10", "Once Only", c.cents, 0})))
		b.Cash.Position.AsOf = c.asOf

		sentences := why.Sentences(b)

		if !slices.ContainsFunc(sentences, func(s why.Sentence) bool { return s.Subject == why.Used && s.Text == c.want }) {
			t.Errorf("nothing says %q: %+v", c.want, sentences)
		}
	}
}

func TestFinancingIsACauseOfItsOwn(t *testing.T) {
	for want, cents := range map[string]int64{
		", financing brought $50,000.00 (+4.0)": 50_000_00,
		", financing took $50,000.00 (-4.0)":    -50_000_00,
	} {
		l := ledger(append(company(), row{"2026-10-26", "Investor", cents, spending.Financing}))

		r, ok := why.RunwayOf(known(l, position(l, 0), l.Begins()))

		if got := r.String(); !ok || !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

func TestAMonthWithoutADifferenceIsAboutTheSame(t *testing.T) {
	l := ledger(company())

	m, ok := why.MonthOf(l, civil.New(2026, 9, 1), l.Begins(), today)

	if got := m.String(); !ok || got != "September burned about as much as August." {
		t.Errorf("it says %q, %v", got, ok)
	}
}

func TestThereIsNoSentenceAboutWhatIsNotKnown(t *testing.T) {
	l := ledger(company())
	october := civil.New(2026, 10, 1)
	undirected := ledger(company())
	undirected.Rows[12].Direction = "sideways"

	for name, ok := range map[string]bool{
		"a month that is not over":          second(why.MonthOf(l, civil.New(2026, 11, 1), l.Begins(), today)),
		"a ledger that begins in September": second(why.MonthOf(l, october, civil.New(2026, 9, 2), today)),
		"a row without a direction":         second(why.MonthOf(undirected, october, l.Begins(), today)),
		"a month without rates":             second(why.MonthOf(withoutRates(10), october, l.Begins(), today)),
		"a month before without rates":      second(why.MonthOf(withoutRates(9), october, l.Begins(), today)),
		"months without rows":               second(why.MonthOf(ledger(company()[:1]), october, l.Begins(), today)),
		"the runway without it":             second(why.RunwayOf(known(undirected, position(l, 0), l.Begins()))),
		"another burn than the rows'":       second(why.RunwayOf(known(l, position(l, 1), l.Begins()))),
		"a runway of a short ledger":        second(why.RunwayOf(known(l, position(l, 0), civil.New(2026, 7, 2)))),
	} {
		if ok {
			t.Errorf("%s: there is a sentence", name)
		}
	}
}

// withoutRates returns the ledger with no exchange rate for the rows of a month of 2026.
func withoutRates(month time.Month) *spending.Ledger {
	l := ledger(company())
	for i := range l.Rows {
		if r := &l.Rows[i]; r.Date.Year() == 2026 && r.Date.Month() == month {
			r.Reporting = apiclient.UnknownAmount("USD")
		}
	}
	return l
}

func second[T any](_ T, ok bool) bool { return ok }

// known is what is known of the runway alone.
func known(l *spending.Ledger, cash figures.Cash, begins civil.Date) why.Basis {
	return why.Basis{Ledger: l, Cash: &cash, Begins: begins, Today: today}
}

// position is the cash position of a company with 500,000 US dollars today. Its net burn is that of
// the rows and so many cents more.
func position(l *spending.Ledger, more int64) figures.Cash {
	var net int64
	for i := range l.Rows {
		r := &l.Rows[i]
		cents, _ := r.Signed()
		if back := today.MonthsSince(r.Date.FirstOfMonth()); back >= 1 && back <= 3 && r.Purpose == spending.Operating {
			net -= cents
		}
	}
	spendable, burn := int64(500_000_00), (net+2)/3+more
	months := apiclient.MonthsOf(10 * spendable / max(burn, 1))
	return figures.CashOf(&apiclient.CashPosition{
		Currency: "USD",
		AsOf:     today.Time(), CashCents: spendable, RunwayCashCents: &spendable, MonthlyBurnCents: burn, IsBurning: true,
		Sufficient: true, RunwayMonths: &months,
	}, figures.Window{})
}

func TestTheSentenceSaysWhyTheRunwayChanged(t *testing.T) {
	l := ledger(company())

	r, ok := why.RunwayOf(known(l, position(l, 0), l.Begins()))

	const want = "October took 15.4 months: cash fell $30,323.00 (-2.4), average burn rose to $18,507.67 (-13.0), " +
		"most of that as " +
		"Anchor Insurance cost $9,100.00 more and Payroll cost $8,200.00 more than in July " +
		"(3 payments, not 2)."
	if got := r.String(); !ok || got != want {
		t.Errorf("it says %q, %v,\nwant %q", got, ok, want)
	}
}

// changeOf returns by how much the operating rows of a name in October 2026 differ from those of
// September.
func changeOf(rows []row, name string) (change int64) {
	for _, r := range rows {
		switch month := r.date[:len("2026-10")]; {
		case r.name != name || r.purpose != spending.Operating:
		case month == "2026-10":
			change += r.cents
		case month == "2026-09":
			change -= r.cents
		}
	}
	return change
}

// Whatever the rows, the parts of a month add up to its difference to the cent, and the causes of a
// changed runway to the tenth.
func TestThePartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"Rent", "Payroll", "Hooli", "Cloud", "Cafe", "Studio"}
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) row {
			day := today.AddDays(-rapid.IntRange(0, 180).Draw(t, "day"))
			return row{day.String(), rapid.SampledFrom(names).Draw(t, "name"),
				rapid.Int64Range(-9_000_00, 5_000_00).Draw(t, "cents"),
				rapid.SampledFrom([]spending.Purpose{0, 0, 0, 0, 1, 2}).Draw(t, "purpose")}
		}), 5, 60).Draw(t, "rows")
		rows = append(rows, row{"2026-10-31", "Rent", -1_000_00, 0}) // without any row there is nothing to compare
		l := ledger(rows)
		begins := civil.New(2026, 1, 1)

		m, ok := why.MonthOf(l, civil.New(2026, 10, 1), begins, today)

		var sum int64
		for _, p := range m.Parts {
			sum += p.Cents
			if change := changeOf(rows, p.Name); slices.Contains(names, p.Name) && p.Cents != change {
				t.Fatalf("%s is %d, its rows say %d: %+v", p.Name, p.Cents, change, m.Parts)
			}
		}
		if !ok || sum != m.Difference {
			t.Fatalf("the parts %+v are %d, the difference is %d", m.Parts, sum, m.Difference)
		}
		r, ok := why.RunwayOf(known(l, position(l, 0), begins))
		if ok && r.By.Spent+r.By.Financing+r.By.Burn != r.After.Tenths()-r.Before.Tenths() {
			t.Fatalf("from %s to %s by %+v", r.Before, r.After, r.By)
		}
	})
}
