package figures_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

func TestZeroDate(t *testing.T) {
	asOf := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)
	for tenths, want := range map[int64]string{
		0: "2026-11-20", 142: "2028-01-26", 30: "2027-02-20", 9: "2026-12-17", 12000: "2126-11-20", 12001: "", 1e9: "",
		-1: "",
	} {
		day, ok := figures.ZeroDate(asOf, apiclient.MonthsOf(tenths))
		if ok != (want != "") || ok && day.String() != want {
			t.Errorf("%d tenths: %s, %v; want %q", tenths, day, ok, want)
		}
	}
	// The zero-cash date is in UTC, whatever the local time zone.
	west := asOf.Add(time.Hour).In(time.FixedZone("west", -8*3600))
	if day, _ := figures.ZeroDate(west, apiclient.MonthsOf(0)); day != civil.New(2026, 11, 21) {
		t.Errorf("counted from %s", day)
	}
}

// Implausible dates yield no zero-cash date, whatever the runway.
func TestNoZeroMonthIsCountedFromADateThatIsNone(t *testing.T) {
	runway := apiclient.MonthsOf(118)
	for text, want := range map[string]string{
		"0001-01-01T00:00:00Z": "—", "1970-01-01T00:00:00Z": "—", "9999-12-31T00:00:00Z": "—",
		"2026-11-20T00:00:00Z": "2027-11",
	} {
		asOf, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		got := figures.CashOf(&apiclient.CashPosition{
			Currency: "USD", AsOf: asOf, RunwayMonths: &runway, Sufficient: true, IsBurning: true,
		}, figures.Window{}).ZeroMonth()
		if got != want {
			t.Errorf("as of %s: %s, want %s", text, got, want)
		}
		if got := figures.WithTime("as of", &asOf, time.Now()); (got == "") != (want == "—") {
			t.Errorf("as of %s is said as %q", text, got)
		}
	}
	centuries := apiclient.MonthsOf(99_999)
	for want, c := range map[string]*apiclient.CashPosition{
		"—": {Currency: "USD", AsOf: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)},
		"over 100 years away": {Currency: "USD",
			AsOf: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), RunwayMonths: &centuries},
	} {
		c.Sufficient, c.IsBurning = true, true
		if got := figures.CashOf(c, figures.Window{}).ZeroMonth(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func month(in, out int64) figures.Month {
	return figures.Month{Summary: apiclient.Summary{Currency: "USD",
		InflowMinor: in, OutflowMinor: out, NetMinor: in - out}}
}

// Adding a month's net to the previous month-end cash yields its own.
func TestMonthEndsWalkBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var months []figures.Month
		for range rapid.IntRange(1, 20).Draw(t, "months") {
			months = append(months, month(rapid.Int64Range(0, 1e14).Draw(t, "in"), rapid.Int64Range(0, 1e14).Draw(t, "out")))
		}
		cash := rapid.Int64Range(-1e14, 1e14).Draw(t, "cash")
		ends, ok := figures.MonthEnds(figures.Total{Currency: "USD", Minor: cash, Kind: figures.Balance}, months)
		if !ok || len(ends) != len(months) || ends[len(ends)-1].Minor != cash {
			t.Fatalf("ends %v, %v for cash %d", ends, ok, cash)
		}
		for i := range ends[1:] {
			if ends[i].Minor+months[i+1].Summary.NetMinor != ends[i+1].Minor {
				t.Fatalf("from %d the net %d does not come to %d", ends[i].Minor, months[i+1].Summary.NetMinor, ends[i+1].Minor)
			}
		}
	})
}

func TestMonthEndsThatDoNotFitAreNone(t *testing.T) {
	for name, months := range map[string][]figures.Month{
		"outflow":         {month(0, 1)},
		"two of them":     {month(0, math.MaxInt64), month(0, math.MaxInt64)},
		"negative inflow": {month(math.MinInt64, 0)},
	} {
		if ends, ok := figures.MonthEnds(figures.Total{Currency: "USD", Minor: math.MaxInt64}, months); ok {
			t.Errorf("%s: %v", name, ends)
		}
	}
}

func TestSharesAddUpAndAreNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Int64Range(0, math.MaxInt64/8), 1, 8).Draw(t, "parts")
		shares := figures.Shares(parts)
		var whole float64
		for _, p := range parts {
			whole += float64(p)
		}
		if whole == 0 {
			if shares != nil {
				t.Fatalf("shares %v of nothing", shares)
			}
			return
		}
		var sum int64
		for i, share := range shares {
			sum += share
			if exact := float64(parts[i]) / whole * 1000; math.Abs(float64(share)-exact) > 1.001 {
				t.Fatalf("part %d of %v is %d tenths, exactly %f", i, parts, share, exact)
			}
		}
		if sum != 1000 {
			t.Fatalf("shares %v of %v add up to %d", shares, parts, sum)
		}
	})
}

func TestSharesOfWhatHasNone(t *testing.T) {
	for _, parts := range [][]int64{nil, {0, 0}, {5, -1}, {math.MaxInt64, 1}} {
		if shares := figures.Shares(parts); shares != nil {
			t.Errorf("shares of %v: %v", parts, shares)
		}
	}
	if got := figures.Percent(1000); got != "100.0%" {
		t.Error(got)
	}
}

func TestAt(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	earlier, yesterday := now.Add(-time.Hour).In(time.FixedZone("east", 9*3600)), now.AddDate(0, 0, -1)
	for _, c := range []struct {
		at   *time.Time
		want string
	}{{nil, ""}, {&time.Time{}, ""}, {&earlier, "synced 13:02 UTC"}, {&yesterday, "synced 2026-11-19 14:02 UTC"}} {
		if got := figures.WithTime("synced", c.at, now); got != c.want {
			t.Errorf("%v: %q, want %q", c.at, got, c.want)
		}
	}
}
